//! Approximate search over a graph of neighbours, for more vectors than a scan gets through in time.
//!
//! A graph is a cache beside the rows: it finds rows, and their cosines are computed from the rows themselves. It lags
//! behind them, since a vector costs about a millisecond to enter; the rows it lacks are scanned.

#[cfg(feature = "hnsw")]
mod hnsw;
#[cfg(feature = "usearch")]
mod usearch;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aura_core::Result;
use parking_lot::Mutex;

use crate::dense::backend::GraphKind;
use crate::dense::rows::Rows;

/// How many rows enter the graph in one slice of work.
const SLICE: usize = 32;

/// How many rows may wait outside: so few are scanned in a fraction of what the graph takes.
const TAIL: usize = 1_024;

/// How wide a search goes beyond what it shall find.
const WIDTH: usize = 54;

/// A graph of one library. Vectors have length 1, in 15 bits a number.
pub(super) trait Graph: Send + Sync {
    /// Adds a row.
    fn insert(&self, row: usize, vector: &[i16]) -> Result<()>;

    /// Rows near to `query`, at most `count`, looking at `width` candidates at a time.
    fn search(&self, query: &[i16], count: usize, width: usize) -> Result<Vec<usize>>;

    /// How much memory it takes, in bytes, about.
    fn memory(&self) -> usize;
}

/// The graph of an index, as far as it has grown.
pub(super) struct Grown {
    kind: Option<GraphKind>,
    from: usize,
    graph: Mutex<Option<Arc<dyn Graph>>>,
    /// How many rows, from the first, stand in the graph.
    covered: AtomicUsize,
}

impl Grown {
    /// No graph yet; one is begun when there are `from` rows.
    pub(super) fn new(kind: Option<GraphKind>, from: usize) -> Self {
        Self {
            kind,
            from,
            graph: Mutex::new(None),
            covered: AtomicUsize::new(0),
        }
    }

    /// Drops the graph: rows have moved.
    pub(super) fn forget(&mut self) {
        *self.graph.get_mut() = None;
        *self.covered.get_mut() = 0;
    }

    /// How many rows, from the first, stand in the graph.
    pub(super) fn covered(&self) -> usize {
        self.covered.load(Ordering::Acquire)
    }

    pub(super) fn memory(&self) -> usize {
        self.graph.lock().as_ref().map_or(0, |graph| graph.memory())
    }

    /// Enters a slice of the rows that wait; says whether more do. A graph that fails is given up: scanning goes on.
    pub(super) fn advance(&self, rows: &Rows) -> bool {
        let Some(kind) = self.kind.filter(|_| rows.len() >= self.from) else {
            return false;
        };
        let mut held = self.graph.lock();
        let covered = self.covered();
        if covered + TAIL > rows.len() {
            return false;
        }
        let Some(graph) = held.clone().or_else(|| create(kind, rows.dimension).ok()) else {
            return false;
        };
        let end = rows.len().min(covered + SLICE);
        for row in covered..end {
            if !rows.is_removed(row) && graph.insert(row, &fixed(rows, row)).is_err() {
                return false;
            }
        }
        *held = Some(graph);
        self.covered.store(end, Ordering::Release);
        end + TAIL <= rows.len()
    }

    /// The graph, if searching it for `limit` of `visible` rows costs less than scanning them, and how many rows to ask
    /// it for.
    pub(super) fn worth(
        &self,
        rows: &Rows,
        visible: usize,
        limit: usize,
    ) -> Option<(Arc<dyn Graph>, usize)> {
        let covered = self.covered();
        // Where much is out of sight the graph would have to find it all only to throw it away.
        let kind = self.kind?;
        if covered < self.from || limit == 0 || visible < rows.len() / 4 * 3 {
            return None;
        }
        let count = (limit + limit / 2 + 8) * rows.len() / visible.max(1);
        if width(count) * step_cost(kind) >= visible {
            return None;
        }
        let graph = self.graph.lock().clone()?;
        Some((graph, count))
    }
}

/// How wide to search for so many rows.
pub(super) const fn width(count: usize) -> usize {
    count + WIDTH
}

/// How many rows are scanned in the time that a graph search takes for each candidate of its width, as measured with 384
/// numbers a row: see `benches/README.md`. Both grow in proportion to the numbers.
const fn step_cost(kind: GraphKind) -> usize {
    match kind {
        #[cfg(feature = "hnsw")]
        GraphKind::Hnsw => 500,
        #[cfg(feature = "usearch")]
        GraphKind::Usearch => 150,
    }
}

#[cfg_attr(
    not(any(feature = "hnsw", feature = "usearch")),
    expect(unused_variables, reason = "without a library there is no kind")
)]
fn create(kind: GraphKind, dimension: usize) -> Result<Arc<dyn Graph>> {
    match kind {
        #[cfg(feature = "hnsw")]
        GraphKind::Hnsw => Ok(Arc::new(hnsw::HnswGraph::new(dimension))),
        #[cfg(feature = "usearch")]
        GraphKind::Usearch => Ok(Arc::new(usearch::UsearchGraph::new(dimension)?)),
    }
}

/// A row as a graph takes it: length 1, in 15 bits a number.
fn fixed(rows: &Rows, row: usize) -> Vec<i16> {
    let (high, low) = rows.halves(row);
    let unit = rows.units.get(row).copied().unwrap_or_default() * f32::from(i16::MAX);
    high.iter()
        .zip(low)
        .map(|(high, low)| {
            let number = i32::from(*high) * 256 + i32::from(*low);
            (number as f32 * unit).round() as i16
        })
        .collect()
}
