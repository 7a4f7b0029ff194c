//! Memories by id, owner or source, and checkpoints by what they cover.

use aura_core::{Checkpoint, EventRange, Layer, Memory, MemoryId, Result, SessionId, UserId};
use rusqlite::Connection;

use super::Erasing;
use crate::sqlite::query::all;
use crate::sqlite::sessions::Json;
use crate::sqlite::statements::{checkpoints, deletion, memories};

/// Removes a memory.
pub(super) fn erase(conn: &Connection, id: &MemoryId, erasing: &mut Erasing) -> Result<()> {
    erase_found(conn, memories::GET, id.as_str(), |_| true, erasing)
}

/// Removes all memories of a user.
pub(super) fn erase_of_user(conn: &Connection, user: &UserId, erasing: &mut Erasing) -> Result<()> {
    erase_found(conn, memories::OF_USER, user.as_str(), |_| true, erasing)
}

/// Removes the memories that came from a session, or from some of its events.
pub(super) fn erase_of_session(
    conn: &Connection,
    session_id: &SessionId,
    range: Option<EventRange>,
    erasing: &mut Erasing,
) -> Result<()> {
    let rests_on = |memory: &Memory| {
        let mut events = memory.proposal.source.events.iter();
        range.is_none_or(|range| events.any(|event| range.contains(*event)))
    };
    let id = session_id.as_str();
    erase_found(conn, memories::OF_SESSION, id, rests_on, erasing)
}

fn erase_found(
    conn: &Connection,
    sql: &str,
    of: &str,
    is_gone: impl Fn(&Memory) -> bool,
    erasing: &mut Erasing,
) -> Result<()> {
    let tenant = erasing.receipt.tenant.to_string();
    let found: Vec<Memory> = all(conn, sql, (&tenant, of), |row| {
        Ok(Ok(row.get::<_, Json<Memory>>(0)?.0))
    })?;
    for memory in found.into_iter().filter(|memory| is_gone(memory)) {
        let id = memory.memory_id.as_str();
        erasing.receipt.note(Layer::Memories, id, 1);
        erasing.needles.take(memory.proposal.text.as_bytes());
        erasing.remove(conn, memories::DELETE, (&tenant, id))?;
    }
    Ok(())
}

/// Removes the checkpoints of a session, or those that cover some of its events.
pub(super) fn erase_checkpoints(
    conn: &Connection,
    session_id: &SessionId,
    range: Option<EventRange>,
    erasing: &mut Erasing,
) -> Result<()> {
    let tenant = erasing.receipt.tenant.to_string();
    let of = (&tenant, session_id.as_str());
    let mut found: Vec<Checkpoint> = all(conn, checkpoints::LIST, of, |row| {
        Ok(Ok(row.get::<_, Json<Checkpoint>>(0)?.0))
    })?;
    found.retain(|checkpoint| range.is_none_or(|range| checkpoint.range.overlaps(&range)));
    for checkpoint in found {
        let id = checkpoint.checkpoint_id.as_str();
        erasing.receipt.note(Layer::Checkpoints, id, 1);
        for (_, claim) in checkpoint.content.claims() {
            erasing.needles.take(claim.text.as_bytes());
        }
        erasing.remove(conn, deletion::CHECKPOINTS, (&tenant, id))?;
    }
    Ok(())
}
