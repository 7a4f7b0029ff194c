//! What repair makes of broken requests, word for word.

use aura_assembly::repair;
use aura_core::Provider;

fn check(provider: Provider, broken: &str, mended: &str, did: &[(&str, &str)]) {
    let repaired = repair(provider, broken).unwrap();
    assert_eq!(repaired.request, mended);
    let done: Vec<(&str, &str)> = repaired
        .repairs
        .iter()
        .map(|repair| (repair.rule, repair.path.as_str()))
        .collect();
    assert_eq!(done, did);
}

#[test]
fn results_move_to_their_calls_and_missing_ones_get_a_placeholder() {
    check(
        Provider::Anthropic,
        r#"{"max_tokens":1.0,"messages":[{"role":"user","content":"Go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"x":1e400}},{"type":"tool_use","id":"b","name":"f","input":{}}]},{"role":"user","content":"Well?"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"A"},{"type":"tool_result","tool_use_id":"z","content":"Z"}]}]}"#,
        r#"{"max_tokens":1.0,"messages":[{"role":"user","content":"Go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"x":1e400}},{"type":"tool_use","id":"b","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"A"},{"content":"[no result]","is_error":true,"tool_use_id":"b","type":"tool_result"},{"text":"Well?","type":"text"}]}]}"#,
        &[
            ("A-PAIR", "/messages/1/content/0"),
            ("A-PAIR", "/messages/1/content/1"),
            ("A-PAIR", "/messages/3"),
            ("A-EMPTY", "/messages/3"),
        ],
    );
}

#[test]
fn what_a_tool_shows_moves_behind_all_results() {
    check(
        Provider::Openai,
        r#"{"messages":[{"role":"user","content":"Go"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"See:"},{"type":"image_url","image_url":{"url":"data:x"}}]},{"role":"tool","tool_call_id":"b","content":"B"}]}"#,
        r#"{"messages":[{"role":"user","content":"Go"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"See:"}]},{"role":"tool","tool_call_id":"b","content":"B"},{"content":[{"type":"image_url","image_url":{"url":"data:x"}}],"role":"user"}]}"#,
        &[("O-CONTENT", "/messages/2/content")],
    );
}

#[test]
fn reasoning_that_leads_nowhere_goes_and_what_it_led_to_is_sent_by_value() {
    check(
        Provider::OpenaiResponses,
        r#"{"store":false,"input":[{"role":"user","content":"Go"},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","content":[]},{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"}]}"#,
        r#"{"store":false,"input":[{"role":"user","content":"Go"},{"type":"message","role":"assistant","content":[]},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"call_id":"a","output":"[no result]","type":"function_call_output"}]}"#,
        &[("R-PAIR", "/input/3"), ("R-SUMMARY", "/input/1")],
    );
}

#[test]
fn turns_are_joined_and_signed() {
    check(
        Provider::Gemini,
        r#"{"contents":[{"role":"assistant","parts":[{"text":"Hm."}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"role":"tool","parts":[{"functionResponse":{"name":"f","response":[1.0]}}]}]}"#,
        r#"{"contents":[{"parts":[{"text":"[the beginning is not shown]"}],"role":"user"},{"role":"model","parts":[{"text":"Hm."},{"functionCall":{"name":"f"},"thoughtSignature":"skip_thought_signature_validator"}]},{"parts":[{"functionResponse":{"name":"f","response":{"output":[1.0]}}}],"role":"user"}]}"#,
        &[
            ("G-ROLE", "/contents/0"),
            ("G-ROLE", "/contents/2"),
            ("G-RESP", "/contents/2"),
            ("G-CALL", "/contents/1"),
            ("G-CALL", "/contents/0"),
            ("G-SIG", "/contents/1"),
        ],
    );
}

#[test]
fn what_breaks_no_rule_is_not_touched() {
    let clean =
        "{\n \"messages\" : [ {\"content\":\"\\u0048i\", \"role\":\"user\"} ], \"seed\": 1.00 }";
    check(Provider::Openai, clean, clean, &[]);
}
