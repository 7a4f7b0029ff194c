//! `aura fsck`, `aura backup`, `aura restore` and `aura facts`.

use crate::workshop::{Workshop, bare, chat, line, lines};

#[test]
fn a_store_is_checked_copied_and_made_again() {
    let workshop = Workshop::new();
    workshop.import(&lines(&chat("s1", 6)));
    let found = workshop.json(&["fsck"]);
    assert_eq!(
        (
            &found["messages"],
            found["problems"].as_array().unwrap().len()
        ),
        (&12.into(), 0)
    );
    let copy = workshop.path("copy.db");
    let told = workshop.json(&["backup", copy.to_str().unwrap()]);
    assert!(told["bytes"].as_u64().unwrap() > 4_096);
    workshop.run(&["backup", copy.to_str().unwrap()]).code(2);
    workshop.run(&["delete", "--session", "s1"]).success();
    let again = workshop.path("again.db");
    let run = |db: &std::path::Path, arguments: &[&str]| {
        let mut command = bare();
        command.arg("--db").arg(db).args(arguments);
        assert_cmd::Command::from_std(command).assert()
    };
    run(&again, &["restore", copy.to_str().unwrap()]).success();
    run(&again, &["show", "--session", "s1"]).success();
    run(
        &again,
        &["restore", workshop.path("none.db").to_str().unwrap()],
    )
    .code(3);
}

#[test]
fn a_flipped_byte_makes_the_exit_code_one() {
    let workshop = Workshop::new();
    let large = "the large part of a message, ".repeat(1_000);
    workshop.import(&lines(&[line("s1", "q0", "user", &large)]));
    let path = workshop.path("store.db");
    let mut file = std::fs::read(&path).unwrap();
    let text = b"large part of a message";
    let at = file.windows(text.len()).position(|window| window == text);
    file[at.unwrap() + 2] ^= 1;
    std::fs::write(&path, file).unwrap();
    let told = workshop.run(&["fsck"]).code(1);
    told.stdout(predicates::str::contains("part:"));
}

#[test]
fn facts_are_told_as_of_a_time() {
    let workshop = Workshop::new();
    let said = [
        ("q0", "2025-01-01T10:00:00Z", "I live in Oslo."),
        ("q1", "2025-03-01T10:00:00Z", "I just moved to Berlin."),
    ];
    let said = said.map(|(id, time, text)| {
        let mut line = line("s1", id, "user", text);
        line["timestamp"] = time.into();
        line
    });
    workshop.import(&lines(&said));
    let at = |time: &str| {
        let facts = workshop.json(&["facts", "s1", "--at", time]);
        facts.to_string()
    };
    assert!(at("2025-02-01").contains("Oslo") && !at("2025-02-01").contains("Berlin"));
    assert!(at("2025-04-01").contains("Berlin") && !at("2025-04-01").contains("Oslo"));
    workshop.run(&["facts", "none"]).code(3);
}
