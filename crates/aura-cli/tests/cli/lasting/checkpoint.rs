//! `aura checkpoint`.

use crate::workshop::{Workshop, chat, lines};

#[test]
fn a_range_is_digested_listed_and_brought_back() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s1", 12)));
    let made = workshop.json(&[
        "checkpoint",
        "create",
        "--session",
        "s1",
        "--events",
        "3-20",
    ]);
    assert_eq!(made[0]["restorable"], true);
    let id = made[0]["checkpoint"]["checkpoint_id"].as_str().unwrap();
    let listed = workshop.json(&["checkpoint", "list", "--session", "s1"]);
    assert_eq!(listed, made);
    let restore = |what: &[&str]| workshop.json(&[&["checkpoint", "restore", id], what].concat());
    assert_eq!(restore(&["--event", "4"])["event_id"], 4);
    workshop
        .run(&[
            "checkpoint",
            "restore",
            id,
            "--query",
            "Which shelf has item 5?",
        ])
        .success()
        .stdout(predicates::str::contains("Item 5 stands on shelf 35"));
    workshop
        .run(&["checkpoint", "restore", id, "--event", "21"])
        .code(3);
    workshop
        .run(&[
            "checkpoint",
            "create",
            "--session",
            "s1",
            "--events",
            "3-99",
        ])
        .code(2);
    let claim = r#"{"completed": [{"text": "All is done", "events": []}]}"#;
    let file = workshop.file("content.json", claim);
    let create = [
        "checkpoint",
        "create",
        "--session",
        "s1",
        "--events",
        "3-20",
        "--content",
    ];
    let refused = workshop.run(&[&create[..], &[file.to_str().unwrap()]].concat());
    refused
        .code(2)
        .stderr(predicates::str::contains("a claim needs a source event"));
    workshop.run(&["delete", "--events", "s1:4"]).success();
    let listed = workshop.json(&["checkpoint", "list", "--session", "s1"]);
    assert_eq!(listed, serde_json::json!([]), "it covered what was deleted");
}
