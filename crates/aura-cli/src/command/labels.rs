//! A few words of each block of a manifest.

use aura::{BlockRef, CandidateRecord, Engine, EventRange, Manifest, Principal, StoredMessage};

use crate::print::{Labels, one_line};

/// Columns that a label takes.
const COLUMNS: usize = 64;

/// Reads what the blocks of a manifest say, as far as the store still has them; what cannot be read has no label.
pub(crate) fn of_manifest(engine: &Engine, principal: &Principal, manifest: &Manifest) -> Labels {
    let mut labels = Labels::new();
    let mut any_fact = false;
    for record in &manifest.candidates {
        match &record.block {
            BlockRef::Event(_) | BlockRef::Turn(_) => {
                if let Some(label) = of_events(engine, principal, manifest, record) {
                    labels.insert(record.block.clone(), label);
                }
            }
            BlockRef::Fact(_) => any_fact = true,
            _ => {}
        }
    }
    if any_fact && let Ok(facts) = engine.facts(principal, &manifest.session_id, None) {
        for fact in facts {
            let label = one_line(&fact.text, COLUMNS);
            labels.insert(BlockRef::Fact(fact.fact_id), label);
        }
    }
    labels
}

fn of_events(
    engine: &Engine,
    principal: &Principal,
    manifest: &Manifest,
    record: &CandidateRecord,
) -> Option<String> {
    let first = match (&record.block, record.events.first()) {
        (BlockRef::Event(event), _) => *event,
        (_, Some(range)) => range.first,
        _ => return None,
    };
    let messages = engine
        .messages(
            principal,
            &manifest.session_id,
            EventRange::new(first, first),
        )
        .ok()?;
    messages.first().map(|stored| of_message(stored))
}

/// Who said it and how it begins.
pub(crate) fn of_message(stored: &StoredMessage) -> String {
    let mut text = stored.message.plain_text();
    if text.is_empty() {
        let tools = stored.message.parts.iter().filter_map(|part| match part {
            aura::Part::ToolCall(call) => Some(format!("→ {}", call.name)),
            _ => None,
        });
        text = tools.collect::<Vec<_>>().join(" ");
    }
    one_line(&format!("{}: {text}", stored.message.speaker()), COLUMNS)
}
