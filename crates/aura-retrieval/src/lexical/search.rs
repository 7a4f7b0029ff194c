//! Top-k search: windows of documents, newest first, each scored only as far as it can matter.
//!
//! This is MaxScore (Turtle and Flood 1995) over aligned windows. Lists too sparse for window bounds are read
//! whole: they are few postings. Of the dense lists of a window, those that together cannot lift a document
//! over the threshold are only looked up for documents that other lists brought up, best list first, until
//! the document is out.

pub(in crate::lexical) mod top;
pub(in crate::lexical) mod window;

use aura_core::LexicalWork;
use smallvec::SmallVec;

use crate::lexical::documents::Documents;
use crate::lexical::norms::LengthTable;
use crate::lexical::postings::List;
use crate::lexical::postings::long_list::{Places, Window};
use crate::lexical::postings::posting::{Posting, position_from_end};
use crate::lexical::ranges::Ranges;
use crate::lexical::search::top::Top;
use crate::lexical::search::window::{WINDOW, WORDS, above, accumulate, clear, set};

const W: usize = WINDOW as usize;

/// One term of a query: its postings and what its share is multiplied with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term<'a> {
    pub(crate) list: List<'a>,
    pub(crate) weight: f32,
    /// The same for a message with its neighbours.
    pub(crate) beside: f32,
    /// Its place in the query.
    pub(crate) asked: usize,
}

/// A list too sparse for window bounds.
struct Sparse<'a> {
    /// The postings not yet read.
    postings: &'a [Posting],
    weight: f32,
}

/// A list with window bounds.
struct Dense<'a> {
    postings: &'a [Posting],
    windows: &'a [Window],
    places: &'a [Places],
    weight: f32,
    /// Its postings in the current window.
    run: &'a [Posting],
    /// What these can score at most.
    bound: i32,
}

/// Finds the best of the visible documents.
pub(crate) struct Search<'a> {
    documents: &'a Documents,
    visible: &'a Ranges,
    table: &'a LengthTable,
    sparse: SmallVec<[Sparse<'a>; 8]>,
    /// Heaviest first.
    dense: SmallVec<[Dense<'a>; 8]>,
    prune: bool,
    /// All 0 between windows.
    scores: [i32; W],
    /// 1, where the documents are not those of who asks.
    foreign: u64,
    /// Scores what is not visible, to see that it is noticed.
    #[cfg(test)]
    pub(crate) bypass: bool,
    work: LexicalWork,
}

impl<'a> Search<'a> {
    /// A search for `terms`; without `prune` every visible document of every list is scored.
    pub(crate) fn new(
        documents: &'a Documents,
        visible: &'a Ranges,
        table: &'a LengthTable,
        terms: &[Term<'a>],
        prune: bool,
    ) -> Self {
        let mut sparse = SmallVec::new();
        let mut dense: SmallVec<[Dense<'a>; 8]> = SmallVec::new();
        for term in terms {
            let (postings, weight) = (term.list.postings(), term.weight);
            match term.list {
                List::Long(list) if !list.windows().is_empty() => dense.push(Dense {
                    postings,
                    windows: list.windows(),
                    places: list.places(),
                    weight,
                    run: &[],
                    bound: 0,
                }),
                _ => sparse.push(Sparse { postings, weight }),
            }
        }
        dense.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Self {
            documents,
            visible,
            table,
            sparse,
            dense,
            prune,
            scores: [0; W],
            foreign: 0,
            #[cfg(test)]
            bypass: false,
            work: LexicalWork::default(),
        }
    }

    /// The same, where the documents may be those of somebody else.
    #[must_use]
    pub(crate) fn in_foreign(mut self, foreign: bool) -> Self {
        self.foreign = u64::from(foreign);
        self
    }

    /// Offers every document that can be among the best to `top`, newest first.
    pub(crate) fn run(mut self, top: &mut Top) -> LexicalWork {
        self.work.searched = self.visible.count();
        let mut below = u32::MAX;
        for range in self.visible.as_slice().iter().rev() {
            let first = range.start / WINDOW;
            let end = range.end.div_ceil(WINDOW).min(below);
            for window in (first..end).rev() {
                let start = window * WINDOW;
                let whole = range.start <= start && start + WINDOW <= range.end;
                self.window(window, whole, top);
            }
            below = below.min(first);
        }
        self.work
    }

    fn window(&mut self, window: u32, whole: bool, top: &mut Top) {
        self.work.windows += 1;
        let start = window * WINDOW;
        let Some(codes) = self.documents.window_codes(window) else {
            return;
        };
        let (mut candidates, best) = self.read_sparse(start, codes);
        let threshold = top.threshold();
        let mut rest = self.enter_dense(window);
        if self.prune && best.saturating_add(rest) <= threshold {
            self.work.windows_skipped += 1;
            clear(&mut self.scores, &candidates);
            return;
        }
        // The fewest lists to read whole, so that the rest cannot lift a document over the threshold by itself.
        let mut essential = 0;
        while essential < self.dense.len() && (rest > threshold || !self.prune) {
            rest -= self.dense.get(essential).map_or(0, |list| list.bound);
            essential += 1;
        }
        let (read, look_up) = self.dense.split_at(essential);
        let mut any_read = false;
        for list in read.iter().filter(|list| !list.run.is_empty()) {
            accumulate(&mut self.scores, list.run, list.weight, codes, self.table);
            self.work.postings += list.run.len() as u64;
            any_read = true;
        }
        if any_read {
            candidates = above(&self.scores, threshold - rest);
        }
        let mut threshold = threshold;
        for (word, &bits) in candidates.iter().enumerate().rev() {
            let mut bits = bits;
            'documents: while bits != 0 {
                let bit = 63 - bits.leading_zeros();
                bits ^= 1 << bit;
                let place = (word * 64) as u32 + bit;
                let (mut score, code) = take(&mut self.scores, codes, place);
                let mut left = rest;
                if score + left <= threshold {
                    continue;
                }
                if !whole && !self.visible.contains(start + place) && !self.is_bypassed() {
                    continue;
                }
                for list in look_up {
                    let here = list.places.get(window as usize);
                    if let Some(frequency) = here.and_then(|h| h.frequency(list.run, word, bit)) {
                        score += self.table.share(list.weight, frequency, code);
                        self.work.postings += 1;
                    }
                    left -= list.bound;
                    if score + left <= threshold {
                        continue 'documents;
                    }
                }
                self.work.scored += 1;
                self.work.foreign += self.foreign;
                if cfg!(debug_assertions) && !self.visible.contains(start + place) {
                    self.work.foreign += 1;
                }
                top.offer(score, start + place);
                threshold = top.threshold();
            }
        }
        if any_read {
            self.scores.fill(0);
        }
    }

    #[cfg(test)]
    const fn is_bypassed(&self) -> bool {
        self.bypass
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "a test has it otherwise")]
    const fn is_bypassed(&self) -> bool {
        false
    }

    /// Reads what sparse lists have in the window; returns who is in it and the best sum.
    #[inline]
    fn read_sparse(&mut self, start: u32, codes: &[u8; W]) -> ([u64; WORDS], i32) {
        let mut touched = [0; WORDS];
        let mut best = 0;
        let key = Posting::first_of(start);
        for list in &mut self.sparse {
            if list
                .postings
                .last()
                .is_some_and(|last| last.document() >= start + WINDOW)
            {
                let end = position_from_end(list.postings, start + WINDOW);
                list.postings = list.postings.get(..end).unwrap_or_default();
            }
            let end = list
                .postings
                .iter()
                .rposition(|&posting| posting < key)
                .map_or(0, |last| last + 1);
            let run = list.postings.get(end..).unwrap_or_default();
            list.postings = list.postings.get(..end).unwrap_or_default();
            for &posting in run {
                set(&mut touched, posting.document());
                best = best.max(accumulate(
                    &mut self.scores,
                    &[posting],
                    list.weight,
                    codes,
                    self.table,
                ));
            }
            self.work.postings += run.len() as u64;
        }
        (touched, best)
    }

    /// Moves the dense lists to the window; returns what they can add at most.
    #[inline]
    fn enter_dense(&mut self, window: u32) -> i32 {
        let mut rest = 0;
        for list in &mut self.dense {
            let mut windows = list
                .windows
                .get(window as usize..)
                .unwrap_or_default()
                .iter();
            (list.run, list.bound) = (&[], 0);
            if let Some(here) = windows.next() {
                let end = windows
                    .next()
                    .map_or(list.postings.len(), |next| next.start as usize);
                list.run = list
                    .postings
                    .get(here.start as usize..end)
                    .unwrap_or_default();
                if self.prune {
                    list.bound = here.bounds.share(self.table, list.weight);
                    rest += list.bound;
                }
            }
        }
        rest
    }
}

/// Takes a document's score out of the window.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "a place is taken modulo the window"
)]
fn take(scores: &mut [i32; W], codes: &[u8; W], place: u32) -> (i32, u8) {
    let place = place as usize % W;
    (std::mem::take(&mut scores[place]), codes[place])
}
