//! What an engine gives for everyday conversations.

mod results;
mod skills;
mod teams;
mod tools;

use std::sync::Arc;

use crate::setup::{all_text, evidence, memory_engine, session, turn_id};
use aura_core::{
    BlockRef, CallId, Class, ContextPolicy, ErrorKind, Fate, Message, Part, Principal, Provider,
    RawJson, Role, Section, ToolCall, ToolResult, Trust, TurnStatus, WriteEffect,
};
use aura_engine::{AsOf, ContextRequest, RecordRequest};

fn policy(json: &str) -> Arc<ContextPolicy> {
    Arc::new(ContextPolicy::from_json(json.as_bytes()).unwrap())
}

#[test]
fn a_move_retires_the_city_and_keeps_the_cats() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let say =
        |user: &str, assistant: &str| engine.record_exchange(&me, &chat, user, assistant).unwrap();
    say(
        "I live in Oslo and I have two cats, Miso and Nori.",
        "What lovely names!",
    );
    say("I just moved to Berlin.", "I hope you settle in well.");
    let request = ContextRequest::ask("Where do I live now, and what are my cats called?")
        .with_policy(policy(r#"{"recency_turns":1}"#));
    let context = engine.build_context(&me, &chat, &request).unwrap();
    let text = all_text(&context);
    assert!(
        text.contains("Berlin") && text.contains("Miso") && text.contains("Nori"),
        "{text}"
    );
    let last = context.messages.last().unwrap();
    assert_eq!((last.section, last.role), (Section::Question, Role::User));
    assert_eq!(last.content, request.question);
    assert!(context.manifest.totals.tokens <= 4096 && context.manifest.over_budget.is_none());
    let facts = engine.facts(&me, &chat, None).unwrap();
    let current = |word: &str| {
        facts
            .iter()
            .any(|fact| fact.is_current() && fact.text.contains(word))
    };
    assert!(
        current("Berlin") && current("Miso") && !current("Oslo"),
        "{facts:#?}"
    );
    let oslo = facts
        .iter()
        .find(|fact| fact.text.contains("Oslo"))
        .unwrap();
    let before = AsOf {
        valid: oslo.valid_from,
        known: oslo.recorded_at,
    };
    assert!(
        engine
            .facts(&me, &chat, Some(before))
            .unwrap()
            .iter()
            .any(|fact| fact.text.contains("Oslo"))
    );
}

#[test]
fn a_turn_is_seen_by_the_very_next_context() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    for at in 0..60 {
        engine
            .record_exchange(&me, &chat, &format!("Note {at}: nothing much"), "Noted.")
            .unwrap();
    }
    engine
        .record_exchange(&me, &chat, "The vault code is heliotrope.", "Understood.")
        .unwrap();
    for at in 0..5 {
        engine
            .record_exchange(&me, &chat, &format!("Filler {at}"), "Yes.")
            .unwrap();
    }
    let request = ContextRequest::ask("What is the code of the vault?");
    let context = engine.build_context(&me, &chat, &request).unwrap();
    assert!(evidence(&context).contains("heliotrope"));
    let event = BlockRef::Event(aura_core::EventId(121));
    let explained = engine
        .explain(&me, &context.manifest.request_id, &event)
        .unwrap();
    assert!(
        serde_json::to_string(&explained)
            .unwrap()
            .contains("stands in the context")
    );
    let unrelated = ContextRequest::ask("Zygomorphic quaternions?");
    let context = engine.build_context(&me, &chat, &unrelated).unwrap();
    let recalled = context
        .manifest
        .candidates
        .iter()
        .filter(|candidate| candidate.class == Class::P4);
    assert_eq!(
        recalled
            .filter(|candidate| candidate.fate == Fate::Selected)
            .count(),
        0
    );
}

#[test]
fn an_unknown_session_gives_the_question_alone() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("new"));
    let context = engine
        .build_context(&me, &chat, &ContextRequest::ask("Hello?"))
        .unwrap();
    assert_eq!(context.messages.len(), 1);
    assert_eq!(
        engine.session(&me, &chat).unwrap_err().kind(),
        ErrorKind::NotFound
    );
    let turn = RecordRequest {
        requests: vec![context.manifest.request_id.clone()],
        ..RecordRequest::of(vec![Message::user("Hello?"), Message::assistant("Hi!")])
    };
    let recorded = engine.record_turn(&me, &chat, turn).unwrap();
    let manifest = engine.manifest(&me, &context.manifest.request_id).unwrap();
    assert_eq!(manifest.link.turn_id, Some(recorded.turn.turn_id));
}

#[test]
fn strangers_are_denied_by_name() {
    let engine = memory_engine();
    let chat = session("chat");
    let ana = Principal::of_tenant("acme")
        .unwrap()
        .with_user("ana")
        .unwrap();
    engine
        .record_exchange(&ana, &chat, "My secret is plum.", "Kept.")
        .unwrap();
    for stranger in [
        Principal::of_tenant("other").unwrap(),
        Principal::of_tenant("acme")
            .unwrap()
            .with_user("bob")
            .unwrap(),
        Principal::of_tenant("acme").unwrap(),
    ] {
        let denied = |error: aura_core::Error| {
            assert_eq!(
                (error.kind(), error.field()),
                (ErrorKind::Denied, Some("session_id")),
                "{error}"
            );
            assert!(!error.to_string().contains("plum"));
        };
        denied(
            engine
                .build_context(&stranger, &chat, &ContextRequest::ask("secret?"))
                .unwrap_err(),
        );
        denied(
            engine
                .record_exchange(&stranger, &chat, "a", "b")
                .unwrap_err(),
        );
        denied(engine.session(&stranger, &chat).unwrap_err());
        denied(engine.facts(&stranger, &chat, None).unwrap_err());
        denied(
            engine
                .turns(&stranger, &chat, aura_core::TurnIndex(0), 9)
                .unwrap_err(),
        );
        assert!(
            engine
                .sessions(&stranger, &aura_core::SessionQuery::default())
                .unwrap()
                .is_empty()
        );
    }
    assert_eq!(engine.session(&ana, &chat).unwrap().turns, 1);
}

#[test]
fn an_abandoned_branch_is_not_recalled() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let say = |user: &str| engine.record_exchange(&me, &chat, user, "Fine.").unwrap();
    let root = say("We plan a trip.");
    say("I now live in Lisbon and the hotel is called Zephyr.");
    for at in 0..4 {
        say(&format!("Filler {at}"));
    }
    engine.set_head(&me, &chat, &root.turn.turn_id).unwrap();
    say("Let us start over.");
    let request = ContextRequest::ask("What is the hotel called, and where do I live?");
    let context = engine.build_context(&me, &chat, &request).unwrap();
    let text = all_text(&context);
    assert!(
        !text.contains("Zephyr") && !text.contains("Lisbon"),
        "{text}"
    );
    assert!(text.contains("start over") && text.contains("plan a trip"));
    assert!(engine.facts(&me, &chat, None).unwrap().is_empty());
    let old = engine
        .turns(&me, &chat, aura_core::TurnIndex(5), 1)
        .unwrap();
    let there = ContextRequest {
        head: Some(old[0].turn.turn_id.clone()),
        ..request
    };
    assert!(all_text(&engine.build_context(&me, &chat, &there).unwrap()).contains("Zephyr"));
}

fn call(id: &str) -> Message {
    let call = ToolCall {
        call_id: CallId::new(id).unwrap(),
        name: "read_log".into(),
        arguments: RawJson::new("test", r#"{"n": 1}"#).unwrap(),
    };
    Message {
        parts: vec![Part::ToolCall(call)],
        ..Message::assistant("")
    }
}

fn result(id: &str, text: &str) -> Message {
    let result = ToolResult {
        call_id: CallId::new(id).unwrap(),
        tool: Some("read_log".into()),
        output_schema: None,
        trust: Trust::Untrusted,
        is_error: false,
        content: aura_core::ResultContent::Text(text.into()),
    };
    Message {
        role: Role::Tool,
        parts: vec![Part::ToolResult(result)],
        ..Message::user("")
    }
}

#[test]
fn the_plan_of_a_turn_is_frozen_and_its_tail_follows() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    for at in 0..20 {
        engine
            .record_exchange(
                &me,
                &chat,
                &format!("The build {at} failed in module {at}."),
                "Noted.",
            )
            .unwrap();
    }
    let mut messages = vec![Message::user("Why did build 7 fail?")];
    let open = |messages: &Vec<Message>| {
        RecordRequest::of(messages.clone())
            .with_turn_id(turn_id("t"))
            .with_status(TurnStatus::Open)
    };
    engine.record_turn(&me, &chat, open(&messages)).unwrap();
    let ask = ContextRequest {
        turn_id: Some(turn_id("t")),
        provider: Provider::Openai,
        ..ContextRequest::ask("Why did build 7 fail?")
    };
    let first = engine.build_context(&me, &chat, &ask).unwrap();
    assert!(evidence(&first).contains("build 7 failed"));
    assert_eq!(
        first.messages.last().unwrap().content,
        "Why did build 7 fail?"
    );
    for round in 1..4 {
        messages.push(call(&format!("c{round}")));
        messages.push(result(
            &format!("c{round}"),
            &format!("log {round}: out of memory"),
        ));
        let extended = engine.record_turn(&me, &chat, open(&messages)).unwrap();
        assert_eq!(extended.effect, WriteEffect::Extended);
        let next = engine.build_context(&me, &chat, &ask).unwrap();
        assert!(next.manifest.plan.reused, "round {round}");
        assert_eq!(next.messages.len(), first.messages.len() + 2 * round);
        assert_eq!(next.messages[..first.messages.len()], first.messages[..]);
        let last = next.messages.last().unwrap();
        assert_eq!((last.role, last.section), (Role::Tool, Section::Tail));
    }
    // Another process, or a restart of this one, finds the same plan in the store.
    engine.flush(std::time::Duration::from_secs(10)).unwrap();
    let again = engine.build_context(&me, &chat, &ask).unwrap();
    assert!(again.manifest.plan.reused);
    engine
        .finish_turn(&me, &chat, &turn_id("t"), TurnStatus::Complete)
        .unwrap();
    let error = engine.build_context(&me, &chat, &ask).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Conflict, Some("turn_id"))
    );
}

#[test]
fn failed_and_open_turns_feed_nothing() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let turn = |id: &str, status, text: &str| {
        let request = RecordRequest::of(vec![Message::user(text)])
            .with_turn_id(turn_id(id))
            .with_status(status);
        engine.record_turn(&me, &chat, request).unwrap()
    };
    turn("a", TurnStatus::Complete, "The garden has a pond.");
    turn(
        "b",
        TurnStatus::Failed,
        "I live in Graz and the password is marzipan.",
    );
    turn("c", TurnStatus::Open, "The password is nougat.");
    for at in 0..3 {
        turn(&format!("f{at}"), TurnStatus::Complete, "Filler.");
    }
    let ask = ContextRequest::ask("What is the password, and where do I live?");
    let text = all_text(&engine.build_context(&me, &chat, &ask).unwrap());
    assert!(
        !text.contains("marzipan") && !text.contains("nougat") && !text.contains("Graz"),
        "{text}"
    );
    engine
        .finish_turn(&me, &chat, &turn_id("c"), TurnStatus::Complete)
        .unwrap();
    let text = all_text(&engine.build_context(&me, &chat, &ask).unwrap());
    assert!(
        text.contains("nougat") && !text.contains("marzipan"),
        "{text}"
    );
    let error = engine
        .finish_turn(&me, &chat, &turn_id("c"), TurnStatus::Failed)
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Conflict, Some("status"))
    );
}

#[test]
fn bad_requests_name_their_field() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let field = |request: &ContextRequest| {
        let error = engine.build_context(&me, &chat, request).unwrap_err();
        (error.kind(), error.field().unwrap_or_default().to_owned())
    };
    let mut policy = ContextPolicy {
        token_budget: 0,
        ..ContextPolicy::default()
    };
    let request = ContextRequest::ask("x").with_policy(policy.clone());
    assert_eq!(field(&request), (ErrorKind::Invalid, "token_budget".into()));
    policy = ContextPolicy::default();
    policy.min_relevance = f32::NAN;
    assert_eq!(
        field(&ContextRequest::ask("x").with_policy(policy)),
        (ErrorKind::Invalid, "min_relevance".into())
    );
    let mut block = aura_core::Block::evidence("b", "x").unwrap();
    block.trust = Trust::Policy;
    let request = ContextRequest {
        blocks: vec![block],
        ..ContextRequest::ask("x")
    };
    assert_eq!(
        field(&request),
        (ErrorKind::Denied, "blocks[0].trust".into())
    );
    let request = ContextRequest {
        head: Some(turn_id("nowhere")),
        ..ContextRequest::ask("x")
    };
    assert_eq!(field(&request), (ErrorKind::NotFound, "head".into()));
    let error = engine
        .record_turn(&me, &chat, RecordRequest::default())
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Invalid, Some("messages"))
    );
    let cancel = aura_engine::Cancel::new();
    cancel.cancel();
    let request = ContextRequest {
        cancel: Some(cancel),
        ..ContextRequest::ask("x")
    };
    assert_eq!(
        engine
            .build_context(&me, &chat, &request)
            .unwrap_err()
            .kind(),
        ErrorKind::Cancelled
    );
}

#[test]
fn a_closed_engine_says_so() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    engine.record_exchange(&me, &chat, "a", "b").unwrap();
    engine.close().unwrap();
    engine.close().unwrap();
    let error = engine.record_exchange(&me, &chat, "a", "b").unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::Closed, "record_exchange")
    );
}

#[test]
fn a_turn_closed_late_learns_nothing_from_later_turns() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let said = |id: &str, text: &str| {
        RecordRequest::of(vec![Message::user(text)]).with_turn_id(turn_id(id))
    };
    let record = |request| engine.record_turn(&me, &chat, request).unwrap();
    record(said("t0", "Hello."));
    record(said("t1", "I just moved to Berlin.").with_status(TurnStatus::Open));
    record(said("t2", "I live in Oslo."));
    // Distilled before the turn in front of it.
    engine
        .build_context(&me, &chat, &ContextRequest::ask("Where do I live?"))
        .unwrap();
    engine
        .finish_turn(&me, &chat, &turn_id("t1"), TurnStatus::Complete)
        .unwrap();
    engine
        .build_context(&me, &chat, &ContextRequest::ask("Where do I live?"))
        .unwrap();
    // Going back leaves the later turn unseen, and with it all that was said there.
    engine.set_head(&me, &chat, &turn_id("t1")).unwrap();
    let context = engine
        .build_context(&me, &chat, &ContextRequest::ask("Where do I live?"))
        .unwrap();
    assert!(all_text(&context).contains("Berlin"));
    assert!(!all_text(&context).contains("Oslo"));
}

#[test]
fn facts_of_a_turn_distilled_off_the_branch_are_seen_once_the_head_is_back() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let record = |id: &str, text: &str, status: TurnStatus| {
        let messages = vec![Message::user(text), Message::assistant("Fine.")];
        let request = RecordRequest::of(messages)
            .with_turn_id(turn_id(id))
            .with_status(status);
        engine.record_turn(&me, &chat, request).unwrap();
    };
    record("t0", "Hello.", TurnStatus::Complete);
    record("t1", "I live in Oslo.", TurnStatus::Open);
    record("t2", "Well.", TurnStatus::Complete);
    engine.set_head(&me, &chat, &turn_id("t0")).unwrap();
    engine
        .finish_turn(&me, &chat, &turn_id("t1"), TurnStatus::Complete)
        .unwrap();
    let ask = ContextRequest::ask("Where do I live?").with_policy(ContextPolicy {
        recency_turns: 0,
        retrieval_enabled: false,
        ..ContextPolicy::default()
    });
    let before = engine.build_context(&me, &chat, &ask).unwrap();
    assert!(!all_text(&before).contains("lives in Oslo"));
    engine.set_head(&me, &chat, &turn_id("t2")).unwrap();
    let back = engine.build_context(&me, &chat, &ask).unwrap();
    assert!(all_text(&back).contains("lives in Oslo"));
    record("t3", "I just moved to Berlin.", TurnStatus::Complete);
    let after = engine.build_context(&me, &chat, &ask).unwrap();
    assert!(all_text(&after).contains("lives in Berlin"));
    assert!(!all_text(&after).contains("lives in Oslo"));
}
