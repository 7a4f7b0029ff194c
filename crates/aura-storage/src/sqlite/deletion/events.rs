//! Some events of a session: their messages go, their numbers stay.

use std::collections::BTreeMap;

use aura_core::{Digest, EventId, EventRange, Layer, Result, SessionKey, json};
use rusqlite::Connection;

use super::session::{
    erase_inputs, erase_plans, erase_set, erase_snapshots, read_facts, take_bytes, vector_sets,
};
use super::{Erasing, artifacts, memories};
use crate::erasure::{ranges, strip_facts, take_fact};
use crate::sqlite::encoding::{Body, without};
use crate::sqlite::position;
use crate::sqlite::query::{all, run};
use crate::sqlite::sessions;
use crate::sqlite::statements::{deletion, facts, log};

/// Removes the messages of a range of events and what was derived from them.
pub(super) fn erase(
    conn: &Connection,
    key: &SessionKey,
    range: EventRange,
    erasing: &mut Erasing,
) -> Result<()> {
    let Some(no) = sessions::number(conn, key)? else {
        return Ok(());
    };
    let Some(known) = sessions::load(conn, &key.session_id)? else {
        return Ok(());
    };
    let mut session = known.session;
    let range = EventRange::new(range.first, range.last.min(session.last_event));
    let gone = erase_messages(conn, no, range, erasing)?;
    if gone.is_empty() {
        return Ok(());
    }
    for range in ranges(&gone) {
        let id = format!("{}:{}-{}", key.session_id, range.first, range.last);
        erasing.receipt.note(Layer::Events, id, range.len());
    }
    erase_facts(conn, no, range, erasing)?;
    erase_snapshots(conn, key, no, erasing)?;
    for (set, model) in vector_sets(conn, no)? {
        let span = (
            position::of_event(set, range.first)?,
            position::of_event(set, range.last)?,
        );
        erase_set(conn, key, &model, span, erasing)?;
    }
    erase_inputs(conn, key, erasing)?;
    erase_plans(conn, key, erasing)?;
    // They may hold what was said anywhere in the session.
    artifacts::erase_of_session(conn, key.session_id.as_str(), erasing)?;
    memories::erase_of_session(conn, &key.session_id, Some(range), erasing)?;
    memories::erase_checkpoints(conn, &key.session_id, Some(range), erasing)?;
    session.change_seq += 1;
    let params = (
        no,
        session.change_seq.cast_signed(),
        session.head.map(|head| head.0),
    );
    erasing.remove(conn, deletion::PURGED, params)
}

/// Empties messages; gives the events that had one.
fn erase_messages(
    conn: &Connection,
    no: i64,
    range: EventRange,
    erasing: &mut Erasing,
) -> Result<Vec<EventId>> {
    let mut gone = Vec::new();
    if range.is_empty() {
        return Ok(gone);
    }
    let mut large: BTreeMap<Digest, i64> = BTreeMap::new();
    // The row that holds the first event may begin before it.
    let first = position::of_event(no, range.first)?;
    let holding = all(conn, log::BODY_AT, (position::at(no, 0), first), |row| {
        row.get::<_, i64>(0).map(Ok)
    })?;
    let span = (
        holding.first().copied().unwrap_or(first),
        position::of_event(no, range.last)?,
    );
    let mut changed = Vec::new();
    all(conn, log::BODIES, span, |row| {
        let pos: i64 = row.get(0)?;
        let bytes = row.get_ref(4)?.as_blob()?;
        let mut take = || -> Result<()> {
            let mut event = position::event(pos);
            let mut body = Body::open(bytes)?;
            let before = gone.len();
            while let Some(message) = body.next()? {
                if range.contains(event) && !message.is_empty() {
                    take_bytes(message, erasing, &mut large);
                    gone.push(event);
                }
                event = event.next();
            }
            if gone.len() > before {
                let first = position::event(pos);
                changed.push((pos, without(bytes, first, range)?));
            }
            Ok(())
        };
        Ok(take())
    })?;
    for (pos, body) in changed {
        erasing.remove(conn, deletion::SET_BODY, (pos, body))?;
    }
    artifacts::release(conn, &large, erasing)?;
    Ok(gone)
}

fn erase_facts(conn: &Connection, no: i64, range: EventRange, erasing: &mut Erasing) -> Result<()> {
    let entries = read_facts(conn, no)?;
    let mut gone = Vec::new();
    let kept = strip_facts(entries.clone(), range, &mut gone);
    if kept == entries {
        return Ok(());
    }
    for entry in entries.iter().filter(|entry| !kept.contains(entry)) {
        take_fact(entry, &mut erasing.needles);
    }
    for fact_id in gone {
        erasing.receipt.note(Layer::Facts, fact_id.to_string(), 1);
    }
    let span = position::all_of(no);
    erasing.remove(conn, deletion::FACTS, (span.start(), span.end()))?;
    if erasing.dry {
        return Ok(());
    }
    for (pos, entry) in (*span.start()..).zip(&kept) {
        let change = json::to_string(&entry.change)?;
        run(conn, facts::INSERT, (pos, entry.turn.0, change))?;
    }
    Ok(())
}
