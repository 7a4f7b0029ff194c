//! Rows of the log, and of what changed after them.

use std::sync::Arc;

use aura_core::json;
use aura_core::{
    EventId, EventRange, LargePart, Message, Part, Result, StoredMessage, Turn, TurnIndex,
    TurnStatus, TurnWrite,
};
use rusqlite::Connection;

use crate::large::Large;
use crate::sqlite::artifacts;
use crate::sqlite::failure::medium;
use crate::sqlite::log;
use crate::sqlite::position;
use crate::sqlite::query::run;
use crate::sqlite::sessions::Known;
use crate::sqlite::statements::{changes, log as log_statements};

/// Writes status and events of a turn that changed after its first row.
pub(super) fn put_change(conn: &Connection, known: &Known, turn: &Turn) -> Result<()> {
    let events: Vec<[u64; 2]> = turn
        .events
        .iter()
        .map(|range| [range.first.0, range.last.0])
        .collect();
    let params = (
        position::at(known.no, turn.index.0),
        log::status_number(turn.status),
        json::to_string(&events)?,
    );
    run(conn, changes::PUT, params).map(drop)
}

/// A row of the log beside its messages.
pub(super) struct Row {
    pub(super) turns: u32,
    pub(super) head: Option<TurnIndex>,
    pub(super) turn: TurnIndex,
    pub(super) first: Option<FirstRow>,
}

/// What the first row of a turn has more.
pub(super) struct FirstRow {
    pub(super) status: TurnStatus,
    pub(super) parent: Option<TurnIndex>,
    pub(super) key: Vec<u8>,
}

/// Appends `count` messages; `None` if there is a turn of that key already.
pub(super) fn append_row(
    conn: &Connection,
    known: &Known,
    write: &TurnWrite,
    count: usize,
    row: Row,
    body: &[u8],
) -> Result<Option<EventRange>> {
    let first = known.session.last_event.next();
    let last = EventId(known.session.last_event.0 + count as u64);
    position::of_event(known.no, last)?;
    let params = (
        position::of_event(known.no, first)?,
        count as i64,
        (known.session.change_seq + 1).cast_signed(),
        row.turns,
        row.head.map(|head| head.0),
        row.turn.0,
        row.first
            .as_ref()
            .map(|first| log::status_number(first.status)),
        row.first
            .as_ref()
            .and_then(|first| first.parent)
            .map(|parent| parent.0),
        write.recorded_at.as_millis(),
        row.first.as_ref().map(|first| &first.key),
        body,
    );
    let mut insert = conn
        .prepare_cached(log_statements::INSERT)
        .map_err(medium)?;
    match insert.execute(params) {
        Ok(_) => Ok(Some(EventRange::new(first, last))),
        Err(error) if is_taken(&error) => Ok(None),
        Err(error) => Err(medium(error)),
    }
}

fn is_taken(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE)
}

/// The messages of a write from the place `from` on, as the log holds them now; their large parts are put aside.
pub(super) fn stored(
    conn: &Connection,
    write: TurnWrite,
    turn: TurnIndex,
    events: EventRange,
    from: usize,
    large: Vec<Vec<Large>>,
) -> Result<Vec<Arc<StoredMessage>>> {
    let recorded_at = write.recorded_at;
    let tenant = write.key.tenant;
    let mut event_id = events.first;
    let mut out = Vec::with_capacity(write.messages.len() - from);
    for (message, large) in write.messages.into_iter().zip(large).skip(from) {
        let mut large_parts = Vec::with_capacity(large.len());
        for Large { part, digest } in large {
            let text = text_of(&message, part);
            let handle = artifacts::put_part(conn, &tenant, digest, text, recorded_at)?;
            large_parts.push(LargePart { part, handle });
        }
        out.push(Arc::new(StoredMessage {
            event_id,
            turn,
            recorded_at,
            message,
            large_parts,
        }));
        event_id = event_id.next();
    }
    Ok(out)
}

fn text_of(message: &Message, part: u32) -> &str {
    let part = message.parts.get(part as usize);
    part.and_then(Part::plain_text).unwrap_or_default()
}
