//! Random sessions, and BM25 written down plainly to compare with.

use std::collections::HashMap;

use aura_core::{
    AnalyzedMessage, EventId, EventRange, LexicalIndex, LexicalQuery, LexicalRequest, LexicalTerm,
    RankingWeights, TurnIndex,
};

use aura_text::{byte_to_length, length_to_byte};

use crate::SessionIndex;

/// A small generator, so that one number stands for a whole session.
#[derive(Debug, Clone)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = self.0 ^ (self.0 >> 29);
        ((u128::from(mixed) * u128::from(bound)) >> 64) as u64
    }

    /// A word: frequent ones are much more frequent than rare ones.
    pub(super) fn word(&mut self, vocabulary: u64) -> String {
        let bound = 1 + self.below(vocabulary);
        format!("w{}", self.below(bound))
    }
}

/// A message of these words; its length counts them all.
pub(super) fn message(event: u64, words: &[String]) -> AnalyzedMessage {
    let mut message = AnalyzedMessage {
        event_id: EventId(event),
        turn: TurnIndex(event as u32 / 2),
        tokens: words.len() as u32 * 2,
        time: None,
        length: words.len() as u32,
        ..AnalyzedMessage::default()
    };
    for word in words {
        message.terms.push_str(word);
        message.ends.push(message.terms.len() as u32);
    }
    message
}

pub(super) fn query(words: &[&str]) -> LexicalQuery {
    let mut query = LexicalQuery::default();
    for word in words {
        match query.terms.iter_mut().find(|term| term.text == *word) {
            Some(term) => term.weight += 1.0,
            None => query.terms.push(LexicalTerm {
                text: (*word).to_owned(),
                weight: 1.0,
                dated: false,
            }),
        }
    }
    query
}

pub(super) fn everything() -> [EventRange; 1] {
    [EventRange::new(EventId(0), EventId(u64::MAX))]
}

pub(super) fn request<'a>(
    query: &'a LexicalQuery,
    visible: &'a [EventRange],
    limit: usize,
) -> LexicalRequest<'a> {
    LexicalRequest {
        query,
        visible,
        limit,
        room: None,
        corpus: None,
        neighbours: None,
        weights: RankingWeights::default(),
        dense: None,
        reader: None,
    }
}

/// A session of `count` messages of up to `longest` words.
pub(super) fn session(seed: u64, count: u64, vocabulary: u64, longest: u64) -> Vec<Vec<String>> {
    let mut random = Random(seed);
    (0..count)
        .map(|_| {
            let length = random.below(longest + 1);
            (0..length).map(|_| random.word(vocabulary)).collect()
        })
        .collect()
}

pub(super) fn index(messages: &[Vec<String>]) -> SessionIndex {
    let mut index = SessionIndex::default();
    for (event, words) in (1..).zip(messages) {
        index.append(&message(event, words)).unwrap();
    }
    index
}

/// BM25 of every message with a score, best first, ties newest first; lengths rounded as the index does.
pub(super) fn plain_bm25(
    messages: &[(u64, &Vec<String>)],
    query: &LexicalQuery,
) -> Vec<(u64, f64)> {
    let count = messages.len() as f64;
    let words: usize = messages.iter().map(|(_, words)| words.len()).sum();
    let average = words as f64 / count.max(1.0);
    let mut frequency: HashMap<&str, f64> = HashMap::new();
    for term in &query.terms {
        let having = messages
            .iter()
            .filter(|(_, words)| words.contains(&term.text))
            .count();
        frequency.insert(&term.text, having as f64);
    }
    let mut scores: Vec<(u64, f64)> = messages
        .iter()
        .map(|&(event, words)| {
            let length = f64::from(byte_to_length(length_to_byte(words.len() as u32)));
            let relative = if average > 0.0 { length / average } else { 1.0 };
            let score = query
                .terms
                .iter()
                .map(|term| {
                    let tf = words
                        .iter()
                        .filter(|word| **word == term.text)
                        .count()
                        .min(63) as f64;
                    let df = frequency[term.text.as_str()];
                    let idf = (1.0 + (count - df + 0.5) / (df + 0.5)).ln();
                    f64::from(term.weight) * idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * relative))
                })
                .sum();
            (event, score)
        })
        .filter(|&(_, score)| score > 0.0)
        .collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    scores
}
