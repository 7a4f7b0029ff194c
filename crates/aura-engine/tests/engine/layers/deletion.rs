//! Deletion through the engine: nothing that went is shown from memory, whatever was built over it.

use std::sync::Arc;
use std::time::Duration;

use aura_core::{
    ContextPolicy, DeletionState, DeletionSubject, ErrorKind, EventId, EventRange, Layer, Message,
    PolicyMode, Principal, Storage, TurnStatus,
};
use aura_engine::{
    ContextRequest, DeletionRequest, Engine, EngineOptions, RecordRequest, RetentionLayer,
    RetentionRule,
};
use aura_storage::{MemoryStorage, SqliteStorage};

use crate::setup::{Ticking, all_text, memory_engine, session, turn_id};

const LONG: Duration = Duration::from_secs(30);

fn events(id: &str, first: u64, last: u64) -> DeletionRequest {
    DeletionRequest::of(DeletionSubject::Events {
        session_id: session(id),
        range: EventRange::new(EventId(first), EventId(last)),
    })
}

fn whole(id: &str) -> DeletionRequest {
    DeletionRequest::of(DeletionSubject::Session {
        session_id: session(id),
    })
}

fn options() -> EngineOptions {
    EngineOptions {
        clock: Some(Arc::new(Ticking::default())),
        ..EngineOptions::default()
    }
}

fn ask(engine: &Engine, question: &str) -> String {
    let me = Principal::default();
    let request = ContextRequest::ask(question);
    all_text(&engine.build_context(&me, &session("s"), &request).unwrap())
}

fn chat(engine: &Engine, turns: usize) {
    let me = Principal::default();
    let s = session("s");
    for turn in 0..turns {
        let said = format!("The gauge of boiler {turn} shows {} bar today.", turn * 3);
        let answer = format!("Noted for boiler {turn}.");
        engine.record_exchange(&me, &s, &said, &answer).unwrap();
    }
}

#[test]
fn deleted_events_are_neither_recalled_nor_shown() {
    let engine = memory_engine();
    let me = Principal::default();
    chat(&engine, 30);
    assert!(ask(&engine, "What does the gauge of boiler 7 show?").contains("boiler 7 shows 21"));
    let receipt = engine.delete(&me, events("s", 15, 15)).unwrap();
    assert_eq!(receipt.state, DeletionState::Complete);
    assert_eq!(receipt.count(Layer::Events), 1);
    let shown = ask(&engine, "What does the gauge of boiler 7 show?");
    assert!(!shown.contains("boiler 7 shows 21"), "{shown}");
    let shown = ask(&engine, "What does the gauge of boiler 8 show?");
    assert!(shown.contains("boiler 8 shows 24"), "{shown}");
    for mode in [
        PolicyMode::FullHistory,
        PolicyMode::Windowed,
        PolicyMode::WindowSummary,
    ] {
        let policy = ContextPolicy {
            mode,
            token_budget: 100_000,
            ..ContextPolicy::default()
        };
        let request = ContextRequest::ask("Go on").with_policy(policy);
        let context = engine.build_context(&me, &session("s"), &request).unwrap();
        assert!(!all_text(&context).contains("boiler 7 shows 21"));
    }
}

#[test]
fn a_turn_of_which_nothing_is_left_takes_no_place() {
    let engine = memory_engine();
    let me = Principal::default();
    chat(&engine, 10);
    // The newest two turns are shown verbatim: with the last one gone, those are turns 7 and 8.
    engine.delete(&me, events("s", 19, 20)).unwrap();
    let shown = ask(&engine, "Go on");
    assert!(!shown.contains("boiler 9"), "{shown}");
    for turn in [7, 8] {
        assert!(shown.contains(&format!("boiler {turn} shows")), "{shown}");
    }
    chat(&engine, 1);
    let session = engine.session(&me, &session("s")).unwrap();
    assert_eq!((session.last_event, session.turns), (EventId(22), 11));
    assert!(ask(&engine, "Go on").contains("boiler 0 shows 0 bar"));
}

#[test]
fn facts_go_and_what_they_replaced_stays_past() {
    let engine = memory_engine();
    let (me, s) = (Principal::default(), session("s"));
    engine
        .record_exchange(
            &me,
            &s,
            "I live in Oslo and I have a cat called Miso.",
            "Lovely!",
        )
        .unwrap();
    engine
        .record_exchange(&me, &s, "I just moved to Berlin.", "How exciting!")
        .unwrap();
    let facts = || {
        let facts = engine.facts(&me, &s, None).unwrap();
        let text = |fact: &aura_core::Fact| (fact.text.clone(), fact.is_current());
        facts.iter().map(text).collect::<Vec<_>>()
    };
    let of = |word: &str| facts().into_iter().find(|(text, _)| text.contains(word));
    assert!(!of("Oslo").unwrap().1 && of("Berlin").unwrap().1);
    engine.flush(LONG).unwrap();
    let receipt = engine.delete(&me, events("s", 3, 3)).unwrap();
    assert!(receipt.count(Layer::Facts) >= 1);
    assert_eq!(of("Berlin"), None);
    assert!(
        !of("Oslo").unwrap().1,
        "what was superseded is not current again"
    );
    assert!(of("Miso").unwrap().1);
    assert!(!ask(&engine, "Where do I live?").contains("Berlin"));
}

#[test]
fn a_plan_that_showed_it_is_made_anew() {
    let engine = memory_engine();
    let (me, s) = (Principal::default(), session("s"));
    chat(&engine, 12);
    let turn = turn_id("open");
    let request = RecordRequest::of(vec![Message::user("What of boiler 3?")])
        .with_turn_id(turn.clone())
        .with_status(TurnStatus::Open);
    engine.record_turn(&me, &s, request).unwrap();
    let ask = || {
        let request = ContextRequest {
            turn_id: Some(turn.clone()),
            ..ContextRequest::ask("What of boiler 3?")
        };
        engine.build_context(&me, &s, &request).unwrap()
    };
    assert!(all_text(&ask()).contains("boiler 3 shows 9"));
    engine.delete(&me, events("s", 7, 8)).unwrap();
    let again = ask();
    assert!(!all_text(&again).contains("boiler 3 shows 9"));
    assert!(!again.manifest.plan.reused);
}

#[test]
fn a_deleted_session_is_gone_for_readers_and_not_begun_anew() {
    let engine = memory_engine();
    let (me, s) = (Principal::default(), session("s"));
    chat(&engine, 5);
    ask(&engine, "What does the gauge of boiler 3 show?");
    engine.flush(LONG).unwrap();
    let receipt = engine.delete(&me, whole("s")).unwrap();
    assert_eq!(receipt.state, DeletionState::Complete);
    assert_eq!(receipt.count(Layer::Events), 10);
    assert!(receipt.count(Layer::Manifests) >= 1);
    assert_eq!(
        engine.session(&me, &s).unwrap_err().kind(),
        ErrorKind::NotFound
    );
    assert!(!ask(&engine, "What does the gauge of boiler 3 show?").contains("bar today"));
    let refused = engine
        .record_exchange(&me, &s, "Hello", "Hello")
        .unwrap_err();
    assert_eq!(
        (refused.kind(), refused.field()),
        (ErrorKind::Conflict, Some("session_id"))
    );
    assert_eq!(engine.deletions(&me, 0).unwrap(), [receipt]);
}

#[test]
fn a_user_may_delete_only_what_is_that_user_s() {
    let engine = memory_engine();
    let ann = Principal::default().with_user("ann").unwrap();
    let bob = Principal::default().with_user("bob").unwrap();
    for (who, id) in [(&ann, "a"), (&bob, "b")] {
        engine
            .record_exchange(who, &session(id), "Hello there", "Hi")
            .unwrap();
    }
    let user = |name: &str| {
        DeletionRequest::of(DeletionSubject::User {
            user: aura_core::UserId::new(name).unwrap(),
        })
    };
    for refused in [whole("b"), events("b", 1, 1), user("bob")] {
        let error = engine.delete(&ann, refused).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Denied);
    }
    let none = engine.delete(&Principal::default(), whole("nowhere"));
    assert_eq!(none.unwrap_err().kind(), ErrorKind::NotFound);
    let preview = engine.delete(&ann, user("ann").dry_run()).unwrap();
    assert_eq!(preview.state, DeletionState::DryRun);
    assert!(engine.session(&ann, &session("a")).is_ok());
    let done = engine.delete(&ann, user("ann")).unwrap();
    assert_eq!(done.layers, preview.layers);
    assert!(engine.session(&ann, &session("a")).is_err());
    assert!(engine.session(&bob, &session("b")).is_ok());
    assert_eq!(engine.deletions(&bob, 0).unwrap(), []);
}

#[test]
fn a_hold_keeps_things_until_it_is_released() {
    let engine = memory_engine();
    let me = Principal::default();
    chat(&engine, 2);
    let subject = whole("s").subjects[0].clone();
    let hold = engine.hold(&me, subject, "case 12").unwrap();
    assert_eq!(engine.holds(&me).unwrap(), std::slice::from_ref(&hold));
    let refused = engine.delete(&me, events("s", 1, 1)).unwrap_err();
    assert_eq!(
        (refused.kind(), refused.field()),
        (ErrorKind::Conflict, Some("subject"))
    );
    let all = RetentionRule {
        layer: RetentionLayer::Sessions,
        before: aura_core::Timestamp::MAX,
    };
    assert_eq!(engine.apply_retention(&me, &[all], false).unwrap(), None);
    let ann = Principal::default().with_user("ann").unwrap();
    assert!(engine.release_hold(&ann, &hold.hold_id).is_err());
    assert!(engine.release_hold(&me, &hold.hold_id).unwrap());
    let done = engine.apply_retention(&me, &[all], false).unwrap().unwrap();
    assert_eq!(done.count(Layer::Sessions), 1);
    assert_eq!(done.reason.as_deref(), Some("retention"));
}

#[test]
fn retention_goes_by_age() {
    let engine = memory_engine();
    let (me, s) = (Principal::default(), session("s"));
    chat(&engine, 6);
    let turns = engine.turns(&me, &s, aura_core::TurnIndex(0), 9).unwrap();
    let rule = RetentionRule {
        layer: RetentionLayer::Events,
        before: turns[2].turn.recorded_at,
    };
    let preview = engine.apply_retention(&me, &[rule], true).unwrap().unwrap();
    assert_eq!(preview.count(Layer::Events), 4);
    engine
        .apply_retention(&me, &[rule], false)
        .unwrap()
        .unwrap();
    assert_eq!(engine.apply_retention(&me, &[rule], false).unwrap(), None);
    let left = engine.messages(&me, &s, EventRange::new(EventId(1), EventId(99)));
    assert_eq!(left.unwrap()[0].event_id, EventId(5));
}

#[test]
fn another_engine_on_the_same_file_forgets_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let open = || {
        let store = SqliteStorage::open(&path, aura_storage::SqliteOptions::new()).unwrap();
        Engine::new(Arc::new(store), options()).unwrap()
    };
    let (one, two) = (open(), open());
    let me = Principal::default();
    chat(&one, 30);
    let question = "What does the gauge of boiler 7 show?";
    for engine in [&one, &two] {
        assert!(ask(engine, question).contains("boiler 7 shows 21"));
        engine.flush(LONG).unwrap();
    }
    one.delete(&me, events("s", 15, 16)).unwrap();
    assert!(!ask(&two, question).contains("boiler 7 shows 21"));
    assert!(ask(&two, "And boiler 8?").contains("boiler 8 shows 24"));
    one.delete(&me, whole("s")).unwrap();
    assert!(!ask(&two, question).contains("bar today"));
    two.close().unwrap();
    one.close().unwrap();
    let raw = std::fs::read(&path).unwrap();
    let found = raw.windows(10).any(|window| window == b"shows 21 b");
    assert!(!found, "the bytes must be gone from the file");
}

#[test]
fn what_was_interrupted_is_finished_after_the_start() {
    let store = Arc::new(MemoryStorage::new());
    let engine = Engine::new(store.clone(), options()).unwrap();
    chat(&engine, 3);
    // An order that was written down and not carried out, as a crash leaves it.
    let order = aura_core::DeletionOrder {
        deletion_id: aura_core::DeletionId::new("d").unwrap(),
        tenant: aura_core::TenantId::default(),
        subjects: whole("s").subjects,
        by: aura_core::Requester {
            agent: aura_core::AgentId::default(),
            user: None,
        },
        reason: None,
        requested_at: aura_core::Timestamp::MIN,
    };
    aura_core::DeletionStorage::begin_deletion(&*store, order).unwrap();
    let again = Engine::new(store.clone(), options()).unwrap();
    again.flush(LONG).unwrap();
    let key = aura_core::SessionKey {
        tenant: aura_core::TenantId::default(),
        session_id: session("s"),
    };
    assert_eq!(store.session(&key).unwrap(), None);
    let receipts = again.deletions(&Principal::default(), 0).unwrap();
    assert_eq!(receipts[0].state, DeletionState::Complete);
}
