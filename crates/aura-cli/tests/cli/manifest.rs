//! `aura manifest` and `aura diff`.

use predicates::str::contains;
use serde_json::Value;

use crate::workshop::{Workshop, chat, lines};

/// A store with a compilation at each of these budgets, and what they printed.
fn asked(budgets: &[&str]) -> (Workshop, Vec<Value>) {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 30)));
    let question = "Where does item 3, the marble one, stand?";
    let ask = |budget: &&str| {
        let ask = ["context", "--session", "s", "--question", question];
        workshop.json(&[&ask[..], &["--budget", budget]].concat())
    };
    let contexts = budgets.iter().map(ask).collect();
    (workshop, contexts)
}

fn request(context: &Value) -> &str {
    context["manifest"]["request_id"].as_str().unwrap()
}

#[test]
fn a_manifest_is_shown_and_the_context_comes_back() {
    let (workshop, contexts) = asked(&["200"]);
    let request = request(&contexts[0]);
    let manifest = workshop.json(&["manifest", request]);
    assert_eq!(manifest["request_id"], request);
    workshop
        .run(&["manifest", request])
        .success()
        .stdout(contains("In the context"));
    workshop.import(&lines(&chat("s", 40)));
    let again = workshop.json(&["manifest", request, "--replay"]);
    assert_eq!(again["messages"], contexts[0]["messages"]);
    assert_eq!(again["manifest"]["digest"], manifest["digest"]);
    workshop
        .run(&["manifest", request, "--replay"])
        .success()
        .stdout(contains("the marble one"));
}

#[test]
fn manifests_are_listed_by_session_and_time() {
    let (workshop, contexts) = asked(&["200", "400"]);
    let listed = workshop.json(&["manifest"]);
    assert_eq!(listed[0]["request_id"], request(&contexts[1]));
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let none = |arguments: &[&str]| {
        workshop
            .run(&[&["manifest"], arguments].concat())
            .success()
            .stdout(contains("No context has been compiled yet."));
    };
    none(&["--session", "other"]);
    none(&["--until", "2020-01-01"]);
    none(&["--since", "2999-01-01"]);
    let one = workshop.json(&["manifest", "--limit", "1", "--since", "2020-01-01"]);
    assert_eq!(one.as_array().unwrap().len(), 1);
}

#[test]
fn what_is_not_there_is_not_found() {
    let (workshop, contexts) = asked(&["200"]);
    let request = request(&contexts[0]);
    workshop
        .run(&["manifest", "r", "--replay"])
        .code(3)
        .stderr(contains("request_id"));
    workshop
        .run(&["manifest", request, "--tenant", "other"])
        .code(3);
    workshop.run(&["diff", request, "r"]).code(3);
    workshop.run(&["manifest", request, "--limit", "3"]).code(2);
}

#[test]
fn two_contexts_are_compared() {
    let (workshop, contexts) = asked(&["200", "200", "400"]);
    let [small, same, large] = [0, 1, 2].map(|at| request(&contexts[at]));
    workshop
        .run(&["diff", small, small])
        .success()
        .stdout(contains("the same"));
    let alike = workshop.json(&["diff", small, same]);
    assert_eq!(alike["same_bytes"], true);
    assert_eq!(alike["entered"], Value::Array(Vec::new()));
    let diff = workshop.json(&["diff", small, large]);
    assert_eq!(diff["same_bytes"], false);
    assert!(!diff["entered"].as_array().unwrap().is_empty());
    assert_eq!(diff["entered"][0]["before"]["reason"], "over-budget");
    workshop
        .run(&["diff", small, large])
        .code(1)
        .stdout(contains("Entered"))
        .stdout(contains("no room in the budget"));
}
