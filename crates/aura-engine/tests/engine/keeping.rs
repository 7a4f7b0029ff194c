//! What the store keeps of a session's state: a long session opens without reading, analysing or counting it again.

mod reopening;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aura_core::{
    CompiledContext, Durability, Message, Principal, SessionId, SessionKey, Storage, TokenCounter,
    TurnStatus,
};
use aura_engine::{ContextRequest, Engine, EngineOptions, RecordRequest};
use aura_storage::{SqliteOptions, SqliteStorage};
use aura_text::BuiltinCounter;

use crate::setup::{Ticking, session, turn_id};

const PATIENCE: Duration = Duration::from_secs(120);

/// Counts as the built-in counter does, and how often it was asked.
#[derive(Default)]
struct Asked(AtomicUsize);

impl TokenCounter for Asked {
    fn name(&self) -> &str {
        BuiltinCounter::O200kBase.name()
    }

    fn count(&self, text: &str) -> aura_core::Result<u32> {
        self.0.fetch_add(1, Ordering::SeqCst);
        BuiltinCounter::O200kBase.count(text)
    }
}

fn open_with(path: &Path, counter: Option<Arc<dyn TokenCounter>>) -> Engine {
    let options = SqliteOptions::default().durability(Durability::Normal);
    let storage = SqliteStorage::open(path, options).unwrap();
    let options = EngineOptions {
        clock: Some(Arc::new(Ticking::default())),
        counter,
        ..EngineOptions::default()
    };
    Engine::new(Arc::new(storage), options).unwrap()
}

/// Records turns of two messages, each with a word of its own.
fn record(engine: &Engine, chat: &SessionId, turns: std::ops::Range<usize>) {
    for at in turns {
        let (said, answered) = (format!("We met number{at}."), format!("And liked{at} it."));
        engine
            .record_exchange(&Principal::default(), chat, &said, &answered)
            .unwrap();
    }
}

fn ask(engine: &Engine, chat: &SessionId, question: &str) -> CompiledContext {
    let request = ContextRequest::ask(question);
    engine
        .build_context(&Principal::default(), chat, &request)
        .unwrap()
}

/// The file and its log as they are, as if the process had ended here.
fn killed(path: &Path, to: &Path) {
    for end in ["", "-wal"] {
        let name = |path: &Path| format!("{}{end}", path.display());
        std::fs::copy(name(path), name(to)).unwrap();
    }
}

/// How often the first context after opening asks the counter.
fn counts_of_first_context(path: &Path, chat: &SessionId) -> usize {
    let counter = Arc::new(Asked::default());
    let engine = open_with(path, Some(Arc::clone(&counter) as _));
    // Whatever the background thread has to do is done before, so that what is asked for is known.
    engine.flush(PATIENCE).unwrap();
    ask(&engine, chat, "What about number7?");
    counter.0.load(Ordering::SeqCst)
}

#[test]
fn a_reopened_session_counts_no_message_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("a.db"), folder.path().join("b.db"));
    let chat = session("chat");
    let engine = open_with(&path, None);
    record(&engine, &chat, 0..2000);
    engine.flush(PATIENCE).unwrap();
    // At most 511 messages were not due.
    killed(&path, &copy);
    let counts = counts_of_first_context(&copy, &chat);
    assert!(counts < 511 * 3 + 60, "{counts} after a crash");

    engine.close().unwrap();
    let counts = counts_of_first_context(&path, &chat);
    assert!(counts < 60, "{counts} after closing");

    // Also when only a little was added since.
    let engine = open_with(&path, None);
    record(&engine, &chat, 2000..2010);
    engine.close().unwrap();
    let counts = counts_of_first_context(&path, &chat);
    assert!(counts < 60, "{counts} after closing again");
}

/// The segments and the head that the store keeps of a session.
fn kept(path: &Path, chat: &SessionId) -> Vec<(String, usize)> {
    let storage = SqliteStorage::open(path, SqliteOptions::default()).unwrap();
    let kept = storage.snapshots(&key(chat), "session/").unwrap();
    storage.close().unwrap();
    kept.into_iter()
        .map(|(name, snapshot)| (name, snapshot.bytes.len()))
        .collect()
}

fn key(chat: &SessionId) -> SessionKey {
    SessionKey {
        tenant: Principal::default().tenant,
        session_id: chat.clone(),
    }
}

#[test]
fn a_turn_more_does_not_write_a_long_session_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let chat = session("chat");
    let engine = open_with(&path, None);
    record(&engine, &chat, 0..1000);
    engine.close().unwrap();
    let before = kept(&path, &chat);
    for round in 0..9 {
        let engine = open_with(&path, None);
        record(&engine, &chat, 1000 + round..1001 + round);
        engine.close().unwrap();
    }
    let after = kept(&path, &chat);
    let largest = before.iter().max_by_key(|(_, bytes)| *bytes).unwrap();
    assert!(after.contains(largest), "{before:?} {after:?}");
    assert!(after.len() < 12, "{after:?}");
}

/// Turns of every status and kind, some of them open for long while others are recorded.
fn eventful(engine: &Engine, chat: &SessionId, rounds: std::ops::Range<usize>) {
    let me = Principal::default();
    for at in rounds {
        let id = turn_id(&format!("turn{at}"));
        let said = |more: &str| {
            vec![
                Message::user(format!("Round number{at} about topic{}.", at % 17)),
                Message::assistant(format!("Topic{} it is{more}.", at % 5)),
            ]
        };
        let request = |messages: Vec<Message>, status| {
            RecordRequest::of(messages)
                .with_turn_id(id.clone())
                .with_status(status)
        };
        let open = at % 7 == 3;
        let first = if open {
            TurnStatus::Open
        } else if at % 11 == 5 {
            TurnStatus::Failed
        } else {
            TurnStatus::Complete
        };
        engine
            .record_turn(&me, chat, request(said(""), first))
            .unwrap();
        // A turn opened long ago goes on, and ends in one way or the other or not at all.
        let Some(old) = at.checked_sub(60).filter(|old| old % 7 == 3) else {
            continue;
        };
        let old_id = turn_id(&format!("turn{old}"));
        let status = [TurnStatus::Complete, TurnStatus::Failed, TurnStatus::Open][old % 3];
        let mut messages = vec![
            Message::user(format!("Round number{old} about topic{}.", old % 17)),
            Message::assistant(format!("Topic{} it is.", old % 5)),
        ];
        messages.push(Message::assistant(format!("Late{old} addition.")));
        let late = RecordRequest::of(messages)
            .with_turn_id(old_id)
            .with_status(status);
        engine.record_turn(&me, chat, late).unwrap();
    }
}

#[test]
fn what_is_kept_says_what_the_log_says() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("a.db"), folder.path().join("b.db"));
    let chat = session("chat");
    let mut engine = open_with(&path, None);
    for part in 0..8 {
        eventful(&engine, &chat, part * 100..part * 100 + 100);
        match part % 3 {
            0 => engine.flush(PATIENCE).unwrap(),
            1 => {
                engine.close().unwrap();
                engine = open_with(&path, None);
            }
            _ => {}
        }
    }
    engine.close().unwrap();
    // A few more make a segment of their own.
    let engine = open_with(&path, None);
    eventful(&engine, &chat, 800..803);
    engine.flush(PATIENCE).unwrap();
    killed(&path, &copy);
    engine.close().unwrap();
    assert!(kept(&path, &chat).len() > 2);

    let questions = [
        "What about topic3 and topic4?",
        "number430",
        "late3 late10 late17 late24 addition",
        "Round",
    ];
    let answers = |path: &Path| {
        let engine = open_with(path, None);
        let answers = questions.map(|question| {
            let context = ask(&engine, &chat, question);
            (context.manifest.candidates.clone(), context.manifest.totals)
        });
        engine.close().unwrap();
        answers
    };
    let closed = answers(&path);
    assert_eq!(answers(&copy), closed);
    // Without anything kept the state comes from the log alone.
    let storage = SqliteStorage::open(&path, SqliteOptions::default()).unwrap();
    storage
        .replace_snapshots(&key(&chat), "session/", &[], Vec::new())
        .unwrap();
    storage.close().unwrap();
    assert_eq!(answers(&path), closed);
}

#[test]
fn damage_anywhere_in_what_is_kept_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let chat = session("chat");
    let engine = open_with(&path, None);
    record(&engine, &chat, 0..300);
    engine.close().unwrap();
    // A few more make a segment of their own.
    let engine = open_with(&path, None);
    record(&engine, &chat, 300..310);
    engine.close().unwrap();
    let engine = open_with(&path, None);
    let question = "Who was number7, and who number240?";
    let sound = ask(&engine, &chat, question).manifest.candidates.clone();
    engine.close().unwrap();
    let names = kept(&path, &chat);
    assert!(names.len() > 2, "{names:?}");
    for (name, bytes) in names {
        let storage = SqliteStorage::open(&path, SqliteOptions::default()).unwrap();
        if let Some(mut snapshot) = storage.snapshot(&key(&chat), &name).unwrap() {
            snapshot.bytes[bytes / 2] ^= 1;
            storage.put_snapshot(&key(&chat), &name, snapshot).unwrap();
        }
        storage.close().unwrap();
        let engine = open_with(&path, None);
        assert_eq!(
            ask(&engine, &chat, question).manifest.candidates,
            sound,
            "{name}"
        );
        // Closing keeps it anew; the next opening finds it whole.
        engine.close().unwrap();
        let counts = counts_of_first_context(&path, &chat);
        assert!(counts < 60, "{counts} after damage to {name}");
    }
}

#[test]
fn two_engines_keep_one_session_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let chat = session("chat");
    let engines = [open_with(&path, None), open_with(&path, None)];
    for round in 0..12 {
        let engine = &engines[round % 2];
        record(engine, &chat, round * 90..round * 90 + 90);
        ask(engine, &chat, "number3");
        if round % 3 == 0 {
            engine.flush(PATIENCE).unwrap();
        }
    }
    for engine in engines {
        engine.flush(PATIENCE).unwrap();
        engine.close().unwrap();
    }
    let counts = counts_of_first_context(&path, &chat);
    assert!(counts < 60, "{counts}");
    let segments = kept(&path, &chat).len() - 1;
    assert!(segments <= 12, "{segments}");
}
