use aura_core::{ErrorKind, EventId, Fact, FactEntry, FactId, FactOp, Timestamp, Trust, TurnIndex};
use proptest::prelude::*;

use super::Ledger;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis_clamped(millis)
}

fn id(text: &str) -> FactId {
    FactId::new(text).unwrap()
}

fn add(turn: u32, name: &str, text: &str, time: i64) -> FactEntry {
    FactEntry {
        turn: TurnIndex(turn),
        change: FactOp::Add {
            fact: Fact {
                fact_id: id(name),
                text: text.to_owned(),
                subject: "user/home".to_owned(),
                sources: vec![EventId(u64::from(turn) + 1)],
                trust: Trust::Verified,
                valid_from: at(time),
                valid_to: None,
                recorded_at: at(time + 5),
                invalidated_at: None,
                invalidated_by: None,
                replaced_by: None,
            },
        },
    }
}

fn end(turn: u32, name: &str, by: Option<&str>, time: i64) -> FactEntry {
    FactEntry {
        turn: TurnIndex(turn),
        change: FactOp::Invalidate {
            fact_id: id(name),
            event: EventId(u64::from(turn) + 1),
            replaced_by: by.map(id),
            valid_to: at(time),
            at: at(time + 5),
        },
    }
}

fn revise(turn: u32, name: &str, text: &str, time: i64) -> FactEntry {
    FactEntry {
        turn: TurnIndex(turn),
        change: FactOp::Revise {
            fact_id: id(name),
            event: EventId(u64::from(turn) + 1),
            text: text.to_owned(),
            at: at(time),
        },
    }
}

fn texts(facts: &[Fact]) -> Vec<&str> {
    facts.iter().map(|fact| fact.text.as_str()).collect()
}

#[test]
fn a_replaced_fact_stays_in_history() {
    let log = [
        add(0, "oslo", "lives in Oslo", 10),
        add(1, "berlin", "lives in Berlin", 20),
        end(1, "oslo", Some("berlin"), 20),
    ];
    let ledger = Ledger::replay(&log, |_| true).unwrap();
    assert_eq!(texts(ledger.current()), ["lives in Berlin"]);
    assert_eq!(ledger.facts().count(), 2);
    let old = ledger.get(&id("oslo")).unwrap();
    assert_eq!(
        (old.valid_to, old.replaced_by.clone()),
        (Some(at(20)), Some(id("berlin")))
    );
    let replaced: Vec<_> = ledger.replaced_by(&id("berlin")).collect();
    assert_eq!(replaced, [old]);
}

#[test]
fn the_link_is_found_whichever_comes_first() {
    let log = [
        add(0, "oslo", "lives in Oslo", 10),
        end(1, "oslo", Some("berlin"), 20),
        add(1, "berlin", "lives in Berlin", 20),
    ];
    let ledger = Ledger::replay(&log, |_| true).unwrap();
    assert_eq!(ledger.replaced_by(&id("berlin")).count(), 1);
}

#[test]
fn both_axes_show_what_was_true_and_what_was_known() {
    let log = [
        add(0, "oslo", "lives in Oslo", 10),
        revise(1, "oslo", "lives in Oslo, Grünerløkka", 15),
        add(2, "berlin", "lives in Berlin", 20),
        end(2, "oslo", Some("berlin"), 20),
    ];
    let ledger = Ledger::replay(&log, |_| true).unwrap();
    assert_eq!(texts(&ledger.as_of(at(12), at(14))), [""; 0]);
    assert_eq!(
        texts(&ledger.as_of(at(12), at(15))),
        ["lives in Oslo, Grünerløkka"]
    );
    let then = Ledger::replay(&[add(0, "a", "x", 0), revise(1, "a", "y", 50)], |_| true).unwrap();
    assert_eq!(texts(&then.as_of(at(60), at(40))), ["x"]);
    assert_eq!(then.as_of(at(60), at(40))[0].sources, [EventId(1)]);
    assert_eq!(
        then.as_of(at(60), at(60))[0].sources,
        [EventId(1), EventId(2)]
    );
    // At 22 the move had happened, but it was learnt at 25.
    let before = ledger.as_of(at(22), at(22));
    assert_eq!(texts(&before), ["lives in Oslo, Grünerløkka"]);
    assert!(before[0].is_current() && before[0].replaced_by.is_none());
    assert_eq!(texts(&ledger.as_of(at(22), at(30))), ["lives in Berlin"]);
    assert_eq!(
        texts(&ledger.as_of(at(15), at(30))),
        ["lives in Oslo, Grünerløkka"]
    );
}

#[test]
fn a_branch_sees_only_its_own_changes() {
    let log = [
        add(0, "oslo", "lives in Oslo", 10),
        add(1, "berlin", "lives in Berlin", 20),
        end(1, "oslo", Some("berlin"), 20),
        add(2, "cat", "has a cat", 30),
    ];
    let other = Ledger::replay(&log, |turn| turn != TurnIndex(1)).unwrap();
    assert_eq!(texts(other.current()), ["lives in Oslo", "has a cat"]);
}

#[test]
fn changes_of_unknown_facts_are_corrupt() {
    let mut ledger = Ledger::new();
    for entry in [end(0, "x", None, 1), revise(0, "x", "y", 1)] {
        let error = ledger.apply(&entry).unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Corrupt, Some("fact_id"))
        );
    }
    ledger.apply(&add(0, "x", "a", 1)).unwrap();
    assert_eq!(
        ledger.apply(&add(1, "x", "b", 2)).unwrap_err().kind(),
        ErrorKind::Corrupt
    );
    assert_eq!(texts(ledger.current()), ["a"]);
}

#[test]
fn the_changes_of_a_turn_apply_all_or_none() {
    let mut ledger = Ledger::new();
    let good = [
        add(0, "x", "a", 1),
        end(0, "x", None, 2),
        add(0, "y", "b", 2),
    ];
    ledger.apply_all(&good).unwrap();
    assert_eq!(texts(ledger.current()), ["b"]);
    for bad in [
        end(1, "z", None, 3),
        add(1, "y", "c", 3),
        add(1, "w", "c", 3),
    ] {
        let entries = [add(1, "w", "c", 3), bad];
        assert_eq!(
            ledger.apply_all(&entries).unwrap_err().kind(),
            ErrorKind::Corrupt
        );
        assert_eq!((ledger.len(), texts(ledger.current())), (2, vec!["b"]));
    }
}

#[test]
fn the_first_end_of_a_fact_stands() {
    let log = [
        add(0, "x", "a", 1),
        end(1, "x", None, 5),
        end(2, "x", None, 9),
    ];
    let ledger = Ledger::replay(&log, |_| true).unwrap();
    assert_eq!(ledger.get(&id("x")).unwrap().valid_to, Some(at(5)));
}

proptest! {
    /// Whatever the order of changes, applying one by one, replaying the whole and the definition of current agree.
    #[test]
    fn current_is_what_has_not_ended(steps in prop::collection::vec((0u8..3, 0u8..12), 0..60)) {
        let mut ledger = Ledger::new();
        let mut log = Vec::new();
        for (turn, (kind, name)) in (0u32..).zip(steps) {
            let name = format!("f{name}");
            let time = i64::from(turn) * 10;
            let entry = match kind {
                0 => add(turn, &name, &name, time),
                1 => end(turn, &name, Some(&format!("f{}", turn % 12)), time),
                _ => revise(turn, &name, &format!("{name}, revised"), time),
            };
            let before = ledger.facts().cloned().collect::<Vec<_>>();
            if ledger.apply(&entry).is_ok() {
                log.push(entry);
            } else {
                prop_assert_eq!(before, ledger.facts().cloned().collect::<Vec<_>>());
            }
        }
        let replayed = Ledger::replay(&log, |_| true).unwrap();
        prop_assert!(replayed.facts().eq(ledger.facts()));
        prop_assert_eq!(replayed.current(), ledger.current());
        let open: Vec<Fact> = ledger.facts().filter(|fact| fact.is_current()).cloned().collect();
        prop_assert_eq!(ledger.current(), open.as_slice());
        prop_assert_eq!(ledger.as_of(Timestamp::MAX, Timestamp::MAX), open);
        for fact in ledger.facts() {
            for old in ledger.replaced_by(&fact.fact_id) {
                prop_assert_eq!(old.replaced_by.as_ref(), Some(&fact.fact_id));
            }
        }
    }
}
