//! The OpenAI Responses API.

use super::{Case, case};

const HI: &str = r#"{"role":"user","content":"Hi"}"#;
const OK: &str = r#"{"type":"message","id":"msg_1","role":"assistant","phase":"final_answer","content":[{"type":"output_text","text":"Ok."}]}"#;
const CALL: &str = r#"{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}"#;
const OUTPUT: &str = r#"{"type":"function_call_output","call_id":"c1","output":"12"}"#;
const THOUGHT: &str = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"}"#;

fn list(items: &[&str]) -> String {
    format!(r#"{{"input":[{}]}}"#, items.join(","))
}

fn with(more: &str, items: &[&str]) -> String {
    format!(r#"{{{more},"input":[{}]}}"#, items.join(","))
}

pub(super) fn cases() -> Vec<Case> {
    let whole = list(&[HI, THOUGHT, CALL, OUTPUT]);
    let shell = CALL.replace("function_call", "shell_call");
    let shell_output = OUTPUT.replace("function_call", "shell_call");
    let stored = r#""previous_response_id":"resp_1""#;
    let unstored = r#""store":false"#;
    let open = THOUGHT.replace(r#","encrypted_content":"x""#, "");
    let compaction = r#"{"type":"compaction","encrypted_content":"x"}"#;
    let tool = |name: &str| {
        with(
            &format!(r#""tools":[{{"type":"function","name":"{name}"}}]"#),
            &[HI],
        )
    };
    let marked = |count: usize| {
        let part =
            r#"{"type":"input_text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"}}"#;
        format!(
            r#"{{"role":"user","content":[{}]}}"#,
            vec![part; count].join(",")
        )
    };
    vec![
        case("R-SHAPE", "/input", &list(&[]), &with(stored, &[])),
        case(
            "R-SHAPE",
            "/input/1",
            &list(&[HI, r#"{"text":"x"}"#]),
            &list(&[HI, OK]),
        ),
        case(
            "R-SHAPE",
            "/input/0",
            &list(&[r#"{"role":"bard","content":"x"}"#, HI]),
            &list(&[HI]),
        ),
        case(
            "R-SHAPE",
            "/input/0",
            &list(&[r#"{"role":"user"}"#, HI]),
            &list(&[HI]),
        ),
        case(
            "R-SHAPE",
            "/input/1",
            &list(&[HI, &CALL.replace(r#""{}""#, "{}"), OUTPUT]),
            &whole,
        ),
        case(
            "R-SHAPE",
            "/input/2",
            &list(&[HI, CALL, &OUTPUT.replace(r#""12""#, "12")]),
            &whole,
        ),
        case("R-PAIR", "/input/1", &list(&[HI, CALL]), &whole),
        case(
            "R-PAIR",
            "/input/1",
            &list(&[HI, OUTPUT]),
            &with(stored, &[HI, OUTPUT]),
        ),
        case(
            "R-PAIR",
            "/input/1",
            &list(&[HI, OUTPUT, CALL]),
            &list(&[HI, CALL, HI, OUTPUT]),
        ),
        case(
            "R-PAIR",
            "/input/3/call_id",
            &list(&[HI, CALL, OUTPUT, CALL, OUTPUT]),
            &whole,
        ),
        case(
            "R-PAIR",
            "/input/1",
            &list(&[HI, &shell]),
            &list(&[HI, &shell, &shell_output]),
        ),
        case("R-PAIR", "/input/1", &with(stored, &[HI, CALL]), &whole),
        case(
            "R-REASON",
            "/input/1",
            &list(&[HI, THOUGHT, HI]),
            &list(&[HI, THOUGHT, OK, HI]),
        ),
        case(
            "R-REASON",
            "/input/2",
            &list(&[HI, THOUGHT, THOUGHT]),
            &list(&[HI, THOUGHT, THOUGHT, CALL, OUTPUT]),
        ),
        case(
            "R-SUMMARY",
            "/input/1",
            &list(&[HI, &THOUGHT.replace(r#""summary":[],"#, ""), CALL, OUTPUT]),
            &whole,
        ),
        case(
            "R-SUMMARY",
            "/input/1/encrypted_content",
            &with(unstored, &[HI, &open, OK]),
            &with(unstored, &[HI, THOUGHT, OK]),
        ),
        case(
            "R-PHASE",
            "/input/1/phase",
            &list(&[HI, &OK.replace("final_answer", "encore")]),
            &list(&[HI, OK]),
        ),
        case(
            "R-PHASE",
            "/input/0/phase",
            &list(&[&HI.replace(r#""role""#, r#""phase":"commentary","role""#)]),
            &list(&[HI]),
        ),
        case(
            "R-CACHE",
            "/input/0/content/4/prompt_cache_breakpoint",
            &list(&[&marked(5)]),
            &list(&[&marked(4)]),
        ),
        case(
            "R-COMPACT",
            "/input/0",
            &list(&[&compaction.replace(r#""x""#, "null"), HI]),
            &list(&[compaction, HI]),
        ),
        case("R-NAME", "/tools/0/name", &tool("a.b"), &tool("a-b")),
        case(
            "R-NAME",
            "/input/1/name",
            &list(&[HI, &CALL.replace(r#""f""#, r#""""#), OUTPUT]),
            &whole,
        ),
    ]
}
