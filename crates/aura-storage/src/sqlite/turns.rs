//! Turns: recording and moving.

use std::sync::Arc;

use aura_core::json;
use aura_core::{
    EventId, EventRange, LargePart, Message, Part, Recorded, Result, Session, SessionKey,
    StoredMessage, Turn, TurnId, TurnIndex, TurnStatus, TurnWrite, WriteEffect,
};
use rusqlite::Connection;

use crate::append::{self, Step};
use crate::large::Large;
use crate::refusal::{failed_head, full_session, no_session, no_turn};
use crate::sqlite::artifacts;
use crate::sqlite::compilations::{self, Answer};
use crate::sqlite::connections::WriteConnection;
use crate::sqlite::encoding::Encoded;
use crate::sqlite::failure::{damaged, medium};
use crate::sqlite::log;
use crate::sqlite::position;
use crate::sqlite::query::run;
use crate::sqlite::sessions::{self, Known};
use crate::sqlite::statements::{changes, log as log_statements};
use crate::sqlite::turn_key;

/// A write in the form of the log, made before anything is locked.
pub(super) struct Prepared {
    write: TurnWrite,
    encoded: Encoded,
}

impl Prepared {
    pub(super) fn new(write: TurnWrite) -> Self {
        let encoded = Encoded::new(&write.messages);
        Self { write, encoded }
    }
}

/// Records a turn.
pub(super) fn record(writer: &mut WriteConnection, prepared: Prepared) -> Result<Recorded> {
    let write = &prepared.write;
    let answer = Answer::of(write);
    let known = match writer.session(&write.key)? {
        Some(known) => {
            append::check_user(&known.session, write.user.as_ref())?;
            known
        }
        None => {
            append::check_new(&write.messages)?;
            sessions::insert(writer.conn(), write)?
        }
    };
    let conn = writer.conn();
    // What only a stored turn could make right is not taken for new unseen.
    let plain = write.parent.is_none() && !write.messages.is_empty();
    let stored = match (write.fresh_id && plain) || known.session.turns == 0 {
        true => None,
        false => log::turn(conn, known.no, &write.turn_id)?,
    };
    let (known, recorded) = match stored {
        Some(turn) => extend(conn, known, turn, prepared)?,
        None => match create(conn, known, prepared)? {
            Created::Yes(done) => *done,
            Created::Stored(back) => {
                let (known, prepared) = *back;
                let turn = log::turn(conn, known.no, &prepared.write.turn_id)?;
                let turn = turn.ok_or_else(|| damaged("the index of turns"))?;
                extend(conn, known, turn, prepared)?
            }
        },
    };
    if let Some(answer) = answer {
        let stored = log::messages_of(conn, &known.session.tenant, known.no, &recorded.turn)?;
        let calls = stored.iter().flat_map(|stored| stored.message.calls());
        compilations::link(conn, &answer, calls.cloned().collect())?;
    }
    if recorded.effect != WriteEffect::Unchanged {
        writer.remember(known);
    }
    Ok(recorded)
}

type Done = (Known, Recorded);

/// Whether a new turn could be made.
enum Created {
    Yes(Box<Done>),
    /// There is one of that id, whatever the caller believed.
    Stored(Box<(Known, Prepared)>),
}

fn create(conn: &Connection, mut known: Known, prepared: Prepared) -> Result<Created> {
    let Prepared { write, encoded } = prepared;
    append::check_new(&write.messages)?;
    let parent = match &write.parent {
        Some(parent) => {
            let parent = log::turn(conn, known.no, parent)?;
            Some(parent.ok_or_else(|| no_turn("parent"))?.index)
        }
        None => known.session.head,
    };
    let session = &mut known.session;
    let index = TurnIndex(session.turns);
    let turns = index.0.checked_add(1).ok_or_else(full_session)?;
    let head = match write.status {
        TurnStatus::Failed => session.head,
        _ => Some(index),
    };
    let new = Row {
        turns,
        head,
        turn: index,
        first: Some(FirstRow {
            status: write.status,
            parent,
            key: turn_key::encode(known.no, &write.turn_id),
        }),
    };
    let (body, large) = encoded.split(0);
    let events = match append_row(conn, &known, &write, write.messages.len(), new, &body)? {
        Some(events) => events,
        None => {
            let prepared = Prepared::new(write);
            return Ok(Created::Stored(Box::new((known, prepared))));
        }
    };
    let session = &mut known.session;
    session.turns = turns;
    session.head = head;
    session.change_seq += 1;
    session.last_event = events.last;
    let turn = Turn {
        turn_id: write.turn_id.clone(),
        index,
        status: write.status,
        parent,
        events: vec![events],
        recorded_at: write.recorded_at,
    };
    let appended = stored(conn, write, index, events, 0, large)?;
    let recorded = Recorded {
        turn,
        appended,
        effect: WriteEffect::Created,
        session: known.session.clone(),
    };
    Ok(Created::Yes(Box::new((known, recorded))))
}

fn extend(conn: &Connection, mut known: Known, mut turn: Turn, prepared: Prepared) -> Result<Done> {
    let Prepared { write, encoded } = prepared;
    let held = log::messages_of(conn, &known.session.tenant, known.no, &turn)?;
    let digests = held.iter().map(|stored| Ok(stored.message.digest()));
    let step = append::compare(turn.status, digests, &write.messages, write.status)?;
    let Step::Extend { from, status } = step else {
        return Ok(unchanged(known, turn));
    };
    turn.status = status;
    let head = head_after(conn, &known, &turn)?;
    let grows = write.messages.len().saturating_sub(from);
    if grows == 0 {
        return moved(conn, known, turn, head);
    }
    let row = Row {
        turns: known.session.turns,
        head,
        turn: turn.index,
        first: None,
    };
    let (body, large) = encoded.split(from);
    let events = append_row(conn, &known, &write, grows, row, &body)?;
    let events = events.ok_or_else(|| damaged("the index of turns"))?;
    match turn.events.last_mut() {
        Some(last) if last.last.next() == events.first => last.last = events.last,
        _ => turn.events.push(events),
    }
    put_change(conn, &known, &turn)?;
    let appended = stored(conn, write, turn.index, events, from, large)?;
    let session = &mut known.session;
    session.head = head;
    session.change_seq += 1;
    session.last_event = events.last;
    let recorded = Recorded {
        turn,
        appended,
        effect: WriteEffect::Extended,
        session: session.clone(),
    };
    Ok((known, recorded))
}

/// Moves an open turn to another status.
pub(super) fn set_status(
    writer: &mut WriteConnection,
    key: &SessionKey,
    turn_id: &TurnId,
    status: TurnStatus,
) -> Result<Recorded> {
    let known = writer.session(key)?.ok_or_else(no_session)?;
    let conn = writer.conn();
    let turn = log::turn(conn, known.no, turn_id)?;
    let mut turn = turn.ok_or_else(|| no_turn("turn_id"))?;
    if !append::moves(turn.status, status)? {
        return Ok(unchanged(known, turn).1);
    }
    turn.status = status;
    let head = head_after(conn, &known, &turn)?;
    let (known, recorded) = moved(conn, known, turn, head)?;
    writer.remember(known);
    Ok(recorded)
}

/// Moves the head.
pub(super) fn set_head(
    writer: &mut WriteConnection,
    key: &SessionKey,
    turn_id: &TurnId,
) -> Result<Session> {
    let mut known = writer.session(key)?.ok_or_else(no_session)?;
    let conn = writer.conn();
    let turn = log::turn(conn, known.no, turn_id)?;
    let turn = turn.ok_or_else(|| no_turn("turn_id"))?;
    if turn.status == TurnStatus::Failed {
        return Err(failed_head());
    }
    let session = &mut known.session;
    if session.head == Some(turn.index) {
        return Ok(session.clone());
    }
    session.head = Some(turn.index);
    session.change_seq += 1;
    sessions::put_head(conn, &known)?;
    let session = known.session.clone();
    writer.remember(known);
    Ok(session)
}

fn unchanged(known: Known, turn: Turn) -> Done {
    let recorded = Recorded {
        turn,
        appended: Vec::new(),
        effect: WriteEffect::Unchanged,
        session: known.session.clone(),
    };
    (known, recorded)
}

/// Writes the status of a turn that did not grow, and the head after it.
fn moved(conn: &Connection, mut known: Known, turn: Turn, head: Option<TurnIndex>) -> Result<Done> {
    put_change(conn, &known, &turn)?;
    known.session.head = head;
    known.session.change_seq += 1;
    sessions::put_head(conn, &known)?;
    let recorded = Recorded {
        turn,
        appended: Vec::new(),
        effect: WriteEffect::Extended,
        session: known.session.clone(),
    };
    Ok((known, recorded))
}

/// The head once `turn` has its status.
fn head_after(conn: &Connection, known: &Known, turn: &Turn) -> Result<Option<TurnIndex>> {
    let head = known.session.head;
    if turn.status != TurnStatus::Failed || head != Some(turn.index) {
        return Ok(head);
    }
    append::head_after_failure(turn.parent, |index| {
        let found = log::turns(conn, known.no, index, 1)?;
        let found = found
            .first()
            .ok_or_else(|| damaged("the parent of a turn"))?;
        Ok((found.status, found.parent))
    })
}

fn put_change(conn: &Connection, known: &Known, turn: &Turn) -> Result<()> {
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
struct Row {
    turns: u32,
    head: Option<TurnIndex>,
    turn: TurnIndex,
    first: Option<FirstRow>,
}

/// What the first row of a turn has more.
struct FirstRow {
    status: TurnStatus,
    parent: Option<TurnIndex>,
    key: Vec<u8>,
}

/// Appends `count` messages; `None` if there is a turn of that key already.
fn append_row(
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
fn stored(
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
