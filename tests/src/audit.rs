//! What must hold of a store after its writers died.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use aura_core::{EventId, EventRange, Message, Storage, TurnIndex, TurnRecord, TurnStatus};
use aura_storage::{SqliteOptions, SqliteStorage};

use crate::script::{Part, Script};

/// A call that returned: writer, number of the turn, how much of it.
pub type Report = (String, u64, Part);

/// What a store holds.
#[derive(Debug, Default)]
pub struct Audit {
    /// How many turns.
    pub turns: usize,
    /// Reports that the store knows nothing of, or less than was reported.
    pub lost: Vec<Report>,
}

/// Opens the file and checks that all in it is whole: pages and indexes fit, ids are gapless, every turn says what its
/// writer wrote. Reports that are missing are returned, not complained about.
///
/// # Errors
/// When anything is not as it must be.
pub fn audit(file: &Path, reports: &[Report]) -> Result<Audit> {
    let store = SqliteStorage::open(file, SqliteOptions::default())?;
    store.check()?;
    let key = Script::new("shared", "auditor")?.key;
    let Some(session) = store.session(&key)? else {
        let lost = reports.to_vec();
        return Ok(Audit { turns: 0, lost });
    };
    let records = store.turn_records(&key, TurnIndex(0), usize::MAX)?;
    ensure!(records.len() == session.turns as usize, "turns are missing");
    let all = EventRange::new(EventId(1), session.last_event);
    let messages = store.messages(&key, &[all])?;
    let events = messages.iter().map(|stored| stored.event_id.0);
    ensure!(
        events.eq(1..=session.last_event.0),
        "event ids are not gapless"
    );

    let mut held = HashMap::new();
    let mut events = HashSet::new();
    let mut changes = 0;
    for (index, record) in (0..).zip(&records) {
        let turn = &record.turn;
        ensure!(
            turn.index == TurnIndex(index),
            "turn {index} is {}",
            turn.index
        );
        ensure!(
            turn.parent == index.checked_sub(1).map(TurnIndex),
            "turn {index} lost its parent"
        );
        let part = whole(record).with_context(|| format!("turn {}", turn.turn_id))?;
        let (writer, n) = Script::parse(&turn.turn_id).context("a foreign turn")?;
        changes += if Script::grows(n) && part == Part::All {
            2
        } else {
            1
        };
        ensure!(
            held.insert((writer, n), part).is_none(),
            "a turn stands there twice"
        );
        for stored in &record.messages {
            ensure!(
                events.insert(stored.event_id),
                "an event belongs to two turns"
            );
        }
    }
    ensure!(
        events.len() as u64 == session.last_event.0,
        "an event belongs to no turn"
    );
    ensure!(
        session.change_seq == changes,
        "{} changes, counted {}",
        changes,
        session.change_seq
    );
    ensure!(
        session.head == records.last().map(|last| last.turn.index),
        "the head is elsewhere"
    );
    let lost = |(writer, n, part): &&Report| match held.get(&(writer.clone(), *n)) {
        None => true,
        Some(held) => *part == Part::All && *held == Part::First,
    };
    let lost = reports.iter().filter(lost).cloned().collect();
    store.close()?;
    Ok(Audit {
        turns: records.len(),
        lost,
    })
}

/// How much of its script a turn holds; nothing between the two counts.
fn whole(record: &TurnRecord) -> Result<Part> {
    let (writer, n) = Script::parse(&record.turn.turn_id).context("a foreign turn")?;
    let script = Script::new("shared", &writer)?;
    let expected = script.messages(n);
    let (part, count) = match record.turn.status {
        TurnStatus::Open => (Part::First, script.first_count(n)),
        _ => (Part::All, expected.len()),
    };
    let said: Vec<&Message> = record
        .messages
        .iter()
        .map(|stored| &stored.message)
        .collect();
    ensure!(said.len() == count, "{} messages of {count}", said.len());
    ensure!(
        said.into_iter().eq(expected.iter().take(count)),
        "it says something else"
    );
    let events = record.messages.iter().map(|stored| stored.event_id);
    ensure!(events.eq(record.turn.event_ids()), "its events are others");
    Ok(part)
}
