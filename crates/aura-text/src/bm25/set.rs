//! Ranking a small set of short texts, such as the facts of a session or the tools of a registry.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Bm25;
use crate::analyzer::{Analyzer, QueryTerms, Scratch};

/// The length of a text that was taken out.
const GONE: f32 = -1.0;

/// A text of the set and how well it fits a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Position in the order in which the texts were added.
    pub index: usize,
    /// BM25 score, above 0.
    pub score: f32,
    /// [`Bm25::relevance`] of the score, 0 to 1.
    pub relevance: f32,
}

/// How well a text that is in no set fits a query.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Fit {
    /// BM25 score; 0 where no term is shared.
    pub score: f32,
    /// [`Bm25::relevance`] of the score, 0 to 1.
    pub relevance: f32,
}

/// Short texts scored exhaustively: exact, and fast up to some ten thousand texts.
///
/// A text may have several fields with weights (BM25F): a field's terms count `weight` times, both as frequency and as
/// length, before saturation. Stop words are indexed but do not count as length.
///
/// ```
/// use aura_text::{Analyzer, Bm25Set};
/// let analyzer = Analyzer::english();
/// let mut facts = Bm25Set::new(analyzer.clone());
/// facts.add("User lives in Berlin");
/// facts.add("User has two cats, Miso and Nori");
/// let best = facts.rank(&analyzer.query("What are my cats called?"));
/// assert_eq!(best[0].index, 1);
/// assert_eq!(best.len(), 1);
/// ```
#[derive(Debug, Default)]
pub struct Bm25Set {
    analyzer: Analyzer,
    bm25: Bm25,
    /// For each term the texts that hold it, ascending, with their weighted frequencies.
    postings: FxHashMap<Box<str>, Vec<(u32, f32)>>,
    lengths: Vec<f32>,
    /// How many texts were taken out again.
    removed: usize,
    scratch: Scratch,
}

impl Bm25Set {
    /// An empty set with the default constants.
    #[must_use]
    pub fn new(analyzer: Analyzer) -> Self {
        Self {
            analyzer,
            ..Self::default()
        }
    }

    /// The same set with other constants.
    #[must_use]
    pub fn with_constants(mut self, bm25: Bm25) -> Self {
        self.bm25 = bm25;
        self
    }

    /// How many texts were added, those taken out again included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether no text was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Adds a text of one field and returns its index.
    pub fn add(&mut self, text: &str) -> usize {
        self.add_fields([(text, 1.0)])
    }

    /// Adds a text made of fields, each with its weight; fields of a weight not above 0 are left out. Returns the index.
    pub fn add_fields<'a>(&mut self, fields: impl IntoIterator<Item = (&'a str, f32)>) -> usize {
        let index = self.lengths.len();
        let id = u32::try_from(index).unwrap_or(u32::MAX);
        let mut length = 0.0;
        let postings = &mut self.postings;
        for (text, weight) in fields.into_iter().filter(|&(_, weight)| weight > 0.0) {
            self.analyzer
                .for_each_term(text, &mut self.scratch, |term| {
                    if !term.stop {
                        length += weight;
                    }
                    let list = match postings.get_mut(term.text) {
                        Some(list) => list,
                        None => match postings.entry(term.text.into()) {
                            Entry::Occupied(entry) => entry.into_mut(),
                            Entry::Vacant(entry) => entry.insert(Vec::new()),
                        },
                    };
                    match list.last_mut() {
                        Some((last, frequency)) if *last == id => *frequency += weight,
                        _ => list.push((id, weight)),
                    }
                });
        }
        self.lengths.push(length);
        index
    }

    /// Takes a text out: the set scores as if it had never been added, but its index is not given again. Visits every term.
    pub fn remove(&mut self, index: usize) {
        let Ok(id) = u32::try_from(index) else {
            return;
        };
        let Some(length) = self.lengths.get_mut(index).filter(|length| **length >= 0.0) else {
            return;
        };
        *length = GONE;
        self.removed += 1;
        self.postings.retain(|_, list| {
            if let Ok(at) = list.binary_search_by_key(&id, |(text, _)| *text) {
                list.remove(at);
            }
            !list.is_empty()
        });
    }

    /// Every text that shares a term with the query, best first; equal scores in the order of adding.
    #[must_use]
    pub fn rank(&self, query: &QueryTerms) -> Vec<Ranked> {
        let full_match = self.full_match(query);
        let mut ranked: Vec<Ranked> = self
            .scores(query)
            .into_iter()
            .enumerate()
            .filter(|&(_, score)| score > 0.0)
            .map(|(index, score)| Ranked {
                index,
                score,
                relevance: Bm25::relevance(score, full_match),
            })
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
        ranked
    }

    /// How well another text fits, say a part of one in the set, by the statistics of the set.
    #[must_use]
    pub fn fit(&mut self, text: &str, query: &QueryTerms) -> Fit {
        let mut frequencies: SmallVec<[f32; 8]> = SmallVec::from_elem(0.0, query.terms.len());
        let mut length = 0.0;
        self.analyzer
            .for_each_term(text, &mut self.scratch, |term| {
                if !term.stop {
                    length += 1.0;
                }
                let places = query.terms.iter().zip(&mut frequencies);
                for (_, frequency) in places.filter(|(asked, _)| asked.text == term.text) {
                    *frequency += 1.0;
                }
            });
        let norm = self.bm25.norm(length, self.average_length());
        let shares = query.terms.iter().zip(&frequencies);
        let score = shares.fold(0.0, |sum, (term, frequency)| {
            let containing = self.postings.get(term.text.as_str()).map_or(0, Vec::len);
            let weight = term.weight * self.idf(containing);
            sum + weight * self.bm25.tf(*frequency, norm)
        });
        Fit {
            score,
            relevance: Bm25::relevance(score, self.full_match(query)),
        }
    }

    /// The score of every text, in the order of adding; 0 where no term is shared.
    #[must_use]
    pub fn scores(&self, query: &QueryTerms) -> Vec<f32> {
        let average = self.average_length();
        let mut scores = vec![0.0; self.lengths.len()];
        for term in &query.terms {
            let Some(list) = self.postings.get(term.text.as_str()) else {
                continue;
            };
            let weight = term.weight * self.idf(list.len());
            for &(id, frequency) in list {
                let id = id as usize;
                if let (Some(score), Some(&length)) = (scores.get_mut(id), self.lengths.get(id)) {
                    *score += weight * self.bm25.tf(frequency, self.bm25.norm(length, average));
                }
            }
        }
        scores
    }

    /// What a text of average length scores that holds every term of the query once; terms that occur nowhere count too.
    #[must_use]
    pub fn full_match(&self, query: &QueryTerms) -> f32 {
        let containing = |text: &str| self.postings.get(text).map_or(0, Vec::len);
        query
            .terms
            .iter()
            .map(|t| t.weight * self.idf(containing(&t.text)))
            .sum()
    }

    fn average_length(&self) -> f32 {
        let total: f64 = self.lengths.iter().map(|&l| f64::from(l.max(0.0))).sum();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "a mean of lengths"
        )]
        let average = (total / self.standing().max(1) as f64) as f32;
        average
    }

    /// How many texts are in the set.
    fn standing(&self) -> usize {
        self.lengths.len() - self.removed
    }

    fn idf(&self, containing: usize) -> f32 {
        Bm25::idf(self.standing() as u64, containing as u64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(texts: &[&str]) -> Bm25Set {
        let mut set = Bm25Set::new(Analyzer::english());
        for text in texts {
            set.add(text);
        }
        set
    }

    fn order(set: &Bm25Set, query: &str) -> Vec<usize> {
        let query = Analyzer::english().query(query);
        set.rank(&query).iter().map(|r| r.index).collect()
    }

    #[test]
    fn ranks_rare_words_and_short_texts_first() {
        let set = set(&[
            "The user likes tea",
            "The user likes tea with milk and two spoons of sugar in the morning",
            "The user likes coffee",
            "Nothing of the kind",
        ]);
        assert_eq!(order(&set, "Does she like tea?"), [0, 1, 2]);
        assert_eq!(order(&set, "coffee likes"), [2, 0, 1]);
        assert_eq!(order(&set, "the of"), [3, 1, 0, 2]);
        assert_eq!(order(&set, "quartz"), Vec::<usize>::new());
        assert_eq!(order(&set, ""), Vec::<usize>::new());
    }

    #[test]
    fn equal_texts_keep_their_order() {
        let set = set(&["red car", "blue car", "red car", "green car"]);
        assert_eq!(order(&set, "car"), [0, 1, 2, 3]);
        assert_eq!(order(&set, "red"), [0, 2]);
    }

    #[test]
    fn what_was_removed_leaves_no_trace() {
        let mut changed = set(&["red car", "old words", "blue car", "a red bike"]);
        changed.remove(1);
        changed.remove(1);
        changed.remove(9);
        let fresh = set(&["red car", "blue car", "a red bike"]);
        let analyzer = Analyzer::english();
        for query in ["red car", "old blue words", "bike"] {
            let query = analyzer.query(query);
            let scores = |set: &Bm25Set| -> Vec<(f32, f32)> {
                let ranked = set.rank(&query).into_iter();
                ranked.map(|found| (found.score, found.relevance)).collect()
            };
            assert_eq!(scores(&changed), scores(&fresh));
            assert_eq!(changed.full_match(&query), fresh.full_match(&query));
        }
        assert_eq!(order(&changed, "red"), [0, 3]);
    }

    #[test]
    fn a_heavier_field_wins() {
        let mut set = Bm25Set::new(Analyzer::english());
        set.add_fields([("send_mail", 3.0), ("Moves a file", 1.0)]);
        set.add_fields([("move_file", 3.0), ("Sends a mail", 1.0)]);
        set.add_fields([("ignored", 0.0), ("other thing", 1.0)]);
        assert_eq!(order(&set, "move the file"), [1, 0]);
        assert_eq!(order(&set, "send mail"), [0, 1]);
        assert_eq!(order(&set, "ignored"), Vec::<usize>::new());
    }

    #[test]
    fn a_text_fits_as_well_outside_as_inside() {
        let texts = ["Miso sleeps in the basket", "Nori eats", "Miso eats fish"];
        let mut set = set(&texts);
        let query = Analyzer::english().query("What does Miso eat?");
        let scores = set.scores(&query);
        let ranked = set.rank(&query);
        for (index, text) in texts.iter().enumerate() {
            let fit = set.fit(text, &query);
            assert_eq!(fit.score, scores[index]);
            let inside = ranked.iter().find(|r| r.index == index).unwrap();
            assert_eq!(fit.relevance, inside.relevance);
        }
        assert_eq!(set.fit("quartz", &query), Fit::default());
    }

    #[test]
    fn what_was_never_spoken_of_lowers_relevance() {
        let set = set(&[
            "The capital of the plan is small",
            "Miso sleeps",
            "Nori eats",
        ]);
        let analyzer = Analyzer::english();
        let share = |query: &str| {
            set.rank(&analyzer.query(query))
                .first()
                .map_or(0.0, |r| r.relevance)
        };
        assert!(share("capital plan small") > 0.8);
        assert!(share("capital of France and Paris") < 0.4);
    }

    proptest! {
        #[test]
        fn scores_stay_below_the_bound(texts in proptest::collection::vec("[a-e ]{0,30}", 1..20), query in "[a-e ]{0,20}") {
            let mut set = Bm25Set::new(Analyzer::english());
            for text in &texts {
                set.add(text);
            }
            let query = Analyzer::english().query(&query);
            let bound = set.full_match(&query) * Bm25::default().ceiling();
            let ranked = set.rank(&query);
            for pair in ranked.windows(2) {
                prop_assert!(pair[0].score > pair[1].score || (pair[0].score == pair[1].score && pair[0].index < pair[1].index));
            }
            for hit in &ranked {
                prop_assert!(hit.score > 0.0 && hit.score <= bound * 1.0001);
                prop_assert!((0.0..=1.0).contains(&hit.relevance));
            }
        }
    }
}
