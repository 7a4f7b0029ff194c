//! The plan of a turn: frozen at its first compilation.

use std::collections::BTreeSet;
use std::sync::Arc;

use aura_assembly::{Compiled, FrozenPlan, render};
use aura_core::{Block, Label, Message, Replan, Section, Timestamp};
use proptest::prelude::*;

use crate::ask::{Ask, section};
use crate::sessions::{self, calling, result};
use crate::verify::{pairs_are_whole, tokens_are_exact};
use crate::world::{World, at};

fn lamps() -> World {
    World::of(&[
        ("The red lamp is in the attic.", "ok"),
        ("The blue lamp is in the cellar.", "ok"),
        ("Good morning.", "Hello."),
    ])
}

fn first(world: &World, ask: &Ask) -> (Compiled, Ask) {
    let compiled = ask.compile(world);
    let bytes = compiled.plan.as_ref().unwrap().to_bytes().unwrap();
    let mut next = ask.clone();
    let manifest = Arc::clone(&compiled.context.manifest);
    let plan = FrozenPlan::from_bytes(&bytes, |request| {
        assert_eq!(*request, manifest.request_id);
        Ok(Some(manifest.clone()))
    });
    next.plan = Some(plan.unwrap());
    (compiled, next)
}

fn replanned(compiled: &Compiled) -> Option<Replan> {
    compiled.context.manifest.plan.replanned
}

#[test]
fn later_calls_append_the_tail_byte_for_byte() {
    let mut world = lamps();
    let (planned, mut ask) = first(&world, &Ask::new("Where are the lamps?").recency(1));
    world.begin(vec![
        Message::user("Where are the lamps?"),
        calling("", &["c"]),
        result("c", "{\"at\": 1.0}"),
    ]);
    ask.now = at("2024-06-01T00:00:00Z");
    let later = ask.compile(&world);
    let kept = planned.context.messages.len();
    let content = |compiled: &Compiled| -> Vec<String> {
        compiled
            .context
            .messages
            .iter()
            .map(|message| message.content.clone())
            .collect()
    };
    assert_eq!(content(&later)[..kept], content(&planned)[..]);
    assert_eq!(section(&later, Section::Tail).len(), 2);
    let state = &later.context.manifest.plan;
    assert!(state.reused && state.replanned.is_none() && state.tail_messages == 2);
    assert!(later.plan.is_none());
    assert_eq!(
        later.context.manifest.retrieval,
        planned.context.manifest.retrieval
    );
    assert_eq!(
        section(&later, Section::Question)[0].events.len(),
        1,
        "the question has its event now"
    );
    let json = |compiled: &Compiled| render::messages_json(&compiled.context).unwrap();
    let (short, whole) = (json(&planned), json(&later));
    assert!(whole.starts_with(short.trim_end_matches(']')));
    tokens_are_exact(&later, &world.counter);
}

#[test]
fn the_plan_serves_the_whole_tool_loop() {
    let mut world = lamps();
    let (planned, mut ask) = first(&world, &Ask::new("Where are the lamps?").recency(1));
    world.begin(vec![Message::user("Where are the lamps?")]);
    ask.now = at("2024-06-01T00:00:00Z");
    let mut kept = planned.context.messages.len();
    for step in ["a", "b", "c"] {
        world.extend(vec![calling("", &[step]), result(step, "nothing yet")]);
        let later = ask.compile(&world);
        assert!(later.context.manifest.plan.reused);
        assert_eq!(later.context.messages.len(), kept + 2);
        kept += 2;
    }
}

#[test]
fn a_retry_gives_the_same_bytes() {
    let world = lamps();
    let (planned, ask) = first(&world, &Ask::new("Where are the lamps?"));
    assert_eq!(
        ask.compile(&world).context.messages,
        planned.context.messages
    );
}

#[test]
fn overflow_plans_anew_and_leaves_the_tail_as_it_is() {
    let mut world = lamps();
    let (_, ask) = first(
        &world,
        &Ask::new("Where are the lamps?").recency(1).budget(220),
    );
    let output = "lamp ".repeat(100);
    world.begin(vec![
        Message::user("Where are the lamps?"),
        calling("", &["c"]),
        result("c", &output),
    ]);
    let later = ask.compile(&world);
    assert_eq!(replanned(&later), Some(Replan::Overflow));
    assert_eq!(section(&later, Section::Tail)[1].content, output);
    assert!(later.context.manifest.over_budget.is_none());
    assert!(later.plan.is_some());
}

#[test]
fn results_of_the_tail_give_way_oldest_first_only_when_they_must() {
    let mut world = lamps();
    let output = "lamp ".repeat(150);
    world.begin(vec![
        Message::user("Where?"),
        calling("", &["a"]),
        result("a", &output),
        calling("", &["b"]),
        result("b", &output),
    ]);
    let compiled = Ask::new("").recency(1).budget(260).compile(&world);
    let tail = section(&compiled, Section::Tail);
    assert!(tail[1].content.starts_with("[kept as artifact://"));
    assert_eq!(tail[3].content, output);
    assert!(compiled.context.manifest.over_budget.is_none());
}

#[test]
fn deletion_plans_anew() {
    let mut world = lamps();
    let (planned, ask) = first(&world, &Ask::new("Where are the lamps?").recency(1));
    let shown = planned.context.manifest.retrieval.selected[0];
    world.deleted.insert(shown);
    let later = ask.compile(&world);
    assert_eq!(replanned(&later), Some(Replan::Deletion));
    assert!(!later.context.manifest.retrieval.selected.contains(&shown));
}

#[test]
fn deletion_of_what_a_fact_rests_on_plans_anew() {
    let mut world = lamps();
    let event = world.turns[0].turn.first_event().unwrap();
    world.fact("lamp", "owns a red lamp", &[event]);
    let mut ask = Ask::new("Which lamp?").recency(1);
    ask.policy.retrieval_enabled = false;
    let (_, ask) = first(&world, &ask);
    world.deleted.insert(event);
    world.facts.clear();
    let later = ask.compile(&world);
    assert_eq!(replanned(&later), Some(Replan::Deletion));
    assert!(!crate::ask::all_text(&later).contains("red lamp"));
}

#[test]
fn revoked_and_expired_blocks_plan_anew() {
    let world = lamps();
    let label = Label::new("staff").unwrap();
    let mut ask = Ask::new("Where are the lamps?");
    let mut block = Block::evidence("b", "The green lamp is at the door.").unwrap();
    block.labels = BTreeSet::from([label.clone()]);
    block.expires_at = Some(at("2024-06-01"));
    ask.blocks.push(block);
    ask.principal.labels.insert(label);
    let (planned, ask) = first(&world, &ask);
    assert!(crate::ask::all_text(&planned).contains("green lamp"));
    let mut revoked = ask.clone();
    revoked.principal.labels.clear();
    let later = revoked.compile(&world);
    assert_eq!(replanned(&later), Some(Replan::Revoked));
    assert!(!crate::ask::all_text(&later).contains("green lamp"));
    let mut expired = ask;
    expired.now = Timestamp::parse_lenient("2024-06-01").unwrap();
    assert_eq!(replanned(&expired.compile(&world)), Some(Replan::Revoked));
}

#[test]
fn another_budget_policy_question_or_system_prompt_plans_anew() {
    let mut world = lamps();
    let (_, ask) = first(&world, &Ask::new("Where are the lamps?"));
    let changed = |change: fn(&mut Ask)| {
        let mut ask = ask.clone();
        change(&mut ask);
        replanned(&ask.compile(&lamps()))
    };
    assert_eq!(changed(|_| ()), None);
    assert_eq!(
        changed(|ask| ask.policy.token_budget = 999),
        Some(Replan::Changed)
    );
    assert_eq!(
        changed(|ask| ask.policy.policy_version = "v2".into()),
        Some(Replan::Changed)
    );
    assert_eq!(
        changed(|ask| ask.provider = aura_core::Provider::Openai),
        Some(Replan::Changed)
    );
    assert_eq!(
        changed(|ask| ask.system = Some("Be brief.".into())),
        Some(Replan::Changed)
    );
    world.begin(vec![Message::user("Something else?")]);
    assert_eq!(replanned(&ask.compile(&world)), Some(Replan::Changed));
}

#[test]
fn what_is_no_plan_is_refused() {
    let (planned, _) = first(&lamps(), &Ask::new("Hi"));
    let manifest = planned.context.manifest;
    let bytes = planned.plan.unwrap().to_bytes().unwrap();
    let read = |bytes: &[u8]| FrozenPlan::from_bytes(bytes, |_| Ok(Some(manifest.clone())));
    assert!(read(&bytes).is_ok());
    assert!(read(b"{}").is_err());
    let text = String::from_utf8(bytes.clone()).unwrap();
    let other = text.replacen("\"plan_version\":3", "\"plan_version\":2", 1);
    assert_ne!(text, other);
    assert!(read(other.as_bytes()).is_err());
    assert!(FrozenPlan::from_bytes(&bytes, |_| Ok(None)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_survives_its_bytes_and_the_tail_is_appended(world in sessions::world(), budget in 50..4000_u32, text in "\\PC{0,40}") {
        let mut world = world;
        world.open = None;
        let (planned, ask) = first(&world, &Ask::new("cats in Oslo?").budget(budget));
        world.begin(vec![Message::user("cats in Oslo?"), calling(&text, &["c"]), result("c", &text)]);
        let later = ask.compile(&world);
        tokens_are_exact(&later, &world.counter);
        pairs_are_whole(&later.context.messages);
        let manifest = &later.context.manifest;
        match manifest.plan.replanned {
            None => {
                let kept = planned.context.messages.len();
                prop_assert!(manifest.over_budget.is_none());
                for (a, b) in planned.context.messages.iter().zip(&later.context.messages[..kept]) {
                    prop_assert_eq!((a.role, &a.content, a.tokens), (b.role, &b.content, b.tokens));
                }
            }
            Some(why) => prop_assert_eq!(why, Replan::Overflow),
        }
    }
}
