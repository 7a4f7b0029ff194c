//! `aura import`.

use std::io::Write as _;
use std::process::Stdio;

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::workshop::{Workshop, bare, chat, line, lines};

#[test]
fn importing_again_adds_nothing() {
    let workshop = Workshop::new();
    let text = lines(&[chat("s", 5), chat("t", 3)].concat());
    let (first, code) = workshop.import(&text);
    assert_eq!(code, 0);
    assert_eq!(first["messages_recorded"], 16);
    assert_eq!(
        (&first["turns_recorded"], &first["sessions"]),
        (&json!(8), &json!(2))
    );
    let before = workshop.json(&["show", "--session", "s"]);
    let (again, code) = workshop.import(&text);
    assert_eq!(code, 0);
    assert_eq!(
        (&again["messages_recorded"], &again["messages_known"]),
        (&json!(0), &json!(16))
    );
    assert_eq!(workshop.json(&["show", "--session", "s"]), before);
    assert_eq!(before["session"]["turns"], 5);
    assert_eq!(before["session"]["last_event"], 10);
}

#[test]
fn everything_of_a_line_is_kept() {
    let workshop = Workshop::new();
    let long = "A very long result. ".repeat(4000);
    let (_, code) = workshop.import(&lines(&[
        json!({"session_id": "s", "message_id": "1", "role": "user", "text": "Grüße, 世界!", "speaker": "Ana",
               "timestamp": "2024-05-03T10:00:00+02:00", "mood": {"warm": 1.5}}),
        json!({"session_id": "s", "message_id": "2", "role": "assistant", "tool_calls":
               [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{\"file\": \"a\"}"}}]}),
        json!({"session_id": "s", "message_id": "3", "role": "tool", "text": long, "tool_call_id": "c1"}),
    ]));
    assert_eq!(code, 0);
    let shown = workshop.json(&["show", "--session", "s"]);
    let message = |at: usize| shown["turns"][0]["messages"][at]["message"].clone();
    assert_eq!(message(0)["name"], "Ana");
    assert_eq!(message(0)["time"], "2024-05-03T08:00:00.000Z");
    assert_eq!(
        message(0)["metadata"],
        json!({"message_id": "1", "mood": {"warm": 1.5}})
    );
    assert_eq!(message(1)["parts"][0]["name"], "read");
    assert_eq!(message(1)["parts"][0]["arguments"], json!({"file": "a"}));
    assert_eq!(message(2)["parts"][0]["tool"], "read");
    assert_eq!(message(2)["parts"][0]["text"], long);
}

#[test]
fn what_is_refused_is_named_and_the_rest_is_imported() {
    let workshop = Workshop::new();
    let mut text = Vec::new();
    text.extend_from_slice(b"\xEF\xBB\xBF");
    text.extend_from_slice(format!("{}\r\n\r\n", line("s", "1", "user", "a")).as_bytes());
    text.extend_from_slice(b"{\"session_id\": \"s\", \"text\": \"\xff\"}\n");
    text.extend_from_slice(b"not json\n");
    for value in [
        line("s", "2", "wizard", "b"),
        line("s", "1", "user", "another text"),
        line("s", "1", "user", "a"),
        line("s", "3", "assistant", "c"),
        json!({"session_id": "s", "message_id": "4", "role": "user", "text": "d", "timestamp": "noon"}),
    ] {
        text.extend_from_slice(format!("{value}\n").as_bytes());
    }
    let input = workshop.file("in.jsonl", &text);
    let list = workshop.path("refused.jsonl");
    let arguments = [
        "import",
        input.to_str().unwrap(),
        "--refused",
        list.to_str().unwrap(),
    ];
    workshop
        .run(&arguments)
        .code(1)
        .stdout(contains("2 messages recorded in 1 turn of 1 session"))
        .stdout(contains("5 were refused"))
        .stderr(contains("line 3: is not UTF-8: bad byte at column 30"))
        .stderr(contains("line 4: is not JSON"))
        .stderr(contains(
            "line 5: role: must be system, user, assistant or tool",
        ))
        .stderr(contains(
            "line 6: message_id: has come up before with other content",
        ))
        .stderr(contains("line 9: timestamp: not an RFC 3339 time or date"));
    assert_eq!(workshop.turns("s"), [["1", "3"]]);
    let listed = std::fs::read_to_string(&list).unwrap();
    let listed: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(listed.len(), 5);
    assert_eq!(listed[2]["field"], "role");
    let report = workshop.json(&arguments);
    assert_eq!(
        (&report["refused"], &report["messages_repeated"]),
        (&json!(5), &json!(1))
    );
    assert_eq!(report["refusals"][0]["line"], 3);
}

#[test]
fn standard_input_is_a_dash() {
    let workshop = Workshop::new();
    let mut child = workshop
        .command()
        .args(["import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines(&chat("s", 3)).as_bytes()).unwrap();
    drop(stdin);
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(workshop.turns("s").len(), 3);
}

#[test]
fn turn_ids_rule_where_given() {
    let workshop = Workshop::new();
    let with = |id: &str, role: &str, turn: &str| {
        let mut value = line("s", id, role, "x");
        value["turn_id"] = json!(turn);
        value
    };
    workshop.import(&lines(&[
        with("1", "user", "t1"),
        with("2", "user", "t1"),
        with("3", "assistant", "t1"),
        with("4", "user", "t2"),
        with("5", "assistant", "t1"),
    ]));
    let turns = [&["1", "2", "3"][..], &["4"], &["5"]];
    assert_eq!(workshop.turns("s"), turns);
}

#[test]
fn a_session_of_another_tenant_is_refused() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 1)));
    let input = workshop.file("in.jsonl", lines(&[chat("s", 2), chat("mine", 1)].concat()));
    workshop
        .run(&["import", input.to_str().unwrap(), "--tenant", "other"])
        .code(1)
        .stderr(contains(
            "line 1: session_id: the session belongs to another tenant or user",
        ))
        .stderr(contains("line 4: session_id"))
        .stdout(contains("2 messages recorded"));
    assert_eq!(workshop.turns("s").len(), 1);
}

#[test]
fn input_and_output_that_are_not_there() {
    let workshop = Workshop::new();
    workshop
        .run(&["import", "/no/such/file"])
        .code(3)
        .stderr(contains("FILE: /no/such/file"));
    workshop
        .run(&["import", "/"])
        .code(2)
        .stderr(contains("FILE"));
    let input = workshop.file("in.jsonl", lines(&chat("s", 1)));
    let input = input.to_str().unwrap();
    workshop
        .run(&["import", input, "--refused", "/no/such/folder/list"])
        .code(3)
        .stderr(contains("refused: "));
    Command::from_std(bare())
        .args(["--db", "/no/such/folder/store.db", "import", input])
        .assert()
        .code(5)
        .stderr(contains("db: /no/such/folder/store.db cannot be opened"));
    assert!(!workshop.path("store.db").exists());
}

#[test]
fn sessions_mixed_in_one_file_keep_their_order() {
    let workshop = Workshop::new();
    let sessions = ["a", "b", "c", "d", "e", "f", "g"];
    let chats: Vec<Vec<Value>> = sessions.iter().map(|session| chat(session, 30)).collect();
    let mixed: Vec<Value> = (0..60)
        .flat_map(|at| chats.iter().map(move |chat| chat[at].clone()))
        .collect();
    let (report, code) = workshop.import(&lines(&mixed));
    assert_eq!((code, &report["messages_recorded"]), (0, &json!(420)));
    for session in sessions {
        let turns = workshop.turns(session);
        let expected: Vec<Vec<String>> = (0..30)
            .map(|n| vec![format!("q{n}"), format!("a{n}")])
            .collect();
        assert_eq!(turns, expected);
    }
}
