//! `aura demo`.

use predicates::str::contains;
use serde_json::Value;

use crate::workshop::{Workshop, bare};

#[test]
fn every_context_holds_its_evidence_and_stays_in_budget() {
    let workshop = Workshop::new();
    for provider in ["generic", "openai"] {
        let store = workshop.path(provider);
        let output = bare()
            .args(["demo", "--json", "--provider", provider, "--db"])
            .arg(&store)
            .output()
            .unwrap();
        assert!(output.status.success());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["complete"], true);
        let questions = report["questions"].as_array().unwrap();
        assert!(questions.len() >= 8);
        for asked in questions {
            let totals = &asked["context"]["manifest"]["totals"];
            let tokens = totals["tokens"].as_u64().unwrap();
            assert!(tokens <= totals["budget"].as_u64().unwrap());
            assert!(tokens * 4 < totals["history_tokens"].as_u64().unwrap());
            assert!(
                asked["evidence"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|item| item["shown"] == true)
            );
            // The exact text of the evidence is there, not only its number.
            let event = asked["evidence"][0]["event_id"].to_string();
            let shown = bare()
                .args([
                    "show",
                    "--json",
                    "--session",
                    "lindenhof-27",
                    "--events",
                    &event,
                    "--db",
                ])
                .arg(&store)
                .output()
                .unwrap();
            let stored: Value = serde_json::from_slice(&shown.stdout).unwrap();
            let text = stored[0]["message"]["parts"][0]["text"].as_str().unwrap();
            let messages = &asked["context"]["messages"];
            let holds = |message: &Value| {
                message["content"]
                    .as_str()
                    .is_some_and(|all| all.contains(text))
            };
            assert!(messages.as_array().unwrap().iter().any(holds), "{text}");
            // The question comes last.
            let last = messages.as_array().unwrap().last().unwrap();
            assert!(
                last["content"]
                    .as_str()
                    .unwrap()
                    .ends_with(asked["question"].as_str().unwrap())
            );
        }
    }
}

#[test]
fn what_no_longer_holds_is_not_among_the_facts() {
    let workshop = Workshop::new();
    workshop.run(&["demo"]).success();
    let facts = workshop.json(&["show", "--session", "lindenhof-27", "--facts"]);
    let current = |words: &str| {
        facts.as_array().unwrap().iter().any(|fact| {
            fact["text"].as_str().unwrap().contains(words) && fact.get("invalidated_at").is_none()
        })
    };
    assert!(current("20,000 euros"));
    assert!(!current("18,000 euros") && !current("21,500 euros"));
}

#[test]
fn a_person_sees_messages_tokens_and_reasons() {
    let workshop = Workshop::new();
    workshop
        .run(&["demo"])
        .success()
        .stdout(contains("What is our total budget now?"))
        .stdout(contains("lower the total budget to 20,000 euros"))
        .stdout(contains("times as many"))
        .stdout(contains("always shown"))
        .stdout(contains("recalled, relevance"))
        .stdout(contains("Every context holds the evidence"));
    // The store is there for the other commands.
    workshop
        .run(&["show"])
        .success()
        .stdout(contains("lindenhof-27"));
}

#[test]
fn without_a_place_it_makes_one_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let output = bare()
        .args(["demo", "--json"])
        .env("TMPDIR", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let db = std::path::Path::new(report["db"].as_str().unwrap());
    assert!(db.is_file());
    if cfg!(unix) {
        assert!(db.starts_with(folder.path()));
    }
}

#[test]
fn what_is_there_already_is_left_alone() {
    let workshop = Workshop::new();
    workshop.run(&["demo"]).success();
    let before = std::fs::read(workshop.path("store.db")).unwrap();
    workshop
        .run(&["demo"])
        .code(2)
        .stderr(contains("db: "))
        .stderr(contains("is not empty"));
    assert_eq!(std::fs::read(workshop.path("store.db")).unwrap(), before);
    // An empty file is nothing yet.
    let other = Workshop::new();
    other.file("store.db", "");
    other.run(&["demo"]).success();
}

#[test]
fn a_budget_too_small_for_the_evidence_says_so() {
    let workshop = Workshop::new();
    workshop
        .run(&["demo", "--budget", "120"])
        .code(1)
        .stdout(contains("MISSING"));
}
