//! A small BM25 index over short texts that may change: facts, blocks, tools.

use std::collections::HashMap;
use std::sync::Arc;

use aura_text::Analyzer;

/// How soon repetition of a word saturates.
const K1: f32 = 1.2;
/// How much a long text is discounted.
const B: f32 = 0.75;

/// Texts by place, found by their words.
pub(crate) struct Words {
    analyzer: Arc<Analyzer>,
    terms: HashMap<Box<str>, u32>,
    postings: Vec<Vec<Posting>>,
    texts: Vec<Text>,
    words: u64,
}

#[derive(Default)]
struct Text {
    terms: Box<[u32]>,
    words: u32,
}

#[derive(Clone, Copy)]
struct Posting {
    text: u32,
    times: u32,
}

/// A text that a question found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    /// The place of the text.
    pub(crate) at: usize,
    /// Its BM25.
    pub(crate) score: f32,
    /// Its share of the highest BM25 that the question allows, in [0, 1].
    pub(crate) relevance: f32,
}

impl Words {
    /// An index of nothing.
    pub(crate) fn new(analyzer: Arc<Analyzer>) -> Self {
        Self {
            analyzer,
            terms: HashMap::new(),
            postings: Vec::new(),
            texts: Vec::new(),
            words: 0,
        }
    }

    /// An index of texts at the places 0, 1, 2 …
    pub(crate) fn of<'t>(analyzer: Arc<Analyzer>, texts: impl Iterator<Item = &'t str>) -> Self {
        let mut words = Self::new(analyzer);
        for (at, text) in texts.enumerate() {
            words.set(at, text);
        }
        words
    }

    /// The analyzer.
    pub(crate) fn analyzer(&self) -> Arc<Analyzer> {
        self.analyzer.clone()
    }

    /// Puts a text at a place: one that has a text already, or the next free one.
    pub(crate) fn set(&mut self, at: usize, text: &str) {
        let Ok(place) = u32::try_from(at) else { return };
        self.forget(at, place);
        let mut counts: Vec<(u32, u32)> = Vec::new();
        let mut words = 0;
        for term in self.analyzer.terms(text) {
            words += 1;
            let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
            let id = *self.terms.entry(term.into_boxed_str()).or_insert(next);
            match counts.iter_mut().find(|(known, _)| *known == id) {
                Some((_, times)) => *times += 1,
                None => counts.push((id, 1)),
            }
        }
        self.postings.resize_with(self.terms.len(), Vec::new);
        for (id, times) in counts.iter().copied() {
            if let Some(list) = self.postings.get_mut(index(id)) {
                list.push(Posting { text: place, times });
            }
        }
        self.words += u64::from(words);
        let text = Text {
            terms: counts.into_iter().map(|(id, _)| id).collect(),
            words,
        };
        match self.texts.get_mut(at) {
            Some(slot) => *slot = text,
            None => self.texts.push(text),
        }
    }

    /// The texts that share a word with the question and pass, best first, ties by the later place.
    pub(crate) fn find(&self, question: &str, pass: impl Fn(usize) -> bool) -> Vec<Found> {
        let query = self.analyzer.query(question);
        let count = self.texts.len() as f32;
        let average = (self.words as f32 / count.max(1.0)).max(1.0);
        let mut highest = 0.0;
        let mut scores: HashMap<u32, f32> = HashMap::new();
        for term in &query.terms {
            let postings = self.terms.get(term.text.as_str());
            let postings = postings.and_then(|id| self.postings.get(index(*id)));
            let holders = postings.map_or(0.0, |list| list.len() as f32);
            let rarity = (1.0 + (count - holders + 0.5).max(0.0) / (holders + 0.5)).ln();
            let weight = term.weight * rarity;
            highest += weight * (K1 + 1.0);
            for posting in postings.into_iter().flatten() {
                let words = self.texts.get(index(posting.text)).map_or(0, |t| t.words);
                let times = posting.times as f32;
                let length = 1.0 - B + B * words as f32 / average;
                *scores.entry(posting.text).or_default() +=
                    weight * times * (K1 + 1.0) / (times + K1 * length);
            }
        }
        let mut found: Vec<Found> = scores
            .into_iter()
            .map(|(text, score)| Found {
                at: index(text),
                score,
                relevance: (score / highest).clamp(0.0, 1.0),
            })
            .filter(|found| pass(found.at))
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.at.cmp(&a.at)));
        found
    }

    /// Takes the words of a text out of the index.
    fn forget(&mut self, at: usize, place: u32) {
        let Some(text) = self.texts.get_mut(at).map(std::mem::take) else {
            return;
        };
        for id in text.terms {
            if let Some(list) = self.postings.get_mut(index(id)) {
                list.retain(|posting| posting.text != place);
            }
        }
        self.words = self.words.saturating_sub(u64::from(text.words));
    }
}

fn index(id: u32) -> usize {
    usize::try_from(id).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(words: &Words, question: &str) -> Vec<usize> {
        let found = words.find(question, |_| true);
        found.iter().map(|found| found.at).collect()
    }

    #[test]
    fn a_rare_word_counts_more_and_a_changed_text_is_found_by_its_new_words() {
        let analyzer = Arc::new(Analyzer::english());
        let texts = ["lives in Oslo", "lives with two cats", "drinks tea"];
        let mut words = Words::of(analyzer, texts.into_iter());
        assert_eq!(places(&words, "where does the cat live?"), [1, 0]);
        words.set(1, "plays chess");
        assert_eq!(places(&words, "cats"), [] as [usize; 0]);
        assert_eq!(places(&words, "chess"), [1]);
        let best = words.find("oslo lives", |_| true);
        assert!(best[0].relevance > 0.5 && best[0].relevance <= 1.0);
    }
}
