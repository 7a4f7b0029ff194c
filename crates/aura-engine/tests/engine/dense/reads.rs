//! What a reader gets of dense search, whatever the embedder does.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use aura_core::{CompiledContext, ErrorKind, Outcome, Principal, Skipped, TurnStatus};
use aura_engine::{Engine, RecordRequest};
use aura_storage::MemoryStorage;

use super::senses::{LONG, Mood, Senses, ask, ask_within, conversation, engine, engine_with, say};
use crate::setup::{evidence, session, turn_id};

fn ready() -> (Engine, Arc<Senses>) {
    let embedder = Senses::new("senses-1");
    let engine = engine(Arc::new(MemoryStorage::new()), &embedder);
    conversation(&engine);
    engine.flush(LONG).unwrap();
    (engine, embedder)
}

fn why(context: &CompiledContext) -> &[Skipped] {
    &context.manifest.retrieval.skipped
}

#[test]
fn what_shares_no_word_with_the_question_is_found() {
    let (engine, _) = ready();
    let context = ask(&engine, "Which automobile?");
    assert!(
        evidence(&context).contains("red car"),
        "{}",
        evidence(&context)
    );
    let manifest = &context.manifest;
    assert_eq!(manifest.outcome, Outcome::Complete);
    assert_eq!(manifest.retrieval.model.as_deref(), Some("senses-1"));
    assert!(manifest.retrieval.vector_digest.is_some() && why(&context).is_empty());
    assert_eq!(manifest.coverage.not_indexed, 0);
    let best = &manifest
        .candidates
        .iter()
        .find(|record| record.scores.dense.is_some())
        .unwrap();
    assert!(best.scores.dense.unwrap() > 0.9 && best.scores.relevance.unwrap() > 0.9);
}

#[test]
fn an_unrelated_question_recalls_nothing() {
    let (engine, _) = ready();
    let context = ask(&engine, "Which ocean?");
    assert_eq!(evidence(&context), "");
    assert_eq!(context.manifest.outcome, Outcome::Complete);
}

#[test]
fn one_shared_word_is_no_reason_where_nothing_is_near() {
    let (engine, embedder) = ready();
    // Asked about for the most part is what no message is near to.
    let question = &format!("{} and Turin?", ["ocean"; 12].join(" "));
    let context = ask(&engine, question);
    assert_eq!(evidence(&context), "");
    assert_eq!(context.manifest.outcome, Outcome::Complete);
    // Where nobody can tell what is near, the word has to do.
    embedder.set(Mood::Well, Mood::Fails(ErrorKind::Unavailable));
    let context = ask(&engine, &format!("{question} Tell me!"));
    assert!(evidence(&context).contains("Turin"));
    assert_eq!(context.manifest.outcome, Outcome::Degraded);
}

#[test]
fn words_and_vectors_are_ranked_together() {
    let (engine, _) = ready();
    let context = ask(&engine, "Does the stove feel warm to a feline?");
    assert!(evidence(&context).contains("kitten sleeps on the stove"));
    let record = context.manifest.candidates.iter().find(|record| {
        record.scores.dense.is_some_and(|cosine| cosine > 0.5)
            && record.scores.lexical.is_some_and(|bm25| bm25 > 0.0)
    });
    assert!(record.is_some());
}

#[test]
fn a_speaker_s_name_is_no_reason_to_recall() {
    let embedder = Senses::new("senses-1");
    let engine = engine(Arc::new(MemoryStorage::new()), &embedder);
    let (me, chat) = (Principal::default(), session("chat"));
    let say = |name: &str, text: &str| {
        let message = aura_core::Message {
            name: Some(name.to_owned()),
            ..aura_core::Message::user(text)
        };
        let request = RecordRequest::of(vec![message]);
        engine.record_turn(&me, &chat, request).unwrap();
    };
    say("Kitten", "Good morning, Feline!");
    say("Feline", "Wow, Kitten!");
    say("Kitten", "I bought a red car in Turin.");
    for at in 0..6 {
        say("Feline", &format!("Filler number {at} about nothing."));
    }
    engine.flush(LONG).unwrap();
    let context = ask(&engine, "Which automobile does Kitten drive?");
    let recalled = evidence(&context);
    assert!(recalled.contains("red car"), "{recalled}");
    let greeting = context
        .manifest
        .candidates
        .iter()
        .find(|record| record.block == aura_core::BlockRef::Event(aura_core::EventId(2)));
    let cosine = greeting.and_then(|record| record.scores.dense);
    assert!(cosine.is_none_or(|cosine| cosine < 0.5), "{cosine:?}");
    let best = context
        .manifest
        .candidates
        .iter()
        .find(|record| record.block == aura_core::BlockRef::Event(aura_core::EventId(3)));
    assert!(best.unwrap().scores.dense.unwrap() > 0.9);
}

#[test]
fn a_question_is_embedded_once() {
    let (engine, embedder) = ready();
    for _ in 0..5 {
        ask(&engine, "Which automobile?");
    }
    assert_eq!(embedder.questions.load(Ordering::SeqCst), 1);
    ask(&engine, "Which vehicle?");
    assert_eq!(embedder.questions.load(Ordering::SeqCst), 2);
}

#[test]
fn a_hanging_embedder_delays_no_read_beyond_its_deadline_and_hides_no_words() {
    let (engine, embedder) = ready();
    embedder.set(Mood::Hangs, Mood::Hangs);
    let deadline = Duration::from_millis(400);
    let begin = Instant::now();
    let context = ask_within(
        &engine,
        "What colour is the car from Turin?",
        Some(deadline),
    );
    assert!(begin.elapsed() < deadline, "{:?}", begin.elapsed());
    assert!(evidence(&context).contains("red car"));
    let manifest = &context.manifest;
    assert_eq!(manifest.outcome, Outcome::Degraded);
    assert_eq!(
        (
            why(&context)[0].work.as_str(),
            why(&context)[0].reason.as_str()
        ),
        ("dense", "deadline")
    );
    assert_eq!(manifest.coverage.skipped_for_deadline, 1);
    assert_eq!(manifest.retrieval.model, None);
    // Recording waits for no embedder at all.
    say(&engine, "One more thing about the sea.", "Yes?");
    embedder.set(Mood::Well, Mood::Well);
    engine.flush(LONG).unwrap();
    // What came too late then is there now.
    let context = ask_within(&engine, "What colour is the car from Turin?", Some(LONG));
    assert_eq!(context.manifest.outcome, Outcome::Complete);
}

#[test]
fn without_a_deadline_patience_ends_too() {
    let embedder = Senses::new("senses-1");
    let engine = engine_with(Arc::new(MemoryStorage::new()), &embedder, |options| {
        options.embed_timeout = Duration::from_millis(30);
    });
    conversation(&engine);
    engine.flush(LONG).unwrap();
    embedder.set(Mood::Well, Mood::Hangs);
    let context = ask(&engine, "What colour is the car from Turin?");
    assert!(evidence(&context).contains("red car"));
    assert_eq!(why(&context)[0].reason, "timeout");
    embedder.set(Mood::Well, Mood::Well);
}

#[test]
fn a_failing_embedder_is_spared_and_tried_again() {
    let (engine, embedder) = ready();
    embedder.set(Mood::Well, Mood::Fails(ErrorKind::Unavailable));
    for at in 0..3 {
        let context = ask(&engine, &format!("What colour is the car from Turin? {at}"));
        assert_eq!(
            (context.manifest.outcome, why(&context)[0].reason.as_str()),
            (Outcome::Degraded, "unavailable")
        );
        assert!(evidence(&context).contains("red car"));
    }
    let context = ask(&engine, "And now?");
    assert_eq!(why(&context)[0].reason, "failing");
    assert_eq!(
        embedder.questions.load(Ordering::SeqCst),
        3,
        "it was not asked"
    );
    embedder.set(Mood::Well, Mood::Well);
    let until = Instant::now() + LONG;
    while ask(&engine, "Which automobile?").manifest.outcome != Outcome::Complete {
        assert!(Instant::now() < until, "it is never asked again");
        std::thread::yield_now();
    }
}

#[test]
fn a_panic_of_the_embedder_is_an_error_like_others() {
    let (engine, embedder) = ready();
    embedder.set(Mood::Well, Mood::Panics);
    let context = ask(&engine, "What colour is the car from Turin?");
    assert_eq!(why(&context)[0].reason, "callback");
    assert!(evidence(&context).contains("red car"));
}

#[test]
fn only_what_the_branch_sees_is_found() {
    let embedder = Senses::new("senses-1");
    let engine = engine(Arc::new(MemoryStorage::new()), &embedder);
    let (me, chat) = (Principal::default(), session("chat"));
    say(&engine, "Good morning.", "Good morning.");
    let record = |id: &str, text: &str, status, parent: Option<&str>| {
        let request = RecordRequest {
            parent: parent.map(turn_id),
            ..RecordRequest::of(vec![aura_core::Message::user(text)])
        };
        engine
            .record_turn(
                &me,
                &chat,
                request.with_turn_id(turn_id(id)).with_status(status),
            )
            .unwrap()
    };
    record("root", "Let us begin.", TurnStatus::Complete, None);
    record(
        "left",
        "The abandoned car is grey.",
        TurnStatus::Complete,
        None,
    );
    record(
        "failed",
        "The failed car is pink.",
        TurnStatus::Failed,
        Some("root"),
    );
    record(
        "open",
        "The open car is white.",
        TurnStatus::Open,
        Some("root"),
    );
    record(
        "seen",
        "The visible car is blue.",
        TurnStatus::Complete,
        Some("root"),
    );
    engine.set_head(&me, &chat, &turn_id("seen")).unwrap();
    for at in 0..4 {
        say(
            &engine,
            &format!("Filler number {at} about nothing."),
            "Right.",
        );
    }
    engine.flush(LONG).unwrap();
    let found = evidence(&ask(&engine, "Which automobile?"));
    assert!(found.contains("blue"), "{found}");
    for hidden in ["grey", "pink", "white"] {
        assert!(!found.contains(hidden), "{found}");
    }
}
