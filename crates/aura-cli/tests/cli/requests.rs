//! `aura verify` and `aura repair`.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::workshop::{Workshop, bare, chat, lines};

const CLEAN: &str = r#"{"messages": [{"role": "user", "content": "Hi"}], "seed": 1.00}"#;
const BROKEN: &str = r#"{"messages":[{"role":"user","content":"Hi"},{"role":"tool","tool_call_id":"c","content":"12"}],"seed":1.00}"#;

fn run(arguments: &[&str], input: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::from_std(bare());
    command.args(arguments).write_stdin(input).assert()
}

#[test]
fn verify_says_whether_a_request_is_clean() {
    let verify = |input| run(&["verify", "--provider", "openai", "-"], input);
    verify(CLEAN).code(0).stdout(contains("Clean"));
    verify(BROKEN)
        .code(1)
        .stdout(contains("O-ORPHAN"))
        .stdout(contains("/messages/1"))
        .stdout(contains("answers no call"));
    for unusable in ["", "{", "[]", "{}", r#"{"messages":7}"#] {
        verify(unusable)
            .code(2)
            .stdout(is_empty())
            .stderr(contains("error"));
    }
    run(&["verify", "--provider", "generic", "-"], CLEAN).code(2);
    run(&["verify", "--provider", "openai", "/no/such/file"], "")
        .code(2)
        .stderr(contains("/no/such/file"));
}

#[test]
fn verify_speaks_json() {
    let workshop = Workshop::new();
    let path = workshop.file("body.json", BROKEN);
    let path = path.to_str().unwrap();
    let report = |provider: &str| -> (Value, i32) {
        let assert = run(&["verify", "--provider", provider, path, "--json"], "");
        let output = assert.get_output();
        let json = serde_json::from_slice(&output.stdout).unwrap();
        (json, output.status.code().unwrap())
    };
    let (broken, code) = report("openai");
    assert_eq!((code, &broken["clean"]), (1, &Value::Bool(false)));
    assert_eq!(broken["violations"][0]["rule"], "O-ORPHAN");
    assert_eq!(broken["violations"][0]["path"], "/messages/1");
    assert!(broken["violations"][0]["meaning"].is_string());
    assert_eq!(report("anthropic").0["violations"][0]["rule"], "A-ALT");
}

#[test]
fn what_is_compiled_is_clean() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 12)));
    for provider in ["openai", "openai-responses", "anthropic", "gemini"] {
        let ask = [
            "context",
            "--session",
            "s",
            "--question",
            "Item 3?",
            "--provider",
            provider,
        ];
        let context = workshop.json(&ask);
        run(
            &["verify", "--provider", provider, "-"],
            &context["request"].to_string(),
        )
        .code(0);
    }
}

#[test]
fn repair_writes_the_body_and_says_what_it_did() {
    let workshop = Workshop::new();
    let mended = r#"{"messages":[{"role":"user","content":"Hi"}],"seed":1.00}"#;
    run(&["repair", "--provider", "openai", "-"], BROKEN)
        .code(0)
        .stdout(format!("{mended}\n"))
        .stderr(contains("O-ORPHAN").and(contains("/messages/1")));
    run(&["repair", "--provider", "openai", "-"], CLEAN)
        .code(0)
        .stdout(format!("{CLEAN}\n"))
        .stderr(contains("Nothing to mend"));
    let path = workshop.path("mended.json");
    run(
        &[
            "repair",
            "--provider",
            "openai",
            "-",
            "-o",
            path.to_str().unwrap(),
        ],
        BROKEN,
    )
    .code(0)
    .stdout(contains("O-ORPHAN"))
    .stderr(is_empty());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), mended);
    let assert = run(&["repair", "--provider", "openai", "-", "--json"], BROKEN);
    let report: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(report["repairs"][0]["rule"], "O-ORPHAN");
    assert_eq!(report["request"]["messages"][0]["content"], "Hi");
    run(&["repair", "--provider", "gemini", "-"], BROKEN).code(2);
}
