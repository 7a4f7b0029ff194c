//! What of a context's sources is no longer there.

use std::collections::BTreeSet;

use aura_core::{
    BlockRef, Error, ErrorKind, EventId, EventRange, Fact, Manifest, Result, TurnIndex,
};

use crate::parts::Parts;
use crate::session::data::SessionData;
use crate::session::entry::SessionEntry;

/// How many ids the message of an error names; all of them stand in its context.
const NAMED: usize = 20;

/// Checks that everything that a compilation had for a candidate is still there; facts where they are given.
///
/// # Errors
/// `NotFound` naming `request_id`, with the ids under `gone`; those of the store.
pub(crate) fn check(
    manifest: &Manifest,
    data: &SessionData,
    entry: &SessionEntry,
    facts: Option<&[Fact]>,
    parts: &Parts,
) -> Result<()> {
    let mut gone: BTreeSet<BlockRef> = BTreeSet::new();
    let events = events(manifest);
    let found = parts.storage.messages(&entry.key, &ranges(&events))?;
    let found: BTreeSet<EventId> = found.iter().map(|stored| stored.event_id).collect();
    gone.extend(events.difference(&found).copied().map(BlockRef::Event));
    let known = facts.map(|facts| facts.iter().map(|fact| fact.fact_id.as_str()));
    let known: Option<BTreeSet<&str>> = known.map(Iterator::collect);
    for record in &manifest.candidates {
        let is_gone = match &record.block {
            BlockRef::Fact(id) => known
                .as_ref()
                .is_some_and(|known| !known.contains(id.as_str())),
            BlockRef::Turn(turn) if record.events.is_empty() => {
                !has_turn(*turn, data, entry, parts)?
            }
            _ => false,
        };
        if is_gone {
            gone.insert(record.block.clone());
        }
    }
    if gone.is_empty() {
        return Ok(());
    }
    Err(error(
        &gone.iter().map(ToString::to_string).collect::<Vec<_>>(),
    ))
}

/// The error for sources that are gone.
pub(crate) fn error(gone: &[String]) -> Error {
    let named = gone.get(..NAMED.min(gone.len())).unwrap_or_default();
    let more = if gone.len() > NAMED { ", …" } else { "" };
    Error::new(
        ErrorKind::NotFound,
        format!(
            "request_id: what the context was made from is gone: {}{more}",
            named.join(", ")
        ),
    )
    .with_field("request_id")
    .with("gone", gone.join(", "))
}

fn events(manifest: &Manifest) -> BTreeSet<EventId> {
    let mut events: BTreeSet<EventId> = manifest.retrieval.candidates.iter().copied().collect();
    for record in &manifest.candidates {
        if let BlockRef::Event(event) = record.block {
            events.insert(event);
        }
        let ranges = record.events.iter();
        events.extend(ranges.flat_map(|range| (range.first.0..=range.last.0).map(EventId)));
    }
    events
}

fn ranges(events: &BTreeSet<EventId>) -> Vec<EventRange> {
    let mut out: Vec<EventRange> = Vec::new();
    for event in events {
        match out.last_mut() {
            Some(last) if last.last.next() == *event => last.last = *event,
            _ => out.push(EventRange::new(*event, *event)),
        }
    }
    out
}

fn has_turn(
    turn: TurnIndex,
    data: &SessionData,
    entry: &SessionEntry,
    parts: &Parts,
) -> Result<bool> {
    if data.turns.get(turn.0 as usize).is_none() {
        return Ok(false);
    }
    match entry.body(turn, parts) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
