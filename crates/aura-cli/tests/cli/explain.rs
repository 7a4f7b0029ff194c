//! `aura explain`.

use predicates::str::contains;
use serde_json::Value;

use crate::workshop::{Workshop, chat, lines};

/// A store with one compilation, and its request id.
fn asked() -> (Workshop, String) {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 30)));
    let question = "Where does item 3, the marble one, stand?";
    let ask = [
        "context",
        "--session",
        "s",
        "--question",
        question,
        "--budget",
        "200",
    ];
    let context = workshop.json(&ask);
    let request = context["manifest"]["request_id"]
        .as_str()
        .unwrap()
        .to_owned();
    (workshop, request)
}

#[test]
fn a_manifest_outlives_the_process_that_made_it() {
    let (workshop, request) = asked();
    let manifest = workshop.json(&["explain", "--request", &request]);
    assert_eq!(manifest["request_id"], request.as_str());
    assert!(!manifest["candidates"].as_array().unwrap().is_empty());
    workshop
        .run(&["explain", "--request", &request])
        .success()
        .stdout(contains("In the context"))
        .stdout(contains("question"))
        .stdout(contains("of 200 tokens"));
}

#[test]
fn each_block_has_its_answer() {
    let (workshop, request) = asked();
    let manifest = workshop.json(&["explain", "--request", &request]);
    let candidates = manifest["candidates"].as_array().unwrap();
    let with_fate = |fate: &str| {
        let found = candidates
            .iter()
            .find(|record: &&Value| record["fate"] == fate);
        found.map(|record| record["block"].as_str().unwrap().to_owned())
    };
    let explain = |block: &str| workshop.run(&["explain", "--request", &request, "--block", block]);
    explain(&with_fate("selected").unwrap())
        .code(0)
        .stdout(contains("stands in the context"));
    explain(&with_fate("rejected").unwrap())
        .code(1)
        .stdout(contains("was a candidate"));
    explain("event:99999")
        .code(1)
        .stdout(contains("was never a candidate"));
    let answer = workshop.json(&["explain", "--request", &request, "--block", "question"]);
    assert_eq!(answer["answer"], "candidate");
}

#[test]
fn compilations_are_listed() {
    let (workshop, request) = asked();
    let listed = workshop.json(&["explain"]);
    assert_eq!(listed[0]["request_id"], request.as_str());
    workshop
        .run(&["explain"])
        .success()
        .stdout(contains(&request));
    workshop
        .run(&["explain", "--session", "other"])
        .success()
        .stdout(contains("No context has been compiled yet."));
}

#[test]
fn an_unknown_request_is_not_found() {
    let (workshop, request) = asked();
    workshop
        .run(&["explain", "--request", "r"])
        .code(3)
        .stderr(contains("request_id"));
    workshop
        .run(&["explain", "--request", &request, "--tenant", "other"])
        .code(3);
}
