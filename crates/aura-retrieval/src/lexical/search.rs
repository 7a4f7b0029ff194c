//! Top-k search: windows of documents, newest first, each scored only as far as it can matter.
//!
//! This is MaxScore (Turtle and Flood 1995) over aligned windows. Lists too sparse for window bounds are read
//! whole, they are few postings. Of the dense lists of a window, those that together cannot lift a document
//! over the threshold are only looked up for documents that other lists brought up.

use smallvec::SmallVec;

use super::documents::Documents;
use super::long_list::{Places, WINDOW, WORDS, Window};
use super::norms::LengthTable;
use super::posting::{Posting, position_from_end};
use super::postings::List;
use super::ranges::Ranges;
use super::top::Top;

const W: usize = WINDOW as usize;

/// What one search did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) postings: u64,
    pub(crate) windows: u64,
    pub(crate) skipped: u64,
    pub(crate) scored: u64,
    pub(crate) sparse: u64,
    pub(crate) looked: u64,
    pub(crate) candidates: u64,
    pub(crate) fulls: u64,
}

/// One term of a query: its postings and what its share is multiplied with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term<'a> {
    pub(crate) list: List<'a>,
    pub(crate) weight: f32,
}

/// A list too sparse for window bounds: every posting is read.
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
    run: &'a [Posting],
    bound: i32,
}

/// Finds the best documents of `visible`.
pub(crate) struct Search<'a> {
    documents: &'a Documents,
    visible: &'a Ranges,
    table: &'a LengthTable,
    sparse: SmallVec<[Sparse<'a>; 8]>,
    dense: SmallVec<[Dense<'a>; 8]>,
    prune: bool,
    scores: [i32; W],
    pub(crate) work: Work,
}

impl<'a> Search<'a> {
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
            let postings = term.list.postings();
            match term.list {
                List::Long(list) if !list.windows().is_empty() => dense.push(Dense {
                    postings,
                    windows: list.windows(),
                    places: list.places(),
                    weight: term.weight,
                    run: &[],
                    bound: 0,
                }),
                _ => sparse.push(Sparse {
                    postings,
                    weight: term.weight,
                }),
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
            work: Work::default(),
        }
    }

    /// Offers every document that can be among the best to `top`.
    pub(crate) fn run(&mut self, top: &mut Top) {
        let mut below = u32::MAX;
        for range in self.visible.as_slice().iter().rev() {
            let (first, last) = (range.start / WINDOW, (range.end - 1) / WINDOW);
            for window in (first..=last.min(below.saturating_sub(1))).rev() {
                below = window;
                let start = window * WINDOW;
                let whole = range.start <= start && start + WINDOW <= range.end;
                self.window(window, whole, top);
            }
        }
    }

    fn window(&mut self, window: u32, whole: bool, top: &mut Top) {
        self.work.windows += 1;
        let start = window * WINDOW;
        let codes = self.documents.codes();
        let Some(codes) = codes
            .get(start as usize..)
            .and_then(|rest| rest.first_chunk::<W>())
        else {
            return;
        };
        let (mut candidates, best) = self.read_sparse(start, codes);
        let threshold = top.threshold();
        let mut rest = self.enter_dense(window);
        if self.prune && best + rest <= threshold {
            self.work.skipped += 1;
            clear(&mut self.scores, &candidates);
            return;
        }
        let mut essential = if self.prune { 0 } else { rest = 0; self.dense.len() };
        while rest > threshold && let Some(list) = self.dense.get(essential) {
            rest -= list.bound;
            essential += 1;
        }
        let (all, some) = self.dense.split_at(essential);
        let mut full = false;
        for list in all.iter().filter(|list| !list.run.is_empty()) {
            accumulate(&mut self.scores, list.run, list.weight, codes, self.table);
            self.work.postings += list.run.len() as u64;
            full = true;
        }
        if full {
            above(&self.scores, threshold - rest, &mut candidates);
        }
        self.work.fulls += u64::from(full);
        let mut threshold = threshold;
        for (word, &bits) in candidates.iter().enumerate().rev() {
            let mut bits = bits;
            'documents: while bits != 0 {
                let bit = 63 - bits.leading_zeros();
                bits ^= 1 << bit;
                let place = word * 64 + bit as usize;
                let mut score = std::mem::take(&mut self.scores[place % W]);
                let mut left = rest;
                if score + left <= threshold || (!whole && !self.visible.contains(start + place as u32)) {
                    continue;
                }
                self.work.candidates += 1;
                for list in some {
                    let Some(here) = list.places.get(window as usize) else { continue };
                    if here.present[word] >> bit & 1 != 0 {
                        score += self.table.share(list.weight, here.frequency(list.run, word, bit), codes[place % W]);
                        self.work.looked += 1;
                    }
                    left -= list.bound;
                    if score + left <= threshold {
                        continue 'documents;
                    }
                }
                self.work.scored += 1;
                top.offer(score, start + place as u32);
                threshold = top.threshold();
            }
        }
        if full {
            self.scores.fill(0);
        }
    }

    /// Reads what sparse lists have in the window; returns who is in it and the best sum.
    #[inline]
    fn read_sparse(&mut self, start: u32, codes: &[u8; W]) -> ([u64; WORDS], i32) {
        let mut touched = [0u64; WORDS];
        let mut best = 0;
        let key = Posting::first_of(start);
        for list in &mut self.sparse {
            if let Some(last) = list.postings.last() && last.document() >= start + WINDOW {
                let end = position_from_end(list.postings, start + WINDOW);
                list.postings = list.postings.get(..end).unwrap_or_default();
            }
            while let Some((&posting, others)) = list.postings.split_last() && posting >= key {
                let place = posting.document() as usize % W;
                let score = &mut self.scores[place];
                *score += self.table.share(list.weight, posting.frequency(), codes[place]);
                best = best.max(*score);
                touched[place / 64] |= 1 << (place % 64);
                list.postings = others;
                self.work.sparse += 1;
            }
        }
        (touched, best)
    }

    /// Moves the dense lists to the window; returns what they can add at most.
    #[inline]
    fn enter_dense(&mut self, window: u32) -> i32 {
        let mut rest = 0;
        for list in &mut self.dense {
            let mut windows = list.windows.get(window as usize..).unwrap_or_default().iter();
            list.run = &[];
            list.bound = 0;
            if let Some(here) = windows.next() {
                let end = windows.next().map_or(list.postings.len(), |next| next.start as usize);
                list.run = list.postings.get(here.start as usize..end).unwrap_or_default();
                if self.prune {
                    list.bound = here.bounds.share(self.table, list.weight);
                    rest += list.bound;
                }
            }
        }
        rest
    }
}

#[inline]
fn accumulate(scores: &mut [i32; W], run: &[Posting], weight: f32, codes: &[u8; W], table: &LengthTable) {
    for posting in run {
        let place = posting.document() as usize % W;
        scores[place] += table.share(weight, posting.frequency(), codes[place]);
    }
}

#[inline]
fn above(scores: &[i32; W], least: i32, candidates: &mut [u64; WORDS]) {
    let least = least.max(0);
    for (mask, scores) in candidates.iter_mut().zip(scores.as_chunks::<64>().0) {
        *mask = 0;
        for (part, scores) in scores.as_chunks::<16>().0.iter().enumerate() {
            if scores.iter().fold(false, |any, &score| any | (score > least)) {
                for (bit, &score) in scores.iter().enumerate() {
                    *mask |= u64::from(score > least) << (part * 16 + bit);
                }
            }
        }
    }
}

#[inline]
fn clear(scores: &mut [i32; W], touched: &[u64; WORDS]) {
    for (word, &bits) in touched.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            scores[(word * 64 + bits.trailing_zeros() as usize) % W] = 0;
            bits &= bits - 1;
        }
    }
}
