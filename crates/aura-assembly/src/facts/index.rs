//! An index over the facts of a session: by word, by source event and by id.

use std::hash::{BuildHasher, RandomState};

use aura_core::{EventId, Fact, FactId};
use aura_text::{Analyzer, Bm25, Bm25Set};
use rustc_hash::FxHashMap;

/// The facts of one branch of a session by word, source event and id.
///
/// The engine keeps one beside the facts it caches and calls [`FactIndex::sync`] when they may have changed; that takes
/// time for what changed, and a glance at the rest.
pub struct FactIndex {
    analyzer: Analyzer,
    texts: Bm25Set,
    /// Which fact a text of the set is of; none for words that were revised.
    owners: Vec<Option<usize>>,
    entries: Vec<Entry>,
    by_id: FxHashMap<FactId, usize>,
    by_source: FxHashMap<EventId, Vec<usize>>,
    hasher: RandomState,
}

struct Entry {
    id: FactId,
    /// The place of its text in the set.
    place: usize,
    text: u64,
    sources: Box<[EventId]>,
}

/// A fact that a question found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    /// The place of the fact.
    pub(crate) at: usize,
    /// Its BM25.
    pub(crate) score: f32,
    /// Its absolute relevance.
    pub(crate) relevance: f32,
}

impl FactIndex {
    /// An empty index.
    #[must_use]
    pub fn new(analyzer: Analyzer) -> Self {
        Self {
            texts: Bm25Set::new(analyzer.clone()),
            analyzer,
            owners: Vec::new(),
            entries: Vec::new(),
            by_id: FxHashMap::default(),
            by_source: FxHashMap::default(),
            hasher: RandomState::new(),
        }
    }

    /// Brings the index into step with the facts, as `History::facts` gives them.
    pub fn sync(&mut self, facts: &[Fact]) {
        let same_ids = |(entry, fact): (&Entry, &Fact)| entry.id == fact.fact_id;
        if facts.len() < self.entries.len() || !self.entries.iter().zip(facts).all(same_ids) {
            *self = Self::new(self.analyzer.clone());
        }
        for (at, fact) in facts.iter().enumerate() {
            let text = self.hasher.hash_one(&fact.text);
            match self.entries.get(at) {
                Some(entry) if entry.text == text && *entry.sources == *fact.sources => {}
                _ => self.learn(at, fact, text),
            }
        }
    }

    /// Whether the index seems to be of these facts: a glance at their number and the last of them.
    pub(crate) fn is_in_step(&self, facts: &[Fact]) -> bool {
        let (own, other) = (self.entries.last(), facts.last());
        self.entries.len() == facts.len()
            && own.map(|entry| &entry.id) == other.map(|fact| &fact.fact_id)
    }

    /// At most `most` facts that share a word with the question and pass, best first, ties by the newer one.
    pub(crate) fn find(
        &self,
        question: &str,
        most: usize,
        pass: impl Fn(usize) -> bool,
    ) -> Vec<Found> {
        let query = self.analyzer.query(question);
        let full_match = self.texts.full_match(&query);
        let scores = self.texts.scores(&query);
        let mut found: Vec<Found> = scores
            .into_iter()
            .zip(&self.owners)
            .filter_map(|(score, owner)| Some((score, (*owner)?)))
            .filter(|(score, at)| *score > 0.0 && pass(*at))
            .map(|(score, at)| Found {
                at,
                score,
                relevance: Bm25::relevance(score, full_match),
            })
            .collect();
        let better = |a: &Found, b: &Found| b.score.total_cmp(&a.score).then(b.at.cmp(&a.at));
        if found.len() > most && most > 0 {
            found.select_nth_unstable_by(most - 1, better);
            found.truncate(most);
        }
        found.sort_unstable_by(better);
        found
    }

    /// The places of the facts taken from an event, ascending.
    pub(crate) fn taken_from(&self, event: EventId) -> impl Iterator<Item = usize> + '_ {
        self.by_source.get(&event).into_iter().flatten().copied()
    }

    /// The place of a fact.
    pub(crate) fn place(&self, id: &FactId) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    fn learn(&mut self, at: usize, fact: &Fact, text: u64) {
        let mut known = None;
        if let Some(entry) = self.entries.get(at) {
            if entry.text == text {
                known = Some(entry.place);
            } else {
                // Else old words would weigh on the scores here, and not where the index was made later.
                self.texts.remove(entry.place);
                if let Some(owner) = self.owners.get_mut(entry.place) {
                    *owner = None;
                }
            }
            for source in &entry.sources {
                if let Some(places) = self.by_source.get_mut(source) {
                    places.retain(|known| *known != at);
                }
            }
        }
        let place = known.unwrap_or_else(|| {
            self.owners.push(Some(at));
            self.texts.add(&fact.text)
        });
        for source in &fact.sources {
            let places = self.by_source.entry(*source).or_default();
            if let Err(hole) = places.binary_search(&at) {
                places.insert(hole, at);
            }
        }
        self.by_id.insert(fact.fact_id.clone(), at);
        let entry = Entry {
            id: fact.fact_id.clone(),
            place,
            text,
            sources: fact.sources.clone().into_boxed_slice(),
        };
        match self.entries.get_mut(at) {
            Some(slot) => *slot = entry,
            None => self.entries.push(entry),
        }
    }
}

#[cfg(test)]
mod tests;
