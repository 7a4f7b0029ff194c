//! Ranking by a message and what stands beside it.
//!
//! "Yes, for seven years now!" answers a question whose words stand in the message before. So each message of the pool
//! and its neighbours is scored as if it held some of its neighbours' words too, less what it costs to show.
//! Only the pool's surroundings are looked at, by reading the postings there.

use std::ops::Range;

use aura_core::{EventId, LexicalHit, TurnIndex};

use crate::lexical::Weighted;
use crate::lexical::documents::{Documents, NEIGHBOUR_WORDS, NO_TIME};
use crate::lexical::norms::{B, K1, LengthTable};
use crate::lexical::ranges::Ranges;

/// What a word of the neighbours at distance 1 and 2 counts.
const NEIGHBOUR_WEIGHTS: [f32; 2] = [0.5, 0.25];

/// What the best score of the pool is worth against the cost of a message.
const SCORE_WEIGHT: f32 = 0.6;

/// What a message loses for each e-fold of its tokens over [`FREE_TOKENS`].
const COST_WEIGHT: f32 = 0.2;

/// What a message may cost without losing rank.
const FREE_TOKENS: f32 = 80.0;

/// How far words reach.
const REACH: u32 = NEIGHBOUR_WEIGHTS.len() as u32;

/// What ranking needs to know.
pub(crate) struct Neighbourhood<'a, 'i> {
    pub(crate) documents: &'a Documents,
    pub(crate) visible: &'a Ranges,
    pub(crate) weighted: &'a Weighted<'i>,
    pub(crate) table: &'a LengthTable,
    /// The longest pause inside a sitting, in milliseconds.
    pub(crate) sitting_gap: i64,
}

/// A document near the pool.
struct Row {
    document: u32,
    /// What its words count in a neighbour, per distance 1: `min(1, 20 / length)`.
    share: f32,
    length: f32,
    /// Rows of one sitting follow each other and have the same number.
    sitting: u32,
    /// It is in the pool or beside a member: it is ranked, not only read.
    ranked: bool,
}

/// The best `limit` of `pool` (score on the grid and document) and its neighbours.
pub(crate) fn rank(
    place: &Neighbourhood<'_, '_>,
    pool: impl Iterator<Item = (i32, u32)>,
    limit: usize,
) -> Vec<LexicalHit> {
    let mut pool: Vec<u32> = pool
        .map(|(_, document)| place.visible.rank(document))
        .collect();
    pool.sort_unstable();
    let (rows, runs) = rows(place, &pool);
    let frequencies = frequencies(place, rows.len(), &runs);
    let terms = place.weighted.terms.len();
    let average = average_window(place);
    let mut scored: Vec<(f32, LexicalHit)> = Vec::with_capacity(rows.len());
    let mut words = vec![0.0; terms];
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.ranked) {
        let length = gather(&rows, &frequencies, index, &mut words);
        let factor = K1 * (1.0 - B + B * length / average);
        let mut window = 0.0;
        for (term, &frequency) in place.weighted.terms.iter().zip(&words) {
            window += term.weight * frequency / (frequency + factor);
        }
        let own = frequencies
            .get(index * terms..(index + 1) * terms)
            .unwrap_or_default();
        scored.push((window, hit(place, row.document, own, window)));
    }
    order(scored, limit)
}

/// Scales over the pool, subtracts the cost, sorts.
fn order(scored: Vec<(f32, LexicalHit)>, limit: usize) -> Vec<LexicalHit> {
    let least = scored
        .iter()
        .map(|&(window, _)| window)
        .fold(f32::INFINITY, f32::min);
    let most = scored.iter().map(|&(window, _)| window).fold(0.0, f32::max);
    let spread = if most > least { most - least } else { 1.0 };
    let mut hits: Vec<LexicalHit> = scored
        .into_iter()
        .map(|(window, hit)| {
            let cost = (hit.tokens as f32 / FREE_TOKENS).ln().max(0.0);
            LexicalHit {
                rank_score: SCORE_WEIGHT * (window - least) / spread - COST_WEIGHT * cost,
                ..hit
            }
        })
        .collect();
    hits.sort_unstable_by(|a, b| {
        (b.rank_score.total_cmp(&a.rank_score)).then(b.event_id.cmp(&a.event_id))
    });
    hits.truncate(limit);
    hits
}

fn hit(place: &Neighbourhood<'_, '_>, document: u32, own: &[f32], window: f32) -> LexicalHit {
    let code = place
        .documents
        .codes()
        .get(document as usize)
        .copied()
        .unwrap_or(0);
    let score: i32 = place
        .weighted
        .terms
        .iter()
        .zip(own)
        .filter(|&(_, &frequency)| frequency > 0.0)
        .map(|(term, &frequency)| place.table.share(term.weight, frequency as u32, code))
        .sum();
    let bm25 = score as f32 * place.weighted.unit;
    let best = bm25.max(window * place.weighted.unit);
    LexicalHit {
        event_id: EventId(place.documents.event(document)),
        turn: TurnIndex(place.documents.turn(document)),
        tokens: place.documents.tokens(document),
        bm25,
        rank_score: 0.0,
        relevance: (best / place.weighted.maximum).clamp(0.0, 1.0),
    }
}

/// The documents up to two steps beyond the neighbours of the pool (whose words reach the neighbours), and for each
/// unbroken run of them its documents and its first row.
fn rows(place: &Neighbourhood<'_, '_>, pool: &[u32]) -> (Vec<Row>, Vec<(Range<u32>, usize)>) {
    let total = u32::try_from(place.visible.count()).unwrap_or(u32::MAX);
    let mut rows: Vec<Row> = Vec::with_capacity(pool.len() * (4 * REACH as usize + 1));
    let mut runs: Vec<(Range<u32>, usize)> = Vec::with_capacity(pool.len());
    let mut members = pool.iter().copied().peekable();
    let (mut next, mut sitting) = (0, 0);
    for &member in pool {
        let first = member.saturating_sub(2 * REACH);
        if first > next {
            // Nobody stands between here and the rows before.
            sitting += 1;
        }
        let end = (member + 2 * REACH + 1).min(total);
        for rank in first.max(next)..end {
            let document = place.visible.at(rank);
            while members.next_if(|&member| member + REACH < rank).is_some() {}
            let ranked = members.peek().is_some_and(|&member| member <= rank + REACH);
            if let Some(last) = rows.last()
                && pauses(place, last.document, document)
            {
                sitting += 1;
            }
            let length = place.documents.length(document);
            match runs.last_mut() {
                Some((run, _)) if run.end == document => run.end += 1,
                _ => runs.push((document..document + 1, rows.len())),
            }
            rows.push(Row {
                document,
                share: NEIGHBOUR_WORDS as f32 / length.max(NEIGHBOUR_WORDS) as f32,
                length: length as f32,
                sitting,
                ranked,
            });
        }
        next = next.max(end);
    }
    (rows, runs)
}

fn pauses(place: &Neighbourhood<'_, '_>, before: u32, after: u32) -> bool {
    let (before, after) = (place.documents.time(before), place.documents.time(after));
    before != NO_TIME && after != NO_TIME && after.saturating_sub(before) > place.sitting_gap
}

/// How often each term occurs in each row: a table of rows by terms.
fn frequencies(
    place: &Neighbourhood<'_, '_>,
    rows: usize,
    runs: &[(Range<u32>, usize)],
) -> Vec<f32> {
    let terms = place.weighted.terms.len();
    let mut table = vec![0.0; rows * terms];
    for (column, term) in place.weighted.terms.iter().enumerate() {
        let postings = term.list.postings();
        for (run, first_row) in runs {
            let start = term.list.position(run.start);
            for posting in postings.get(start..).unwrap_or_default() {
                let document = posting.document();
                if document >= run.end {
                    break;
                }
                let row = first_row + (document - run.start) as usize;
                if let Some(cell) = table.get_mut(row * terms + column) {
                    *cell = posting.frequency() as f32;
                }
            }
        }
    }
    table
}

/// Adds up the words of a row and its neighbours into `words`; returns their weighted number.
fn gather(rows: &[Row], frequencies: &[f32], index: usize, words: &mut [f32]) -> f32 {
    let terms = words.len();
    let row_words = |row: usize| {
        frequencies
            .get(row * terms..(row + 1) * terms)
            .unwrap_or_default()
    };
    words.copy_from_slice(row_words(index));
    let Some(here) = rows.get(index) else {
        return 0.0;
    };
    let mut length = here.length;
    for (distance, weight) in (1..).zip(NEIGHBOUR_WEIGHTS) {
        for other in [index.checked_sub(distance), index.checked_add(distance)] {
            let Some((other, row)) = other.and_then(|other| Some((other, rows.get(other)?))) else {
                continue;
            };
            if row.sitting != here.sitting {
                continue;
            }
            let weight = weight * row.share;
            length += weight * row.length;
            for (sum, &frequency) in words.iter_mut().zip(row_words(other)) {
                *sum += weight * frequency;
            }
        }
    }
    length
}

/// The mean number of words a message has with its share of its neighbours.
fn average_window(place: &Neighbourhood<'_, '_>) -> f32 {
    let count = place.visible.count().max(1) as f32;
    let short: u64 = place
        .visible
        .as_slice()
        .iter()
        .map(|range| place.documents.short_words(range))
        .sum();
    let beside: f32 = NEIGHBOUR_WEIGHTS.iter().map(|weight| 2.0 * weight).sum();
    (place.weighted.average_length + beside * short as f32 / count).max(1.0)
}
