//! What a context shows of tool results.

use std::sync::Arc;

use aura_assembly::results::ResultSchemas;
use aura_core::{
    CallId, ContextPolicy, Message, Part, PolicyMode, Principal, RawJson, Reason, Role, ToolCall,
    ToolResult, Trust, TurnStatus,
};
use aura_engine::{ContextRequest, Engine, RecordRequest};

use crate::setup::{all_text, memory_engine, session, turn_id};

fn call(id: &str, name: &str) -> Message {
    let mut message = Message::text(Role::Assistant, "");
    message.parts = vec![Part::ToolCall(ToolCall {
        call_id: CallId::new(id).unwrap(),
        name: name.to_owned(),
        arguments: RawJson::new("test", r#"{"q":"x","api_key":"hunter22hunter22"}"#).unwrap(),
    })];
    message
}

fn result(id: &str, schema: Option<&str>, is_error: bool, text: &str) -> Message {
    let mut message = Message::text(Role::Tool, "");
    message.parts = vec![Part::ToolResult(ToolResult {
        call_id: CallId::new(id).unwrap(),
        tool: None,
        output_schema: schema.map(str::to_owned),
        trust: Trust::Untrusted,
        is_error,
        content: aura_core::ResultContent::Text(text.to_owned()),
    })];
    message
}

fn record(engine: &Engine, id: &str, status: TurnStatus, messages: Vec<Message>) {
    let request = RecordRequest::of(messages)
        .with_turn_id(turn_id(id))
        .with_status(status);
    engine
        .record_turn(&Principal::default(), &session("chat"), request)
        .unwrap();
}

fn build(engine: &Engine, request: &ContextRequest) -> aura_core::CompiledContext {
    engine
        .build_context(&Principal::default(), &session("chat"), request)
        .unwrap()
}

fn capped(question: &str, json: &str) -> ContextRequest {
    ContextRequest::ask(question).with_policy(ContextPolicy::from_json(json.as_bytes()).unwrap())
}

fn long(word: &str) -> String {
    let items: Vec<String> = (0..400).map(|n| format!("{word} {n}")).collect();
    serde_json::to_string(&items).unwrap()
}

#[test]
fn new_results_have_one_cap_and_older_ones_another() {
    let engine = memory_engine();
    record(
        &engine,
        "t",
        TurnStatus::Open,
        vec![
            Message::user("Look twice."),
            call("a", "look"),
            result("a", None, false, &long("old")),
            call("b", "look"),
            result("b", None, false, &long("new")),
        ],
    );
    let ask = |json: &str| {
        let mut request = capped("", json);
        request.turn_id = Some(turn_id("t"));
        build(&engine, &request)
    };
    let whole = ask(r#"{"token_budget":20000,"policy_version":"a"}"#);
    assert!(all_text(&whole).contains("old 399") && all_text(&whole).contains("new 200"));
    let context = ask(
        r#"{"token_budget":20000,"max_result_tokens":600,"stale_result_tokens":100,"policy_version":"b"}"#,
    );
    let tools: Vec<_> = context
        .messages
        .iter()
        .filter(|message| message.role == Role::Tool)
        .collect();
    assert!(tools[0].tokens <= 110 && tools[1].tokens <= 610 && tools[1].tokens > 200);
    for (message, address) in tools.iter().zip(["event:3", "event:5"]) {
        let json: serde_json::Value = serde_json::from_str(&message.content).unwrap();
        let items = json.as_array().unwrap();
        assert_eq!(items.last().unwrap()["$whole"], address);
    }
    assert_eq!(context.manifest.over_budget, None);
    let replayed = engine
        .replay(&Principal::default(), &context.manifest.request_id)
        .unwrap();
    assert_eq!(replayed.messages, context.messages);
}

#[test]
fn a_refused_schema_reaches_no_prompt_in_any_mode() {
    let engine = memory_engine();
    let secret = "kumquat marmalade ledger";
    record(
        &engine,
        "t0",
        TurnStatus::Complete,
        vec![
            Message::user("What does the kumquat say?"),
            call("a", "look"),
            result("a", Some("quote@2"), false, secret),
            Message::assistant("It says nothing."),
        ],
    );
    for n in 1..5 {
        record(
            &engine,
            &format!("t{n}"),
            TurnStatus::Complete,
            vec![
                Message::user(format!("Number {n}?")),
                Message::assistant("Yes."),
            ],
        );
    }
    let mut schemas = ResultSchemas::default();
    schemas.allow("quote@1");
    let schemas = Arc::new(schemas);
    for mode in [
        PolicyMode::PrioritySelective,
        PolicyMode::FullHistory,
        PolicyMode::Windowed,
        PolicyMode::WindowSummary,
    ] {
        let policy = ContextPolicy {
            mode,
            include_unselected: true,
            ..ContextPolicy::default()
        };
        let mut request = ContextRequest::ask("kumquat marmalade ledger").with_policy(policy);
        let open = build(&engine, &request);
        request.schemas = Some(Arc::clone(&schemas));
        let context = build(&engine, &request);
        let text = all_text(&context);
        let question = text.matches(secret).count();
        assert_eq!(question, 1, "only the question itself says it: {mode:?}");
        if all_text(&open).matches(secret).count() > 1 {
            let refused = context.manifest.candidates.iter();
            let mut refused = refused.filter(|record| record.reason == Reason::UnapprovedSchema);
            assert!(refused.next().is_some(), "{mode:?}");
        }
    }
}

#[test]
fn a_plan_does_not_outlive_the_approval_of_what_it_shows() {
    let engine = memory_engine();
    record(
        &engine,
        "t0",
        TurnStatus::Complete,
        vec![
            Message::user("Quote?"),
            call("a", "quote"),
            result(
                "a",
                Some("quote@1"),
                false,
                r#"{"price": "seven kumquats"}"#,
            ),
            Message::assistant("Seven."),
        ],
    );
    let mut request = ContextRequest::ask("And now?");
    request.turn_id = Some(turn_id("t1"));
    assert!(all_text(&build(&engine, &request)).contains("seven kumquats"));
    let mut schemas = ResultSchemas::default();
    let number = r#"{"type":"object","properties":{"price":{"type":"number"}}}"#;
    schemas
        .allow_valid("quote@1", &RawJson::new("test", number).unwrap())
        .unwrap();
    request.schemas = Some(Arc::new(schemas));
    let context = build(&engine, &request);
    assert!(!all_text(&context).contains("seven kumquats"));
    assert!(context.manifest.read_only);
}

#[test]
fn a_failure_keeps_its_message_and_its_trace_is_an_artifact() {
    let engine = memory_engine();
    let mut trace = String::from("Traceback (most recent call last):\n");
    for n in 0..60 {
        trace.push_str(&format!(
            "  File \"a{n}.py\", line {n}, in run\n    step({n})\n"
        ));
    }
    let failure = |secret: &str| format!("{trace}TimeoutError: no answer, token={secret}\n");
    record(
        &engine,
        "t",
        TurnStatus::Open,
        vec![
            Message::user("Look."),
            call("a", "look"),
            result("a", None, true, &failure("abcdef123456")),
            call("b", "look"),
            result("b", None, true, &failure("abcdef123456")),
        ],
    );
    let mut request = capped(
        "",
        r#"{"token_budget":20000,"max_result_tokens":200,"stale_result_tokens":200}"#,
    );
    request.turn_id = Some(turn_id("t"));
    let context = build(&engine, &request);
    let last = context.messages.last().unwrap();
    for wanted in [
        "TimeoutError: no answer, token=[redacted]",
        "attempt 2",
        "stack trace of",
        "[redacted]",
    ] {
        assert!(last.content.contains(wanted), "{wanted}: {}", last.content);
    }
    assert!(!last.content.contains("hunter22") && !last.content.contains("a30.py"));
    let handle = last.content.split("kept as ").nth(1).unwrap();
    let handle = handle.trim_end_matches(']').parse().unwrap();
    let bytes = engine
        .read_artifact(&Principal::default(), &handle)
        .unwrap();
    assert!(String::from_utf8(bytes).unwrap().contains("a30.py"));
}
