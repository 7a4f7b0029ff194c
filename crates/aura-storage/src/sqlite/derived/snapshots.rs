//! Snapshots of derived things.

use aura_core::{Result, SessionKey, Snapshot};
use rusqlite::Connection;

use crate::refusal::{no_session, no_snapshot, outdated};
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions;
use crate::sqlite::statements::snapshots;

/// Keeps a derived thing.
pub(in crate::sqlite) fn put(
    conn: &Connection,
    key: &SessionKey,
    name: &str,
    snapshot: &Snapshot,
) -> Result<()> {
    let no = sessions::number(conn, key)?.ok_or_else(no_session)?;
    insert(conn, no, name, snapshot)
}

fn insert(conn: &Connection, no: i64, name: &str, snapshot: &Snapshot) -> Result<()> {
    if snapshot.change_seq < super::purge_seq(conn, no)? {
        return Err(outdated());
    }
    let change_seq = snapshot.change_seq.cast_signed();
    let params = (no, name, change_seq, &snapshot.bytes);
    run(conn, snapshots::PUT, params).map(drop)
}

/// A derived thing by its name.
pub(in crate::sqlite) fn get(
    conn: &Connection,
    key: &SessionKey,
    name: &str,
) -> Result<Option<Snapshot>> {
    let Some(no) = sessions::number(conn, key)? else {
        return Ok(None);
    };
    one(conn, snapshots::GET, (no, name), |row| {
        Ok(Snapshot {
            change_seq: row.get::<_, i64>(0)?.cast_unsigned(),
            bytes: row.get(1)?,
        })
    })
}

/// Those whose names begin with a prefix.
pub(in crate::sqlite) fn list(
    conn: &Connection,
    key: &SessionKey,
    prefix: &str,
) -> Result<Vec<(String, Snapshot)>> {
    let Some(no) = sessions::number(conn, key)? else {
        return Ok(Vec::new());
    };
    all(conn, snapshots::LIST, (no, prefix), |row| {
        let snapshot = Snapshot {
            change_seq: row.get::<_, i64>(1)?.cast_unsigned(),
            bytes: row.get(2)?,
        };
        Ok(Ok((row.get(0)?, snapshot)))
    })
}

/// Replaces those whose names begin with a prefix by `put`, except for `keep`.
pub(in crate::sqlite) fn replace(
    conn: &Connection,
    key: &SessionKey,
    prefix: &str,
    keep: &[String],
    put: &[(String, Snapshot)],
) -> Result<()> {
    let no = sessions::number(conn, key)?.ok_or_else(no_session)?;
    let stored: Vec<String> = all(conn, snapshots::NAMES, (no, prefix), |row| {
        Ok(Ok(row.get(0)?))
    })?;
    if !keep.iter().all(|name| stored.contains(name)) {
        return Err(no_snapshot());
    }
    for name in stored.iter().filter(|name| !keep.contains(name)) {
        // What is put again is overwritten in place of that.
        if !put.iter().any(|(put, _)| put == name) {
            run(conn, snapshots::DELETE, (no, name))?;
        }
    }
    put.iter()
        .try_for_each(|(name, snapshot)| insert(conn, no, name, snapshot))
}
