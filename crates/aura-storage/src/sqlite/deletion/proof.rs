//! Getting rid of the bytes, and the search that proves it.

mod raw;

use std::collections::HashSet;
use std::time::Duration;

use aura_core::{
    DeletionReceipt, DeletionState, ErrorKind, ProofSearch, Remaining, RemainingReason, Result,
    Timestamp,
};
use rusqlite::types::ValueRef;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, Row};

use super::{Known, find, keep, no_deletion};
use crate::needles::{Hash, Needles, Search};
use crate::sqlite::connections::checkpointer;
use crate::sqlite::failure::medium;
use crate::sqlite::query::all;
use crate::sqlite::statements::deletion;
use crate::sqlite::store::SqliteStorage;

/// How long writers are kept waiting for readers of an old state.
const PATIENCE: Duration = Duration::from_millis(200);

/// Moves the write-ahead log into the file, cuts it off and searches both. Stays `Pending` while somebody reads an old
/// state of the file, and where something was found.
pub(super) fn settle(
    store: &SqliteStorage,
    known: Known,
    now: Timestamp,
) -> Result<DeletionReceipt> {
    let Known {
        mut receipt,
        needles,
        ..
    } = known;
    let needles = needles.unwrap_or_else(|| Needles::new(""));
    if !cut(store)? {
        return Ok(receipt);
    }
    let mut found = search(store, &needles)?;
    if found.proof.found > 0 && rewrite(store)? && cut(store)? {
        found = search(store, &needles)?;
        found.proof.rewritten = true;
    }
    found.proof.searched_at = Some(now);
    if found.proof.found == 0 {
        receipt.state = DeletionState::Complete;
        receipt.completed_at = Some(now);
    }
    receipt.remaining = found.remaining;
    receipt.proof = Some(found.proof);
    store.write("advance_deletion", move |writer| {
        writer.guard()?;
        let conn = writer.conn();
        let known = find(conn, &receipt.tenant, &receipt.deletion_id)?.ok_or_else(no_deletion)?;
        let complete = receipt.state == DeletionState::Complete;
        let needles = known.needles.filter(|_| !complete);
        keep(conn, known.step, &receipt, needles.as_ref())?;
        Ok(receipt)
    })
}

/// Cuts the write-ahead log; `false` while somebody still needs it.
fn cut(store: &SqliteStorage) -> Result<bool> {
    let (path, options) = store.place();
    let conn = checkpointer(path, options)?;
    conn.busy_timeout(PATIENCE).map_err(medium)?;
    // As long as nobody writes, readers that come find all in the file, and the log is soon used by none.
    let cut = store
        .while_nobody_writes(|| conn.wal_checkpoint_v2::<&str>(None, CheckpointMode::TRUNCATE));
    match cut.map_err(medium) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::Busy => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes the whole file anew: SQLite may leave copies of cells behind where it moves them between pages.
fn rewrite(store: &SqliteStorage) -> Result<bool> {
    let (path, options) = store.place();
    let conn = checkpointer(path, options)?;
    match conn.execute_batch(deletion::REWRITE).map_err(medium) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::Busy => Ok(false),
        Err(error) => Err(error),
    }
}

struct Found {
    proof: ProofSearch,
    remaining: Vec<Remaining>,
}

fn search(store: &SqliteStorage, needles: &Needles) -> Result<Found> {
    let mut proof = ProofSearch {
        pieces: needles.len() as u64,
        ..ProofSearch::default()
    };
    let mut remaining = Vec::new();
    if needles.len() > 0 {
        let (path, _) = store.place();
        let search = needles.search();
        let mut places: Vec<Hash> = Vec::new();
        proof.bytes = raw::scan(path, &search, |hash| places.push(hash))?;
        if !places.is_empty() {
            let wanted: HashSet<Hash> = places.iter().copied().collect();
            let live = store.read("advance_deletion", |conn| {
                live(conn, &search, &wanted, &mut remaining)
            })?;
            proof.found = places.iter().filter(|hash| !live.contains(hash)).count() as u64;
        }
    }
    Ok(Found { proof, remaining })
}

/// Which of the pieces stand in rows, in whatever table.
fn live(
    conn: &Connection,
    search: &Search<'_>,
    wanted: &HashSet<Hash>,
    remaining: &mut Vec<Remaining>,
) -> Result<HashSet<Hash>> {
    let mut live = HashSet::new();
    let tables: Vec<String> = all(conn, deletion::TABLES, [], |row| row.get(0).map(Ok))?;
    for table in tables {
        let mut rows = 0;
        // The name comes from the schema, and no parameter may stand for one.
        let sql = deletion::ROWS_OF.replace("{table}", &table);
        all(conn, &sql, [], |row| {
            let before = live.len();
            let mut hit = false;
            scan_row(row, search, |hash| {
                hit |= wanted.contains(&hash);
                live.insert(hash);
            });
            rows += u64::from(hit || live.len() > before);
            Ok(Ok(()))
        })?;
        if rows > 0 {
            let reason = match table.as_str() {
                "policies" => RemainingReason::OwnerAction,
                _ => RemainingReason::OtherSource,
            };
            remaining.push(Remaining {
                place: table,
                rows,
                reason,
            });
        }
    }
    Ok(live)
}

fn scan_row(row: &Row<'_>, search: &Search<'_>, mut found: impl FnMut(Hash)) {
    let mut column = 0;
    while let Ok(value) = row.get_ref(column) {
        if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = value {
            search.scan(bytes, &mut found);
        }
        column += 1;
    }
}
