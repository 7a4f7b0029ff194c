//! What is made from the log and can be made again.

use aura_core::{EventId, Result};
use rusqlite::Connection;

use crate::sqlite::encoding::Body;
use crate::sqlite::position;
use crate::sqlite::query::one;
use crate::sqlite::statements::{log, sessions};

mod checkpoints;
pub(super) mod snapshots;
mod vectors;

/// The `change_seq` of the session's last deletion, 0 if there was none.
pub(super) fn purge_seq(conn: &Connection, no: i64) -> Result<u64> {
    let found: Option<i64> = one(conn, sessions::PURGE_SEQ, [no], |row| row.get(0))?;
    Ok(found.unwrap_or_default().cast_unsigned())
}

/// Whether the message of an event is still there.
fn has_message(conn: &Connection, no: i64, event: EventId) -> Result<bool> {
    let bounds = (position::at(no, 0), position::of_event(no, event)?);
    let found = one(conn, log::BODY_AT, bounds, |row| {
        let mut at = position::event(row.get(0)?);
        let body = row.get_ref(4)?.as_blob()?;
        let mut look = || -> Result<bool> {
            let mut body = Body::open(body)?;
            while let Some(bytes) = body.next()? {
                if at == event {
                    return Ok(!bytes.is_empty());
                }
                at = at.next();
            }
            Ok(false)
        };
        Ok(look())
    })?;
    found.unwrap_or(Ok(false))
}
