//! Turns: recording and moving.

mod row;
pub(super) mod turn_key;

use aura_core::{
    Recorded, Result, Session, SessionKey, Turn, TurnId, TurnIndex, TurnStatus, TurnWrite,
    WriteEffect,
};
use rusqlite::Connection;

use self::row::{FirstRow, Row, append_row, put_change, stored};
use crate::append::{self, Step};
use crate::refusal::{failed_head, full_session, no_session, no_turn};
use crate::sqlite::compilations::{self, Answer};
use crate::sqlite::connections::WriteConnection;
use crate::sqlite::encoding::Encoded;
use crate::sqlite::failure::damaged;
use crate::sqlite::log;
use crate::sqlite::sessions::{self, Known};

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
            writer.guard()?;
            sessions::insert(writer.conn(), write)?
        }
    };
    if answer.is_some() || prepared.encoded.has_large() {
        writer.guard()?;
    }
    let conn = writer.conn();
    // What only a stored turn could make right is not taken for new unseen.
    let plain = write.parent.is_none() && !write.messages.is_empty();
    let stored = match (write.fresh_id && plain) || known.session.turns == 0 {
        true => None,
        false => log::turn(conn, known.no, &write.turn_id)?,
    };
    let (known, recorded) = match stored {
        Some(turn) => {
            writer.guard()?;
            extend(conn, known, turn, prepared)?
        }
        None => match create(conn, known, prepared)? {
            Created::Yes(done) => *done,
            Created::Stored(back) => {
                let (known, prepared) = *back;
                let turn = log::turn(conn, known.no, &prepared.write.turn_id)?;
                let turn = turn.ok_or_else(|| damaged("the index of turns"))?;
                writer.guard()?;
                extend(conn, known, turn, prepared)?
            }
        },
    };
    if let Some(answer) = answer {
        let all;
        let messages = match recorded.effect {
            WriteEffect::Created => &recorded.appended,
            _ => {
                let tenant = &known.session.tenant;
                all = log::messages_of(conn, tenant, known.no, &recorded.turn)?;
                &all
            }
        };
        compilations::link(conn, &answer, messages)?;
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
    writer.guard()?;
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
