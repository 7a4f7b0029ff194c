//! What must hold of every context.

use std::collections::BTreeSet;

use aura_assembly::{Compiled, LIST_TOKENS, message_tokens};
use aura_core::{
    BlockRef, Class, ContextMessage, EventId, Fact, Fate, PolicyMode, Role, Section, TokenCounter,
};

use crate::ask::{Ask, evidence, section};
use crate::world::World;

/// Checks all guarantees that need no second compilation.
pub fn guarantees_hold(compiled: &Compiled, ask: &Ask, world: &World) {
    tokens_are_exact(compiled, &world.counter);
    budget_is_kept(compiled, ask);
    pairs_are_whole(&compiled.context.messages);
    nothing_stands_twice(compiled);
    order_is_kept(compiled, ask, world);
    fences_hold(&evidence(compiled));
    manifest_is_true(compiled);
    recall_is_capped(compiled, ask, world);
    corrections_stand(compiled, ask, world);
}

pub fn tokens_are_exact(compiled: &Compiled, counter: &dyn TokenCounter) {
    let mut sum = LIST_TOKENS + compiled.context.manifest.totals.tool_tokens;
    for message in &compiled.context.messages {
        let counted = message_tokens(message, counter).unwrap();
        assert_eq!(message.tokens, counted, "{message:?}");
        sum += counted;
    }
    assert_eq!(compiled.context.manifest.totals.tokens, sum);
}

pub fn budget_is_kept(compiled: &Compiled, ask: &Ask) {
    let manifest = &compiled.context.manifest;
    let (tokens, budget) = (manifest.totals.tokens, manifest.totals.budget);
    assert_eq!(budget, ask.policy.input_budget());
    let over = tokens.saturating_sub(budget);
    assert_eq!(manifest.over_budget, (over > 0).then_some(over));
    if over > 0 {
        let stand = manifest
            .candidates
            .iter()
            .filter(|record| record.fate != Fate::Rejected);
        let turns = stand
            .clone()
            .filter(|record| matches!(record.block, BlockRef::Turn(_)));
        assert!(turns.count() <= 1, "one turn at most stands over budget");
        for record in stand {
            assert!(record.class <= Class::P3, "{record:?} stands over budget");
            let is_fact = matches!(record.block, BlockRef::Fact(_));
            assert!(!is_fact, "facts give way before the budget does");
        }
    }
}

pub fn pairs_are_whole(messages: &[ContextMessage]) {
    let mut at = 0;
    while at < messages.len() {
        let message = &messages[at];
        at += 1;
        assert_ne!(
            message.role,
            Role::Tool,
            "a result without its call: {message:?}"
        );
        for call in &message.tool_calls {
            let answer = messages.get(at).expect("a call without its result");
            assert_eq!(answer.role, Role::Tool, "a call without its result");
            assert_eq!(answer.tool_call_id.as_ref(), Some(&call.id));
            at += 1;
        }
    }
}

fn nothing_stands_twice(compiled: &Compiled) {
    let mut seen = BTreeSet::new();
    let mut last = None;
    for message in &compiled.context.messages {
        for event in &message.events {
            // A stored message may stand for several messages in a row.
            assert!(
                seen.insert(*event) || last == Some(*event),
                "{event} stands twice"
            );
            last = Some(*event);
        }
    }
}

fn order_is_kept(compiled: &Compiled, ask: &Ask, world: &World) {
    let messages = &compiled.context.messages;
    let rank = |message: &ContextMessage| match message.section {
        Section::System => 0,
        Section::History => 1,
        Section::Evidence => 2,
        Section::Question | Section::Tail => 3,
    };
    assert!(messages.is_sorted_by_key(rank), "sections are out of order");
    let history: Vec<EventId> = section(compiled, Section::History)
        .iter()
        .filter(|message| message.role == Role::User)
        .flat_map(|message| message.events.clone())
        .collect();
    assert!(history.is_sorted(), "history is out of order");
    let question = section(compiled, Section::Question);
    assert!(question.len() <= 1);
    let asked = world.open.as_ref().is_some_and(|open| {
        let mut all = open.messages.iter();
        all.any(|view| view.stored.message.role == Role::User)
    });
    if asked || !ask.question.is_empty() {
        assert_eq!(question.len(), 1, "the question is missing");
    }
    if world.open.is_none() && !ask.question.is_empty() {
        let last = &messages.last().unwrap().content;
        assert!(*last == ask.question || (ask.question.trim().is_empty() && last == "[empty]"));
    }
    for message in messages
        .iter()
        .filter(|message| message.role == Role::System)
    {
        let own = message.events.iter().all(|event| {
            world
                .stored(*event)
                .is_some_and(|stored| stored.message.role == Role::System)
        });
        assert!(own, "something else speaks as the system");
    }
}

/// Everything between the first and the last line stands inside a fence, and none is open or closed but by the compiler.
fn fences_hold(content: &str) {
    if content.is_empty() {
        return;
    }
    let (intro, rest) = content.split_once('\n').unwrap();
    let number: u32 = intro
        .split("<context-")
        .nth(1)
        .and_then(|rest| rest.split('>').next())
        .unwrap()
        .parse()
        .unwrap();
    let (open, close) = (
        format!("<context-{number} "),
        format!("</context-{number}>\n"),
    );
    let mut rest = rest;
    while !rest.is_empty() {
        assert!(rest.starts_with(&open), "text outside a fence: {rest:?}");
        let end = rest.find(&close).expect("a fence that never closes");
        let inside = &rest[open.len()..end];
        assert!(
            !inside.contains(&format!("context-{number}")),
            "a forged fence"
        );
        rest = &rest[end + close.len()..];
    }
}

fn manifest_is_true(compiled: &Compiled) {
    let manifest = &compiled.context.manifest;
    let mut listed: Vec<EventId> = Vec::new();
    for record in &manifest.candidates {
        // A message in its smaller form has a record beside that of its turn.
        if record.fate == Fate::Selected {
            for range in &record.events {
                listed.extend((range.first.0..=range.last.0).map(EventId));
            }
        } else if record.class == Class::P3 {
            listed.extend(record.events.iter().map(|range| range.first));
        }
    }
    let shown: BTreeSet<EventId> = compiled
        .context
        .messages
        .iter()
        .flat_map(|message| message.events.iter().copied())
        .collect();
    let unique: BTreeSet<EventId> = listed.iter().copied().collect();
    assert_eq!(unique.len(), listed.len(), "an event is listed twice");
    assert_eq!(unique, shown, "the manifest and the messages differ");
    let segments: u32 = manifest.segments.iter().map(|segment| segment.tokens).sum();
    assert!(segments <= manifest.totals.tokens);
}

fn recall_is_capped(compiled: &Compiled, ask: &Ask, world: &World) {
    let manifest = &compiled.context.manifest;
    let recalled = manifest
        .candidates
        .iter()
        .filter(|record| record.fate == Fate::Selected && record.class >= Class::P4);
    let events = recalled.flat_map(|record| &record.events);
    let events = events.flat_map(|range| (range.first.0..=range.last.0).map(EventId));
    let bare: u32 = events.map(|event| world.tokens(event).recall).sum();
    assert_eq!(manifest.totals.recall_tokens, bare);
    if let Some(cap) = ask.policy.max_recall_tokens {
        assert!(bare <= cap, "{bare} recalled tokens under a cap of {cap}");
    }
}

/// What is recalled and no longer holds stands beside what holds now.
fn corrections_stand(compiled: &Compiled, ask: &Ask, world: &World) {
    let policy = &ask.policy;
    let facts = policy.facts_enabled && policy.max_facts > 0;
    let lines = evidence(compiled);
    let starts = ["- fact number", "- newer fact", "- no longer true"];
    let facts_shown = lines
        .lines()
        .filter(|line| starts.iter().any(|start| line.starts_with(start)))
        .count();
    assert!(facts_shown <= usize::try_from(policy.max_facts).unwrap());
    for fact in world.facts.iter().filter(|fact| !fact.is_current()) {
        let as_current = format!("- {} (since", fact.text);
        assert!(
            !lines.contains(&as_current),
            "a superseded fact is shown as current"
        );
    }
    if !facts || policy.mode != PolicyMode::PrioritySelective {
        return;
    }
    let recalled: BTreeSet<EventId> = compiled
        .context
        .manifest
        .candidates
        .iter()
        .filter(|record| record.fate == Fate::Selected && record.class >= Class::P4)
        .flat_map(|record| &record.events)
        .flat_map(|range| (range.first.0..=range.last.0).map(EventId))
        .collect();
    let stale = |fact: &&Fact| !fact.is_current() && recalled.contains(&fact.sources[0]);
    for fact in world.facts.iter().filter(stale) {
        let mut now = fact;
        while let Some(next) = &now.replaced_by {
            now = world
                .facts
                .iter()
                .find(|fact| fact.fact_id == *next)
                .unwrap();
        }
        let expected = if now.is_current() {
            format!("- {} (since", now.text)
        } else {
            format!(": {}\n", fact.text)
        };
        assert!(
            lines.contains(&expected),
            "{expected:?} is missing in\n{lines}"
        );
    }
}
