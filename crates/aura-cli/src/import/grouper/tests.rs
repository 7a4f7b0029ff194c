//! Turns of messages, in order and always the same.

use proptest::prelude::*;

use super::*;

/// `session role [turn]`, one message each; ids and lines are numbered.
fn entries(lines: &[(&str, &str, Option<&str>)]) -> Vec<Entry> {
    let numbered = lines.iter().zip(1..);
    numbered
        .map(|((session, role, turn), line)| {
            let value = serde_json::json!({
                "session_id": session, "message_id": format!("m{line}"), "role": role, "turn_id": turn,
                "text": format!("text {line}"), "tool_call_id": (*role == "tool").then_some("c"),
                "tool_calls": (*role == "assistant").then(|| serde_json::json!([{"id": "c", "name": "f"}])),
            });
            Entry::parse(line, value.to_string().as_bytes()).unwrap().unwrap()
        })
        .collect()
}

fn group(entries: Vec<Entry>, limits: Limits) -> Vec<Group> {
    let mut grouper = Grouper::new(limits);
    let mut groups = Vec::new();
    for entry in entries {
        grouper.push(entry, |group| groups.push(group));
    }
    grouper.finish(|group| groups.push(group));
    groups
}

fn shape(groups: &[Group]) -> Vec<(String, Vec<u64>)> {
    let lines = |group: &Group| group.items.iter().map(|item| item.line).collect();
    groups
        .iter()
        .map(|group| (group.turn_id.to_string(), lines(group)))
        .collect()
}

fn grouped(lines: &[(&str, &str, Option<&str>)]) -> Vec<(String, Vec<u64>)> {
    shape(&group(entries(lines), Limits::default()))
}

fn turns(expected: &[(&str, &[u64])]) -> Vec<(String, Vec<u64>)> {
    let turn = |(id, lines): &(&str, &[u64])| ((*id).to_owned(), lines.to_vec());
    expected.iter().map(turn).collect()
}

#[test]
fn a_turn_begins_at_each_user_message() {
    let found = grouped(&[
        ("s", "assistant", None),
        ("s", "user", None),
        ("s", "assistant", None),
        ("s", "tool", None),
        ("s", "user", None),
        ("s", "user", None),
    ]);
    assert_eq!(
        found,
        turns(&[
            ("m:m1", &[1]),
            ("m:m2", &[2, 3, 4]),
            ("m:m5", &[5]),
            ("m:m6", &[6])
        ])
    );
}

#[test]
fn given_turn_ids_rule() {
    let found = grouped(&[
        ("s", "user", Some("a")),
        ("s", "user", Some("a")),
        ("s", "assistant", None),
        ("s", "assistant", Some("b")),
        ("s", "user", Some("b")),
    ]);
    assert_eq!(
        found,
        turns(&[("a", &[1, 2]), ("m:m3", &[3]), ("b", &[4, 5])])
    );
}

#[test]
fn sessions_may_be_mixed() {
    let found = grouped(&[
        ("s", "user", None),
        ("t", "user", None),
        ("s", "assistant", None),
        ("t", "assistant", None),
        ("s", "user", None),
    ]);
    assert_eq!(
        found,
        turns(&[("m:m1", &[1, 3]), ("m:m2", &[2, 4]), ("m:m5", &[5])])
    );
}

#[test]
fn results_learn_the_tool_of_their_call() {
    let groups = group(
        entries(&[
            ("s", "user", None),
            ("s", "assistant", None),
            ("s", "tool", None),
        ]),
        Limits::default(),
    );
    let Part::ToolResult(result) = &groups[0].items[2].message.parts[0] else {
        panic!("a tool result");
    };
    assert_eq!(result.tool.as_deref(), Some("f"));
}

#[test]
fn a_turn_too_long_goes_on_under_another_id() {
    let limits = Limits {
        turn_messages: 2,
        ..Limits::default()
    };
    let lines = [("s", "user", Some("a")); 5];
    let found = shape(&group(entries(&lines), limits));
    assert_eq!(
        found,
        turns(&[("a", &[1, 2]), ("m:m3", &[3, 4]), ("m:m5", &[5])])
    );
}

#[test]
fn the_idlest_session_makes_room() {
    let limits = Limits {
        pending_bytes: 1000,
        ..Limits::default()
    };
    let mut grouper = Grouper::new(limits);
    let mut ended = Vec::new();
    let lines: Vec<String> = (0..50).map(|n| format!("s{}", n % 25)).collect();
    let lines: Vec<_> = lines
        .iter()
        .map(|session| (session.as_str(), "assistant", None))
        .collect();
    for entry in entries(&lines) {
        grouper.push(entry, |group| ended.push(group));
        assert!(grouper.bytes <= 1000);
        assert_eq!(grouper.by_line.len(), grouper.pending.len());
    }
    assert_eq!(ended[0].session_id.as_str(), "s0");
    grouper.finish(|group| ended.push(group));
    assert_eq!(
        ended.iter().map(|group| group.items.len()).sum::<usize>(),
        50
    );
}

#[test]
fn long_message_ids_still_give_turn_ids() {
    let long = "x".repeat(MAX_ID_BYTES);
    assert_eq!(derived_turn_id(&long), derived_turn_id(&long));
    assert_ne!(
        derived_turn_id(&long),
        derived_turn_id(&"y".repeat(MAX_ID_BYTES))
    );
    let just = "x".repeat(MAX_ID_BYTES - 2);
    assert_eq!(derived_turn_id(&just).as_str(), format!("m:{just}"));
}

prop_compose! {
    fn some_lines()(lines in proptest::collection::vec(
        (
            prop_oneof![Just("s"), Just("t"), Just("u")],
            prop_oneof![Just("user"), Just("assistant"), Just("tool"), Just("system")],
            prop_oneof![3 => Just(None), 1 => Just(Some("a")), 1 => Just(Some("b"))],
        ),
        0..40,
    )) -> Vec<(&'static str, &'static str, Option<&'static str>)> {
        lines
    }
}

fn some_limits() -> impl Strategy<Value = Limits> {
    prop_oneof![
        Just(Limits::default()),
        (1_usize..5, 300_usize..2000, 300_usize..3000).prop_map(
            |(turn_messages, turn_bytes, pending_bytes)| Limits {
                turn_messages,
                turn_bytes,
                pending_bytes
            }
        ),
    ]
}

/// The lines of one session, in the order of its turns.
fn lines_of(groups: &[Group], session: &str) -> Vec<u64> {
    let of_session = groups
        .iter()
        .filter(|group| group.session_id.as_str() == session);
    of_session
        .flat_map(|group| group.items.iter().map(|item| item.line))
        .collect()
}

proptest! {
    #[test]
    fn nothing_is_lost_doubled_or_moved(lines in some_lines(), limits in some_limits()) {
        let groups = group(entries(&lines), limits);
        for session in ["s", "t", "u"] {
            let numbered = lines.iter().zip(1_u64..);
            let expected: Vec<u64> = numbered.filter(|(line, _)| line.0 == session).map(|(_, n)| n).collect();
            prop_assert_eq!(lines_of(&groups, session), expected);
        }
        for group in &groups {
            prop_assert!(!group.items.is_empty());
            prop_assert!(group.items.len() <= limits.turn_messages);
        }
    }

    #[test]
    fn without_turn_ids_a_user_message_stands_first_only(lines in some_lines()) {
        let lines: Vec<_> = lines.into_iter().map(|(session, role, _)| (session, role, None)).collect();
        for group in group(entries(&lines), Limits::default()) {
            for item in group.items.iter().skip(1) {
                prop_assert_ne!(item.message.role, Role::User);
            }
        }
    }

    /// A file that has grown gives the same turns again, and only the newest turn of a session may have grown with it.
    #[test]
    fn a_longer_file_begins_with_the_same_turns(lines in some_lines(), cut in 0_usize..40, limits in some_limits()) {
        let cut = cut.min(lines.len());
        let (short, long) = (group(entries(&lines[..cut]), limits), group(entries(&lines), limits));
        for session in ["s", "t", "u"] {
            let of = |groups: &[Group]| -> Vec<(String, Vec<u64>)> {
                let groups: Vec<Group> =
                    groups.iter().filter(|group| group.session_id.as_str() == session).cloned().collect();
                shape(&groups)
            };
            let (short, long) = (of(&short), of(&long));
            let Some((last, before)) = short.split_last() else { continue };
            prop_assert_eq!(before, &long[..before.len()]);
            prop_assert_eq!(&last.0, &long[before.len()].0);
            prop_assert!(long[before.len()].1.starts_with(&last.1));
        }
    }
}
