//! Scores are right, pruning changes nothing, and invisible messages count for nothing.

use aura_core::{CorpusStatistics, EventId, EventRange, LexicalHits, LexicalIndex, LexicalQuery};
use proptest::prelude::*;

use super::corpus::{Random, everything, index, message, plain_bm25, query, request, session};
use crate::SessionIndex;
use crate::lexical::norms::LengthTable;
use crate::lexical::search::Search;
use crate::lexical::search::top::Top;

fn random_query(seed: u64, vocabulary: u64) -> LexicalQuery {
    let mut random = Random(seed);
    let words: Vec<String> = (0..1 + random.below(8))
        .map(|_| random.word(vocabulary))
        .collect();
    query(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Some ranges of events, ascending.
fn some_ranges(seed: u64, events: u64) -> Vec<EventRange> {
    let mut random = Random(seed);
    let mut ranges = Vec::new();
    let mut next = 1 + random.below(events / 2 + 1);
    while next <= events {
        let last = next + random.below(events / 2 + 1);
        ranges.push(EventRange::new(EventId(next), EventId(last)));
        next = last + 2 + random.below(events / 4 + 1);
    }
    ranges
}

/// The hits of a search with and without pruning, which must be the same.
fn both(
    index: &SessionIndex,
    query: &LexicalQuery,
    visible: &[EventRange],
    limit: usize,
) -> Vec<(i32, u32)> {
    let visible = index.visible(visible);
    let weighted = index.weigh(query, &index.count(query, &visible), &[]);
    let table = LengthTable::new(weighted.average_length);
    let run = |prune| {
        let mut top = Top::new(limit);
        Search::new(&index.documents, &visible, &table, &weighted.terms, prune).run(&mut top);
        top.into_sorted().collect::<Vec<_>>()
    };
    let pruned = run(true);
    assert_eq!(pruned, run(false));
    pruned
}

fn events(hits: &LexicalHits) -> Vec<u64> {
    hits.hits.iter().map(|hit| hit.event_id.0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn pruning_changes_no_bit(
        seed in any::<u64>(),
        count in 1u64..3_000,
        vocabulary in 1u64..200,
        longest in 1u64..12,
        limit in 1usize..60,
    ) {
        let index = index(&session(seed, count, vocabulary, longest));
        for question in 0..4 {
            let query = random_query(seed ^ question, vocabulary + 3);
            both(&index, &query, &everything(), limit);
            both(&index, &query, &some_ranges(seed ^ question, count), limit);
        }
    }

    #[test]
    fn scores_are_those_of_plain_bm25(
        seed in any::<u64>(),
        count in 1u64..700,
        vocabulary in 1u64..300,
        longest in 1u64..300,
        limit in 1usize..40,
    ) {
        let longest = longest.min(20_000 / count + 2);
        let messages = session(seed, count, vocabulary, longest);
        let index = index(&messages);
        let query = random_query(seed, vocabulary + 3);
        let visible = some_ranges(seed, count);
        let seen: Vec<_> = (1..)
            .zip(&messages)
            .filter(|(event, _)| visible.iter().any(|range| range.contains(EventId(*event))))
            .collect();
        let plain = plain_bm25(&seen, &query);
        let found = index.search(&request(&query, &visible, limit));
        let mut exhaustive = index.search_exhaustively(&request(&query, &visible, limit));
        prop_assert!(exhaustive.work.scored >= found.work.scored);
        exhaustive.work = found.work;
        prop_assert_eq!(&exhaustive, &found);
        prop_assert_eq!(found.work.searched, seen.len() as u64);
        prop_assert_eq!(found.hits.len(), plain.len().min(limit));
        for (hit, (event, score)) in found.hits.iter().zip(&plain) {
            let same = plain.iter().find(|(event, _)| *event == hit.event_id.0);
            let own = same.map_or(f64::NAN, |&(_, score)| score);
            // The message is the one expected, or scores the same up to rounding.
            prop_assert!((own - score).abs() < 1e-5 * f64::from(found.maximum).max(1.0), "{} {}", event, score);
            prop_assert!((f64::from(hit.bm25) - own).abs() < 1e-5 * f64::from(found.maximum).max(1.0));
            prop_assert!(hit.bm25 <= found.maximum && (0.0..=1.0).contains(&hit.relevance));
        }
        for pair in found.hits.windows(2) {
            prop_assert!(pair[0].bm25 > pair[1].bm25
                || (pair[0].bm25 == pair[1].bm25 && pair[0].event_id > pair[1].event_id));
        }
    }

    #[test]
    fn what_is_not_visible_changes_no_bit(
        seed in any::<u64>(),
        count in 1u64..900,
        vocabulary in 1u64..100,
        how in 0usize..3,
    ) {
        let messages = session(seed, count, vocabulary, 9);
        let mut random = Random(seed);
        let (mut all, mut alone) = (SessionIndex::default(), SessionIndex::default());
        let mut visible: Vec<EventRange> = Vec::new();
        for (event, words) in (1..).zip(&messages) {
            let mine = random.below(3) > 0;
            if mine {
                alone.append(&message(event, words)).unwrap();
                all.append(&message(event, words)).unwrap();
                visible.push(EventRange::new(EventId(event), EventId(event)));
            } else {
                let foreign: Vec<String> = (0..random.below(30)).map(|_| random.word(vocabulary + 9)).collect();
                all.append(&message(event, &foreign)).unwrap();
            }
        }
        let gaps = (1..=count).filter(|&event| !visible.iter().any(|r| r.contains(EventId(event))));
        for event in gaps {
            let gap = EventRange::new(EventId(event), EventId(event));
            match how {
                0 => {}
                1 => all.hide(gap),
                _ => all.remove(gap),
            }
        }
        let whole = everything();
        let seen: &[EventRange] = if how == 0 { &visible } else { &whole };
        let query = random_query(seed, vocabulary);
        prop_assert_eq!(all.statistics(&query, seen), alone.statistics(&query, &whole));
        let mut mine = all.search(&request(&query, seen, 20));
        let mut theirs = alone.search(&request(&query, &whole, 20));
        (mine.work, theirs.work) = Default::default();
        prop_assert_eq!(&mine, &theirs);
        let ranked = |index: &SessionIndex, visible| {
            let mut request = request(&query, visible, 20);
            request.neighbours = Some(1_000);
            index.search(&request).hits
        };
        prop_assert_eq!(ranked(&all, seen), ranked(&alone, &whole));
    }

    #[test]
    fn statistics_of_parts_add_up_to_those_of_the_whole(seed in any::<u64>(), count in 1u64..400) {
        let messages = session(seed, count, 40, 9);
        let index = index(&messages);
        let query = random_query(seed, 40);
        let split = Random(seed).below(count);
        let mut sum = CorpusStatistics::default();
        for (first, last) in [(0, split), (split + 1, count)] {
            sum += &index.statistics(&query, &[EventRange::new(EventId(first), EventId(last))]);
        }
        prop_assert_eq!(&sum, &index.statistics(&query, &everything()));
        let whole = everything();
        let mut with_sum = request(&query, &whole, 9);
        with_sum.corpus = Some(&sum);
        prop_assert_eq!(index.search(&with_sum), index.search(&request(&query, &whole, 9)));
    }
}

#[test]
fn a_long_session_is_not_scored_whole() {
    let count = 40_000;
    let index = index(&session(11, count, 500, 40));
    let query = query(&["w3", "w40", "w300", "w450", "w0"]);
    let found = index.search(&request(&query, &everything(), 10));
    let postings: u64 = index
        .statistics(&query, &everything())
        .frequencies
        .iter()
        .sum();
    assert!(
        postings > count / 2,
        "the query must not be an easy one: {postings}"
    );
    assert_eq!(found.hits.len(), 10);
    assert!(found.work.scored < count / 50, "{:?}", found.work);
    assert!(
        found.work.postings < postings / 4,
        "{:?} of {postings}",
        found.work
    );
}

#[test]
fn ties_go_to_the_newer_message() {
    let messages: Vec<Vec<String>> = (0..2_000).map(|_| vec!["same".to_owned()]).collect();
    let found = index(&messages).search(&request(&query(&["same"]), &everything(), 3));
    assert_eq!(events(&found), [2_000, 1_999, 1_998]);
    // The newest decide; nothing older needs to be read once they fill the answer.
    assert_eq!(found.work.windows_skipped, found.work.windows - 1);
}

#[test]
fn nothing_is_found_for_nothing() {
    let filled = index(&session(5, 100, 20, 9));
    for (index, query, limit) in [
        (&SessionIndex::default(), query(&["w1"]), 5),
        (&filled, query(&[]), 5),
        (&filled, query(&["unknown"]), 5),
        (&filled, query(&["w1"]), 0),
    ] {
        let found = index.search(&request(&query, &everything(), limit));
        assert!(found.hits.is_empty());
        assert!(found.maximum.is_finite());
    }
    assert!(
        filled
            .search(&request(&query(&["w1"]), &[], 5))
            .hits
            .is_empty()
    );
}

#[test]
fn unknown_words_lower_the_relevance() {
    let index = index(&[
        vec!["cat".into(), "name".into()],
        vec!["rain".into()],
        vec!["sun".into()],
    ]);
    let relevance =
        |words: &[&str]| index.search(&request(&query(words), &everything(), 1)).hits[0].relevance;
    assert!(relevance(&["cat", "name"]) > 1.5 * relevance(&["cat", "zebra", "yacht"]));
}

#[test]
fn a_word_asked_for_twice_counts_double() {
    let index = index(&[vec!["a".into()], vec!["b".into()], vec!["c".into()]]);
    let whole = everything();
    let once = index.search(&request(&query(&["a"]), &whole, 1)).hits[0].bm25;
    let twice = index.search(&request(&query(&["a", "a"]), &whole, 1)).hits[0].bm25;
    assert_eq!(twice, 2.0 * once);
}

#[test]
fn a_pasted_file_is_searched_by_its_heaviest_words() {
    let mut messages = session(3, 300, 400, 20);
    messages.push(vec!["needle".into()]);
    let words: Vec<String> = (0..400)
        .map(|n| format!("w{n}"))
        .chain(["needle".into()])
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = index(&messages).search(&request(&query(&words), &everything(), 400));
    assert!(events(&found).contains(&301));
}

#[test]
fn ranges_in_any_order_are_understood() {
    let index = index(&session(8, 100, 10, 9));
    let range = |first, last| EventRange::new(EventId(first), EventId(last));
    let query = query(&["w1", "w2"]);
    let sorted = index.search(&request(&query, &[range(5, 20), range(30, 60)], 9));
    let shuffled = index.search(&request(
        &query,
        &[range(40, 60), range(5, 20), range(30, 45)],
        9,
    ));
    assert_eq!(sorted, shuffled);
}

#[test]
fn what_is_scored_though_it_is_not_visible_is_counted_in_the_loop() {
    let words: Vec<Vec<String>> = (0..400)
        .map(|at| vec!["quartz".to_owned(), format!("w{}", at % 7)])
        .collect();
    let index = index(&words);
    // Every second message, so that those of others stand between ours in every window.
    let mine: Vec<EventRange> = (1..=200)
        .map(|at| EventRange::new(EventId(2 * at), EventId(2 * at)))
        .collect();
    let visible = index.visible(&mine);
    let query = query(&["quartz", "w3"]);
    let weighted = index.weigh(&query, &index.count(&query, &visible), &[]);
    let table = LengthTable::new(weighted.average_length);
    for prune in [false, true] {
        let run = |bypass| {
            let mut search =
                Search::new(&index.documents, &visible, &table, &weighted.terms, prune);
            search.bypass = bypass;
            search.run(&mut Top::new(400))
        };
        let sound = run(false);
        assert_eq!((sound.foreign, sound.scored), (0, 200));
        let planted = run(true);
        assert_eq!((planted.foreign, planted.scored), (200, 400));
    }
}
