//! Contexts compiled again from what is kept beside their manifests.

use std::sync::Arc;
use std::time::Duration;

use aura_core::{
    Block, CallId, CompilationStorage, CompiledContext, ContextPolicy, DeletionSubject, ErrorKind,
    EventId, EventRange, Label, Message, OnFailure, Outcome, Part, Principal, Provider, RawJson,
    ResultContent, Role, Timestamp, ToolCall, ToolDefinition, ToolResult, Trust, TurnStatus,
};
use aura_engine::{ContextRequest, DeletionRequest, Engine, EngineOptions, RecordRequest};
use aura_storage::MemoryStorage;
use aura_testkit::fault::{FaultStorage, Times};

use crate::setup::{all_text, options, session, turn_id};

fn engine() -> (Engine, Arc<FaultStorage>) {
    let store = Arc::new(FaultStorage::new(Arc::new(MemoryStorage::new())));
    (Engine::new(store.clone(), options()).unwrap(), store)
}

/// A chat about lamps, with a fact that is corrected later.
fn talk(engine: &Engine, from: usize, turns: usize) {
    for at in from..from + turns {
        let text = match at {
            2 => "I live in Oslo and I have a red lamp.".to_owned(),
            9 => "I just moved to Berlin.".to_owned(),
            _ => format!("Note {at}: lamp number {at} stands in room {}.", at % 3),
        };
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

#[track_caller]
fn comes_out_the_same(engine: &Engine, context: &CompiledContext) {
    let request = &context.manifest.request_id;
    let again = engine.replay(&Principal::default(), request).unwrap();
    assert_eq!(again.messages, context.messages);
    assert_eq!(again.tools, context.tools);
    let json = |context: &CompiledContext| serde_json::to_value(&*context.manifest).unwrap();
    assert_eq!(json(&again), json(context));
}

fn tool() -> ToolDefinition {
    ToolDefinition {
        name: "find".into(),
        description: "Finds a lamp".into(),
        parameters: RawJson::new("parameters", r#"{"type": "object"}"#).unwrap(),
        trust: Trust::default(),
    }
}

fn rich(question: &str) -> ContextRequest {
    let mut verified = Block::evidence("manual", "Lamps are switched off at night.").unwrap();
    verified.trust = Trust::Verified;
    ContextRequest {
        system: Some("You keep track of lamps.".into()),
        tools: vec![tool()],
        blocks: vec![
            verified,
            Block::evidence("web", "A lamp in room 2 is blue.").unwrap(),
        ],
        agent_version: Some("agent-3".into()),
        ..ContextRequest::ask(question)
    }
}

#[test]
fn what_happens_later_changes_nothing() {
    let (engine, store) = engine();
    talk(&engine, 0, 8);
    let contexts: Vec<CompiledContext> = [Provider::Generic, Provider::Anthropic]
        .into_iter()
        .map(|provider| ContextRequest {
            provider,
            ..rich("Where do I live, and which lamp is in room 2?")
        })
        .map(|request| build(&engine, &request))
        .collect();
    assert!(all_text(&contexts[0]).contains("Oslo"));
    contexts
        .iter()
        .for_each(|context| comes_out_the_same(&engine, context));
    talk(&engine, 8, 8);
    let later = build(&engine, &rich("Where do I live?"));
    assert!(all_text(&later).contains("Berlin"));
    contexts
        .iter()
        .for_each(|context| comes_out_the_same(&engine, context));
    engine.flush(Duration::from_secs(60)).unwrap();
    let other = Engine::new(store, options()).unwrap();
    contexts
        .iter()
        .for_each(|context| comes_out_the_same(&other, context));
    comes_out_the_same(&other, &later);
}

#[test]
fn a_context_of_a_new_session_comes_back() {
    let (engine, _) = engine();
    let context = build(&engine, &rich("Hello?"));
    comes_out_the_same(&engine, &context);
    talk(&engine, 0, 3);
    comes_out_the_same(&engine, &context);
}

fn call(id: &str) -> Message {
    Message {
        parts: vec![Part::ToolCall(ToolCall {
            call_id: CallId::new(id).unwrap(),
            name: "find".into(),
            arguments: RawJson::new("arguments", "{}").unwrap(),
        })],
        ..Message::assistant("")
    }
}

fn result(id: &str) -> Message {
    Message {
        role: Role::Tool,
        parts: vec![Part::ToolResult(ToolResult {
            call_id: CallId::new(id).unwrap(),
            tool: Some("find".into()),
            output_schema: None,
            trust: Trust::Untrusted,
            is_error: false,
            content: ResultContent::Text(format!("{id}: nothing")),
        })],
        ..Message::user("")
    }
}

#[test]
fn each_step_of_a_tool_loop_comes_back() {
    let (engine, store) = engine();
    talk(&engine, 0, 8);
    let chat = session("chat");
    let ask = || ContextRequest {
        turn_id: Some(turn_id("loop")),
        ..rich("Which lamp is in room 1?")
    };
    let mut messages = vec![Message::user("Which lamp is in room 1?")];
    let mut contexts = vec![build(&engine, &ask())];
    for step in ["a", "b", "c"] {
        messages.extend([call(step), result(step)]);
        let turn = RecordRequest::of(messages.clone())
            .with_turn_id(turn_id("loop"))
            .with_status(TurnStatus::Open);
        engine
            .record_turn(&Principal::default(), &chat, turn)
            .unwrap();
        contexts.push(build(&engine, &ask()));
    }
    messages.push(Message::assistant("It is lamp number 7."));
    let turn = RecordRequest::of(messages).with_turn_id(turn_id("loop"));
    engine
        .record_turn(&Principal::default(), &chat, turn)
        .unwrap();
    talk(&engine, 8, 3);
    assert!(contexts[3].manifest.plan.reused);
    let made_by = contexts[3].manifest.plan.made_by.as_ref();
    assert_eq!(made_by, Some(&contexts[0].manifest.request_id));
    contexts
        .iter()
        .for_each(|context| comes_out_the_same(&engine, context));
    engine.flush(Duration::from_secs(60)).unwrap();
    let other = Engine::new(store, options()).unwrap();
    contexts
        .iter()
        .for_each(|context| comes_out_the_same(&other, context));
}

#[test]
fn a_deadline_is_late_again_for_the_same_work() {
    let (engine, _) = engine();
    talk(&engine, 0, 12);
    let hurried = ContextRequest {
        deadline: Some(Duration::ZERO),
        ..rich("Where do I live, and which lamp is in room 2?")
    };
    let context = build(&engine, &hurried);
    assert_eq!(context.manifest.outcome, Outcome::Degraded);
    comes_out_the_same(&engine, &context);
    engine.flush(Duration::from_secs(60)).unwrap();
    comes_out_the_same(&engine, &context);
}

#[test]
fn what_was_given_after_a_failure_comes_back() {
    for (on_failure, outcome) in [
        (OnFailure::FullHistory, Outcome::Fallback),
        (OnFailure::Restricted, Outcome::Restricted),
    ] {
        let (engine, store) = engine();
        talk(&engine, 0, 12);
        engine.flush(Duration::from_secs(60)).unwrap();
        // Another engine, which has no bodies in memory and keeps none.
        let forgetful = EngineOptions {
            body_cache_bytes: 1,
            ..options()
        };
        let other = Engine::new(store.clone(), forgetful).unwrap();
        let mut request = rich("Which lamp is in room 2?");
        request.policy = Arc::new(ContextPolicy {
            on_failure,
            ..ContextPolicy::default()
        });
        build(&other, &ContextRequest::ask("Hello?"));
        other.flush(Duration::from_secs(60)).unwrap();
        store.fail("turn_records", ErrorKind::Unavailable, Times::Next(1));
        let context = build(&other, &request);
        store.heal();
        assert_eq!(context.manifest.outcome, outcome);
        comes_out_the_same(&other, &context);
    }
}

#[test]
fn deletion_is_told_with_what_is_gone() {
    let (engine, store) = engine();
    talk(&engine, 0, 10);
    let context = build(&engine, &rich("Which lamp is in room 2?"));
    engine.flush(Duration::from_secs(60)).unwrap();
    let shown = context.manifest.retrieval.selected[0];
    let rejected = *context.manifest.retrieval.candidates.last().unwrap();
    store.lose([shown, rejected, EventId(9999)]);
    let other = Engine::new(store, options()).unwrap();
    let request = &context.manifest.request_id;
    let error = other.replay(&Principal::default(), request).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::NotFound, Some("request_id"))
    );
    let gone = error.context().iter().find(|(key, _)| *key == "gone");
    let mut expected = [shown, rejected];
    expected.sort_unstable();
    let expected: Vec<String> = expected
        .iter()
        .map(|event| format!("event:{event}"))
        .collect();
    assert_eq!(gone.unwrap().1, expected.join(", "));
    assert!(error.message().contains(&expected[0]));
}

#[test]
fn nothing_is_shown_to_who_may_not_see_it() {
    let (engine, _) = engine();
    talk(&engine, 0, 3);
    let staff = Label::new("staff").unwrap();
    let insider = Principal {
        labels: [staff.clone()].into(),
        ..Principal::default()
    };
    let mut secret = Block::evidence("secret", "The lamp in room 2 is gold.").unwrap();
    secret.labels = [staff].into();
    let request = ContextRequest {
        blocks: vec![secret],
        ..ContextRequest::ask("Which lamp is in room 2?")
    };
    let context = engine
        .build_context(&insider, &session("chat"), &request)
        .unwrap();
    assert!(all_text(&context).contains("gold"));
    let request = &context.manifest.request_id;
    assert!(engine.replay(&insider, request).is_ok());
    let error = engine.replay(&Principal::default(), request).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Denied);
    let foreign = Principal {
        tenant: "other".parse().unwrap(),
        ..insider
    };
    let error = engine.replay(&foreign, request).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn inputs_go_with_their_manifest() {
    let (engine, store) = engine();
    talk(&engine, 0, 3);
    let me = Principal::default();
    let context = build(&engine, &rich("Which lamp?"));
    let later = build(&engine, &rich("Which lamp?"));
    let before = later.manifest.now;
    assert_eq!(engine.forget_manifests(&me, before).unwrap(), 1);
    let request = &context.manifest.request_id;
    let error = engine.replay(&me, request).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(store.inputs(&me.tenant, request).unwrap(), None);
    comes_out_the_same(&engine, &later);
    let user = Principal {
        user: Some("ana".parse().unwrap()),
        ..me
    };
    let error = engine.forget_manifests(&user, Timestamp::MAX).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Denied, Some("user"))
    );
}

#[test]
fn what_was_deleted_is_not_replayed_and_is_named() {
    let (engine, _) = engine();
    let me = Principal::default();
    talk(&engine, 0, 10);
    let context = build(&engine, &rich("Which lamp is in room 2?"));
    let request = &context.manifest.request_id;
    let shown = context.manifest.retrieval.selected[0];
    let subject = DeletionSubject::Events {
        session_id: session("chat"),
        range: EventRange::new(shown, shown),
    };
    engine.delete(&me, DeletionRequest::of(subject)).unwrap();
    let error = engine.replay(&me, request).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(
        error.message().contains(&format!("event:{shown}")),
        "{error}"
    );
    // The manifest stays: it holds ids only.
    assert_eq!(
        engine.manifest(&me, request).unwrap().digest,
        context.manifest.digest
    );
}
