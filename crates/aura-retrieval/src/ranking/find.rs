//! From a question to the messages that are ranked for it: by its words, by related words, by its dates, by vectors.

use aura_core::{DensePool, EventRange, LexicalHits, LexicalRequest, VectorHit};
use aura_text::Bm25;
use smallvec::SmallVec;

use super::about::{About, Named};
use super::dates::spans;
use super::kin::{Kin, kin};
use super::neighbours::{Neighbourhood, pool_size, rank};
use super::relevance::Grounds;
use super::signals::Wanted;
use crate::lexical::documents::NO_TIME;
use crate::lexical::norms::LengthTable;
use crate::lexical::ranges::Ranges;
use crate::lexical::{Search, SessionIndex, Term, Top, Weighted};

/// Messages of the dates asked for that are ranked whatever their words.
const DATED: usize = 64;

/// Messages with related words that are ranked where too few share a word with the question.
const AKIN: usize = 32;

/// What the relevance of the best is measured with in scripts without spaces, where most pairs of a question stand across
/// two words and match nothing.
const UNSPACED: f32 = 0.25;

/// Messages of these dates that are looked through for those of the speaker asked for.
const LOOKED_THROUGH: usize = 1024;

/// What is searched, and for what.
pub(crate) struct Sought<'a, 'i> {
    pub(crate) request: &'a LexicalRequest<'a>,
    /// The longest pause inside a sitting, in milliseconds.
    pub(crate) sitting_gap: i64,
    pub(crate) visible: &'a Ranges,
    pub(crate) weighted: &'a Weighted<'i>,
    pub(crate) named: &'a Named,
    pub(crate) limit: usize,
    /// Leave out what cannot be among the best.
    pub(crate) prune: bool,
}

impl SessionIndex {
    /// The best messages by their words, their neighbours' and what else speaks for them.
    pub(crate) fn find_near(&self, sought: &Sought<'_, '_>, hits: &mut LexicalHits) {
        let Sought {
            request,
            visible,
            weighted,
            limit,
            ..
        } = *sought;
        let dates = request.query.asked.dates.as_slice();
        let wanted = Wanted {
            about: sought.named.about,
            when: request.query.asked.when,
            dates,
            weights: &request.weights,
        };
        let table = LengthTable::new(weighted.average_length);
        let mut pool: Vec<u32> = Vec::with_capacity(pool_size(limit) + DATED);
        let dated = self.dated(sought, &table, &mut pool);
        // Where it is known when messages were said, that stands for the words of a date.
        let (maximum, maximum_beside) = match dated {
            Some(_) => (weighted.undated, weighted.undated_beside),
            None => (weighted.maximum, weighted.maximum_beside),
        };
        let found = pool.len();
        if !weighted.terms.is_empty() {
            let mut top = Top::new(pool_size(limit));
            let terms: SmallVec<[Term<'_>; 16]> = weighted
                .terms
                .iter()
                .chain(&weighted.names)
                .copied()
                .collect();
            hits.work = self.search_terms(&terms, visible, &table, sought, &mut top);
            pool.extend(top.into_sorted().map(|(_, document)| document));
        }
        let found = pool.len() - found;
        let kin = kin(
            self,
            request.query,
            weighted,
            visible.as_slice(),
            match request.dense {
                Some(_) => request.weights.related_beside_dense,
                None => request.weights.related,
            },
        );
        let missing = pool_size(limit).saturating_sub(found).min(AKIN);
        if missing > 0 && found > 0 && !kin.is_empty() {
            pool.extend(self.akin(&kin, sought, &table, missing));
        }
        let date = match dated {
            Some(count) => Bm25::idf(weighted.documents, count),
            None => 0.0,
        };
        pool.extend(self.near(request.dense, visible));
        if pool.is_empty() {
            return;
        }
        hits.hits = rank(
            &Neighbourhood {
                documents: &self.documents,
                visible,
                weighted,
                kin: &kin,
                table: &table,
                wanted,
                grounds: Grounds {
                    maximum: maximum / weighted.unit,
                    maximum_beside: maximum_beside / weighted.unit,
                    date: date / weighted.unit,
                    dated: dated.is_some_and(|count| count > 0),
                },
                sitting_gap: sought.sitting_gap,
            },
            pool.into_iter(),
            limit,
            request.room,
            request.dense,
        );
        let weights = &request.weights;
        let least = if request.query.unspaced {
            weights.min_best * UNSPACED
        } else {
            weights.min_best
        };
        // Where vectors find something near, that is reason enough.
        if request.dense.is_none() && hits.hits.iter().all(|hit| hit.relevance < least) {
            hits.hits.iter_mut().for_each(|hit| hit.relevance = 0.0);
        }
    }

    /// The messages with the most related words.
    fn akin(
        &self,
        kin: &[Kin<'_>],
        sought: &Sought<'_, '_>,
        table: &LengthTable,
        most: usize,
    ) -> impl Iterator<Item = u32> {
        let mut terms: SmallVec<[Term<'_>; 24]> = SmallVec::new();
        for kin in kin {
            let weight = kin.weight(sought.weighted);
            if weight >= 1.0 {
                terms.push(Term {
                    list: kin.list,
                    weight,
                    beside: weight,
                    asked: 0,
                });
            }
        }
        let mut top = Top::new(most);
        self.search_terms(&terms, sought.visible, table, sought, &mut top);
        top.into_sorted().map(|(_, document)| document)
    }

    /// Adds messages said near the dates that the question names; returns how many there are, `None` without a date.
    fn dated(
        &self,
        sought: &Sought<'_, '_>,
        table: &LengthTable,
        pool: &mut Vec<u32>,
    ) -> Option<u64> {
        let dates = sought.request.query.asked.dates.as_slice();
        let visible = sought.visible.as_slice();
        if dates.is_empty() || sought.request.weights.date <= 0.0 {
            return None;
        }
        let last = visible
            .last()
            .map_or(0, |range| range.end.saturating_sub(1));
        let newest = self.documents.time(last);
        if newest == NO_TIME {
            return None;
        }
        let mut within = Ranges::default();
        for span in spans(dates, newest) {
            // Where times are out of order, dates are looked at only in messages that something else has brought up.
            within.insert(self.documents.said_within(span.start, span.end)?);
        }
        let within = within.shared_with(sought.visible);
        let count = within.count();
        if count <= DATED as u64 {
            pool.extend(within.as_slice().iter().cloned().flatten());
            return Some(count);
        }
        let mut top = Top::new(DATED);
        self.search_terms(&sought.weighted.terms, &within, table, sought, &mut top);
        let before = pool.len();
        pool.extend(top.into_sorted().map(|(_, document)| document));
        let missing = DATED - (pool.len() - before).min(DATED);
        let said = within
            .as_slice()
            .iter()
            .cloned()
            .flatten()
            .take(LOOKED_THROUGH);
        let by = |&document: &u32| match sought.named.about {
            About::Speaker(speaker) => {
                let traits = self.documents.traits(document);
                traits.is_some_and(|traits| traits.speaker == speaker)
            }
            About::Anyone | About::User => true,
        };
        pool.extend(said.filter(by).take(missing));
        Some(count)
    }

    fn search_terms(
        &self,
        terms: &[Term<'_>],
        visible: &Ranges,
        table: &LengthTable,
        sought: &Sought<'_, '_>,
        top: &mut Top,
    ) -> aura_core::LexicalWork {
        Search::new(&self.documents, visible, table, terms, sought.prune)
            .in_foreign(self.is_foreign(sought.request))
            .run(top)
    }

    /// The visible documents that dense search found.
    fn near<'a>(
        &'a self,
        dense: Option<DensePool<'a>>,
        visible: &'a Ranges,
    ) -> impl Iterator<Item = u32> + 'a {
        let hits = dense.map_or(&[][..], |dense| dense.hits);
        let document = |hit: &VectorHit| {
            let range = self.documents_of(EventRange::new(hit.event_id, hit.event_id));
            (!range.is_empty() && visible.contains(range.start)).then_some(range.start)
        };
        hits.iter().filter_map(document)
    }
}
