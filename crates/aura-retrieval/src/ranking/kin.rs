//! Which words of a history are related to those of a question.

use std::ops::Range;

use aura_core::LexicalQuery;
use aura_text::Bm25;
use smallvec::SmallVec;

use super::related::related;
use crate::lexical::{List, SessionIndex, Weighted, beside_weight, count_within};

/// Related words that are looked at: more gained nothing on conversations with labels, 8 lost half a point.
const MOST: usize = 24;

/// A word in more than one of so many messages is related to everything.
const RARE: u64 = 10;

/// A related word that the history has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kin<'a> {
    /// The term it is related to, by its place in [`Weighted::terms`].
    pub(crate) term: usize,
    /// Its postings.
    pub(crate) list: List<'a>,
    /// What an occurrence counts beside one of the term itself, at most 1.
    pub(crate) ratio: f32,
    /// What it is worth altogether, to choose by.
    worth: f32,
}

/// The words related to those of a question, the most valuable first; `share` is what a word that is as good as the
/// same counts.
pub(crate) fn kin<'a>(
    index: &'a SessionIndex,
    query: &LexicalQuery,
    weighted: &Weighted<'_>,
    visible: &[Range<u32>],
    share: f32,
) -> SmallVec<[Kin<'a>; MOST]> {
    let mut found: SmallVec<[Kin<'a>; MOST]> = SmallVec::new();
    // The table has stems of English words.
    if share <= 0.0 || !index.analyzer.stems_english() {
        return found;
    }
    for (place, term) in weighted.terms.iter().enumerate() {
        let Some(asked) = query.terms.get(term.asked) else {
            continue;
        };
        for (other, cosine) in related(&asked.text) {
            if query.terms.iter().any(|term| term.text.as_bytes() == other) {
                continue;
            }
            let Some(number) = index.dictionary.get_bytes(other) else {
                continue;
            };
            let list = index.postings.list(number);
            let frequency = count_within(list.postings(), visible);
            if frequency == 0 || frequency * RARE > weighted.documents {
                continue;
            }
            let weight = beside_weight(weighted.documents, frequency) / weighted.unit;
            // A common word related to a rare one counts by its own weight.
            let ratio =
                (weight * asked.weight.max(0.0) / term.beside.max(f32::MIN_POSITIVE)).min(1.0);
            found.push(Kin {
                term: place,
                list,
                ratio: share * cosine * ratio,
                worth: cosine * ratio * term.beside,
            });
        }
    }
    if found.len() > MOST {
        found.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        found.truncate(MOST);
    }
    found
}

impl Kin<'_> {
    /// What a message that holds it scores at most, beside [`Bm25::ceiling`] for the term itself.
    pub(crate) fn weight(&self, weighted: &Weighted<'_>) -> f32 {
        let term = weighted.terms.get(self.term);
        term.map_or(0.0, |term| {
            term.beside * self.ratio / Bm25::default().ceiling()
        })
    }
}
