//! `aura eval`.

use predicates::str::contains;
use serde_json::{Value, json};

use crate::workshop::{Workshop, bare};

/// Twelve messages of two people, and questions of which two have labels, one cannot be answered, and one is excluded.
fn data(questions: &str) -> Workshop {
    let workshop = Workshop::new();
    let texts = [
        "Shall we go for a walk at the lake?",
        "Yes, after lunch.",
        "I bought a cello on Saturday, an old one from Mirecourt.",
        "How lovely! Will you take lessons?",
        "From Ilse, who teaches at the conservatory.",
        "My bread has turned out well this time.",
        "Rye or wheat?",
        "Rye with caraway, as my grandmother baked it.",
        "The train to Graz was late again.",
        "It always is.",
        "We painted the kitchen yellow.",
        "Bright as the sun, I hope.",
    ];
    let message = |(n, text): (usize, &&str)| {
        let (speaker, role) = [("Ruth", "user"), ("Otto", "assistant")][n % 2];
        json!({
            "conversation_id": "c", "session_id": format!("c/{}", n / 6), "message_id": format!("m{n}"), "index": n,
            "speaker": speaker, "role": role, "text": text, "timestamp": format!("2024-05-0{}T10:{n:02}:00", 1 + n / 6),
        })
    };
    let messages = texts.iter().enumerate().map(message);
    workshop.file(
        "messages.jsonl",
        messages.map(|row| format!("{row}\n")).collect::<String>(),
    );
    let question = |id: &str, category: &str, text: &str, gold: &[&str]| {
        json!({"question_id": id, "conversation_id": "c", "category": category, "text": text,
            "gold_message_ids": gold, "asked_at": "2024-06-01"})
    };
    let rows = [
        question("q0", "fact", "Where does Ruth's cello come from?", &["m2"]),
        question(
            "q1",
            "fact",
            "Which rye bread did the grandmother bake?",
            &["m7", "m5"],
        ),
        question("q2", "other", "How do volcanoes erupt?", &["m9"]),
        question("q3", "adversarial", "Which flute did Ruth buy?", &["m2"]),
    ];
    workshop.file(questions, rows.map(|row| format!("{row}\n")).concat());
    workshop
}

fn eval(workshop: &Workshop, arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = assert_cmd::Command::from_std(bare());
    let folder = workshop.path("");
    command
        .args(["eval", "--data", folder.to_str().unwrap()])
        .args(arguments)
        .assert()
}

fn report(workshop: &Workshop, arguments: &[&str]) -> Value {
    let assert = eval(workshop, &[arguments, &["--json"]].concat()).success();
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

fn row<'a>(report: &'a Value, method: &str, cut: (&str, u32), group: (&str, Value)) -> &'a Value {
    let rows = report["results"].as_array().unwrap();
    let wanted = |row: &&Value| {
        let other = if group.0 == "category" {
            "language"
        } else {
            "category"
        };
        row["method"] == method
            && row[cut.0] == cut.1
            && row[group.0] == group.1
            && row[other].is_null()
    };
    rows.iter().find(wanted).unwrap()
}

#[test]
fn evidence_is_counted_by_budget_number_category_and_language() {
    let workshop = data("questions.jsonl");
    let report = report(&workshop, &["--budgets", "60,4000", "--ks", "1"]);
    assert_eq!(report["questions"], 4);
    assert_eq!(report["scored"], 3);
    assert_eq!(report["cut_short"], 0);
    let all = |method, cut, group| row(&report, method, cut, group)["all"].as_f64().unwrap();
    let everything = || ("category", Value::Null);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    // The volcanoes share no word with anything, so nothing is recalled for them whatever the budget.
    assert!(close(
        all("aura", ("budget", 4000), everything()),
        2.0 / 3.0
    ));
    assert!(close(
        all("aura", ("budget", 4000), ("category", json!("fact"))),
        1.0
    ));
    assert!(close(
        all("aura", ("budget", 4000), ("language", json!("eng"))),
        2.0 / 3.0
    ));
    assert!(close(all("aura", ("k", 1), everything()), 1.0 / 3.0));
    assert!(close(all("recency", ("budget", 4000), everything()), 1.0));
    assert!(close(
        all("recency", ("budget", 60), everything()),
        1.0 / 3.0
    ));
    let other = row(
        &report,
        "aura",
        ("budget", 4000),
        ("category", json!("other")),
    );
    assert_eq!(
        (other["tokens"].as_f64(), other["over"].as_u64()),
        (Some(0.0), Some(0))
    );
    for method in ["bm25 stemmed", "bm25 plain"] {
        assert!(all(method, ("budget", 4000), ("category", json!("fact"))) > 0.4);
    }
    let policy = [
        "--budgets",
        "4000",
        "--ks",
        "",
        "--no-baselines",
        "--policy",
        r#"{"retrieval_enabled":false}"#,
    ];
    let without = self::report(&workshop, &policy);
    assert!(
        without["results"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["method"] == "aura")
    );
    assert_eq!(
        row(&without, "aura", ("budget", 4000), everything())["any"],
        0.0
    );
}

#[test]
fn a_run_lists_what_stands_in_the_contexts() {
    for (questions, scored) in [("questions.jsonl", 3), ("queries.jsonl", 0)] {
        let workshop = data(questions);
        let (run, chart) = (workshop.path("run.jsonl"), workshop.path("chart.svg"));
        let files = [
            "--run",
            run.to_str().unwrap(),
            "--chart",
            chart.to_str().unwrap(),
        ];
        let report = report(&workshop, &[&files[..], &["--budgets", "40,1000"]].concat());
        assert_eq!(report["scored"], scored);
        let text = std::fs::read_to_string(&run).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(
            lines.len(),
            8,
            "one a question and budget, excluded categories too"
        );
        for line in &lines {
            let (tokens, budget) = (
                line["tokens"].as_u64().unwrap(),
                line["budget"].as_u64().unwrap(),
            );
            assert!(tokens <= budget);
            assert_eq!(
                tokens == 0,
                line["selected_message_ids"].as_array().unwrap().is_empty()
            );
        }
        let cello = &lines[1];
        assert_eq!(
            (cello["question_id"].as_str(), cello["budget"].as_u64()),
            (Some("q0"), Some(1000))
        );
        assert!(
            cello["selected_message_ids"]
                .as_array()
                .unwrap()
                .contains(&json!("m2"))
        );
        let svg = std::fs::read_to_string(&chart).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.contains("recency"), scored > 0);
    }
}

#[test]
fn tables_are_printed_and_bad_data_are_named() {
    let workshop = data("questions.jsonl");
    eval(&workshop, &["--budgets", "512"])
        .success()
        .stdout(contains(
            "4 questions of 12 messages in 1 conversation, 3 scored",
        ))
        .stdout(contains("bm25 stemmed"))
        .stdout(contains("language eng"));
    eval(&workshop, &["--budgets", "many"])
        .code(2)
        .stderr(contains("budgets"));
    eval(&workshop, &["--policy", r#"{"budget":1}"#])
        .code(2)
        .stderr(contains("budget"));
    let stray =
        r#"{"question_id":"q9","conversation_id":"c","text":"SECRET","gold_message_ids":["m99"]}"#;
    workshop.file("questions.jsonl", stray);
    let assert = eval(&workshop, &[])
        .code(2)
        .stderr(contains("gold_message_ids"))
        .stderr(contains("line 1"));
    assert!(!String::from_utf8_lossy(&assert.get_output().stderr).contains("SECRET"));
    workshop.file(
        "messages.jsonl",
        r#"{"conversation_id":"c","message_id":"m","role":"user","text":7}"#,
    );
    eval(&workshop, &[])
        .code(2)
        .stderr(contains("messages.jsonl, line 1"))
        .stderr(contains("text"));
    std::fs::remove_file(workshop.path("messages.jsonl")).unwrap();
    eval(&workshop, &[])
        .code(3)
        .stderr(contains("messages.jsonl"));
}

#[test]
fn tools_are_measured_by_the_requests_that_need_them() {
    let workshop = Workshop::new();
    let tool = |server: &str, name: &str, text: &str| {
        json!({"tool_id": format!("{server}.{name}"), "server": server, "name": name, "description": text,
            "parameters": {"type": "object", "properties": {}}})
    };
    let tools = [
        tool("files", "read_file", "Reads the text of a file"),
        tool("files", "delete_file", "Removes a file for good"),
        tool("mail", "send_message", "Sends a mail to a person"),
        tool("paint", "mix_colour", "Mixes two colours"),
    ];
    let request = |text: &str, gold: Value, steps: Value| json!({"text": text, "gold_tool_ids": gold, "gold_alternatives": steps});
    let requests = [
        request("Send Ana a mail", json!(["mail.send_message"]), json!([])),
        request(
            "Read the file or remove it",
            json!(["files.read_file"]),
            json!([["files.read_file", "files.delete_file"]]),
        ),
        request(
            "Mix colours and read the file",
            json!(["paint.mix_colour", "files.read_file"]),
            json!([]),
        ),
        request(
            "Sing",
            json!(["mail.send_message", "nobody.sings"]),
            json!([]),
        ),
    ];
    let lines = |rows: &[Value]| {
        rows.iter()
            .map(|row| format!("{row}\n"))
            .collect::<String>()
    };
    workshop.file("tools.jsonl", lines(&tools));
    workshop.file("questions.jsonl", lines(&requests));
    let folder = workshop.path("");
    let eval = |more: &[&str]| {
        let mut command = assert_cmd::Command::from_std(bare());
        command.args(["eval", "--tools", folder.to_str().unwrap(), "--ks", "1,2"]);
        command.args(more).assert()
    };
    let output = eval(&["--json"]).success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(
        (&report["tools"], &report["requests"]),
        (&json!(4), &json!(4))
    );
    let results = report["results"].as_array().unwrap();
    let rows: Vec<(u64, f64)> = results
        .iter()
        .map(|row| (row["k"].as_u64().unwrap(), row["all"].as_f64().unwrap()))
        .collect();
    assert_eq!(rows, [(1, 0.5), (2, 0.75)]);
    assert!(results[0]["saved"].as_f64().unwrap() > results[1]["saved"].as_f64().unwrap());
    eval(&[])
        .success()
        .stdout(contains("4 requests of 4 tools"));
    workshop.file("tools.jsonl", "{\"tool_id\":1}\n");
    eval(&[]).failure().stderr(contains("tools.jsonl, line 1"));
}
