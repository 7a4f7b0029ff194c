//! What a deletion means, whatever the medium: which facts go with events, which texts go, what a hold forbids.

use std::collections::HashSet;

use aura_core::{
    DeletionSubject, Error, ErrorKind, EventId, EventRange, FactEntry, FactId, FactOp, LegalHold,
    Result, UserId, is_covered,
};

#[cfg(feature = "sqlite")]
use aura_core::{Message, Part};

#[cfg(feature = "sqlite")]
use crate::needles::Needles;

/// The changes of facts that stay when events go; the ids of the facts that go are added to `gone`.
///
/// A fact goes with any of its sources, and a refinement with its event. That something ceased to be true stays known:
/// what was superseded must not count as current again because the words that superseded it are gone.
pub(crate) fn strip_facts(
    entries: Vec<FactEntry>,
    range: EventRange,
    gone: &mut Vec<FactId>,
) -> Vec<FactEntry> {
    let mut lost: HashSet<FactId> = HashSet::new();
    for entry in &entries {
        if let FactOp::Add { fact } = &entry.change
            && fact.sources.iter().any(|event| range.contains(*event))
        {
            lost.insert(fact.fact_id.clone());
            gone.push(fact.fact_id.clone());
        }
    }
    let stays = |entry: &FactEntry| {
        !lost.contains(entry.change.fact_id())
            && !matches!(&entry.change, FactOp::Revise { event, .. } if range.contains(*event))
    };
    let mut kept: Vec<FactEntry> = entries.into_iter().filter(stays).collect();
    for entry in &mut kept {
        if let FactOp::Invalidate { replaced_by, .. } = &mut entry.change {
            replaced_by.take_if(|by| lost.contains(by));
        }
    }
    kept
}

/// Takes pieces of a fact that goes.
#[cfg(feature = "sqlite")]
pub(crate) fn take_fact(entry: &FactEntry, needles: &mut Needles) {
    match &entry.change {
        FactOp::Add { fact } => needles.take(fact.text.as_bytes()),
        FactOp::Revise { text, .. } => needles.take(text.as_bytes()),
        FactOp::Invalidate { .. } => {}
    }
}

/// Takes pieces of a message that goes.
#[cfg(feature = "sqlite")]
pub(crate) fn take_message(message: &Message, needles: &mut Needles) {
    for part in &message.parts {
        match part {
            Part::ToolCall(call) => needles.take(call.arguments.as_str().as_bytes()),
            Part::Opaque(opaque) => needles.take(opaque.json.as_str().as_bytes()),
            other => {
                if let Some(text) = other.plain_text() {
                    needles.take(text.as_bytes());
                }
            }
        }
    }
    if let Some(native) = &message.native {
        needles.take(native.json.as_str().as_bytes());
    }
    if let Some(metadata) = &message.metadata {
        needles.take(metadata.as_str().as_bytes());
    }
}

/// Checks that no hold keeps any of the subjects; `owner` tells whose something is.
///
/// # Errors
/// `Conflict` naming `subject`, with the id of the hold; those of `owner`.
pub(crate) fn check_holds(
    holds: &[LegalHold],
    subjects: &[DeletionSubject],
    owner: impl Fn(&DeletionSubject) -> Result<Option<UserId>>,
) -> Result<()> {
    let is_of = |subject: &DeletionSubject, of: &DeletionSubject| match of {
        DeletionSubject::User { user } => Ok(owner(subject)?.as_ref() == Some(user)),
        _ => Ok(false),
    };
    for hold in holds {
        for subject in subjects {
            let held = &hold.subject;
            if is_covered(held, subject) || is_of(subject, held)? || is_of(held, subject)? {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    "subject: a legal hold keeps it, or something that would go with it",
                )
                .with_field("subject")
                .with("hold_id", &hold.hold_id));
            }
        }
    }
    Ok(())
}

/// Ascending event ids as ranges.
pub(crate) fn ranges(events: &[EventId]) -> Vec<EventRange> {
    let mut out: Vec<EventRange> = Vec::new();
    for event in events {
        match out.last_mut() {
            Some(last) if last.last.next() == *event => last.last = *event,
            _ => out.push(EventRange::new(*event, *event)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use aura_core::{Fact, Timestamp, Trust, TurnIndex};

    use super::*;

    const NOW: Timestamp = Timestamp::MIN;

    fn entry(change: FactOp) -> FactEntry {
        FactEntry {
            turn: TurnIndex(0),
            change,
        }
    }

    fn id(name: &str) -> FactId {
        FactId::new(name).unwrap()
    }

    fn add(name: &str, sources: &[u64]) -> FactEntry {
        let fact = Fact {
            fact_id: id(name),
            text: name.to_owned(),
            subject: "user/home".to_owned(),
            sources: sources.iter().copied().map(EventId).collect(),
            trust: Trust::Verified,
            valid_from: NOW,
            valid_to: None,
            recorded_at: NOW,
            invalidated_at: None,
            invalidated_by: None,
            replaced_by: None,
        };
        entry(FactOp::Add { fact })
    }

    fn end(name: &str, event: u64, by: &str) -> FactEntry {
        entry(FactOp::Invalidate {
            fact_id: id(name),
            event: EventId(event),
            replaced_by: Some(id(by)),
            valid_to: NOW,
            at: NOW,
        })
    }

    fn revise(name: &str, event: u64) -> FactEntry {
        entry(FactOp::Revise {
            fact_id: id(name),
            event: EventId(event),
            text: "more".to_owned(),
            at: NOW,
        })
    }

    #[test]
    fn facts_go_with_their_sources_and_what_ended_stays_ended() {
        let entries = vec![
            add("oslo", &[1]),
            add("cat", &[3]),
            revise("cat", 5),
            add("berlin", &[2, 5]),
            end("oslo", 5, "berlin"),
            revise("berlin", 7),
        ];
        let mut gone = Vec::new();
        let range = EventRange::new(EventId(5), EventId(6));
        let kept = strip_facts(entries, range, &mut gone);
        assert_eq!(gone, [id("berlin")]);
        let mut ended = end("oslo", 5, "berlin");
        if let FactOp::Invalidate { replaced_by, .. } = &mut ended.change {
            *replaced_by = None;
        }
        assert_eq!(kept, [add("oslo", &[1]), add("cat", &[3]), ended]);
    }

    #[test]
    fn events_join_to_ranges() {
        let events: Vec<EventId> = [1, 2, 3, 7, 9, 10].map(EventId).into();
        let found: Vec<_> = ranges(&events)
            .iter()
            .map(|range| (range.first.0, range.last.0))
            .collect();
        assert_eq!(found, [(1, 3), (7, 7), (9, 10)]);
    }
}
