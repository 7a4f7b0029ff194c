//! Help, errors, exit codes, and how output behaves.

use std::process::Stdio;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_empty};

use crate::workshop::{Workshop, bare, chat, lines};

#[test]
fn help_has_examples_and_exit_codes() {
    let help = |arguments: &[&str]| Command::from_std(bare()).args(arguments).assert().success();
    help(&["--help"])
        .stdout(contains("Exit codes:"))
        .stdout(contains("  70  a defect of the program"))
        .stdout(contains("Examples:"));
    for command in [
        "demo", "import", "context", "show", "explain", "verify", "repair",
    ] {
        help(&[command, "--help"]).stdout(contains("Examples:"));
    }
}

#[test]
fn wrong_usage_ends_with_two() {
    for arguments in [
        &["paint"][..],
        &["context", "--session", "s"],
        &["context", "--session", "", "--question", "x"],
        &[
            "context",
            "--session",
            "s",
            "--question",
            "x",
            "--budget",
            "0",
        ],
        &[
            "context",
            "--session",
            "s",
            "--question",
            "x",
            "--provider",
            "abacus",
        ],
        &["show", "--events", "1"],
        &["show", "--session", "s", "--events", "9-2"],
        &["explain", "--block", "event:1"],
        &["explain", "--request", "r", "--block", "cloud:1"],
        &["import", "x", "--jobs", "0"],
    ] {
        let assert = Command::from_std(bare()).args(arguments).assert();
        assert.code(2).stdout(is_empty()).stderr(contains("error"));
    }
}

#[test]
fn the_store_must_be_named_and_exist() {
    let run = |arguments: &[&str]| Command::from_std(bare()).args(arguments).assert();
    run(&["show"])
        .code(2)
        .stderr(contains("db: name the store with --db"));
    run(&["--db", "/nowhere/at/all.db", "show"])
        .code(3)
        .stderr(contains("db: /nowhere/at/all.db"));
    run(&["--db", "/", "show"])
        .code(2)
        .stderr(contains("db: is a folder"));
    let workshop = Workshop::new();
    let store = workshop.path("store.db");
    workshop.import(&lines(&chat("s", 1)));
    Command::from_std(bare())
        .env("AURA_DB", &store)
        .arg("show")
        .assert()
        .success()
        .stdout(contains("s"));
}

#[test]
fn a_file_that_is_no_store_is_named() {
    let workshop = Workshop::new();
    workshop.file("store.db", "This is a letter, not a database.".repeat(100));
    let before = std::fs::read(workshop.path("store.db")).unwrap();
    let input = workshop.file("in.jsonl", lines(&chat("s", 1)));
    for arguments in [&["show"][..], &["import", input.to_str().unwrap()]] {
        workshop
            .run(arguments)
            .code(5)
            .stderr(contains("store.db cannot be opened"))
            .stderr(contains("not a SQLite database"));
    }
    workshop.run(&["demo"]).code(2).stderr(contains("db: "));
    assert_eq!(std::fs::read(workshop.path("store.db")).unwrap(), before);
}

#[test]
fn errors_are_json_for_machines() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 1)));
    let assert = workshop
        .run(&["show", "--session", "nobody", "--json"])
        .code(3);
    let output = assert.get_output();
    assert!(output.stdout.is_empty());
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "not-found");
    assert_eq!(error["error"]["field"], "session_id");
}

#[test]
fn a_pipe_gets_no_colours() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 2)));
    for arguments in [
        &["show"][..],
        &["show", "--session", "s"],
        &["context", "--session", "s", "--question", "item 1"],
        &["show", "--session", "nobody"],
    ] {
        let plain = || contains("\u{1b}").not();
        workshop.run(arguments).stdout(plain()).stderr(plain());
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 2000)));
    for arguments in [
        &["show", "--session", "s"][..],
        &["show", "--session", "s", "--json"],
    ] {
        let mut child = workshop
            .command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert!(output.status.success(), "{:?}", output.status);
    }
}

#[test]
fn stored_text_cannot_steer_the_terminal() {
    let workshop = Workshop::new();
    let text = "before\u{1b}[2Jafter \u{7}";
    workshop.import(&lines(&[crate::workshop::line("s", "m", "user", text)]));
    workshop
        .run(&["show", "--session", "s"])
        .stdout(contains("before␛[2Jafter ␇"));
    let shown = workshop.json(&["show", "--session", "s", "--events", "1"]);
    assert_eq!(shown[0]["message"]["parts"][0]["text"], text);
}
