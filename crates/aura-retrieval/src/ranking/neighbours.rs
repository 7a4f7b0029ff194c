//! Ranking by a message and what stands beside it.
//!
//! "Yes, for seven years now!" answers a question whose words stand in the message before. So each message of the pool
//! and around it is scored as if it held some of its neighbours' words too. To that come the signals that are not
//! words: who speaks, when, whether it asks, what it costs to show. Only the pool's surroundings are looked at, by
//! reading the postings there.

use aura_core::{DensePool, EventId, LexicalHit, Signals, TurnIndex};
use smallvec::SmallVec;

use super::kin::Kin;
use super::occurrences::{LANES, Occurrences, Reach, SPAN, length_beside, middle};
use super::relevance::Grounds;
use super::signals::Wanted;
use super::surroundings::{REACH, Surroundings};
use crate::lexical::Weighted;
use crate::lexical::documents::Documents;
use crate::lexical::norms::LengthTable;
use crate::lexical::ranges::Ranges;

/// What ranking needs to know.
pub(crate) struct Neighbourhood<'a, 'i, 'k> {
    pub(crate) documents: &'a Documents,
    pub(crate) visible: &'a Ranges,
    pub(crate) weighted: &'a Weighted<'i>,
    pub(crate) kin: &'a [Kin<'k>],
    pub(crate) table: &'a LengthTable,
    pub(crate) wanted: Wanted<'a>,
    pub(crate) grounds: Grounds,
    /// The longest pause inside a sitting, in milliseconds.
    pub(crate) sitting_gap: i64,
}

/// A row that is scored.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    /// Where its span begins.
    row: u32,
    document: u32,
    /// The score with its neighbours, on the grid.
    window: f32,
    /// What it gains and loses beside.
    beside: f32,
}

/// How scores become part of a rank.
struct Scale {
    least: f32,
    factor: f32,
}

/// How many messages to search for when `limit` are wanted after ranking, since each brings its neighbours along.
///
/// Shares of questions with all evidence in 1,024 / 2,048 tokens, for 200 wanted: two people's chats 82.1 / 86.2 from 48
/// messages, 82.4 / 86.1 from 80; five such chats and eight of another kind in one session of 4,756 messages 78.9 / 83.9
/// from 48, 78.7 / 83.7 from 80, 79.1 / 84.2 from 120.
pub(crate) fn pool_size(limit: usize) -> usize {
    (limit / 4).max(limit.min(48))
}

/// How many times the room the hits may fill: some of them turn out to be shown already, doubled or superseded.
const SPARE_ROOM: u64 = 2;

/// Hits that are given however little room there is.
const LEAST_HITS: usize = 16;

/// The best `limit` of the documents in `pool` and around them; with `room` for so many tokens, not many more than fit.
pub(crate) fn rank(
    place: &Neighbourhood<'_, '_, '_>,
    pool: impl Iterator<Item = u32>,
    limit: usize,
    room: Option<u32>,
    dense: Option<DensePool<'_>>,
) -> Vec<LexicalHit> {
    let near = Surroundings::of(place.documents, place.visible, pool, place.sitting_gap);
    let average = average_window(place);
    let terms = place.weighted.terms.chunks(LANES);
    let groups: SmallVec<[Occurrences; 1]> = terms
        .zip(0..)
        .map(|(terms, group)| Occurrences::of(terms, group * LANES, place.kin, &near))
        .collect();
    let mut ranked: Vec<Ranked> = Vec::with_capacity(near.rows.len());
    let mut best_alone = 0;
    for (span, row) in near.rows.array_windows::<SPAN>().zip(0..) {
        let here = middle(span);
        if here.member {
            let alone = groups
                .iter()
                .map(|group| group.alone(place.table, row as usize + REACH, here.code));
            best_alone = best_alone.max(alone.sum());
        }
        if here.ranked {
            let reach = Reach::of(span, average);
            ranked.push(Ranked {
                row,
                document: here.document,
                window: groups.iter().map(|group| group.beside(&reach, row)).sum(),
                beside: place.signals(here.document).sum(),
            });
        }
    }
    let cosines = dense.map(|dense| {
        let events = ranked
            .iter()
            .map(|ranked| EventId(place.documents.event(ranked.document)));
        (dense.cosines)(&events.collect::<Vec<_>>())
    });
    let weights = place.wanted.weights;
    let relevance = place.grounds.relevance(best_alone as f32);
    let (low, height) = span(ranked.iter().map(|ranked| ranked.window));
    let gains = cosines
        .as_ref()
        .map(|cosines| gains(&ranked, cosines, weights.dense));
    if let Some(gains) = &gains {
        for (ranked, gain) in ranked.iter_mut().zip(gains) {
            ranked.beside += gain;
        }
    }
    let lexical = if dense.is_some() {
        weights.lexical_beside_dense
    } else {
        weights.lexical
    };
    let scale = Scale {
        least: low,
        factor: lexical / height,
    };
    let keys = best(&ranked, limit, &scale);
    let hit = |key: u64| {
        let number = key as u32 as usize;
        let ranked = ranked.get(number)?;
        let cosine = cosines.as_ref().and_then(|cosines| *cosines.get(number)?);
        let row = ranked.row as usize + REACH;
        let here = near.rows.get(row)?;
        let own: i32 = groups
            .iter()
            .map(|group| group.alone(place.table, row, here.code))
            .sum();
        let nearness = place.documents.traits(ranked.document);
        let nearness = nearness.map_or(0.0, |traits| place.wanted.nearness(traits));
        Some(LexicalHit {
            event_id: EventId(place.documents.event(here.document)),
            turn: TurnIndex(place.documents.turn(here.document)),
            tokens: here.tokens,
            bm25: own as f32 * place.weighted.unit,
            rank_score: from_ascending_bits((key >> 32) as u32),
            cosine,
            relevance: relevance.of(ranked.window, nearness, cosine, dense),
            signals: Signals {
                lexical: scale.of(ranked.window),
                dense: gains
                    .as_ref()
                    .and_then(|gains| gains.get(number))
                    .copied()
                    .unwrap_or(0.0),
                ..place.signals(ranked.document)
            },
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

impl Neighbourhood<'_, '_, '_> {
    /// What speaks for a document beside its words.
    fn signals(&self, document: u32) -> Signals {
        let traits = self.documents.traits(document);
        traits.map_or(Signals::default(), |traits| self.wanted.signals(traits))
    }
}

impl Scale {
    fn of(&self, window: f32) -> f32 {
        (window - self.least) * self.factor
    }
}

/// What each row gains for its cosine, scaled over the pool. A row without one gains as much as its words say, so that
/// what was said just now is neither favoured nor hidden.
fn gains(ranked: &[Ranked], cosines: &[Option<f32>], weight: f32) -> Vec<f32> {
    let (least, width) = span(cosines.iter().flatten().copied());
    let (low, height) = span(ranked.iter().map(|ranked| ranked.window));
    let share = |(ranked, cosine): (&Ranked, &Option<f32>)| match cosine {
        Some(cosine) => (cosine - least) / width,
        None => (ranked.window - low) / height,
    };
    ranked
        .iter()
        .zip(cosines)
        .map(|pair| weight * share(pair))
        .collect()
}

/// The least of some numbers, and how far the greatest lies above it, or 1 where they are all the same.
fn span(numbers: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let least = numbers.clone().fold(f32::INFINITY, f32::min);
    let most = numbers.fold(f32::NEG_INFINITY, f32::max);
    (least, if most > least { most - least } else { 1.0 })
}

/// Scales over the pool, adds what counts beside, and keeps the best: rank and number in `ranked`, in one number each.
fn best(ranked: &[Ranked], limit: usize, scale: &Scale) -> Vec<u64> {
    let mut keys: Vec<u64> = Vec::with_capacity(ranked.len());
    keys.extend(ranked.iter().zip(0..).map(|(ranked, number)| {
        let rank = scale.of(ranked.window) + ranked.beside;
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
fn average_window(place: &Neighbourhood<'_, '_, '_>) -> f32 {
    let count = place.visible.count().max(1) as f32;
    let ranges = place.visible.as_slice().iter();
    let short: u64 = ranges.map(|range| place.documents.short_words(range)).sum();
    place.weighted.average_length + length_beside(short as f32 / count)
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
