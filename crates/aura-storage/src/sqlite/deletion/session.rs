//! A session with all that was derived from it.

use std::collections::BTreeMap;

use aura_core::{Digest, FactEntry, FactOp, Layer, Result, SessionKey, TurnIndex};
use rusqlite::Connection;

use super::{Erasing, artifacts, memories};
use crate::erasure::{take_fact, take_message};
use crate::sqlite::encoding::{Body, decode};
use crate::sqlite::position;
use crate::sqlite::query::{all, one};
use crate::sqlite::sessions::{self, Json};
use crate::sqlite::statements::{deletion, facts, log, packets};

/// Removes a session; one that does not exist has nothing to remove.
pub(super) fn erase(conn: &Connection, key: &SessionKey, erasing: &mut Erasing) -> Result<()> {
    let id = key.session_id.as_str();
    let digest = Digest::of(id.as_bytes());
    if let Some(no) = sessions::number(conn, key)? {
        erasing.receipt.note(Layer::Sessions, id, 1);
        erase_log(conn, key, no, erasing)?;
        erase_facts(conn, no, erasing)?;
        erase_snapshots(conn, key, no, erasing)?;
        erase_vectors(conn, key, no, erasing)?;
        erasing.remove(conn, deletion::SESSION, [no])?;
        erasing.remove(conn, deletion::BURY, [digest.as_bytes()])?;
    }
    // Contexts may have been compiled for it before its first turn.
    erase_packets(conn, key, erasing)?;
    artifacts::erase_of_session(conn, id, erasing)?;
    memories::erase_of_session(conn, &key.session_id, None, erasing)?;
    memories::erase_checkpoints(conn, &key.session_id, None, erasing)?;
    erase_compilations(conn, key, erasing)
}

/// Removes what was sent to other agents from the session.
fn erase_packets(conn: &Connection, key: &SessionKey, erasing: &mut Erasing) -> Result<()> {
    let of = (key.tenant.as_str(), key.session_id.as_str());
    let sent: Vec<(i64, String)> = all(conn, packets::OF_SESSION, of, |row| {
        Ok(Ok((row.get(0)?, row.get(1)?)))
    })?;
    for (no, id) in sent {
        erasing.receipt.note(Layer::Packets, id, 1);
        erasing.remove(conn, packets::DROP, [no])?;
        erasing.remove(conn, packets::DELETE, [no])?;
    }
    Ok(())
}

fn erase_log(conn: &Connection, key: &SessionKey, no: i64, erasing: &mut Erasing) -> Result<()> {
    let span = position::all_of(no);
    let span = (*span.start(), *span.end());
    let mut large = BTreeMap::new();
    let mut last = 0;
    let mut count = 0;
    all(conn, log::BODIES, span, |row| {
        let first = position::event(row.get(0)?).0;
        last = first + u64::from(row.get::<_, u32>(1)?) - 1;
        let body = row.get_ref(4)?.as_blob()?;
        Ok(take_body(body, erasing, &mut large).map(|found| count += found))
    })?;
    if count > 0 {
        let events = format!("{}:1-{last}", key.session_id);
        erasing.receipt.note(Layer::Events, events, count);
    }
    erasing.remove(conn, deletion::LOG, span)?;
    erasing.remove(conn, deletion::TURN_CHANGES, span)?;
    artifacts::release(conn, &large, erasing)
}

/// Takes pieces of the messages of a body, and counts who holds which large part.
fn take_body(body: &[u8], erasing: &mut Erasing, large: &mut BTreeMap<Digest, i64>) -> Result<u64> {
    let mut count = 0;
    let mut body = Body::open(body)?;
    while let Some(bytes) = body.next()? {
        if !bytes.is_empty() {
            take_bytes(bytes, erasing, large);
            count += 1;
        }
    }
    Ok(count)
}

/// The same for one message; a damaged one must go as well.
pub(super) fn take_bytes(bytes: &[u8], erasing: &mut Erasing, large: &mut BTreeMap<Digest, i64>) {
    match decode(bytes, &mut |_| Ok(String::new())) {
        Ok((message, parts)) => {
            take_message(&message, &mut erasing.needles);
            for part in parts {
                *large.entry(part.digest).or_default() += 1;
            }
        }
        Err(_) => erasing.needles.take(bytes),
    }
}

/// The changes of a session's facts.
pub(super) fn read_facts(conn: &Connection, no: i64) -> Result<Vec<FactEntry>> {
    let span = position::all_of(no);
    all(conn, facts::BETWEEN, (span.start(), span.end()), |row| {
        Ok(Ok(FactEntry {
            turn: TurnIndex(row.get(0)?),
            change: row.get::<_, Json<FactOp>>(1)?.0,
        }))
    })
}

fn erase_facts(conn: &Connection, no: i64, erasing: &mut Erasing) -> Result<()> {
    for entry in read_facts(conn, no)? {
        take_fact(&entry, &mut erasing.needles);
        if let FactOp::Add { fact } = &entry.change {
            erasing
                .receipt
                .note(Layer::Facts, fact.fact_id.to_string(), 1);
        }
    }
    let span = position::all_of(no);
    erasing.remove(conn, deletion::FACTS, (span.start(), span.end()))
}

/// Removes what is kept so that opening is fast.
pub(super) fn erase_snapshots(
    conn: &Connection,
    key: &SessionKey,
    no: i64,
    erasing: &mut Erasing,
) -> Result<()> {
    let names: Vec<String> = all(conn, deletion::SNAPSHOT_NAMES, [no], |row| {
        row.get(0).map(Ok)
    })?;
    for name in names {
        let id = format!("{}/{name}", key.session_id);
        erasing.receipt.note(Layer::Snapshots, id, 1);
    }
    erasing.remove(conn, deletion::SNAPSHOTS, [no])
}

fn erase_vectors(
    conn: &Connection,
    key: &SessionKey,
    no: i64,
    erasing: &mut Erasing,
) -> Result<()> {
    for (set, model) in vector_sets(conn, no)? {
        let span = position::all_of(set);
        erase_set(conn, key, &model, (*span.start(), *span.end()), erasing)?;
        erasing.remove(conn, deletion::VECTOR_SET, [set])?;
    }
    Ok(())
}

/// The sets of vectors of a session: their numbers and models.
pub(super) fn vector_sets(conn: &Connection, no: i64) -> Result<Vec<(i64, String)>> {
    all(conn, deletion::VECTOR_SETS, [no], |row| {
        Ok(Ok((row.get(0)?, row.get(1)?)))
    })
}

/// Removes the vectors between two positions.
pub(super) fn erase_set(
    conn: &Connection,
    key: &SessionKey,
    model: &str,
    span: (i64, i64),
    erasing: &mut Erasing,
) -> Result<()> {
    let count: Option<i64> = one(conn, deletion::COUNT_VECTORS, span, |row| row.get(0))?;
    let count = count.unwrap_or_default().cast_unsigned();
    if count > 0 {
        let id = format!("{}/{model}", key.session_id);
        erasing.receipt.note(Layer::Vectors, id, count);
    }
    erasing.remove(conn, deletion::VECTORS, span)
}

fn erase_compilations(conn: &Connection, key: &SessionKey, erasing: &mut Erasing) -> Result<()> {
    erase_inputs(conn, key, erasing)?;
    let of = (key.tenant.as_str(), key.session_id.as_str());
    for (layer, list) in [
        (Layer::Manifests, deletion::REQUESTS),
        (Layer::Links, deletion::LINKED),
    ] {
        let ids: Vec<String> = all(conn, list, of, |row| row.get(0).map(Ok))?;
        for id in ids {
            erasing.receipt.note(layer, id, 1);
        }
    }
    erasing.remove(conn, deletion::OUTCOMES, of)?;
    erasing.remove(conn, deletion::MANIFESTS, of)?;
    erasing.remove(conn, deletion::LINKS, of)?;
    erase_plans(conn, key, erasing)
}

/// Removes what compilations for a session were made from: questions and blocks may say anything.
pub(super) fn erase_inputs(
    conn: &Connection,
    key: &SessionKey,
    erasing: &mut Erasing,
) -> Result<()> {
    let of = (key.tenant.as_str(), key.session_id.as_str());
    let ids: Vec<String> = all(conn, deletion::GIVEN, of, |row| row.get(0).map(Ok))?;
    if ids.is_empty() {
        return Ok(());
    }
    for id in ids {
        erasing.receipt.note(Layer::Inputs, id, 1);
    }
    erasing.remove(conn, deletion::CALLS, of)?;
    erasing.remove(conn, deletion::USES, of)?;
    erasing.remove(conn, deletion::UNUSED, (key.tenant.as_str(),))
}

/// Removes the frozen plans of a session.
pub(super) fn erase_plans(
    conn: &Connection,
    key: &SessionKey,
    erasing: &mut Erasing,
) -> Result<()> {
    let of = (key.tenant.as_str(), key.session_id.as_str());
    let turns: Vec<String> = all(conn, deletion::PLANNED, of, |row| row.get(0).map(Ok))?;
    for turn in turns {
        let id = format!("{}/{turn}", key.session_id);
        erasing.receipt.note(Layer::Plans, id, 1);
    }
    erasing.remove(conn, deletion::PLANS, of)
}
