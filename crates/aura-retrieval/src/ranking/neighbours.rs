//! Ranking by a message and what stands beside it.
//!
//! "Yes, for seven years now!" answers a question whose words stand in the message before. So each message of the pool
//! and its neighbours is scored as if it held some of its neighbours' words too, less what it costs to show.
//! Only the pool's surroundings are looked at, by reading the postings there.

use aura_core::{DensePool, EventId, LexicalHit, TurnIndex};
use aura_text::Bm25;
use smallvec::SmallVec;

use super::surroundings::{REACH, Row, Surroundings};
use crate::lexical::documents::Documents;
use crate::lexical::norms::LengthTable;
use crate::lexical::ranges::Ranges;
use crate::lexical::{Term, Weighted};

/// A message and its neighbours.
const SPAN: usize = 2 * REACH + 1;

/// What a word counts by the place where it stands: in the second message before, the one before, this one and so on.
const PLACE_WEIGHTS: [f32; SPAN] = [0.25, 0.5, 1.0, 0.5, 0.25];

/// What the best score of the pool is worth against the cost of a message.
const SCORE_WEIGHT: f32 = 0.6;

/// The same, and what the highest cosine of the pool is worth, where dense search takes part.
const HYBRID_WEIGHTS: (f32, f32) = (0.45, 0.5);

/// What a message loses for each e-fold of its tokens over [`FREE_TOKENS`].
const COST_WEIGHT: f32 = 0.2;

/// What a message may cost without losing rank.
const FREE_TOKENS: f32 = 80.0;

/// How many terms are scored together.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// What ranking needs to know.
pub(crate) struct Neighbourhood<'a, 'i> {
    pub(crate) documents: &'a Documents,
    pub(crate) visible: &'a Ranges,
    pub(crate) weighted: &'a Weighted<'i>,
    pub(crate) table: &'a LengthTable,
    /// The longest pause inside a sitting, in milliseconds.
    pub(crate) sitting_gap: i64,
}

/// A row that is scored.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    /// Where its span begins.
    row: u32,
    /// The score with its neighbours, on the grid.
    window: f32,
    /// What it gains for its cosine, less what it loses for its length.
    beside: f32,
}

/// How the words of a span reach its middle.
struct Reach {
    /// What a word counts by its place: [`PLACE_WEIGHTS`] applied to these neighbours.
    weights: [f32; SPAN],
    /// [`Bm25::norm`] of the length with the neighbours' words.
    factor: f32,
}

/// How often [`LANES`] terms occur in each row.
struct Frequencies {
    weights: Lanes,
    rows: Vec<[u8; LANES]>,
}

/// How many messages to search for when `limit` are wanted after ranking, since each brings its neighbours along.
///
/// Shares of questions with all evidence in 1,024 / 4,096 tokens, for 200 wanted: two people's chats 77.0 / 85.4 from
/// 32 messages, 77.0 / 85.7 from 64, 77.0 / 85.8 from 200; user and assistant 47.9 / 56.2, 48.6 / 62.5, 49.3 / 66.7.
pub(crate) fn pool_size(limit: usize) -> usize {
    (limit * 2 / 5).max(limit.min(48))
}

/// How many times the room the hits may fill: some of them turn out to be shown already, doubled or superseded.
const SPARE_ROOM: u64 = 2;

/// Hits that are given however little room there is.
const LEAST_HITS: usize = 16;

/// The best `limit` of the documents in `pool` and their neighbours; with `room` for so many tokens, not many more than
/// fit.
pub(crate) fn rank(
    place: &Neighbourhood<'_, '_>,
    pool: impl Iterator<Item = u32>,
    limit: usize,
    room: Option<u32>,
    dense: Option<DensePool<'_>>,
) -> Vec<LexicalHit> {
    let near = Surroundings::of(place.documents, place.visible, pool, place.sitting_gap);
    let average = average_window(place);
    let terms = place.weighted.terms.chunks(LANES);
    let groups: SmallVec<[Frequencies; 1]> =
        terms.map(|terms| Frequencies::of(terms, &near)).collect();
    let mut ranked: Vec<Ranked> = Vec::with_capacity(near.rows.len());
    for (span, row) in near.rows.array_windows::<SPAN>().zip(0..) {
        let here = middle(span);
        if here.ranked {
            let reach = Reach::of(span, average);
            ranked.push(Ranked {
                row,
                window: groups.iter().map(|group| group.score(&reach, row)).sum(),
                beside: -cost(here.tokens),
            });
        }
    }
    let cosines = dense.map(|dense| {
        let document = |ranked: &Ranked| {
            near.rows
                .get(ranked.row as usize + REACH)
                .map(|row| row.document)
        };
        let events = ranked
            .iter()
            .filter_map(document)
            .map(|document| place.documents.event(document));
        (dense.cosines)(&events.map(EventId).collect::<Vec<_>>())
    });
    let weight = match &cosines {
        Some(cosines) => {
            add_cosines(&mut ranked, cosines);
            HYBRID_WEIGHTS.0
        }
        None => SCORE_WEIGHT,
    };
    let keys = best(&ranked, limit, weight);
    let hit = |key: u64| {
        let number = key as u32 as usize;
        let ranked = ranked.get(number)?;
        let cosine = cosines.as_ref().and_then(|cosines| *cosines.get(number)?);
        let row = ranked.row as usize + REACH;
        let here = near.rows.get(row)?;
        let own: i32 = groups
            .iter()
            .map(|group| group.own_score(place.table, row, here.code))
            .sum();
        let bm25 = own as f32 * place.weighted.unit;
        let score = bm25.max(ranked.window * place.weighted.unit);
        Some(LexicalHit {
            event_id: EventId(place.documents.event(here.document)),
            turn: TurnIndex(place.documents.turn(here.document)),
            tokens: here.tokens,
            bm25,
            rank_score: from_ascending_bits((key >> 32) as u32),
            cosine,
            relevance: relevance(score, place.weighted.maximum, cosine, dense),
        })
    };
    let mut left = room.map_or(u64::MAX, |room| u64::from(room) * SPARE_ROOM);
    let mut hits: Vec<LexicalHit> = Vec::with_capacity(keys.len());
    for hit in keys.into_iter().filter_map(hit) {
        if left == 0 && hits.len() >= LEAST_HITS {
            break;
        }
        left = left.saturating_sub(u64::from(hit.tokens));
        hits.push(hit);
    }
    hits
}

/// The absolute relevance of a score and a cosine.
fn relevance(score: f32, maximum: f32, cosine: Option<f32>, dense: Option<DensePool<'_>>) -> f32 {
    let lexical = if maximum > 0.0 {
        (score / maximum).clamp(0.0, 1.0)
    } else {
        0.0
    };
    match (cosine, dense) {
        (Some(cosine), Some(dense)) => {
            1.0 - (1.0 - lexical) * (1.0 - dense.calibration.relevance(cosine))
        }
        _ => lexical,
    }
}

/// Adds what each row gains for its cosine, scaled over the pool. A row without one gains as much as its words say, so
/// that what was said just now is neither favoured nor hidden.
fn add_cosines(ranked: &mut [Ranked], cosines: &[Option<f32>]) {
    let (least, span) = span(cosines.iter().flatten().copied());
    let (low, high) = span_of_windows(ranked);
    for (ranked, cosine) in ranked.iter_mut().zip(cosines) {
        let share = match cosine {
            Some(cosine) => (cosine - least) / span,
            None => (ranked.window - low) / high,
        };
        ranked.beside += HYBRID_WEIGHTS.1 * share;
    }
}

/// The least of some numbers, and how far the greatest lies above it, or 1 where they are all the same.
fn span(numbers: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let least = numbers.clone().fold(f32::INFINITY, f32::min);
    let most = numbers.fold(f32::NEG_INFINITY, f32::max);
    (least, if most > least { most - least } else { 1.0 })
}

fn span_of_windows(ranked: &[Ranked]) -> (f32, f32) {
    span(ranked.iter().map(|ranked| ranked.window))
}

/// Scales over the pool, adds what counts beside, and keeps the best: rank and number in `ranked`, in one number each.
fn best(ranked: &[Ranked], limit: usize, weight: f32) -> Vec<u64> {
    let (least, span) = span_of_windows(ranked);
    let scale = weight / span;
    let mut keys: Vec<u64> = Vec::with_capacity(ranked.len());
    keys.extend(ranked.iter().zip(0..).map(|(ranked, number)| {
        let rank = (ranked.window - least) * scale + ranked.beside;
        // Orders by rank, then by document, of which the rows are in order.
        u64::from(ascending_bits(rank)) << 32 | number
    }));
    if limit > 0 && keys.len() > limit {
        keys.select_nth_unstable_by(limit - 1, |a, b| b.cmp(a));
        keys.truncate(limit);
    }
    keys.sort_unstable_by(|a, b| b.cmp(a));
    keys
}

/// What a message of so many tokens loses.
fn cost(tokens: u32) -> f32 {
    let tokens = tokens as f32 / FREE_TOKENS;
    if tokens > 1.0 {
        COST_WEIGHT * tokens.ln()
    } else {
        0.0
    }
}

impl Frequencies {
    fn of(terms: &[Term<'_>], near: &Surroundings) -> Self {
        let mut group = Self {
            weights: [0.0; LANES],
            rows: vec![[0; LANES]; near.rows.len()],
        };
        for ((lane, term), weight) in terms.iter().enumerate().zip(&mut group.weights) {
            *weight = term.weight;
            near.for_each_posting(term.list, |row, frequency| {
                if let Some(cell) = group
                    .rows
                    .get_mut(row)
                    .and_then(|lanes| lanes.get_mut(lane))
                {
                    *cell = frequency as u8;
                }
            });
        }
        group
    }

    /// What the search itself gives the message at `row`.
    fn own_score(&self, table: &LengthTable, row: usize, code: u8) -> i32 {
        let lanes = self.rows.get(row).copied().unwrap_or_default();
        let terms = self
            .weights
            .iter()
            .zip(lanes)
            .filter(|&(_, frequency)| frequency > 0);
        terms
            .map(|(&weight, frequency)| table.share(weight, u32::from(frequency), code))
            .sum()
    }

    /// BM25 of the words of the span that begins at `row`, weighted by their places.
    #[inline]
    fn score(&self, reach: &Reach, row: u32) -> f32 {
        let rows = self.rows.get(row as usize..).unwrap_or_default();
        let Some(span) = rows.first_chunk::<SPAN>() else {
            return 0.0;
        };
        let mut words = [0.0; LANES];
        for (place, lanes) in reach.weights.iter().zip(span) {
            for (sum, &frequency) in words.iter_mut().zip(lanes) {
                *sum += place * f32::from(frequency);
            }
        }
        let mut shares = [0.0; LANES];
        for ((share, weight), frequency) in shares.iter_mut().zip(&self.weights).zip(words) {
            *share = weight * frequency / (frequency + reach.factor);
        }
        let [a, b, c, d, e, f, g, h] = shares;
        // Pairs as a vector unit adds them.
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

impl Reach {
    #[inline]
    fn of(span: &[Row; SPAN], average: f32) -> Self {
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

fn middle<T>(span: &[T; SPAN]) -> &T {
    let [_, _, middle, _, _] = span;
    middle
}

/// Bits that are ordered like the number.
fn ascending_bits(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

fn from_ascending_bits(bits: u32) -> f32 {
    f32::from_bits(if bits >> 31 == 1 {
        bits & !(1 << 31)
    } else {
        !bits
    })
}

/// The mean number of words a message has with its share of its neighbours.
fn average_window(place: &Neighbourhood<'_, '_>) -> f32 {
    let count = place.visible.count().max(1) as f32;
    let ranges = place.visible.as_slice().iter();
    let short: u64 = ranges.map(|range| place.documents.short_words(range)).sum();
    let beside = PLACE_WEIGHTS.iter().sum::<f32>() - 1.0;
    place.weighted.average_length + beside * short as f32 / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_keep_the_order(a in -1e9f32..1e9, b in -1e9f32..1e9) {
            prop_assert_eq!(ascending_bits(a).cmp(&ascending_bits(b)), a.total_cmp(&b));
            prop_assert_eq!(from_ascending_bits(ascending_bits(a)), a);
        }
    }
}
