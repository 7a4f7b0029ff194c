//! Files that have changed between two imports.

use predicates::str::contains;
use serde_json::{Value, json};

use crate::workshop::{Workshop, chat, line, lines};

#[test]
fn a_grown_file_adds_what_is_new() {
    let workshop = Workshop::new();
    let all = chat("s", 4);
    workshop.import(&lines(&all[..4]));
    let (report, _) = workshop.import(&lines(&all));
    assert_eq!(
        (&report["messages_recorded"], &report["continuations"]),
        (&json!(4), &json!(0))
    );
    assert_eq!(workshop.turns("s").len(), 4);
}

#[test]
fn what_comes_after_a_closed_turn_becomes_a_turn_behind_it() {
    let workshop = Workshop::new();
    let mut all = chat("s", 2);
    all.extend(["b1", "b2", "b3"].map(|id| line("s", id, "assistant", &format!("More: {id}"))));
    // The last turn grows, and grows, and the file is imported again at the end.
    for (end, recorded, turns) in [
        (3, 3, &[&["q0", "a0"][..], &["q1"]][..]),
        (5, 2, &[&["q0", "a0"], &["q1"], &["a1", "b1"]]),
        (
            7,
            2,
            &[&["q0", "a0"], &["q1"], &["a1", "b1"], &["b2", "b3"]],
        ),
        (
            7,
            0,
            &[&["q0", "a0"], &["q1"], &["a1", "b1"], &["b2", "b3"]],
        ),
    ] {
        let (report, code) = workshop.import(&lines(&all[..end]));
        assert_eq!((code, &report["messages_recorded"]), (0, &json!(recorded)));
        assert_eq!(workshop.turns("s"), turns);
    }
    // A shorter file than the one before says nothing new either.
    let (report, _) = workshop.import(&lines(&all[..4]));
    assert_eq!(report["messages_recorded"], 0);
    assert_eq!(report["messages_known"], 4);
}

#[test]
fn changed_messages_are_refused_and_new_ones_beside_them_kept() {
    let workshop = Workshop::new();
    workshop.import(&lines(&[
        line("s", "1", "user", "a"),
        line("s", "2", "assistant", "b"),
    ]));
    let (report, code) = workshop.import(&lines(&[
        line("s", "1", "user", "a"),
        line("s", "2", "assistant", "changed"),
        line("s", "3", "assistant", "c"),
    ]));
    assert_eq!(code, 1);
    assert_eq!(report["refusals"][0]["line"], 2);
    assert_eq!(report["refusals"][0]["field"], "message_id");
    assert_eq!(
        report["refusals"][0]["reason"],
        "is stored with other content"
    );
    assert_eq!(workshop.turns("s"), [&["1", "2"][..], &["3"]]);
    let shown = workshop.json(&["show", "--session", "s", "--events", "2"]);
    assert_eq!(shown[0]["message"]["parts"][0]["text"], "b");
}

#[test]
fn a_changed_first_message_is_refused_too() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s", 300)));
    let mut changed = chat("s", 300);
    changed[598]["text"] = json!("changed");
    let (report, code) = workshop.import(&lines(&changed));
    assert_eq!((code, &report["refused"]), (1, &json!(1)));
    assert_eq!(report["refusals"][0]["line"], 599);
    assert_eq!(workshop.turns("s").len(), 300);
}

#[test]
fn the_end_of_a_file_alone_doubles_nothing() {
    let workshop = Workshop::new();
    let all = chat("s", 6);
    workshop.import(&lines(&all[..8]));
    // From the middle of turn 1, whose beginning is not in this file.
    let (report, code) = workshop.import(&lines(&all[3..]));
    assert_eq!((code, &report["messages_recorded"]), (0, &json!(4)));
    assert_eq!(report["messages_known"], 5);
    let expected: Vec<Vec<String>> = (0..6)
        .map(|n| vec![format!("q{n}"), format!("a{n}")])
        .collect();
    assert_eq!(workshop.turns("s"), expected);
}

#[test]
fn a_turn_recorded_under_the_same_id_is_left_alone() {
    let workshop = Workshop::new();
    let with = |id: &str, role: &str, text: &str| -> Value {
        let mut value = line("s", id, role, text);
        value["turn_id"] = json!("t");
        value
    };
    workshop.import(&lines(&[with("1", "user", "a")]));
    workshop.import(&lines(&[with("9", "user", "quite another")]));
    assert_eq!(workshop.turns("s"), [["1"], ["9"]]);
    workshop
        .run(&["show", "--session", "s"])
        .success()
        .stdout(contains("· m:9"));
}
