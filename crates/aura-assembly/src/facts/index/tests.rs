use aura_core::{Timestamp, Trust};

use super::*;

fn fact(id: &str, text: &str, sources: &[u64]) -> Fact {
    let time = Timestamp::from_millis_clamped(0);
    Fact {
        fact_id: id.parse().unwrap(),
        text: text.into(),
        subject: id.into(),
        sources: sources.iter().copied().map(EventId).collect(),
        trust: Trust::Verified,
        valid_from: time,
        valid_to: None,
        recorded_at: time,
        invalidated_at: None,
        invalidated_by: None,
        replaced_by: None,
    }
}

fn found(index: &FactIndex, question: &str) -> Vec<usize> {
    let found = index.find(question, 8, |_| true);
    found.iter().map(|found| found.at).collect()
}

fn taken(index: &FactIndex, event: u64) -> Vec<usize> {
    index.taken_from(EventId(event)).collect()
}

#[test]
fn what_was_added_and_revised_is_found_by_its_own_words_only() {
    let mut facts = vec![
        fact("a", "lives in Oslo", &[1]),
        fact("b", "has cats", &[1, 2]),
    ];
    let mut index = FactIndex::new(Analyzer::english());
    index.sync(&facts);
    assert_eq!(found(&index, "cats?"), [1]);
    assert_eq!(taken(&index, 1), [0, 1]);

    facts[1] = fact("b", "has two dogs", &[2, 3]);
    facts.push(fact("c", "has a cat", &[4]));
    assert!(!index.is_in_step(&facts));
    index.sync(&facts);
    assert!(index.is_in_step(&facts));
    assert_eq!(found(&index, "cats?"), [2]);
    assert_eq!(found(&index, "dogs?"), [1]);
    assert_eq!((taken(&index, 1), taken(&index, 3)), (vec![0], vec![1]));
    assert_eq!(index.place(&"c".parse().unwrap()), Some(2));
}

#[test]
fn other_facts_make_another_index() {
    let mut index = FactIndex::new(Analyzer::english());
    index.sync(&[
        fact("a", "lives in Oslo", &[1]),
        fact("b", "has cats", &[2]),
    ]);
    let fewer = [fact("b", "has cats", &[2])];
    index.sync(&fewer);
    assert!(index.is_in_step(&fewer));
    assert_eq!(found(&index, "Oslo cats"), [0]);
    assert!(taken(&index, 1).is_empty());
}

#[test]
fn a_revised_index_scores_like_a_new_one() {
    let mut facts = vec![
        fact("a", "lives in Oslo with a cat", &[1]),
        fact("b", "has cats", &[1, 2]),
        fact("c", "likes the cat of the neighbour", &[3]),
    ];
    let mut index = FactIndex::new(Analyzer::english());
    index.sync(&facts);
    facts[1] = fact("b", "has two dogs and a cat", &[2, 3]);
    facts[2] = fact("c", "likes the cat of the neighbour", &[3, 4]);
    index.sync(&facts);
    let mut fresh = FactIndex::new(Analyzer::english());
    fresh.sync(&facts);
    for question in ["cats?", "dogs in Oslo", "neighbour"] {
        let all = |index: &FactIndex| index.find(question, 8, |_| true);
        assert_eq!(all(&index), all(&fresh), "{question}");
    }
    assert_eq!(taken(&index, 4), [2]);
}
