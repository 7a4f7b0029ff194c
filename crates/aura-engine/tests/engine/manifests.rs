//! Manifests: what they led to, how they are found and explained, and how long they stay.

mod append_only;
mod cache;
mod replay;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use aura_core::{
    BlockRef, CallId, Clock, CompiledContext, ContextPolicy, Effect, ErrorKind, EventId,
    Explanation, Manifest, ManifestQuery, Message, OutcomeReport, Part, Principal, RawJson,
    RequestId, Timestamp, ToolCall, ToolEffect, TurnIndex, Usage, Verdict,
};
use aura_engine::{ContextRequest, Engine, EngineOptions, RecordRequest};
use aura_storage::MemoryStorage;

use crate::setup::{memory_engine, session};

fn talk(engine: &Engine, turns: usize) {
    for at in 0..turns {
        let text = format!("Lamp {at} stands in room {}.", at % 5);
        engine
            .record_exchange(&Principal::default(), &session("chat"), &text, "Noted.")
            .unwrap();
    }
}

fn build(engine: &Engine, request: &ContextRequest) -> CompiledContext {
    engine
        .build_context(&Principal::default(), &session("chat"), request)
        .unwrap()
}

fn read(engine: &Engine, request: &RequestId) -> Arc<Manifest> {
    engine.manifest(&Principal::default(), request).unwrap()
}

#[test]
fn a_manifest_knows_what_it_led_to() {
    let engine = memory_engine();
    let me = Principal::default();
    talk(&engine, 3);
    let context = build(&engine, &ContextRequest::ask("Where is lamp 2?"));
    let request = context.manifest.request_id.clone();
    let call_id = CallId::new("c1").unwrap();
    let call = Message {
        parts: vec![Part::ToolCall(ToolCall {
            call_id: call_id.clone(),
            name: "find".into(),
            arguments: RawJson::new("arguments", "{}").unwrap(),
        })],
        ..Message::assistant("")
    };
    let turn = RecordRequest {
        requests: vec![request.clone()],
        ..RecordRequest::of(vec![
            Message::user("Where is lamp 2?"),
            call,
            Message::assistant("In room 2."),
        ])
    };
    let recorded = engine.record_turn(&me, &session("chat"), turn).unwrap();
    let usage = OutcomeReport {
        usage: Some(Usage {
            input_tokens: u64::from(context.manifest.totals.tokens) + 2,
            cached_tokens: 10,
            ..Usage::default()
        }),
        ..OutcomeReport::default()
    };
    engine.record_outcome(&me, &request, usage).unwrap();
    let effect = OutcomeReport {
        success: Some(true),
        user_correction: Some(false),
        tool_effects: vec![ToolEffect {
            call_id: call_id.clone(),
            effect: Effect::Done,
        }],
        ..OutcomeReport::default()
    };
    let joined = engine.record_outcome(&me, &request, effect).unwrap();
    let manifest = read(&engine, &request);
    let link = &manifest.link;
    assert_eq!(link.turn_id, Some(recorded.turn.turn_id));
    assert_eq!(link.calls, [call_id]);
    assert_eq!(link.answer, Some(EventId(9)));
    assert_eq!(link.outcome, Some(joined));
    assert_eq!(manifest.token_error(), Some(2));
    assert_eq!(manifest.usage().unwrap().cached_tokens, 10);
}

#[test]
fn impossible_reports_and_unknown_requests_are_refused() {
    let engine = memory_engine();
    let me = Principal::default();
    let context = build(&engine, &ContextRequest::ask("Hello?"));
    let request = &context.manifest.request_id;
    let wrong = OutcomeReport {
        usage: Some(Usage {
            cached_tokens: 1,
            ..Usage::default()
        }),
        ..OutcomeReport::default()
    };
    let error = engine.record_outcome(&me, request, wrong).unwrap_err();
    assert_eq!(error.field(), Some("usage.cached_tokens"));
    let unknown = RequestId::new("unknown").unwrap();
    let report = OutcomeReport::default();
    let error = engine.record_outcome(&me, &unknown, report).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::NotFound, Some("request_id"))
    );
}

fn verdict(engine: &Engine, request: &RequestId, block: BlockRef) -> Option<Verdict> {
    match engine
        .explain(&Principal::default(), request, &block)
        .unwrap()
    {
        Explanation::Candidate { verdict, .. } => Some(verdict),
        Explanation::NotRetrieved { .. } => None,
    }
}

#[test]
fn turns_and_messages_answer_for_each_other() {
    let engine = memory_engine();
    talk(&engine, 30);
    let policy = ContextPolicy {
        token_budget: 160,
        recency_turns: 1,
        ..ContextPolicy::default()
    };
    let ask = ContextRequest::ask("Which lamp stands in room 3?").with_policy(policy);
    let context = build(&engine, &ask);
    let request = &context.manifest.request_id;
    let shown = context.manifest.retrieval.selected[0];
    let turn = TurnIndex(u32::try_from((shown.0 - 1) / 2).unwrap());
    let explain = |block| verdict(&engine, request, block);
    assert_eq!(explain(BlockRef::Event(shown)), Some(Verdict::Stands));
    assert_eq!(explain(BlockRef::Turn(turn)), Some(Verdict::Stands));
    assert_eq!(explain(BlockRef::Event(EventId(59))), Some(Verdict::Stands));
    let cut = context.manifest.candidates.iter().find(|record| {
        Verdict::of(record) == Verdict::Cut && matches!(record.block, BlockRef::Event(_))
    });
    assert_eq!(
        explain(cut.unwrap().block.clone()),
        Some(Verdict::Cut),
        "it was relevant and found no room"
    );
    assert_eq!(explain(BlockRef::Event(EventId(9999))), None);
    assert_eq!(explain(BlockRef::Turn(TurnIndex(9999))), None);
}

/// A clock that is set by hand.
#[derive(Default)]
struct Manual(AtomicI64);

impl Clock for Manual {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis_clamped(1_700_000_000_000 + self.0.load(Ordering::SeqCst))
    }
}

#[test]
fn manifests_are_found_by_session_and_time_and_go_when_they_are_old() {
    const HOUR: i64 = 3_600_000;
    let clock = Arc::new(Manual::default());
    let options = EngineOptions {
        clock: Some(clock.clone()),
        manifest_retention: Some(Duration::from_secs(24 * 3600)),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
    let me = Principal::default();
    let at = |hours: i64| Timestamp::from_millis_clamped(1_700_000_000_000 + hours * HOUR);
    for hour in 0..4 {
        clock.0.store(hour * HOUR, Ordering::SeqCst);
        let chat = session(["even", "odd"][usize::try_from(hour % 2).unwrap()]);
        let ask = ContextRequest::ask("Hello?");
        engine.build_context(&me, &chat, &ask).unwrap();
    }
    let found = |query: ManifestQuery| -> Vec<Timestamp> {
        let found = engine.manifests(&me, &query).unwrap();
        found.iter().map(|manifest| manifest.now).collect()
    };
    let all = ManifestQuery::default;
    assert_eq!(found(all()), [at(3), at(2), at(1), at(0)]);
    let even = ManifestQuery {
        session_id: Some(session("even")),
        ..all()
    };
    assert_eq!(found(even), [at(2), at(0)]);
    let between = ManifestQuery {
        since: Some(at(1)),
        until: Some(at(3)),
        ..all()
    };
    assert_eq!(found(between), [at(2), at(1)]);
    // A day and two and a half hours later, with the next one that is stored.
    clock.0.store(26 * HOUR + HOUR / 2, Ordering::SeqCst);
    build(&engine, &ContextRequest::ask("Hello?"));
    engine.flush(Duration::from_secs(60)).unwrap();
    let latest = Timestamp::from_millis_clamped(at(26).as_millis() + HOUR / 2);
    assert_eq!(found(all()), [latest, at(3)]);
}
