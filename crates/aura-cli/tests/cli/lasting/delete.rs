//! `aura delete`.

use crate::workshop::{Workshop, chat, lines};

fn filled() -> Workshop {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s1", 12)));
    workshop.import(&lines(&chat("s2", 3)));
    workshop
}

#[test]
fn a_dry_run_says_what_would_go() {
    let workshop = filled();
    let preview = workshop.json(&["delete", "--session", "s1", "--dry-run"]);
    assert_eq!(preview["state"], "dry-run");
    let layers = preview["layers"].as_array().unwrap();
    let events = layers.iter().find(|layer| layer["layer"] == "events");
    assert_eq!(events.unwrap()["count"], 24);
    assert_eq!(events.unwrap()["ids"][0], "s1:1-24");
    let shown = workshop.json(&["show", "--session", "s1"]);
    assert_eq!(shown["turns"].as_array().unwrap().len(), 12);
}

#[test]
fn a_session_goes_with_its_bytes() {
    let workshop = filled();
    let receipt = workshop.json(&["delete", "--session", "s1"]);
    assert_eq!(receipt["state"], "complete");
    assert_eq!(receipt["proof"]["found"], 0);
    assert!(receipt["proof"]["bytes"].as_u64().unwrap() > 4_096);
    workshop.run(&["show", "--session", "s1"]).code(3);
    workshop.run(&["show", "--session", "s2"]).success();
    let file = std::fs::read(workshop.path("store.db")).unwrap();
    let holds = |text: &[u8]| file.windows(text.len()).any(|window| window == text);
    assert!(!holds(b"Item 11 stands on shelf 77"));
    assert!(holds(b"Item 2 stands on shelf 14"));
}

#[test]
fn events_go_and_their_numbers_stay() {
    let workshop = filled();
    workshop
        .run(&["delete", "--events", "s1:5-6"])
        .success()
        .stdout(predicates::str::contains("s1:5-6"));
    let shown = workshop.json(&["show", "--session", "s1"]);
    let turns = shown["turns"].as_array().unwrap();
    assert_eq!(turns[2]["messages"].as_array().unwrap().len(), 0);
    assert_eq!(turns[3]["messages"][0]["event_id"], 7);
}

#[test]
fn what_does_not_exist_or_is_not_named_is_refused() {
    let workshop = filled();
    workshop.run(&["delete", "--session", "s9"]).code(3);
    workshop.run(&["delete"]).code(2);
    workshop
        .run(&["delete", "--session", "s1", "--user", "u"])
        .code(2);
    workshop.run(&["delete", "--events", "s1"]).code(2);
}
