//! OpenAI chat completions.

use super::{Case, case};

const HI: &str = r#"{"role":"user","content":"Hi"}"#;
const CALL: &str = r#"{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
const RESULT: &str = r#"{"role":"tool","tool_call_id":"c1","content":"12"}"#;

fn list(messages: &[&str]) -> String {
    format!(r#"{{"messages":[{}]}}"#, messages.join(","))
}

pub(super) fn cases() -> Vec<Case> {
    let whole = list(&[HI, CALL, RESULT]);
    let two = CALL.replace(
        r#""tool_calls":["#,
        r#""tool_calls":[{"id":"c0","type":"function","function":{"name":"f","arguments":"{}"}},"#,
    );
    let zero = RESULT.replace("c1", "c0");
    let twice = two.replace("c0", "c1");
    let image = r#"{"type":"image_url","image_url":{"url":"https://example.org/x.png"}}"#;
    let seen = |role: &str, id: &str| format!(r#"{{"role":"{role}"{id},"content":[{image}]}}"#);
    let words = |role: &str, id: &str| {
        format!(r#"{{"role":"{role}"{id},"content":[{{"type":"text","text":"x"}}]}}"#)
    };
    let id = r#","tool_call_id":"c1""#;
    let named = |name: &str| format!(r#"{{"role":"user","name":"{name}","content":"Hi"}}"#);
    let tool = |name: &str| {
        format!(
            r#"{{"tools":[{{"type":"function","function":{{"name":"{name}"}}}}],"messages":[{HI}]}}"#
        )
    };
    vec![
        case("O-SHAPE", "/messages", &list(&[]), &list(&[HI])),
        case(
            "O-SHAPE",
            "/messages/0",
            &list(&[r#"{"role":"bard","content":"x"}"#, HI]),
            &list(&[HI]),
        ),
        case(
            "O-SHAPE",
            "/messages/1/tool_calls",
            &list(&[HI, r#"{"role":"assistant","content":"x","tool_calls":[]}"#]),
            &whole,
        ),
        case(
            "O-SHAPE",
            "/messages/1/tool_calls/0",
            &list(&[HI, &CALL.replace(r#""{}""#, "{}"), RESULT]),
            &whole,
        ),
        case(
            "O-SHAPE",
            "/messages/1/tool_calls/0",
            &list(&[HI, &CALL.replace(r#""id":"c1","#, "")]),
            &whole,
        ),
        case(
            "O-SHAPE",
            "/messages/0/tool_calls",
            &list(&[&CALL.replace("assistant", "user")]),
            &whole,
        ),
        case(
            "O-PAIR",
            "/messages/1/tool_calls/0",
            &list(&[HI, CALL]),
            &whole,
        ),
        case(
            "O-PAIR",
            "/messages/1/tool_calls/0",
            &list(&[HI, CALL, HI, RESULT]),
            &whole,
        ),
        case(
            "O-PAIR",
            "/messages/1/tool_calls/0",
            &list(&[HI, &two, RESULT]),
            &list(&[HI, &two, RESULT, &zero]),
        ),
        case(
            "O-PAIR",
            "/messages/1/tool_calls/1/id",
            &list(&[HI, &twice, RESULT, RESULT]),
            &whole,
        ),
        case("O-ORPHAN", "/messages/1", &list(&[HI, RESULT]), &whole),
        case(
            "O-ORPHAN",
            "/messages/3",
            &list(&[HI, CALL, RESULT, RESULT]),
            &whole,
        ),
        case(
            "O-ORPHAN",
            "/messages/2",
            &list(&[HI, CALL, &zero, RESULT]),
            &whole,
        ),
        case(
            "O-CONTENT",
            "/messages/1/content",
            &list(&[HI, r#"{"role":"assistant","content":null}"#]),
            &whole,
        ),
        case(
            "O-CONTENT",
            "/messages/0/content",
            &list(&[r#"{"role":"user"}"#]),
            &list(&[HI]),
        ),
        case(
            "O-CONTENT",
            "/messages/0/content",
            &list(&[r#"{"role":"user","content":[]}"#]),
            &list(&[&seen("user", "")]),
        ),
        case(
            "O-CONTENT",
            "/messages/2/content/0",
            &list(&[HI, CALL, &seen("tool", id)]),
            &list(&[HI, CALL, &words("tool", id)]),
        ),
        case(
            "O-CONTENT",
            "/messages/1/content/0",
            &list(&[HI, &seen("assistant", "")]),
            &list(&[HI, &words("assistant", "")]),
        ),
        case(
            "O-CONTENT",
            "/messages/0/content",
            &list(&[r#"{"role":"user","content":7}"#]),
            &list(&[HI]),
        ),
        case(
            "O-SYS",
            "/messages/0/content/0",
            &list(&[&seen("system", ""), HI]),
            &list(&[HI, &words("developer", ""), HI]),
        ),
        case(
            "O-NAME",
            "/messages/0/name",
            &list(&[&named("Bo Li")]),
            &list(&[&named("Bo_Li")]),
        ),
        case(
            "O-NAME",
            "/messages/0/name",
            &list(&[&named("")]),
            &list(&[HI]),
        ),
        case(
            "O-NAME",
            "/messages/1/tool_calls/0/function/name",
            &list(&[HI, &CALL.replace(r#""f""#, r#""a.b""#), RESULT]),
            &whole,
        ),
        case(
            "O-NAME",
            "/tools/0/function/name",
            &tool("a b"),
            &tool("a-b_1"),
        ),
    ]
}
