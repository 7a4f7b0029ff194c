//! How often the words of a question stand in a message and its neighbours, and BM25 of that.

use aura_text::Bm25;

use super::kin::Kin;
use super::surroundings::{REACH, Row, Surroundings};
use crate::lexical::Term;
use crate::lexical::norms::LengthTable;

/// A message and its neighbours.
pub(crate) const SPAN: usize = 2 * REACH + 1;

/// What a word counts by the place where it stands: in the second message before, the one before, this one and so on.
const PLACE_WEIGHTS: [f32; SPAN] = [0.25, 0.5, 1.0, 0.5, 0.25];

/// How many terms are scored together.
pub(crate) const LANES: usize = 8;

/// What an occurrence of a word of the question counts in a [`Cell`]; related words count parts of that.
const OCCURRENCE: u16 = 64;

type Lanes = [f32; LANES];

/// How often a term occurs, times [`OCCURRENCE`], and in the rest what related words add: less than one occurrence.
type Cell = u16;

/// How the words of a span reach its middle.
pub(crate) struct Reach {
    /// What a word counts by its place: [`PLACE_WEIGHTS`] applied to these neighbours.
    weights: [f32; SPAN],
    /// [`Bm25::norm`] of the length with the neighbours' words.
    factor: f32,
}

/// How often up to [`LANES`] terms occur in each row.
pub(crate) struct Occurrences {
    /// What the terms weigh in a message alone.
    alone: Lanes,
    /// What they weigh in a message with its neighbours.
    beside: Lanes,
    rows: Vec<[Cell; LANES]>,
}

impl Occurrences {
    /// Reads the postings of `terms`, of which there are `first` before, and of the words related to them.
    pub(crate) fn of(
        terms: &[Term<'_>],
        first: usize,
        kin: &[Kin<'_>],
        near: &Surroundings,
    ) -> Self {
        let mut all = Self {
            alone: [0.0; LANES],
            beside: [0.0; LANES],
            rows: vec![[0; LANES]; near.rows.len()],
        };
        let weights = all.alone.iter_mut().zip(&mut all.beside);
        for ((lane, term), (alone, beside)) in terms.iter().enumerate().zip(weights) {
            (*alone, *beside) = (term.weight, term.beside);
            near.for_each_posting(term.list, |row, frequency| {
                if let Some(cell) = cell(&mut all.rows, row, lane) {
                    *cell = frequency as Cell * OCCURRENCE;
                }
            });
        }
        for kin in kin {
            let lane = kin.term.wrapping_sub(first);
            if lane >= terms.len() {
                continue;
            }
            let parts = (kin.ratio * f32::from(OCCURRENCE)).round() as Cell;
            near.for_each_posting(kin.list, |row, frequency| {
                if let Some(cell) = cell(&mut all.rows, row, lane) {
                    let related = *cell % OCCURRENCE + parts * frequency as Cell;
                    *cell += related.min(OCCURRENCE - 1) - *cell % OCCURRENCE;
                }
            });
        }
        all
    }

    /// What the search itself gives the message at `row`.
    pub(crate) fn alone(&self, table: &LengthTable, row: usize, code: u8) -> i32 {
        let lanes = self.rows.get(row).copied().unwrap_or_default();
        let frequencies = lanes.map(|cell| u32::from(cell / OCCURRENCE));
        let terms = self.alone.iter().zip(frequencies);
        terms
            .filter(|&(_, frequency)| frequency > 0)
            .map(|(&weight, frequency)| table.share(weight, frequency, code))
            .sum()
    }

    /// BM25 of the words of the span that begins at `row`, weighted by their places.
    #[inline]
    pub(crate) fn beside(&self, reach: &Reach, row: u32) -> f32 {
        let mut words = [0.0; LANES];
        let rows = self.rows.get(row as usize..).unwrap_or_default();
        let Some(span) = rows.first_chunk::<SPAN>() else {
            return 0.0;
        };
        for (place, lanes) in reach.weights.iter().zip(span) {
            for (sum, &cell) in words.iter_mut().zip(lanes) {
                *sum += place * f32::from(cell);
            }
        }
        let mut shares = [0.0; LANES];
        // Words are in parts of an occurrence, and so is the factor then.
        let factor = reach.factor * f32::from(OCCURRENCE);
        for ((share, weight), words) in shares.iter_mut().zip(&self.beside).zip(words) {
            *share = weight * words / (words + factor);
        }
        let [a, b, c, d, e, f, g, h] = shares;
        // Pairs as a vector unit adds them.
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

fn cell(rows: &mut [[Cell; LANES]], row: usize, lane: usize) -> Option<&mut Cell> {
    rows.get_mut(row)?.get_mut(lane)
}

impl Reach {
    #[inline]
    pub(crate) fn of(span: &[Row; SPAN], average: f32) -> Self {
        let here = middle(span).sitting;
        let mut weights = PLACE_WEIGHTS;
        let mut length = 0.0;
        for ((weight, row), place) in weights.iter_mut().zip(span).zip(0..) {
            if row.sitting != here {
                *weight = 0.0;
            } else if place != REACH {
                *weight *= row.share;
            }
            length += *weight * row.length;
        }
        Self {
            weights,
            factor: Bm25::default().norm(length, average),
        }
    }
}

/// What neighbours add to the mean length, for a mean of `short` words that a neighbour gives.
pub(crate) fn length_beside(short: f32) -> f32 {
    (PLACE_WEIGHTS.iter().sum::<f32>() - 1.0) * short
}

/// The message that a span is about.
pub(crate) fn middle<T>(span: &[T; SPAN]) -> &T {
    let [_, _, middle, _, _] = span;
    middle
}
