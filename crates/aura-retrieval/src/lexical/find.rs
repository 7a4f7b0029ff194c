//! From a request to its hits: what is visible, what each term weighs, how to search, how to rank.

use std::ops::Range;

use aura_core::{
    CorpusStatistics, EventId, EventRange, LexicalHit, LexicalHits, LexicalQuery, LexicalRequest,
    Signals, TurnIndex,
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
use crate::ranking::about::Named;
use crate::ranking::find::Sought;

/// The most distinct terms searched for: of a longer query, say a pasted file, the heaviest that the
/// index has.
pub const MAX_TERMS: usize = 64;

/// The most hits one search gives.
pub const MAX_HITS: usize = 1 << 16;

/// A query with the weights of its terms.
pub(crate) struct Weighted<'a> {
    /// Its terms; weights are in units of the score grid. A term that the index lacks has no postings.
    pub(crate) terms: SmallVec<[Term<'a>; 8]>,
    /// Terms that are names of speakers: they bring messages up, but do not count in a rank or a maximum.
    pub(crate) names: SmallVec<[Term<'a>; 2]>,
    /// What one unit of the grid is in BM25.
    pub(crate) unit: f32,
    /// The BM25 no message exceeds.
    pub(crate) maximum: f32,
    /// The same for a message with its neighbours.
    pub(crate) maximum_beside: f32,
    /// Both without the words of dates.
    pub(crate) undated: f32,
    pub(crate) undated_beside: f32,
    /// How many messages are visible.
    pub(crate) documents: u64,
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
        let limit = request.limit.min(MAX_HITS);
        let named = match request.neighbours {
            Some(_) => self.named(request.query, &visible),
            None => Named::nobody(),
        };
        let weighted = self.weigh(request.query, corpus, &named.names);
        let mut hits = LexicalHits {
            maximum: weighted.maximum,
            ..LexicalHits::default()
        };
        hits.work.searched = visible.count();
        if limit == 0 {
            return hits;
        }
        if let Some(sitting_gap) = request.neighbours {
            let sought = Sought {
                request,
                sitting_gap,
                visible: &visible,
                weighted: &weighted,
                named: &named,
                limit,
                prune,
            };
            self.find_near(&sought, &mut hits);
        } else if !weighted.terms.is_empty() {
            let table = LengthTable::new(weighted.average_length);
            let mut top = Top::new(limit);
            let search = Search::new(&self.documents, &visible, &table, &weighted.terms, prune)
                .in_foreign(self.is_foreign(request));
            hits.work = search.run(&mut top);
            let hit = |(score, document): (i32, u32)| {
                self.hit(document, score as f32 * weighted.unit, weighted.maximum)
            };
            hits.hits = top.into_sorted().map(hit).collect();
        }
        if self.is_foreign(request) {
            // What ranking brings up beside the search is scored too.
            hits.work.foreign = hits.work.foreign.max(hits.hits.len() as u64);
        }
        hits
    }

    /// The speakers that a question names.
    fn named(&self, query: &LexicalQuery, visible: &Ranges) -> Named {
        let numbers = query
            .terms
            .iter()
            .map(|term| self.dictionary.get(&term.text));
        let numbers: SmallVec<[Option<u32>; 16]> = numbers.collect();
        Named::of(
            &self.speakers,
            &self.documents,
            visible,
            &numbers,
            &query.asked,
        )
    }

    fn hit(&self, document: u32, bm25: f32, maximum: f32) -> LexicalHit {
        LexicalHit {
            event_id: EventId(self.documents.event(document)),
            turn: TurnIndex(self.documents.turn(document)),
            tokens: self.documents.tokens(document),
            bm25,
            rank_score: bm25,
            cosine: None,
            relevance: (bm25 / maximum).clamp(0.0, 1.0),
            signals: Signals::default(),
        }
    }

    /// Weighs the terms of a query; those `named` by number stand apart.
    pub(crate) fn weigh(
        &self,
        query: &LexicalQuery,
        corpus: &CorpusStatistics,
        named: &[u32],
    ) -> Weighted<'_> {
        let frequencies = corpus.frequencies.iter().copied();
        let frequencies = frequencies.chain(std::iter::repeat(0));
        let mut terms: SmallVec<[(Term<'_>, bool); 8]> = SmallVec::new();
        let mut names: SmallVec<[Term<'_>; 2]> = SmallVec::new();
        for ((asked, term), frequency) in query.terms.iter().enumerate().zip(frequencies) {
            let number = self.dictionary.get(&term.text);
            let times = Bm25::default().ceiling() * term.weight.max(0.0);
            let list = number.map_or(List::Short(&[]), |number| self.postings.list(number));
            let term = Term {
                list,
                weight: Bm25::idf(corpus.documents, frequency) * times,
                beside: beside_weight(corpus.documents, frequency) * term.weight.max(0.0),
                asked,
            };
            if number.is_some_and(|number| named.contains(&number)) {
                names.push(term);
            } else {
                terms.push((term, number.is_some()));
            }
        }
        if terms.len() > MAX_TERMS {
            // Terms the index has come first; the sort is stable, so equal weights stay in the query's order.
            terms.sort_by(|a, b| (b.1.cmp(&a.1)).then(b.0.weight.total_cmp(&a.0.weight)));
            terms.truncate(MAX_TERMS);
        }
        names.truncate(MAX_TERMS);
        let maximum = terms.iter().map(|(term, _)| term.weight).sum();
        let all = terms.iter().map(|(term, _)| term).chain(&names);
        let heaviest = all
            .map(|term| term.weight)
            .fold(f32::MIN_POSITIVE, f32::max);
        let is_dated = |term: &Term<'_>| query.terms.get(term.asked).is_some_and(|term| term.dated);
        let undated = terms.iter().filter(|(term, _)| !is_dated(term));
        let maximum_beside = terms.iter().map(|(term, _)| term.beside).sum();
        let (undated, undated_beside) = undated.fold((0.0, 0.0), |(alone, beside), (term, _)| {
            (alone + term.weight, beside + term.beside)
        });
        // A power of two, so that neither weights nor scores are rounded by going to the grid and back.
        let scale = (MAX_WEIGHT / heaviest)
            .log2()
            .floor()
            .clamp(-100.0, 100.0)
            .exp2();
        for term in terms.iter_mut().map(|(term, _)| term).chain(&mut names) {
            term.weight *= scale;
            term.beside *= scale;
        }
        Weighted {
            terms: terms.into_iter().map(|(term, _)| term).collect(),
            names,
            unit: scale.recip(),
            maximum,
            maximum_beside,
            undated,
            undated_beside,
            documents: corpus.documents,
            average_length: corpus.words as f32 / corpus.documents.max(1) as f32,
        }
    }
}

/// What a term weighs in a message with its neighbours: there it stands about twice as often.
pub(crate) fn beside_weight(documents: u64, containing: u64) -> f32 {
    let (all, share) = (
        documents as f64,
        containing.min(documents) as f64 / documents.max(1) as f64,
    );
    let containing = all * share * (2.0 - share);
    Bm25::idf(documents, containing as u64) * Bm25::default().ceiling()
}

/// How many postings lie in `visible`.
pub(crate) fn count_within(postings: &[Posting], visible: &[Range<u32>]) -> u64 {
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
