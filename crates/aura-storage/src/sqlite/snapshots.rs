//! Snapshots of derived things.

use aura_core::{Result, SessionKey, Snapshot};
use rusqlite::Connection;

use crate::refusal::no_session;
use crate::sqlite::query::{one, run};
use crate::sqlite::sessions;
use crate::sqlite::statements::snapshots;

/// Keeps a derived thing.
pub(super) fn put(
    conn: &Connection,
    key: &SessionKey,
    name: &str,
    snapshot: &Snapshot,
) -> Result<()> {
    let no = sessions::number(conn, key)?.ok_or_else(no_session)?;
    let change_seq = snapshot.change_seq.cast_signed();
    let params = (no, name, change_seq, &snapshot.bytes);
    run(conn, snapshots::PUT, params).map(drop)
}

/// A derived thing by its name.
pub(super) fn get(conn: &Connection, key: &SessionKey, name: &str) -> Result<Option<Snapshot>> {
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
