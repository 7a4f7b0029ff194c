//! Ranking by neighbours.

use aura_core::{
    AnalyzedMessage, EventId, EventRange, LexicalHit, LexicalIndex, LexicalQuery, Timestamp,
};
use proptest::prelude::*;

use super::corpus::{everything, index, message, query, request, session};
use crate::SessionIndex;

const GAP: i64 = 6 * 60 * 60 * 1_000;

fn ranked(index: &SessionIndex, query: &LexicalQuery, limit: usize) -> Vec<LexicalHit> {
    let whole = everything();
    let mut request = request(query, &whole, limit);
    request.neighbours = Some(GAP);
    index.search(&request).hits
}

fn at(event: u64, time: i64, text: &str) -> AnalyzedMessage {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    AnalyzedMessage {
        time: Timestamp::from_millis(time).ok(),
        ..message(event, &words)
    }
}

fn chat(messages: &[(i64, &str)]) -> SessionIndex {
    let mut index = SessionIndex::default();
    for (event, &(time, text)) in (1..).zip(messages) {
        index.append(&at(event, time, text)).unwrap();
    }
    index
}

#[test]
fn an_answer_is_found_by_the_words_of_its_question() {
    let filler: Vec<(i64, &str)> = (0..20).map(|n| (n, "some other small talk")).collect();
    let mut messages = filler.clone();
    messages.extend([(30, "how long married"), (31, "seven years now")]);
    messages.extend(filler.iter().map(|&(time, text)| (time + 40, text)));
    let hits = ranked(&chat(&messages), &query(&["married", "long"]), 3);
    assert_eq!(
        (hits[0].event_id, hits[1].event_id),
        (EventId(21), EventId(22))
    );
    assert!(hits[1].bm25 == 0.0 && hits[1].relevance > 0.0);
    assert!(hits[0].relevance > hits[1].relevance);
}

#[test]
fn words_do_not_cross_a_sitting() {
    let near = chat(&[(0, "x y"), (1, "piano"), (2, "lovely"), (3, "z")]);
    let apart = chat(&[
        (0, "x y"),
        (1, "piano"),
        (2 + 2 * GAP, "lovely"),
        (3 + 2 * GAP, "z"),
    ]);
    let share = |index: &SessionIndex| {
        let hits = ranked(index, &query(&["piano"]), 9);
        let hit = hits.iter().find(|hit| hit.event_id == EventId(3));
        hit.map(|hit| hit.relevance)
    };
    assert!(share(&near).is_some_and(|relevance| relevance > 0.0));
    assert_eq!(share(&apart), None);
}

#[test]
fn unrelated_questions_recall_nothing() {
    let index = index(&session(3, 500, 50, 9));
    assert!(ranked(&index, &query(&["volcano"]), 20).is_empty());
}

#[test]
fn cost_counts_against_long_messages() {
    let mut index = SessionIndex::default();
    for (event, tokens) in [(1, 60), (11, 6_000), (21, 60)] {
        for filler in 0..9 {
            let mut message = at(
                event + filler,
                0,
                if filler == 4 { "piano lesson" } else { "talk" },
            );
            message.tokens = tokens;
            index.append(&message).unwrap();
        }
    }
    let hits = ranked(&index, &query(&["piano"]), 3);
    let best: Vec<u64> = hits.iter().map(|hit| hit.event_id.0).collect();
    assert_eq!(best[..2], [25, 5]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn order_and_numbers_hold(seed in any::<u64>(), count in 1u64..1_500, limit in 1usize..80) {
        let index = index(&session(seed, count, 90, 9));
        let query = query(&["w3", "w20", "w77"]);
        let whole = everything();
        let plain = index.search(&request(&query, &whole, limit));
        let hits = ranked(&index, &query, limit);
        prop_assert!(hits.len() >= plain.hits.len().min(crate::ranking::neighbours::pool_size(limit)));
        prop_assert!(hits.len() <= limit);
        let mut seen: Vec<EventId> = hits.iter().map(|hit| hit.event_id).collect();
        seen.sort_unstable();
        seen.dedup();
        prop_assert_eq!(seen.len(), hits.len());
        for pair in hits.windows(2) {
            prop_assert!(pair[0].rank_score > pair[1].rank_score
                || (pair[0].rank_score == pair[1].rank_score && pair[0].event_id > pair[1].event_id));
        }
        let best = plain.hits.iter().map(|hit| hit.relevance).fold(0.0, f32::max);
        for hit in &hits {
            prop_assert!(hit.relevance > 0.0 && hit.relevance <= best * 1.0001);
            prop_assert!((hit.signals.sum() - hit.rank_score).abs() < 1e-4);
            // What is said of the message alone is what the search says.
            if let Some(same) = plain.hits.iter().find(|other| other.event_id == hit.event_id) {
                prop_assert_eq!(same.bm25, hit.bm25);
            }
            prop_assert!(plain.hits.iter().any(|other| other.event_id.0.abs_diff(hit.event_id.0) <= 4));
        }
    }

    #[test]
    fn a_branch_has_its_own_neighbours(seed in any::<u64>(), fork in 2u64..60) {
        // Messages of another branch stand between: they are skipped, as if they had never been written.
        let messages = session(seed, 120, 30, 6);
        let mut alone = SessionIndex::default();
        let mut both = SessionIndex::default();
        for (event, words) in (1..).zip(&messages) {
            both.append(&message(event, words)).unwrap();
            if event <= fork || event > fork + 7 {
                alone.append(&message(event, words)).unwrap();
            }
        }
        let visible = [
            EventRange::new(EventId(1), EventId(fork)),
            EventRange::new(EventId(fork + 8), EventId(120)),
        ];
        let query = query(&["w3", "w11"]);
        let mut request = request(&query, &visible, 25);
        request.neighbours = Some(GAP);
        prop_assert_eq!(both.search(&request).hits, ranked(&alone, &query, 25));
    }
}
