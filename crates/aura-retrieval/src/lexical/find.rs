//! From a request to its hits: what is visible, what each term weighs, how to search, how to rank.

use std::ops::Range;

use aura_core::{
    CorpusStatistics, DensePool, EventId, EventRange, LexicalHit, LexicalHits, LexicalQuery,
    LexicalRequest, TurnIndex, VectorHit,
};
use aura_text::Bm25;
use smallvec::SmallVec;

use crate::lexical::index::SessionIndex;
use crate::lexical::norms::{LengthTable, MAX_WEIGHT};
use crate::lexical::postings::List;
use crate::lexical::postings::posting::{Posting, within};
use crate::lexical::ranges::Ranges;
use crate::lexical::search::top::Top;
use crate::lexical::search::{Search, Term};
use crate::ranking::neighbours::{Neighbourhood, pool_size, rank};

/// The most distinct terms searched for: of a longer query, say a pasted file, the heaviest that the
/// index has.
pub const MAX_TERMS: usize = 64;

/// The most hits one search gives.
pub const MAX_HITS: usize = 1 << 16;

/// A query with the weights of its terms.
pub(crate) struct Weighted<'a> {
    /// Terms the index has; weights are in units of the score grid.
    pub(crate) terms: SmallVec<[Term<'a>; 8]>,
    /// What one unit of the grid is in BM25.
    pub(crate) unit: f32,
    /// The BM25 no message exceeds.
    pub(crate) maximum: f32,
    pub(crate) average_length: f32,
}

impl SessionIndex {
    /// The documents of the visible events that are not hidden.
    pub(crate) fn visible(&self, events: &[EventRange]) -> Ranges {
        let documents = |&events: &EventRange| self.documents_of(events);
        let mut visible = Ranges::default();
        if events.is_sorted_by(|a, b| a.last < b.first) {
            visible.set_difference(events.iter().map(documents), &self.hidden);
        } else {
            let mut sorted = Ranges::default();
            events
                .iter()
                .for_each(|events| sorted.insert(documents(events)));
            visible.set_difference(sorted.as_slice().iter().cloned(), &self.hidden);
        }
        visible
    }

    /// The statistics of the visible documents.
    pub(crate) fn count(&self, query: &LexicalQuery, visible: &Ranges) -> CorpusStatistics {
        CorpusStatistics {
            documents: visible.count(),
            words: visible
                .as_slice()
                .iter()
                .map(|range| self.documents.words(range))
                .sum(),
            frequencies: query
                .terms
                .iter()
                .map(|term| match self.dictionary.get(&term.text) {
                    Some(number) => {
                        count_within(self.postings.list(number).postings(), visible.as_slice())
                    }
                    None => 0,
                })
                .collect(),
        }
    }

    /// Answers a request; without `prune` by scoring every message that shares a term with the query.
    pub(crate) fn find(&self, request: &LexicalRequest<'_>, prune: bool) -> LexicalHits {
        let visible = self.visible(request.visible);
        let own;
        let corpus = match request.corpus {
            Some(corpus) => corpus,
            None => {
                own = self.count(request.query, &visible);
                &own
            }
        };
        let weighted = self.weigh(request.query, corpus);
        let limit = request.limit.min(MAX_HITS);
        let table = LengthTable::new(weighted.average_length);
        let mut top = Top::new(match request.neighbours {
            Some(_) => pool_size(limit),
            None => limit,
        });
        let mut hits = LexicalHits {
            maximum: weighted.maximum,
            ..LexicalHits::default()
        };
        hits.work.searched = visible.count();
        let dense = request.dense.filter(|_| request.neighbours.is_some());
        if limit == 0 || (weighted.terms.is_empty() && dense.is_none()) {
            return hits;
        }
        if !weighted.terms.is_empty() {
            let search = Search::new(&self.documents, &visible, &table, &weighted.terms, prune);
            hits.work = search.run(&mut top);
        }
        hits.hits = match request.neighbours {
            Some(sitting_gap) => rank(
                &Neighbourhood {
                    documents: &self.documents,
                    visible: &visible,
                    weighted: &weighted,
                    table: &table,
                    sitting_gap,
                },
                top.into_sorted()
                    .map(|(_, document)| document)
                    .chain(self.near(dense, &visible)),
                limit,
                request.room,
                dense,
            ),
            None => top
                .into_sorted()
                .map(|(score, document)| {
                    let bm25 = score as f32 * weighted.unit;
                    self.hit(document, bm25, bm25, bm25 / weighted.maximum)
                })
                .collect(),
        };
        hits
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

    fn hit(&self, document: u32, bm25: f32, rank_score: f32, relevance: f32) -> LexicalHit {
        LexicalHit {
            event_id: EventId(self.documents.event(document)),
            turn: TurnIndex(self.documents.turn(document)),
            tokens: self.documents.tokens(document),
            bm25,
            rank_score,
            cosine: None,
            relevance: relevance.clamp(0.0, 1.0),
        }
    }

    pub(crate) fn weigh(&self, query: &LexicalQuery, corpus: &CorpusStatistics) -> Weighted<'_> {
        let mut weights: SmallVec<[(f32, Option<List<'_>>); 8]> = query
            .terms
            .iter()
            .zip(
                corpus
                    .frequencies
                    .iter()
                    .copied()
                    .chain(std::iter::repeat(0)),
            )
            .map(|(term, frequency)| {
                let idf = Bm25::idf(corpus.documents, frequency);
                let weight = idf * Bm25::default().ceiling() * term.weight.max(0.0);
                let number = self.dictionary.get(&term.text);
                (weight, number.map(|number| self.postings.list(number)))
            })
            .collect();
        if weights.len() > MAX_TERMS {
            // Terms the index has come first; the sort is stable, so equal weights stay in the query's order.
            weights.sort_by(|a, b| (b.1.is_some().cmp(&a.1.is_some())).then(b.0.total_cmp(&a.0)));
            weights.truncate(MAX_TERMS);
        }
        let heaviest = weights
            .iter()
            .map(|&(weight, _)| weight)
            .fold(f32::MIN_POSITIVE, f32::max);
        // A power of two, so that neither weights nor scores are rounded by going to the grid and back.
        let scale = (MAX_WEIGHT / heaviest)
            .log2()
            .floor()
            .clamp(-100.0, 100.0)
            .exp2();
        Weighted {
            terms: weights
                .iter()
                .filter_map(|&(weight, list)| {
                    Some(Term {
                        list: list?,
                        weight: weight * scale,
                    })
                })
                .collect(),
            unit: scale.recip(),
            maximum: weights.iter().map(|&(weight, _)| weight).sum(),
            average_length: corpus.words as f32 / corpus.documents.max(1) as f32,
        }
    }
}

/// How many postings lie in `visible`.
fn count_within(postings: &[Posting], visible: &[Range<u32>]) -> u64 {
    if visible.len() * 16 <= postings.len() || visible.len() <= 1 {
        return visible
            .iter()
            .map(|range| within(postings, range).len() as u64)
            .sum();
    }
    // Many ranges and few postings: walk both.
    let mut ranges = visible.iter().peekable();
    let mut count = 0;
    for posting in postings {
        while ranges
            .next_if(|range| range.end <= posting.document())
            .is_some()
        {}
        count += u64::from(
            ranges
                .peek()
                .is_some_and(|range| range.start <= posting.document()),
        );
    }
    count
}
