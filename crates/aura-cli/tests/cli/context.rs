//! `aura context`.

use std::io::Write as _;
use std::process::Stdio;

use predicates::str::contains;
use serde_json::{Value, json};

use crate::workshop::{Workshop, chat, line, lines};

fn cats() -> Workshop {
    let workshop = Workshop::new();
    let talk = [
        ("user", "I live in Oslo and I have two cats, Miso and Nori."),
        ("assistant", "Lovely names!"),
        ("user", "I just moved to Berlin."),
        ("assistant", "How exciting!"),
        ("user", "What is a good film?"),
        ("assistant", "That depends on your mood."),
    ];
    let talk: Vec<Value> = (0..)
        .zip(talk)
        .map(|(n, (role, text))| line("s", &format!("m{n}"), role, text))
        .collect();
    workshop.import(&lines(&talk));
    workshop
}

const QUESTION: &str = "Where do I live now, and what are my cats called?";

#[test]
fn the_context_holds_what_the_question_needs() {
    let workshop = cats();
    let policy = r#"{"recency_turns":1}"#;
    let ask = [
        "context",
        "--session",
        "s",
        "--question",
        QUESTION,
        "--policy",
        policy,
    ];
    let context = workshop.json(&ask);
    let messages = context["messages"].as_array().unwrap();
    let text = context["messages"].to_string();
    assert!(text.contains("Berlin") && text.contains("Miso") && text.contains("Nori"));
    assert!(
        messages.last().unwrap()["content"]
            .as_str()
            .unwrap()
            .contains(QUESTION)
    );
    assert_eq!(context["tools"], json!([]));
    assert_eq!(context["manifest"]["session_id"], "s");
    workshop
        .run(&ask)
        .success()
        .stdout(contains("Berlin"))
        .stdout(contains("Tokens"))
        .stdout(contains("Why"))
        .stdout(contains("request "));
}

#[test]
fn policies_come_from_files_and_the_budget_stands_above_them() {
    let workshop = cats();
    let policy = workshop.file(
        "policy.json",
        r#"{"mode": "windowed", "token_budget": 900}"#,
    );
    let policy = policy.to_str().unwrap();
    let ask = [
        "context",
        "--session",
        "s",
        "--question",
        "x",
        "--policy",
        policy,
    ];
    let manifest = workshop.json(&ask)["manifest"].clone();
    assert_eq!(
        (&manifest["mode"], &manifest["totals"]["budget"]),
        (&json!("windowed"), &json!(900))
    );
    let manifest = workshop.json(&[&ask[..], &["--budget", "300"]].concat())["manifest"].clone();
    assert_eq!(
        (&manifest["mode"], &manifest["totals"]["budget"]),
        (&json!("windowed"), &json!(300))
    );
}

#[test]
fn a_wrong_policy_is_named_by_field() {
    let workshop = cats();
    let ask = |policy: &str| {
        workshop.run(&[
            "context",
            "--session",
            "s",
            "--question",
            "x",
            "--policy",
            policy,
        ])
    };
    ask(r#"{"colour":"red"}"#)
        .code(2)
        .stderr(contains("colour"));
    ask(r#"{"token_budget":0}"#)
        .code(2)
        .stderr(contains("token_budget: must be at least 1"));
    ask("{").code(2).stderr(contains("policy"));
    ask("/no/such/policy.json")
        .code(3)
        .stderr(contains("policy: /no/such/policy.json"));
}

#[test]
fn system_prompt_and_tools_come_from_files() {
    let workshop = cats();
    let system = workshop.file("system.txt", "You are a polite parrot.");
    let tools = workshop.file(
        "tools.json",
        r#"[{"name":"fly","description":"Fly somewhere","parameters":{"type":"object"}}]"#,
    );
    let ask = [
        "context",
        "--session",
        "s",
        "--question",
        "x",
        "--provider",
        "openai",
        "--system",
        system.to_str().unwrap(),
        "--tools",
        tools.to_str().unwrap(),
    ];
    let context = workshop.json(&ask);
    assert_eq!(context["messages"][0]["role"], "system");
    assert!(
        context["messages"][0]["content"]
            .to_string()
            .contains("polite parrot")
    );
    assert_eq!(context["tools"][0]["function"]["name"], "fly");
    let bad = workshop.file("bad.json", r#"[{"name":"fly away","parameters":{}}]"#);
    workshop
        .run(&[
            "context",
            "--session",
            "s",
            "--question",
            "x",
            "--tools",
            bad.to_str().unwrap(),
        ])
        .code(2)
        .stderr(contains("tools[0].name"));
    let latin = workshop.file("latin.txt", b"caf\xe9");
    workshop
        .run(&[
            "context",
            "--session",
            "s",
            "--question",
            "x",
            "--system",
            latin.to_str().unwrap(),
        ])
        .code(2)
        .stderr(contains("system: is not UTF-8"));
}

#[test]
fn the_question_may_come_from_standard_input() {
    let workshop = cats();
    let mut child = workshop
        .command()
        .args(["context", "--session", "s", "--question", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(QUESTION.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let context: Value = serde_json::from_slice(&output.stdout).unwrap();
    let last = context["messages"].as_array().unwrap().last().unwrap();
    assert!(last["content"].as_str().unwrap().contains(QUESTION));
}

#[test]
fn an_unknown_session_gives_just_the_question() {
    let workshop = cats();
    let context = workshop.json(&["context", "--session", "new", "--question", "Hello?"]);
    assert_eq!(context["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn another_tenant_is_denied() {
    let workshop = cats();
    workshop
        .run(&[
            "context",
            "--session",
            "s",
            "--question",
            "x",
            "--tenant",
            "other",
        ])
        .code(4)
        .stderr(contains("session_id"));
}

#[test]
fn a_session_of_a_user_is_for_that_user() {
    let workshop = Workshop::new();
    let input = workshop.file("in.jsonl", lines(&chat("s", 1)));
    workshop
        .run(&["import", input.to_str().unwrap(), "--user", "ana"])
        .success();
    let ask = ["context", "--session", "s", "--question", "item 0"];
    workshop
        .run(&[&ask[..], &["--user", "ana"]].concat())
        .success();
    workshop
        .run(&[&ask[..], &["--user", "ben"]].concat())
        .code(4);
    workshop.run(&ask).code(4);
}
