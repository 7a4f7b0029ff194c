//! Exact search: every visible row in 8 bits, and in 16 bits those that may be among the nearest.
//!
//! The product with the upper half of a row is off by no more than the length of the lower half, which is known. A row
//! is left out only if even so it cannot reach the nearest `limit`: the answer is that of a comparison in 16 bits.

use std::cmp::Ordering;

use aura_core::{EventId, VectorHit};

use crate::dense::form::Query;
use crate::dense::kernel::Kernel;
use crate::dense::rows::Rows;

/// How many rows are multiplied at once.
const BLOCK: usize = 256;

/// What rounding in 32 bits may add to the bounds.
const ROUNDING: f32 = 4e-6;

/// A message that may be among the nearest: bounds of its cosine.
#[derive(Debug, Clone, Copy)]
struct Contender {
    event: EventId,
    least: f32,
    most: f32,
}

/// Collects the messages that may be among the nearest.
pub(super) struct Scan<'a> {
    rows: &'a Rows,
    query: &'a Query,
    kernel: Kernel,
    limit: usize,
    contenders: Vec<Contender>,
    /// What `limit` messages reach for certain.
    threshold: f32,
    /// The message whose rows are being read.
    current: Option<Contender>,
    /// 1, where the rows are not those of who asks.
    strangers: u64,
    /// How many rows were compared that are not those of who asks.
    pub(super) foreign: u64,
}

impl<'a> Scan<'a> {
    pub(super) fn new(rows: &'a Rows, query: &'a Query, kernel: Kernel, limit: usize) -> Self {
        Self {
            rows,
            query,
            kernel,
            limit,
            contenders: Vec::new(),
            threshold: f32::NEG_INFINITY,
            current: None,
            strangers: 0,
            foreign: 0,
        }
    }

    /// The same, where the rows may be those of somebody else.
    pub(super) fn in_foreign(mut self, foreign: bool) -> Self {
        self.strangers = u64::from(foreign);
        self
    }

    /// Reads a run of rows, which begins and ends with whole messages.
    pub(super) fn read(&mut self, run: std::ops::Range<usize>) {
        let mut products = [0_i32; BLOCK];
        let rows = self.rows;
        for first in run.clone().step_by(BLOCK) {
            let block = first..run.end.min(first + BLOCK);
            let numbers = block.start * rows.dimension..block.end * rows.dimension;
            let high = rows.high.get(numbers).unwrap_or_default();
            self.kernel.dots(&self.query.numbers, high, &mut products);
            let units = rows.units.get(block.clone()).unwrap_or_default();
            let rests = rows.rests.get(block.clone()).unwrap_or_default();
            let events = rows.events.get(block).unwrap_or_default();
            self.foreign += self.strangers * events.len() as u64;
            let scale = 256.0 * self.query.unit;
            let error = self.query.error + ROUNDING;
            for (((product, unit), rest), event) in
                products.iter().zip(units).zip(rests).zip(events)
            {
                let cosine = *product as f32 * unit * scale;
                let slack = rest * 1.001 + error;
                if cosine + slack >= self.threshold && *unit != 0.0 {
                    self.take(*event, cosine - slack, cosine + slack);
                }
            }
        }
        self.close();
    }

    fn take(&mut self, event: EventId, least: f32, most: f32) {
        match &mut self.current {
            Some(current) if current.event == event => {
                current.least = current.least.max(least);
                current.most = current.most.max(most);
            }
            _ => {
                self.close();
                self.current = Some(Contender { event, least, most });
            }
        }
    }

    fn close(&mut self) {
        self.contenders.extend(self.current.take());
        // Few enough to sort out cheaply, often enough that the threshold rises early.
        if self.contenders.len() >= (self.limit * 2).max(256) {
            self.sort_out();
        }
    }

    fn sort_out(&mut self) {
        let Some(at) = self
            .limit
            .checked_sub(1)
            .filter(|at| *at < self.contenders.len())
        else {
            return;
        };
        let downwards = |a: &Contender, b: &Contender| b.least.total_cmp(&a.least);
        let (_, last, _) = self.contenders.select_nth_unstable_by(at, downwards);
        self.threshold = self.threshold.max(last.least);
        self.contenders
            .retain(|contender| contender.most >= self.threshold);
    }

    /// The nearest of all that was read.
    pub(super) fn finish(mut self) -> Vec<VectorHit> {
        if self.limit == 0 {
            return Vec::new();
        }
        self.sort_out();
        let hits = self.contenders.iter().filter_map(|contender| {
            let cosine = self
                .rows
                .nearest(contender.event, self.query, self.kernel)?;
            Some(VectorHit {
                event_id: contender.event,
                cosine,
            })
        });
        best(hits.collect(), self.limit)
    }
}

/// The best `limit` of some hits, in order.
pub(super) fn best(mut hits: Vec<VectorHit>, limit: usize) -> Vec<VectorHit> {
    if hits.len() > limit && limit > 0 {
        hits.select_nth_unstable_by(limit - 1, order);
    }
    hits.truncate(limit);
    hits.sort_unstable_by(order);
    hits
}

/// Nearest first, ties by the newer event.
fn order(a: &VectorHit, b: &VectorHit) -> Ordering {
    b.cosine
        .total_cmp(&a.cosine)
        .then(b.event_id.cmp(&a.event_id))
}
