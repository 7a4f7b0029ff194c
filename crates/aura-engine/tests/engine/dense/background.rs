//! Embedding in the background: what fails there, what a restart finds, what other processes see.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aura_core::{
    Embedder, ErrorKind, EventId, Outcome, Result, SessionKey, Storage, StoredVector, TenantId,
    VectorStorage, VectorWrite,
};
use aura_engine::{Engine, EngineOptions};
use aura_storage::{MemoryStorage, SqliteOptions, SqliteStorage};

use super::senses::{LONG, Mood, Senses, ask, conversation, engine, say};
use crate::setup::{evidence, session};

const MESSAGES: usize = 16;

pub(super) fn sqlite(path: &Path) -> Arc<dyn Storage> {
    Arc::new(SqliteStorage::open(path, SqliteOptions::default()).unwrap())
}

pub(super) fn key() -> SessionKey {
    SessionKey {
        tenant: TenantId::default(),
        session_id: session("chat"),
    }
}

#[test]
fn vectors_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let first = Senses::new("senses-1");
    let engine_1 = engine(sqlite(&path), &first);
    conversation(&engine_1);
    engine_1.flush(LONG).unwrap();
    let before = ask(&engine_1, "Which automobile?");
    engine_1.close().unwrap();
    assert_eq!(first.messages.load(Ordering::SeqCst), MESSAGES);

    let second = Senses::new("senses-1");
    let engine_2 = engine(sqlite(&path), &second);
    let after = ask(&engine_2, "Which automobile?");
    assert_eq!(evidence(&after), evidence(&before));
    assert_eq!(
        after.manifest.candidates, before.manifest.candidates,
        "scores to the bit"
    );
    engine_2.flush(LONG).unwrap();
    assert_eq!(
        second.messages.load(Ordering::SeqCst),
        0,
        "nothing is embedded twice"
    );
}

#[test]
fn a_restart_goes_on_where_the_last_run_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let first = Senses::new("senses-1");
    let engine_1 = engine(sqlite(&path), &first);
    conversation(&engine_1);
    engine_1.flush(LONG).unwrap();
    first.set(Mood::Fails(ErrorKind::Unavailable), Mood::Well);
    say(&engine_1, "The kitten grew.", "They do.");
    let error = engine_1.flush(Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
    engine_1.close().unwrap();

    let second = Senses::new("senses-1");
    let engine_2 = engine(sqlite(&path), &second);
    engine_2.flush(LONG).unwrap();
    assert_eq!(second.messages.load(Ordering::SeqCst), 2);
}

#[test]
fn what_fails_is_tried_again() {
    for mood in [
        Mood::Panics,
        Mood::Fails(ErrorKind::Unavailable),
        Mood::Fails(ErrorKind::Callback),
    ] {
        let embedder = Senses::new("senses-1");
        embedder.set(mood, Mood::Well);
        let engine = engine(Arc::new(MemoryStorage::new()), &embedder);
        conversation(&engine);
        let error = engine.flush(Duration::from_millis(200)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Busy);
        let context = ask(&engine, "Which automobile?");
        assert_eq!(
            (
                evidence(&context).as_str(),
                context.manifest.coverage.not_indexed
            ),
            ("", 12)
        );
        embedder.set(Mood::Well, Mood::Well);
        // The failure before is still to be told.
        let _ = engine.flush(LONG);
        engine.flush(LONG).unwrap();
        assert!(
            evidence(&ask(&engine, "Which automobile?")).contains("red car"),
            "{mood:?}"
        );
    }
}

#[test]
fn a_text_that_the_model_can_make_nothing_of_stops_no_other() {
    let embedder = Senses::new("senses-1");
    let engine = engine(Arc::new(MemoryStorage::new()), &embedder);
    say(&engine, "This is a poison of a text.", "It is.");
    conversation(&engine);
    assert_eq!(engine.flush(LONG).unwrap_err().kind(), ErrorKind::Invalid);
    engine.flush(LONG).unwrap();
    let context = ask(&engine, "Which automobile?");
    assert!(evidence(&context).contains("red car"));
    assert_eq!(context.manifest.coverage.not_indexed, 0, "it was looked at");
}

#[test]
fn damaged_vectors_are_made_again() {
    let storage = Arc::new(MemoryStorage::new());
    let first = engine(Arc::clone(&storage) as _, &Senses::new("senses-1"));
    conversation(&first);
    first.flush(LONG).unwrap();
    let stored = || storage.vectors(&key(), "senses-1", EventId(1), 99).unwrap();
    let good = stored();
    let mut bytes = good[0].bytes.clone();
    bytes[9] ^= 4;
    let damaged = StoredVector {
        event_id: EventId(1),
        bytes,
    };
    storage
        .put_vectors(VectorWrite {
            key: key(),
            model: "senses-1".to_owned(),
            dimension: 5,
            vectors: vec![damaged],
            next: EventId(1),
        })
        .unwrap();
    let second = engine(Arc::clone(&storage) as _, &Senses::new("senses-1"));
    assert_eq!(
        ask(&second, "Which automobile?").manifest.outcome,
        Outcome::Complete
    );
    second.flush(LONG).unwrap();
    assert_eq!(stored(), good);
    assert!(evidence(&ask(&second, "Which automobile?")).contains("red car"));
}

#[test]
fn another_process_finds_what_this_one_embedded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (here, there) = (Senses::new("senses-1"), Senses::new("senses-1"));
    let engine_1 = engine(sqlite(&path), &here);
    let engine_2 = engine(sqlite(&path), &there);
    // What it finds unfinished at its start it would finish.
    engine_2.flush(LONG).unwrap();
    conversation(&engine_1);
    engine_1.flush(LONG).unwrap();
    assert!(evidence(&ask(&engine_2, "Which automobile?")).contains("red car"));
    say(&engine_1, "She paints the ocean.", "Every day?");
    for at in 0..4 {
        say(
            &engine_1,
            &format!("Filler number {at} about nothing."),
            "Right.",
        );
    }
    engine_1.flush(LONG).unwrap();
    assert!(evidence(&ask(&engine_2, "How is the sea?")).contains("ocean"));
    engine_2.flush(LONG).unwrap();
    assert_eq!(there.messages.load(Ordering::SeqCst), 0);
}

/// Closes its engine from inside.
#[derive(Default)]
struct Closing {
    engine: OnceLock<Engine>,
    closed: AtomicBool,
}

impl Embedder for Closing {
    fn model(&self) -> &str {
        "closing"
    }

    fn dimension(&self) -> usize {
        2
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        if let Some(engine) = self.engine.get() {
            engine.close()?;
            self.closed.store(true, Ordering::SeqCst);
        }
        Ok(texts.iter().map(|_| vec![1.0, 0.5]).collect())
    }
}

#[test]
fn an_embedder_may_close_the_engine() {
    let embedder = Arc::new(Closing::default());
    let options = EngineOptions {
        embedder: Some(Arc::clone(&embedder) as _),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
    engine.flush(LONG).unwrap();
    embedder.engine.set(engine.clone()).ok();
    say(&engine, "Hello.", "Hello.");
    // Ends because the engine is closed, if not by itself.
    let until = std::time::Instant::now() + LONG;
    while !embedder.closed.load(Ordering::SeqCst) {
        assert!(std::time::Instant::now() < until, "closing never ends");
        std::thread::yield_now();
    }
    assert_eq!(engine.flush(LONG).unwrap_err().kind(), ErrorKind::Closed);
}
