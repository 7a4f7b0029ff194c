//! Which facts are shown, and as what.

use aura_core::{BlockRef, Fate, PolicyMode, Reason};

use crate::ask::{Ask, all_text, evidence};
use crate::world::World;

/// Somebody who moved: a stale message, its fact, and the newer ones.
fn moved() -> World {
    let mut world = World::of(&[
        (
            "I live in Oslo and I have two cats, Miso and Nori.",
            "Lovely!",
        ),
        ("What is the capital of France?", "Paris."),
        ("I just moved to Berlin.", "How exciting."),
    ]);
    let first = world.turns[0].turn.first_event().unwrap();
    let last = world.turns[2].turn.first_event().unwrap();
    let oslo = world.fact("home-1", "lives in Oslo", &[first]);
    world.fact("cats", "has two cats, Miso and Nori", &[first]);
    let berlin = world.fact("home-2", "lives in Berlin", &[last]);
    world.supersede(oslo, Some(berlin));
    world
}

fn fate(compiled: &aura_assembly::Compiled, fact: &str) -> (Fate, Reason) {
    let block: BlockRef = format!("fact:{fact}").parse().unwrap();
    let record = compiled.context.manifest.candidate(&block).unwrap();
    (record.fate, record.reason)
}

#[test]
fn a_correction_stands_beside_what_it_corrects() {
    let world = moved();
    let ask = Ask::new("Where do I live now, and what are my cats called?").recency(1);
    let compiled = ask.compile(&world);
    let lines = evidence(&compiled);
    assert!(lines.contains("user: I live in Oslo and I have two cats, Miso and Nori.\n"));
    assert!(
        lines.contains("- lives in Berlin (since 2024-05-03; before: lives in Oslo)\n"),
        "{lines}"
    );
    assert!(!lines.contains("- lives in Oslo"));
    assert_eq!(
        fate(&compiled, "home-2"),
        (Fate::Selected, Reason::Correction)
    );
    assert_eq!(
        fate(&compiled, "home-1"),
        (Fate::Rejected, Reason::Superseded)
    );
    assert_eq!(
        compiled.context.messages.last().unwrap().content,
        ask.question
    );
}

#[test]
fn a_fact_whose_source_is_shown_is_left_out() {
    let world = moved();
    let compiled = Ask::new("What are my cats called?")
        .recency(1)
        .compile(&world);
    assert!(evidence(&compiled).contains("Miso and Nori.\n"));
    assert!(!evidence(&compiled).contains("- has two cats"));
    assert_eq!(
        fate(&compiled, "cats"),
        (Fate::Rejected, Reason::ShownVerbatim)
    );
}

#[test]
fn without_recall_the_facts_speak() {
    let mut ask = Ask::new("What are my cats called?").recency(1);
    ask.policy.mode = PolicyMode::WindowSummary;
    let world = moved();
    let compiled = ask.compile(&world);
    assert!(evidence(&compiled).contains("- has two cats, Miso and Nori (since 2024-05-03)\n"));
    assert!(!all_text(&compiled).contains("Oslo"));
    assert_eq!(world.recalls.get(), 0);
}

#[test]
fn what_ended_without_a_successor_is_marked() {
    let mut world = World::of(&[
        ("I have a car.", "Nice."),
        ("I sold it.", "I see."),
        ("Hi", "Hello"),
    ]);
    let first = world.turns[0].turn.first_event().unwrap();
    let car = world.fact("car", "has a car", &[first]);
    world.supersede(car, None);
    let compiled = Ask::new("Do I have a car?").recency(1).compile(&world);
    assert!(
        evidence(&compiled).contains("- no longer true since 2024-05-04: has a car\n"),
        "{}",
        evidence(&compiled)
    );
}

#[test]
fn a_chain_of_corrections_ends_at_what_holds() {
    let mut world = World::of(&[
        ("I live in Oslo.", "a"),
        ("I live in Rome.", "b"),
        ("I live in Lima.", "c"),
        ("Hi", "Hello"),
    ]);
    let events: Vec<_> = world
        .turns
        .iter()
        .map(|turn| turn.turn.first_event().unwrap())
        .collect();
    let oslo = world.fact("1", "lives in Oslo", &[events[0]]);
    let rome = world.fact("2", "lives in Rome", &[events[1]]);
    let lima = world.fact("3", "lives in Lima", &[events[2]]);
    world.supersede(oslo, Some(rome));
    world.supersede(rome, Some(lima));
    let compiled = Ask::new("Where do I live?").recency(1).compile(&world);
    let lines = evidence(&compiled);
    let line = lines
        .lines()
        .find(|line| line.starts_with("- lives in Lima"))
        .unwrap();
    assert!(
        line.contains("before: ")
            && line.contains("lives in Oslo")
            && line.contains("lives in Rome")
    );
    assert!(!lines.contains("- lives in Rome") && !lines.contains("- lives in Oslo"));
}

#[test]
fn a_third_is_kept_for_the_newest() {
    let mut world = World::of(&[("Hello", "Hi"); 40]);
    for n in 0..30_usize {
        let event = world.turns[n].turn.first_event().unwrap();
        let text = if n < 20 {
            format!("likes tea number {n}")
        } else {
            format!("plays chess {n}")
        };
        world.fact(&format!("f{n}"), &text, &[event]);
    }
    let mut ask = Ask::new("Which tea do I like?").recency(1);
    ask.policy.max_facts = 6;
    ask.policy.retrieval_enabled = false;
    let lines = evidence(&ask.compile(&world));
    let shown: Vec<&str> = lines
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    assert_eq!(shown.len(), 6);
    assert_eq!(shown.iter().filter(|line| line.contains("tea")).count(), 4);
    assert!(shown[4].contains("chess 29") && shown[5].contains("chess 28"));
    ask.policy.facts_enabled = false;
    assert_eq!(evidence(&ask.compile(&world)), "");
}

#[test]
fn a_message_that_cannot_be_corrected_is_not_recalled() {
    let mut world = World::of(&[
        ("I live in Oslo.", "a"),
        ("I work at Acme.", "b"),
        ("I just moved to Berlin.", "c"),
        ("I joined Initech.", "d"),
        ("Hi", "Hello"),
    ]);
    let events: Vec<_> = world
        .turns
        .iter()
        .map(|turn| turn.turn.first_event().unwrap())
        .collect();
    let oslo = world.fact("home-1", "lives in Oslo", &[events[0]]);
    let acme = world.fact("job-1", "works at Acme", &[events[1]]);
    let berlin = world.fact("home-2", "lives in Berlin", &[events[2]]);
    let initech = world.fact("job-2", "works at Initech", &[events[3]]);
    world.supersede(oslo, Some(berlin));
    world.supersede(acme, Some(initech));
    let mut ask = Ask::new("Do I live in Oslo and work at Acme?").recency(1);
    let both = evidence(&ask.compile(&world));
    assert!(both.contains("before: lives in Oslo") && both.contains("before: works at Acme"));

    ask.policy.max_facts = 1;
    let compiled = ask.compile(&world);
    let lines = evidence(&compiled);
    let facts: Vec<&str> = lines
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    assert_eq!(facts.len(), 1, "{lines}");
    assert_ne!(
        lines.contains("I live in Oslo."),
        lines.contains("I work at Acme.")
    );
    let stale = |event: aura_core::EventId| {
        let record = compiled.context.manifest.candidate(&BlockRef::Event(event));
        record.unwrap().reason
    };
    let verdicts = [stale(events[0]), stale(events[1])];
    assert!(verdicts.contains(&Reason::Superseded) && verdicts.contains(&Reason::Relevant));
}
