//! The Gemini API.

use super::{Case, case};

const HI: &str = r#"{"role":"user","parts":[{"text":"Hi"}]}"#;
const OK: &str = r#"{"role":"model","parts":[{"text":"Ok."}]}"#;
const CALL: &str = r#"{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f","args":{}},"thoughtSignature":"c2ln"}]}"#;
const RESPONSE: &str = r#"{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"12"}}}]}"#;

fn list(contents: &[&str]) -> String {
    format!(r#"{{"contents":[{}]}}"#, contents.join(","))
}

fn with(more: &str, contents: &[&str]) -> String {
    format!(r#"{{{more},"contents":[{}]}}"#, contents.join(","))
}

pub(super) fn cases() -> Vec<Case> {
    let whole = list(&[HI, CALL, RESPONSE]);
    let snake = CALL
        .replace("functionCall", "function_call")
        .replace("thoughtSignature", "thought_signature");
    let snake_response = RESPONSE.replace("functionResponse", "function_response");
    let unsigned = CALL.replace(r#","thoughtSignature":"c2ln""#, "");
    let call = r#"{"functionCall":{"id":"c2","name":"g","args":{}}}"#;
    let response = r#"{"functionResponse":{"id":"c2","name":"g","response":{}}}"#;
    let two = CALL.replace("]}", &format!(",{call}]}}"));
    let both = RESPONSE.replace("]}", &format!(",{response}]}}"));
    let old = r#""model":"gemini-2.5-flash""#;
    let cached = r#""cachedContent":"cachedContents/x""#;
    let system = r#""system_instruction":{"parts":[{"text":"Be brief."}]}"#;
    let declared = |name: &str| {
        with(
            &format!(r#""tools":[{{"functionDeclarations":[{{"name":"{name}"}}]}}]"#),
            &[HI],
        )
    };
    vec![
        case("G-SHAPE", "/contents", &list(&[]), &list(&[HI])),
        case(
            "G-SHAPE",
            "/contents/0",
            &list(&[r#"{"role":"user"}"#, HI]),
            &list(&[HI]),
        ),
        case(
            "G-SHAPE",
            "/contents/0/parts/0",
            &list(&[r#"{"parts":["Hi",{"text":"x"}]}"#]),
            &list(&[r#"{"parts":[{"text":"Hi"}]}"#]),
        ),
        case(
            "G-ROLE",
            "/contents/1",
            &list(&[HI, &OK.replace("model", "assistant"), HI]),
            &list(&[HI, OK, HI]),
        ),
        case(
            "G-ROLE",
            "/contents/0",
            &list(&[&HI.replace("user", "system"), HI]),
            &with(system, &[HI]),
        ),
        case(
            "G-ROLE",
            "/contents/1",
            &list(&[HI, &HI.replace("user", "system")]),
            &list(&[HI, HI]),
        ),
        case("G-CALL", "/contents/0", &list(&[CALL, RESPONSE]), &whole),
        case(
            "G-CALL",
            "/contents/2",
            &list(&[HI, OK, CALL, RESPONSE]),
            &list(&[HI, OK, HI, CALL, RESPONSE]),
        ),
        case(
            "G-CALL",
            "/contents/1",
            &list(&[HI, &CALL.replace("model", "user"), HI]),
            &whole,
        ),
        case("G-RESP", "/contents/1", &list(&[HI, CALL, HI]), &whole),
        case(
            "G-RESP",
            "/contents/1",
            &list(&[HI, &two, RESPONSE]),
            &list(&[HI, &two, &both]),
        ),
        case("G-RESP", "/contents/1", &list(&[HI, RESPONSE]), &whole),
        case(
            "G-RESP",
            "/contents/3",
            &list(&[HI, CALL, HI, RESPONSE]),
            &whole,
        ),
        case(
            "G-RESP",
            "/contents/2/parts/0",
            &list(&[HI, CALL, &RESPONSE.replace(r#"{"output":"12"}"#, r#""12""#)]),
            &list(&[HI, &snake, &snake_response]),
        ),
        case(
            "G-RESP",
            "/contents/2",
            &list(&[HI, CALL, &RESPONSE.replace("c1", "c9")]),
            &whole,
        ),
        case(
            "G-RESP",
            "/contents/2",
            &list(&[HI, CALL, &RESPONSE.replace(r#""f""#, r#""h""#)]),
            &whole,
        ),
        case(
            "G-SIG",
            "/contents/1/parts/0",
            &list(&[HI, &unsigned, RESPONSE]),
            &list(&[HI, &unsigned, RESPONSE, OK, HI]),
        ),
        case(
            "G-SIG",
            "/contents/3/parts/0",
            &list(&[HI, CALL, RESPONSE, &unsigned, RESPONSE]),
            &with(old, &[HI, &unsigned, RESPONSE]),
        ),
        case(
            "G-END",
            "/contents/1",
            &list(&[HI, OK]),
            &list(&[HI, OK, HI]),
        ),
        case(
            "G-EMPTY",
            "/contents/1/parts",
            &list(&[HI, r#"{"role":"model","parts":[]}"#, HI]),
            &list(&[HI]),
        ),
        case(
            "G-EMPTY",
            "/contents/1/parts/0",
            &list(&[HI, &OK.replace("Ok.", ""), HI]),
            &list(&[
                HI,
                r#"{"role":"model","parts":[{"text":"","thoughtSignature":"c2ln"}]}"#,
                HI,
            ]),
        ),
        case(
            "G-CACHE",
            "/system_instruction",
            &with(&format!("{cached},{system}"), &[HI]),
            &with(cached, &[HI]),
        ),
        case(
            "G-CACHE",
            "/tools",
            &with(&format!(r#"{cached},"tools":[]"#), &[HI]),
            &with(cached, &[HI]),
        ),
        case(
            "G-NAME",
            "/tools/0/functionDeclarations/0/name",
            &declared("9lives"),
            &declared("a.b:c-d"),
        ),
        case(
            "G-NAME",
            "/contents/1/parts/0",
            &list(&[
                HI,
                &CALL.replace(r#""f""#, r#""f f""#),
                &RESPONSE.replace(r#""f""#, r#""f f""#),
            ]),
            &whole,
        ),
    ]
}
