//! `aura show`.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::json;

use crate::workshop::{Workshop, chat, line, lines};

#[test]
fn sessions_are_listed() {
    let workshop = Workshop::new();
    workshop.import("");
    workshop
        .run(&["show"])
        .success()
        .stdout(contains("No session yet."));
    assert_eq!(workshop.json(&["show"]), json!([]));
    workshop.import(&lines(&[chat("first", 2), chat("second", 3)].concat()));
    workshop
        .run(&["show"])
        .success()
        .stdout(contains("first").and(contains("second")));
    let listed = workshop.json(&["show"]);
    assert_eq!(
        (&listed[0]["turns"], &listed[1]["last_event"]),
        (&json!(2), &json!(6))
    );
    assert_eq!(workshop.json(&["show", "--tenant", "other"]), json!([]));
}

#[test]
fn ranges_are_exact() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 600)));
    let events = |range: &str| {
        let shown = workshop.json(&["show", "--session", "s", "--events", range]);
        let ids = shown
            .as_array()
            .unwrap()
            .iter()
            .map(|stored| stored["event_id"].as_u64().unwrap());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(events("5-7"), [5, 6, 7]);
    assert_eq!(events("0-2"), [1, 2]);
    assert_eq!(events("1-1200").len(), 1200);
    assert_eq!(events("1199-99999"), [1199, 1200]);
    assert!(events("5000").is_empty());
    let turns = |range: &str| {
        let shown = workshop.json(&["show", "--session", "s", "--turns", range]);
        let turns = shown["turns"].as_array().unwrap().iter();
        turns
            .map(|record| record["turn"]["index"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(turns("0"), [0]);
    assert_eq!(turns("250-260"), (250..=260).collect::<Vec<_>>());
    assert_eq!(turns("0-9999999999").len(), 600);
    workshop
        .run(&["show", "--session", "s", "--turns", "2"])
        .success()
        .stdout(
            contains("Turn 2")
                .and(contains("item 2"))
                .and(contains("item 3").not()),
        );
}

#[test]
fn facts_have_a_past() {
    let workshop = Workshop::new();
    let mut talk = [
        line("s", "1", "user", "I live in Oslo."),
        line("s", "2", "user", "I just moved to Berlin."),
    ];
    talk[0]["timestamp"] = json!("2024-01-01");
    talk[1]["timestamp"] = json!("2024-06-01");
    workshop.import(&lines(&talk));
    let show = ["show", "--session", "s", "--facts"];
    workshop
        .run(&show)
        .success()
        .stdout(contains("Oslo").and(contains("Berlin")));
    let all = workshop.json(&show).to_string();
    assert!(all.contains("Oslo") && all.contains("Berlin"));
    let then = workshop
        .json(&[&show[..], &["--at", "2024-03-01"]].concat())
        .to_string();
    assert!(then.contains("Oslo") && !then.contains("Berlin"), "{then}");
    let now = workshop
        .json(&[&show[..], &["--at", "2025-01-01"]].concat())
        .to_string();
    assert!(!now.contains("Oslo") && now.contains("Berlin"), "{now}");
    workshop
        .run(&[&show[..], &["--at", "yesterday"]].concat())
        .code(2);
}

#[test]
fn what_is_not_there_or_not_yours() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 1)));
    workshop
        .run(&["show", "--session", "t"])
        .code(3)
        .stderr(contains("session_id"));
    let other = ["show", "--session", "s", "--tenant", "other"];
    workshop.run(&other).code(4).stderr(contains("session_id"));
    workshop.run(&[&other[..], &["--facts"]].concat()).code(4);
}
