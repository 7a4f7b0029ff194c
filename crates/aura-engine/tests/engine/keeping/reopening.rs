//! A file closed and opened again, and two engines on one file.

use std::sync::Arc;
use std::time::Duration;

use aura_core::{Message, Principal, Storage, Timestamp, TurnStatus, TurnWrite};
use aura_engine::{ContextRequest, Engine, EngineOptions};
use aura_storage::{SqliteOptions, SqliteStorage};

use crate::setup::{Ticking, all_text, evidence, session, turn_id};

fn open(path: &std::path::Path) -> Engine {
    open_with(path, EngineOptions::default())
}

/// Opens with a clock of the tests, since a context names the minute it was made in.
fn open_in_a_minute(path: &std::path::Path) -> Engine {
    let clock = Some(Arc::new(Ticking::default()) as _);
    open_with(
        path,
        EngineOptions {
            clock,
            ..EngineOptions::default()
        },
    )
}

fn open_with(path: &std::path::Path, options: EngineOptions) -> Engine {
    let storage = SqliteStorage::open(path, SqliteOptions::default()).unwrap();
    Engine::new(Arc::new(storage), options).unwrap()
}

#[test]
fn a_reopened_file_gives_the_same_context() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (me, chat) = (Principal::default(), session("chat"));
    let ask = ContextRequest::ask("Which colour has the boat, and where do I live?");
    let engine = open_in_a_minute(&path);
    engine
        .record_exchange(
            &me,
            &chat,
            "The boat is painted vermilion. I live in Oslo.",
            "Nice.",
        )
        .unwrap();
    for at in 0..200 {
        engine
            .record_exchange(
                &me,
                &chat,
                &format!("Filler number {at} about nothing."),
                "Right.",
            )
            .unwrap();
    }
    engine
        .record_exchange(&me, &chat, "I just moved to Berlin.", "Good luck!")
        .unwrap();
    for at in 0..3 {
        engine
            .record_exchange(&me, &chat, &format!("More filler {at}."), "Right.")
            .unwrap();
    }
    let before = engine.build_context(&me, &chat, &ask).unwrap();
    assert!(evidence(&before).contains("vermilion"));
    engine.close().unwrap();

    let engine = open_in_a_minute(&path);
    let after = engine.build_context(&me, &chat, &ask).unwrap();
    assert_eq!(before.messages, after.messages);
    assert_eq!(before.manifest.candidates, after.manifest.candidates);
    assert_eq!(before.manifest.totals, after.manifest.totals);
    assert!(engine.manifest(&me, &before.manifest.request_id).is_ok());
    engine.close().unwrap();

    // A damaged snapshot is no loss: the state is built from the log.
    let storage = SqliteStorage::open(&path, SqliteOptions::default()).unwrap();
    let key = aura_core::SessionKey {
        tenant: me.tenant.clone(),
        session_id: chat.clone(),
    };
    let kept = storage.snapshots(&key, "session/").unwrap();
    assert!(kept.len() > 1);
    for (name, mut snapshot) in kept {
        let middle = snapshot.bytes.len() / 2;
        snapshot.bytes[middle] ^= 1;
        storage.put_snapshot(&key, &name, snapshot).unwrap();
    }
    storage.close().unwrap();
    let engine = open_in_a_minute(&path);
    assert_eq!(
        before.messages,
        engine.build_context(&me, &chat, &ask).unwrap().messages
    );
}

#[test]
fn two_engines_on_one_file_see_each_other_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (me, chat) = (Principal::default(), session("chat"));
    let engines = [open(&path), open(&path)];
    for round in 0..30 {
        let (writer, reader) = (&engines[round % 2], &engines[(round + 1) % 2]);
        let said = format!("Remember token{round} please. I live in Town{round}.");
        writer.record_exchange(&me, &chat, &said, "Yes.").unwrap();
        let context = reader
            .build_context(&me, &chat, &ContextRequest::ask(format!("token{round}?")))
            .unwrap();
        assert!(all_text(&context).contains(&said), "round {round}");
    }
    for engine in &engines {
        engine.flush(Duration::from_secs(20)).unwrap();
    }
    // Both distilled the same turns, and each fact stands there once.
    let facts: Vec<_> = engines
        .iter()
        .map(|engine| engine.facts(&me, &chat, None).unwrap())
        .collect();
    assert_eq!(facts[0], facts[1]);
    assert_eq!(
        facts[0]
            .iter()
            .filter(|fact| fact.is_current() && fact.text.contains("Town"))
            .count(),
        1
    );
}

#[test]
fn flush_waits_for_what_a_crash_interrupted() {
    let me = Principal::default();
    let storage = Arc::new(aura_storage::MemoryStorage::new());
    for at in 0..20 {
        let chat = session(&format!("chat {at}"));
        // As a process leaves it that dies right after its write.
        let write = TurnWrite {
            key: aura_core::SessionKey {
                tenant: me.tenant.clone(),
                session_id: chat,
            },
            user: None,
            agent: me.agent.clone(),
            turn_id: turn_id("turn"),
            fresh_id: true,
            parent: None,
            status: TurnStatus::Complete,
            messages: vec![Message::user("I live in Oslo.")],
            recorded_at: Timestamp::from_millis_clamped(1_700_000_000_000),
            requests: Vec::new(),
        };
        storage.record(write).unwrap();
    }
    assert_eq!(storage.undistilled(100).unwrap().len(), 20);
    let engine = Engine::new(Arc::clone(&storage) as _, EngineOptions::default()).unwrap();
    engine.flush(Duration::from_secs(20)).unwrap();
    assert_eq!(storage.undistilled(100).unwrap().len(), 0);
}
