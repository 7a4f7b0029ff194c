//! What holds for any text: no panic, the same facts again, changes that fit the ledger, linear time.

use std::time::{Duration, Instant};

use aura_core::{Message, TurnIndex};
use aura_memory::Ledger;
use proptest::prelude::*;

use crate::talk::Talk;

/// Sentences made of the words the grammar looks for, in any order.
fn babble() -> impl Strategy<Value = String> {
    let words = vec![
        "I", "my", "we", "the", "don't", "live", "moved", "in", "to", "from", "Oslo", "Berlin",
        "not", "instead", "of", "budget", "is", "12", "$500", "Friday", "and", ",", ".", "?", ":",
        "any", "more", "no", "longer", "cats", "two", "Miso", "Ana", "takes", "over", "drop",
        "list", "if", "that", "says", "\"", "sold", "car", "a", "now", "it", "make", "quit",
        "nurse", "as", "work", "at", "ich", "wohne", "je", "ne", "plus", "vivo", "我", "住在",
        "北京", "—", "->", "'s", "'m", "\n", "a", "(", "used", "rather", "than",
    ];
    prop::collection::vec(prop::sample::select(words), 0..40).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// [`Talk::record`] checks each turn: the same changes a second time, and each names a current fact.
    #[test]
    fn any_text_gives_changes_that_fit(texts in prop::collection::vec(any::<String>(), 1..6)) {
        let mut talk = Talk::default();
        for text in texts {
            talk.record(vec![Message::user(text).with_name("Zoë/1")]);
        }
    }

    #[test]
    fn babble_gives_changes_that_fit(texts in prop::collection::vec(babble(), 1..12)) {
        let mut talk = Talk::default();
        for text in texts {
            talk.say(&text);
        }
        let replayed = Ledger::replay(&talk.log, |_| true).unwrap();
        prop_assert!(replayed.facts().eq(talk.ledger.facts()));
        for fact in talk.ledger.facts() {
            prop_assert!(!fact.text.trim().is_empty() && fact.text.len() < 600);
            prop_assert!(fact.valid_to.is_none_or(|to| to >= fact.valid_from));
            prop_assert_eq!(fact.is_current(), fact.invalidated_by.is_none());
        }
    }

    /// A branch that never saw a turn has the facts it would have had without it.
    #[test]
    fn a_branch_is_what_its_own_turns_say(first in babble(), left in babble()) {
        let mut with = Talk::default();
        with.say(&first);
        with.say(&left);
        let mut without = Talk::default();
        without.say(&first);
        let branch = Ledger::replay(&with.log, |turn| turn == TurnIndex(0)).unwrap();
        prop_assert_eq!(branch.current(), without.ledger.current());
    }
}

#[test]
fn a_megabyte_is_read_at_its_ends_and_soon() {
    for piece in [
        "I live in Oslo, ",
        "word ",
        "my budget is 5, not ",
        "我住在",
        "\"",
        "a-",
        "'",
        "1.",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let begun = Instant::now();
        Talk::default().say(&text);
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{piece:?} took {:?}",
            begun.elapsed()
        );
    }
    let mut talk = Talk::default();
    let filler = "Nothing to see here. ".repeat(50_000);
    talk.say(&format!("I live in Oslo. {filler} I have a dog, Rex."));
    assert_eq!(talk.current(), ["lives in Oslo", "has a dog, Rex"]);
}
