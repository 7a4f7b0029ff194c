//! Facts: the ledger of changes, and what still awaits distillation.

use aura_core::json;
use aura_core::{
    Distilled, FactCommit, FactEntry, FactOp, Result, Session, SessionId, SessionKey, TenantId,
    TurnIndex, TurnStatus,
};
use rusqlite::Connection;

use crate::refusal::{facts_moved, full_session, no_session};
use crate::sqlite::connections::WriteConnection;
use crate::sqlite::log;
use crate::sqlite::position;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::{self, Id, Json};
use crate::sqlite::statements::{facts, sessions as session_statements};

/// How many turns are looked at in one step when searching for one that is not distilled.
const STEP: usize = 1_000;

/// Commits changes and how far facts are distilled.
pub(super) fn commit(writer: &mut WriteConnection, commit: FactCommit) -> Result<Session> {
    let mut known = writer.session(&commit.key)?.ok_or_else(no_session)?;
    let session = &mut known.session;
    if session.distilled.commits != commit.expected {
        return Err(facts_moved());
    }
    writer.guard()?;
    let conn = writer.conn();
    let span = position::all_of(known.no);
    let last: Option<i64> = one(conn, facts::LAST, (span.start(), span.end()), |row| {
        row.get(0)
    })?;
    let next = last.map_or_else(|| *span.start(), |last| last + 1);
    for (pos, entry) in (next..).zip(&commit.entries) {
        if pos >= *span.end() {
            return Err(full_session());
        }
        let change = json::to_string(&entry.change)?;
        run(conn, facts::INSERT, (pos, entry.turn.0, change))?;
    }
    session.distilled = Distilled {
        commits: commit.expected + 1,
        ..commit.distilled
    };
    session.change_seq += 1;
    let params = (
        known.no,
        session.change_seq.cast_signed(),
        session.head.map(|head| head.0),
        session.distilled.next,
        json::to_string(&session.distilled.open)?,
        session.distilled.commits.cast_signed(),
    );
    run(conn, session_statements::SET_DISTILLED, params)?;
    let session = session.clone();
    writer.remember(known);
    Ok(session)
}

/// The changes from an entry on.
pub(super) fn read(conn: &Connection, key: &SessionKey, from: u64) -> Result<Vec<FactEntry>> {
    let Some(no) = sessions::number(conn, key)? else {
        return Ok(Vec::new());
    };
    let Ok(from) = u32::try_from(from) else {
        return Ok(Vec::new());
    };
    let span = (position::at(no, from), *position::all_of(no).end());
    all(conn, facts::BETWEEN, span, |row| {
        Ok(Ok(FactEntry {
            turn: TurnIndex(row.get(0)?),
            change: row.get::<_, Json<FactOp>>(1)?.0,
        }))
    })
}

/// Sessions with complete turns that are not distilled.
pub(super) fn undistilled(conn: &Connection, limit: usize) -> Result<Vec<SessionKey>> {
    let behind = all(conn, session_statements::BEHIND, [], |row| {
        let key = SessionKey {
            tenant: row.get::<_, Id<TenantId>>(1)?.0,
            session_id: row.get::<_, Id<SessionId>>(2)?.0,
        };
        let open: Vec<TurnIndex> = row.get::<_, Json<_>>(4)?.0;
        Ok(Ok((
            row.get::<_, i64>(0)?,
            key,
            row.get::<_, u32>(3)?,
            open,
        )))
    })?;
    let mut found = Vec::new();
    for (no, key, next, open) in behind {
        if found.len() == limit {
            break;
        }
        if has_complete(conn, no, next, &open)? {
            found.push(key);
        }
    }
    Ok(found)
}

fn has_complete(conn: &Connection, no: i64, mut next: u32, open: &[TurnIndex]) -> Result<bool> {
    for index in open {
        let turns = log::turns(conn, no, *index, 1)?;
        if turns.iter().any(|turn| turn.status == TurnStatus::Complete) {
            return Ok(true);
        }
    }
    loop {
        let turns = log::turns(conn, no, TurnIndex(next), STEP)?;
        if turns.iter().any(|turn| turn.status == TurnStatus::Complete) {
            return Ok(true);
        }
        let Some(last) = turns.last() else {
            return Ok(false);
        };
        next = last.index.0 + 1;
    }
}
