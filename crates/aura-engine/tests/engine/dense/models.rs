//! Changing the model without a pause.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use aura_core::{ErrorKind, Outcome};
use aura_engine::Engine;

use super::background::{key, sqlite};
use super::senses::{LONG, Mood, Senses, ask, conversation, engine, engine_with, say};
use crate::setup::evidence;

/// The models of which the store has vectors, the first begun first.
fn stored(path: &Path) -> Vec<String> {
    let sets = sqlite(path).vector_sets(&key()).unwrap();
    sets.into_iter().map(|set| set.model).collect()
}

fn served_by(engine: &Engine) -> Option<String> {
    let context = ask(engine, "Which automobile?");
    assert!(evidence(&context).contains("red car"));
    assert_eq!(context.manifest.outcome, Outcome::Complete);
    context.manifest.retrieval.model.clone()
}

#[test]
fn the_old_model_serves_until_the_new_one_is_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let first = engine(sqlite(&path), &Senses::new("old"));
    conversation(&first);
    first.flush(LONG).unwrap();
    first.close().unwrap();

    let (old, new) = (Senses::new("old"), Senses::new("new"));
    new.set(Mood::Fails(ErrorKind::Unavailable), Mood::Well);
    let open = |new: &Arc<Senses>| {
        engine_with(sqlite(&path), new, |options| {
            options.previous_embedder = Some(Arc::clone(&old) as _);
        })
    };
    let second = open(&new);
    assert_eq!(served_by(&second).as_deref(), Some("old"));
    assert_eq!(
        second.flush(Duration::from_millis(50)).unwrap_err().kind(),
        ErrorKind::Busy
    );
    second.close().unwrap();
    assert_eq!(old.messages.load(Ordering::SeqCst), 0);

    // The change goes on after a restart.
    let third = open(&new);
    new.set(Mood::Well, Mood::Well);
    let _ = third.flush(LONG);
    third.flush(LONG).unwrap();
    assert_eq!(served_by(&third).as_deref(), Some("new"));
    assert_eq!(new.messages.load(Ordering::SeqCst), 16);
    third.close().unwrap();
    assert_eq!(stored(&path), ["old", "new"], "one may still go back");

    // Once the old model is out of use, so are its vectors.
    let fourth = engine(sqlite(&path), &new);
    say(&fourth, "The sea is calm.", "Good.");
    fourth.flush(LONG).unwrap();
    fourth.close().unwrap();
    assert_eq!(stored(&path), ["new"]);
}

#[test]
fn the_old_model_keeps_up_while_it_serves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let first = engine(sqlite(&path), &Senses::new("old"));
    for at in 0..40 {
        say(
            &first,
            &format!("Filler number {at} about nothing."),
            "Right.",
        );
    }
    first.flush(LONG).unwrap();
    first.close().unwrap();

    let (old, new) = (Senses::new("old"), Senses::new("new"));
    new.set(Mood::Hangs, Mood::Well);
    let second = engine_with(sqlite(&path), &new, |options| {
        options.previous_embedder = Some(Arc::clone(&old) as _);
    });
    conversation(&second);
    // The old model is asked first; how far it has come shows in what is found.
    let until = std::time::Instant::now() + LONG;
    while !evidence(&ask(&second, "Which automobile?")).contains("red car") {
        assert!(
            std::time::Instant::now() < until,
            "the old model never gets there"
        );
        new.set(Mood::Fails(ErrorKind::Unavailable), Mood::Well);
        std::thread::yield_now();
    }
    assert_eq!(served_by(&second).as_deref(), Some("old"));
    new.set(Mood::Well, Mood::Well);
    second.close().unwrap();
}

#[test]
fn a_model_that_was_never_used_before_begins_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let first = engine(sqlite(&path), &Senses::new("old"));
    conversation(&first);
    first.flush(LONG).unwrap();
    first.close().unwrap();
    let new = Senses::new("new");
    new.set(Mood::Fails(ErrorKind::Unavailable), Mood::Well);
    let second = engine(sqlite(&path), &new);
    let context = ask(&second, "What colour is the car from Turin?");
    assert!(evidence(&context).contains("red car"));
    assert_eq!(context.manifest.coverage.not_indexed, 12);
    assert_eq!(stored(&path), ["old"]);
}
