//! Native forms on their messages.

use aura_core::{
    CallId, EventId, Message, NativeForm, Opaque, Part, ResultContent, Timestamp, ToolCall,
    ToolResult, Trust, TurnIndex,
};

use super::*;
use crate::transcript::messages_of;

fn stored(role: Role, parts: Vec<Part>, native: Option<(&str, &str)>) -> StoredMessage {
    let mut message = Message::text(role, "");
    message.parts = parts;
    message.native = native.map(|(format, json)| NativeForm {
        format: format.into(),
        json: RawJson::new("native", json).unwrap(),
    });
    StoredMessage {
        event_id: EventId(7),
        turn: TurnIndex(0),
        recorded_at: Timestamp::from_millis_clamped(0),
        large_parts: Vec::new(),
        message,
    }
}

fn call(id: &str) -> Part {
    Part::ToolCall(ToolCall {
        call_id: CallId::new(id).unwrap(),
        name: "f".into(),
        arguments: RawJson::new("arguments", "{}").unwrap(),
    })
}

fn result(id: &str) -> Part {
    Part::ToolResult(ToolResult {
        call_id: CallId::new(id).unwrap(),
        tool: None,
        output_schema: None,
        trust: Trust::Untrusted,
        is_error: false,
        content: ResultContent::Text("12".into()),
    })
}

fn opaque(provider: &str, json: &str) -> Part {
    Part::Opaque(Opaque {
        provider: provider.into(),
        json: RawJson::new("opaque", json).unwrap(),
    })
}

/// The native forms of the messages that a stored one is shown as.
fn shown(stored: &StoredMessage, provider: Provider, strip: bool) -> Vec<Option<String>> {
    let mut messages = messages_of(stored, provider);
    attach(stored, provider, strip, &mut messages);
    let native = |message: ContextMessage| message.native.map(|json| json.as_str().to_owned());
    messages.into_iter().map(native).collect()
}

fn lost(stored: &StoredMessage, provider: Provider, strip: bool) -> Vec<(Loss, String)> {
    let mut messages = messages_of(stored, provider);
    attach(stored, provider, strip, &mut messages);
    messages
        .iter()
        .flat_map(|message| losses(stored, message, provider))
        .collect()
}

const THOUGHT: &str = r#"{"type":"thinking", "thinking":"Hm.","signature":"c2ln"}"#;
const CALL: &str = r#"{"type":"tool_use","id":"a", "name":"f","input":{}}"#;

fn thoughtful() -> StoredMessage {
    let json = format!(r#"{{"role":"assistant",  "content":[{THOUGHT},{CALL}]}}"#);
    stored(Role::Assistant, vec![call("a")], Some(("anthropic", &json)))
}

#[test]
fn a_form_of_the_same_provider_goes_back_byte_for_byte() {
    let stored = thoughtful();
    let json = stored
        .message
        .native
        .as_ref()
        .unwrap()
        .json
        .as_str()
        .to_owned();
    assert_eq!(shown(&stored, Provider::Anthropic, false), [Some(json)]);
    assert_eq!(lost(&stored, Provider::Anthropic, false), []);
}

#[test]
fn reasoning_is_taken_out_where_it_is_asked_for_and_the_rest_stays_as_written() {
    let stored = thoughtful();
    let bare = format!(r#"{{"content":[{CALL}],"role":"assistant"}}"#);
    assert_eq!(shown(&stored, Provider::Anthropic, true), [Some(bare)]);
    let reasoning = |from: &str| vec![(Loss::Reasoning, from.to_owned())];
    assert_eq!(
        lost(&stored, Provider::Anthropic, true),
        reasoning("anthropic")
    );
    assert_eq!(
        lost(&stored, Provider::Gemini, false),
        reasoning("anthropic")
    );
    assert_eq!(lost(&stored, Provider::Generic, false), []);
    let items = r#"[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"}]"#;
    let responses = self::stored(
        Role::Assistant,
        vec![call("a")],
        Some(("openai-responses", items)),
    );
    let bare = r#"[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]"#;
    assert_eq!(
        shown(&responses, Provider::OpenaiResponses, true),
        [Some(bare.to_owned())]
    );
    let signed = r#"{"role":"model","parts":[{"text":"Hm.","thought":true},{"functionCall":{"name":"f"},"thoughtSignature":"c2ln"}]}"#;
    let gemini = self::stored(Role::Assistant, vec![call("a")], Some(("gemini", signed)));
    let bare = r#"{"parts":[{"functionCall":{"name":"f"}}],"role":"model"}"#;
    assert_eq!(
        shown(&gemini, Provider::Gemini, true),
        [Some(bare.to_owned())]
    );
    assert_eq!(
        shown(&gemini, Provider::Gemini, false),
        [Some(signed.to_owned())]
    );
}

#[test]
fn a_whole_response_is_cut_to_what_goes_back() {
    let json = format!(
        r#"{{"id":"msg_1","role":"assistant","content":[{CALL}],"stop_reason":"tool_use"}}"#
    );
    let anthropic = stored(Role::Assistant, vec![call("a")], Some(("anthropic", &json)));
    let cut = format!(r#"{{"content":[{CALL}],"role":"assistant"}}"#);
    assert_eq!(shown(&anthropic, Provider::Anthropic, false), [Some(cut)]);
    let item = r#"{"type":"message","role":"assistant","content":"Hi"}"#;
    let json = format!(r#"{{"id":"resp_1","output":[{item}]}}"#);
    let responses = stored(
        Role::Assistant,
        vec![Part::text("Hi")],
        Some(("openai-responses", &json)),
    );
    assert_eq!(
        shown(&responses, Provider::OpenaiResponses, false),
        [Some(format!("[{item}]"))]
    );
}

#[test]
fn a_form_that_says_something_else_than_the_parts_is_left_out() {
    let refused = |role, parts, json: &str| {
        let stored = stored(role, parts, Some(("anthropic", json)));
        let mut native = shown(&stored, Provider::Anthropic, false).into_iter();
        assert!(native.all(|native| native.is_none()), "{json}");
    };
    let with = |content: &str| format!(r#"{{"role":"assistant","content":{content}}}"#);
    refused(
        Role::Assistant,
        vec![call("b")],
        &with(&format!("[{CALL}]")),
    );
    refused(
        Role::Assistant,
        vec![call("a"), call("b")],
        &with(&format!("[{CALL}]")),
    );
    refused(
        Role::Assistant,
        vec![Part::text("Hi")],
        &with(&format!("[{CALL}]")),
    );
    refused(Role::User, vec![Part::text("Hi")], &with(r#""Hi""#));
    refused(Role::Assistant, vec![Part::text("Hi")], &with("7"));
    refused(Role::Assistant, vec![Part::text("Hi")], "[]");
    refused(Role::Assistant, vec![], &with(&format!("[{CALL}]")));
    refused(Role::Assistant, vec![Part::text("Hi")], &with("[]"));
}

#[test]
fn several_results_of_one_message_have_a_piece_each() {
    let block =
        |id: &str| format!(r#"{{"type":"tool_result","tool_use_id":"{id}", "content":[]}}"#);
    let text = r#"{"type":"text","text":"Go on."}"#;
    let json = format!(
        r#"{{"role":"user","content":[{},{},{text}]}}"#,
        block("a"),
        block("b")
    );
    let parts = vec![result("a"), result("b"), Part::text("Go on.")];
    let stored = stored(Role::User, parts, Some(("anthropic", &json)));
    let one = |block: &str| Some(format!(r#"{{"content":[{block}],"role":"user"}}"#));
    assert_eq!(
        shown(&stored, Provider::Anthropic, false),
        [one(&block("a")), one(&block("b")), one(text)]
    );
    let item =
        |id: &str| format!(r#"{{"type":"function_call_output","call_id":"{id}","output":"12"}}"#);
    let json = format!("[{},{}]", item("a"), item("b"));
    let stored = self::stored(
        Role::Tool,
        vec![result("a"), result("b")],
        Some(("openai-responses", &json)),
    );
    assert_eq!(
        shown(&stored, Provider::OpenaiResponses, false),
        [
            Some(format!("[{}]", item("a"))),
            Some(format!("[{}]", item("b")))
        ]
    );
}

#[test]
fn opaque_parts_of_the_same_provider_stand_among_the_others() {
    let parts = vec![
        opaque("anthropic", THOUGHT),
        Part::text("Well."),
        Part::text(" "),
        call("a"),
    ];
    let stored = stored(Role::Assistant, parts, None);
    let call = r#"{"id":"a","input":{},"name":"f","type":"tool_use"}"#;
    let text = r#"{"text":"Well.","type":"text"}"#;
    let whole = format!(r#"{{"content":[{THOUGHT},{text},{call}],"role":"assistant"}}"#);
    assert_eq!(shown(&stored, Provider::Anthropic, false), [Some(whole)]);
    assert_eq!(lost(&stored, Provider::Anthropic, false), []);
    assert_eq!(shown(&stored, Provider::Gemini, false), [None]);
    assert_eq!(
        lost(&stored, Provider::Gemini, false),
        [(Loss::Reasoning, "anthropic".to_owned())]
    );
    let other = vec![opaque("langgraph", "[7]"), Part::text("Hi")];
    let other = self::stored(Role::User, other, None);
    assert_eq!(
        lost(&other, Provider::Openai, false),
        [(Loss::Opaque, "langgraph".to_owned())]
    );
}

#[test]
fn what_another_provider_did_itself_is_named_when_it_is_lost() {
    let lost_from = |format: &str, json: &str| {
        let stored = stored(
            Role::Assistant,
            vec![Part::text("Hi")],
            Some((format, json)),
        );
        let to = match format {
            "openai" => Provider::Anthropic,
            _ => Provider::Openai,
        };
        let lost = lost(&stored, to, false).into_iter();
        lost.map(|(what, _)| what).collect::<Vec<_>>()
    };
    let search = r#"{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},{"type":"text","text":"Hi"}]}"#;
    assert_eq!(lost_from("anthropic", search), [Loss::ProviderTool]);
    let compacted =
        r#"[{"type":"compaction","encrypted_content":"x"},{"type":"web_search_call","id":"ws_1"}]"#;
    assert_eq!(
        lost_from("openai-responses", compacted),
        [Loss::Compaction, Loss::ProviderTool]
    );
    assert_eq!(
        lost_from(
            "gemini",
            r#"{"role":"model","parts":[{"executableCode":{}}]}"#
        ),
        [Loss::ProviderTool]
    );
    assert_eq!(
        lost_from(
            "openai",
            r#"{"role":"assistant","content":"Hi","reasoning_content":"Hm."}"#
        ),
        [Loss::Reasoning]
    );
    assert_eq!(
        lost_from("openai", r#"{"role":"assistant","content":"Hi"}"#),
        []
    );
}

#[test]
fn reasoning_is_counted() {
    let texts = |json: &str| reasoning_texts(json);
    assert_eq!(
        texts(&format!(r#"{{"content":[{THOUGHT},{CALL}]}}"#)),
        (vec!["Hm.".to_owned()], 0)
    );
    assert_eq!(
        texts(r#"[{"type":"reasoning","encrypted_content":"123456"}]"#),
        (vec![], 6)
    );
    assert_eq!(
        texts(r#"{"content":[{"type":"redacted_thinking","data":"12"}]}"#),
        (vec![], 2)
    );
    assert_eq!(
        texts(r#"{"parts":[{"thought":true,"text":"Hm."},{"text":"Hi"}]}"#).0,
        ["Hm."]
    );
    assert_eq!(
        texts(r#"{"role":"assistant","content":"thinking about reasoning"}"#),
        (vec![], 0)
    );
}
