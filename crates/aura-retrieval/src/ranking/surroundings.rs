//! The documents near a pool.

use std::ops::Range;

use crate::lexical::List;
use crate::lexical::documents::{Documents, NEIGHBOUR_WORDS, NO_TIME};
use crate::lexical::postings::posting::position;
use crate::lexical::ranges::Ranges;

/// How far words reach, in visible messages.
pub(crate) const REACH: usize = 2;

/// How far from a member of the pool messages are ranked, in visible messages of the same sitting.
const NEAR: usize = 4;

/// How far from a member of the pool rows are read: the words of the last reach what is ranked.
const READ: usize = NEAR + REACH;

/// A document near the pool.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row {
    pub(crate) document: u32,
    /// Rows of one sitting follow each other and have the same number; padding has 0.
    pub(crate) sitting: u32,
    /// How many words it has.
    pub(crate) length: f32,
    /// What a neighbour takes of its words: at most [`NEIGHBOUR_WORDS`] of them.
    pub(crate) share: f32,
    /// What it costs to show.
    pub(crate) tokens: u32,
    /// Its length code.
    pub(crate) code: u8,
    /// It is in the pool or near a member; other rows are only read.
    pub(crate) ranked: bool,
    /// It is in the pool.
    pub(crate) member: bool,
}

/// Consecutive documents in consecutive rows.
#[derive(Debug, Clone)]
struct Run {
    documents: Range<u32>,
    first_row: usize,
}

/// Pool, neighbours, and the neighbours' neighbours (whose words reach them), in the order of their documents.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// With [`REACH`] rows of padding at either end, so that every document has all its neighbours.
    pub(crate) rows: Vec<Row>,
    runs: Vec<Run>,
}

impl Surroundings {
    /// What stands around `pool`, leaving out what is not visible; a pause longer than `sitting_gap` milliseconds starts a
    /// new sitting.
    pub(crate) fn of(
        documents: &Documents,
        visible: &Ranges,
        pool: impl Iterator<Item = u32>,
        sitting_gap: i64,
    ) -> Self {
        let mut pool: Vec<u32> = pool.collect();
        pool.sort_unstable();
        visible.to_ranks(&mut pool);
        let mut near = Self {
            rows: Vec::with_capacity(pool.len() * (2 * READ + 1) + 2 * REACH),
            runs: Vec::with_capacity(pool.len()),
        };
        near.rows.resize(REACH, Row::default());
        let mut places = visible.places();
        let mut sittings = Sittings::new(sitting_gap);
        for members in pool.chunk_by(|before, after| after - before <= 2 * READ as u32) {
            let (Some(&first), Some(&last)) = (members.first(), members.last()) else {
                continue;
            };
            let first_rank = first.saturating_sub(READ as u32);
            let first_row = near.rows.len();
            // What stands before is not here, so nothing reaches across.
            sittings.start();
            places.for_each(&(first_rank..last + READ as u32 + 1), |range| {
                near.read(documents, range, &mut sittings);
            });
            for &member in members {
                let row = first_row + (member - first_rank) as usize;
                let Some(here) = near.rows.get_mut(row) else {
                    continue;
                };
                here.member = true;
                let sitting = here.sitting;
                let reach = row.saturating_sub(NEAR).max(first_row)..row + NEAR + 1;
                let end = reach.end.min(near.rows.len());
                let reached = near.rows.get_mut(reach.start..end).unwrap_or_default();
                for row in reached {
                    row.ranked |= row.sitting == sitting;
                }
            }
        }
        near.rows.resize(near.rows.len() + REACH, Row::default());
        near
    }

    fn read(&mut self, documents: &Documents, range: Range<u32>, sittings: &mut Sittings) {
        self.runs.push(Run {
            documents: range.clone(),
            first_row: self.rows.len(),
        });
        let rows = documents.iter(&range);
        self.rows
            .extend(rows.map(|(document, length, code, traits)| Row {
                document,
                sitting: sittings.at(traits.time),
                length: length as f32,
                share: NEIGHBOUR_WORDS as f32 / length.max(NEIGHBOUR_WORDS) as f32,
                tokens: traits.tokens,
                code,
                ranked: false,
                member: false,
            }));
    }

    /// Hands over the row and frequency of each posting of `list` that is near.
    #[inline]
    pub(crate) fn for_each_posting(&self, list: List<'_>, mut f: impl FnMut(usize, u32)) {
        let postings = list.postings();
        if let List::Long(long) = list
            && !long.windows().is_empty()
        {
            for run in &self.runs {
                long.for_each_within(&run.documents, |document, frequency| {
                    f(run.row_of(document), frequency);
                });
            }
        } else if postings.len() < self.runs.len() * 4 {
            // Few postings: walk them all along the runs.
            let mut runs = self.runs.iter().peekable();
            for posting in postings {
                let document = posting.document();
                while runs.next_if(|run| run.documents.end <= document).is_some() {}
                let Some(run) = runs.peek() else { break };
                if run.documents.start <= document {
                    f(run.row_of(document), posting.frequency());
                }
            }
        } else {
            let mut rest = postings;
            for run in &self.runs {
                rest = rest
                    .get(position(rest, run.documents.start)..)
                    .unwrap_or_default();
                for posting in rest {
                    if posting.document() >= run.documents.end {
                        break;
                    }
                    f(run.row_of(posting.document()), posting.frequency());
                }
            }
        }
    }
}

impl Run {
    #[inline]
    fn row_of(&self, document: u32) -> usize {
        self.first_row + (document - self.documents.start) as usize
    }
}

/// Numbers the sittings.
struct Sittings {
    gap: i64,
    number: u32,
    last_time: i64,
}

impl Sittings {
    fn new(gap: i64) -> Self {
        Self {
            gap,
            number: 0,
            last_time: NO_TIME,
        }
    }

    /// Starts a new sitting.
    fn start(&mut self) {
        self.number += 1;
        self.last_time = NO_TIME;
    }

    /// The sitting of the next message; one without a time belongs to the one before.
    #[inline]
    fn at(&mut self, time: i64) -> u32 {
        if time != NO_TIME {
            let pause = time.saturating_sub(self.last_time);
            if self.last_time != NO_TIME && pause > self.gap {
                self.number += 1;
            }
            self.last_time = time;
        }
        self.number
    }
}
