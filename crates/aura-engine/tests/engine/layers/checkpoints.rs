//! Checkpoints: a migration over events 210 to 388, whose event 247 says why it failed.

use aura_core::{
    BlockKind, CallId, CheckpointContent, Claim, ErrorKind, EventId, EventRange, Fate, Message,
    Part, Principal, ResultContent, Role, ToolCall, ToolResult, Trust,
};
use aura_engine::{ContextRequest, DeletionRequest, Engine, RecordRequest, Restore};

use crate::setup::{all_text, memory_engine, session};

const FAILURE: &str = "Traceback (most recent call last):\n  File \"move.py\", line 88, in batch\n\
    psycopg.errors.DeadlockDetected: deadlock detected\nDETAIL: process 4711 waits for ShareLock";

fn result(turn: u64, text: &str, is_error: bool) -> Message {
    Message {
        parts: vec![Part::ToolResult(ToolResult {
            call_id: CallId::new(format!("c{turn}")).unwrap(),
            tool: Some("migrate".to_owned()),
            output_schema: None,
            trust: Trust::Untrusted,
            is_error,
            content: ResultContent::Text(text.to_owned()),
        })],
        ..Message::text(Role::Tool, "")
    }
}

fn call(turn: u64) -> Message {
    Message {
        parts: vec![Part::ToolCall(ToolCall {
            call_id: CallId::new(format!("c{turn}")).unwrap(),
            name: "migrate".to_owned(),
            arguments: aura_core::RawJson::new("arguments", "{}").unwrap(),
        })],
        ..Message::assistant("")
    }
}

/// 97 turns of four messages: 388 events.
fn migration() -> Engine {
    let engine = memory_engine();
    for turn in 0..97 {
        let failed = turn * 4 + 3 == 247;
        let text = format!("moved batch {turn} of the orders, {} rows", 500 + turn);
        let (text, answer) = if failed {
            (
                FAILURE.to_owned(),
                "The batch stopped; I retry it with smaller steps.",
            )
        } else {
            (text, "The batch is moved.")
        };
        let messages = vec![
            Message::user(format!(
                "Go on with the migration of the orders, batch {turn}."
            )),
            call(turn),
            result(turn, &text, failed),
            Message::assistant(answer),
        ];
        let me = Principal::default();
        engine
            .record_turn(&me, &session("s"), RecordRequest::of(messages))
            .unwrap();
    }
    engine
}

fn range() -> EventRange {
    EventRange::new(EventId(210), EventId(388))
}

#[test]
fn the_failure_comes_back_verbatim_from_a_question_about_it() {
    let engine = migration();
    let (me, s) = (Principal::default(), session("s"));
    let digest = engine.checkpoint(&me, &s, range(), None).unwrap();
    assert_eq!(digest.content.failed[0].events, [EventId(247)]);
    assert!(digest.content.failed[0].text.contains("DeadlockDetected"));
    let given = CheckpointContent {
        goal: Some(Claim::of(
            "Move the orders to the new cluster",
            EventId(213),
        )),
        completed: vec![Claim::of("Batches 53 to 96 are moved", EventId(387))],
        failed: vec![Claim::of("One batch stopped on a lock", EventId(247))],
        ..CheckpointContent::default()
    };
    let given = engine.checkpoint(&me, &s, range(), Some(given)).unwrap();
    for checkpoint in [&digest, &given] {
        let status = engine
            .checkpoint_status(&me, &checkpoint.checkpoint_id)
            .unwrap();
        assert!(status.restorable);
        for question in [
            "Which error class did the failed migration batch raise?",
            "Why did the migration fail?",
        ] {
            let what = Restore::Query(question.to_owned());
            let found = engine
                .restore(&me, &checkpoint.checkpoint_id, &what)
                .unwrap();
            assert_eq!(found[0].event_id, EventId(247), "{question}");
            assert_eq!(found[0].message.plain_text(), FAILURE);
        }
        let what = Restore::Event(EventId(247));
        let found = engine
            .restore(&me, &checkpoint.checkpoint_id, &what)
            .unwrap();
        assert_eq!(found[0].message.plain_text(), FAILURE);
        let beyond = Restore::Event(EventId(209));
        let refused = engine
            .restore(&me, &checkpoint.checkpoint_id, &beyond)
            .unwrap_err();
        assert_eq!(
            (refused.kind(), refused.field()),
            (ErrorKind::NotFound, Some("event"))
        );
    }
}

#[test]
fn a_context_stands_on_the_checkpoint_instead_of_the_range() {
    let engine = migration();
    let (me, s) = (Principal::default(), session("s"));
    let made = engine.checkpoint(&me, &s, range(), None).unwrap();
    let question = "Why did the migration fail?";
    let request = ContextRequest {
        checkpoints: vec![made.checkpoint_id.clone()],
        ..ContextRequest::ask(question)
    };
    let shown = engine.build_context(&me, &s, &request).unwrap();
    let text = all_text(&shown);
    assert!(text.contains("Checkpoint over events 210"), "{text}");
    assert!(
        text.contains("psycopg.errors.DeadlockDetected: deadlock detected"),
        "{text}"
    );
    let records = shown.manifest.candidates.iter();
    let mut checkpoints = records.filter(|record| record.kind == BlockKind::Checkpoint);
    assert_eq!(checkpoints.next().unwrap().fate, Fate::Selected);
    // Turns inside the range are covered; the newest before it are those shown verbatim.
    assert!(!text.contains("batch 96."), "{text}");
    assert!(text.contains("batch 51."), "{text}");
    let again = engine.replay(&me, &shown.manifest.request_id).unwrap();
    assert_eq!(again.messages, shown.messages);
    let elsewhere = engine
        .build_context(&me, &session("t"), &request)
        .unwrap_err();
    assert_eq!(elsewhere.field(), Some("checkpoint_id"));
    let plain = engine
        .build_context(&me, &s, &ContextRequest::ask(question))
        .unwrap();
    assert!(all_text(&plain).contains("batch 96."));
}

#[test]
fn a_claim_needs_a_source_and_a_deletion_reaches_the_checkpoint() {
    let engine = migration();
    let (me, s) = (Principal::default(), session("s"));
    let unsourced = Claim {
        text: "All is well".to_owned(),
        events: Vec::new(),
    };
    for (claim, field) in [
        (unsourced, "completed.events"),
        (Claim::of("All is well", EventId(12)), "completed.events"),
        (Claim::of(" ", EventId(247)), "completed.text"),
    ] {
        let content = CheckpointContent {
            completed: vec![claim],
            ..CheckpointContent::default()
        };
        let refused = engine
            .checkpoint(&me, &s, range(), Some(content))
            .unwrap_err();
        assert_eq!(
            (refused.kind(), refused.field()),
            (ErrorKind::Invalid, Some(field))
        );
    }
    for (first, last) in [(0, 3), (388, 389), (9, 8)] {
        let range = EventRange::new(EventId(first), EventId(last));
        let refused = engine.checkpoint(&me, &s, range, None).unwrap_err();
        assert_eq!(refused.field(), Some("range"));
    }
    engine.checkpoint(&me, &s, range(), None).unwrap();
    let subject = aura_core::DeletionSubject::Events {
        session_id: s.clone(),
        range: EventRange::new(EventId(247), EventId(247)),
    };
    let receipt = engine.delete(&me, DeletionRequest::of(subject)).unwrap();
    assert_eq!(receipt.count(aura_core::Layer::Checkpoints), 1);
    assert_eq!(engine.checkpoints(&me, &s).unwrap(), []);
}
