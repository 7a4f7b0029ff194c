//! The dense index of one session.

use std::ops::Range;

use aura_core::{
    EventId, EventRange, Result, SessionKey, VectorHit, VectorHits, VectorIndex, VectorRequest,
};

use crate::dense::backend::GraphKind;
use crate::dense::form::{self, Query};
use crate::dense::graph::{self, Grown};
use crate::dense::kernel::Kernel;
use crate::dense::rows::{Change, Rows};
use crate::dense::scan::{Scan, best};

/// The vectors of one session and model, in memory.
pub struct DenseIndex {
    rows: Rows,
    graph: Grown,
    kernel: Kernel,
    /// Whose messages they are.
    owner: Option<SessionKey>,
}

/// The nearest messages, and how many vectors were compared for them that are not those of who asks.
type Found = (Vec<VectorHit>, u64);

impl DenseIndex {
    pub(super) fn new(dimension: usize, graph: Option<GraphKind>, graph_from: usize) -> Self {
        Self {
            rows: Rows::new(dimension),
            graph: Grown::new(graph, graph_from),
            kernel: Kernel::new(),
            owner: None,
        }
    }

    /// How many vectors the graph holds, from the first on.
    #[must_use]
    pub fn in_graph(&self) -> usize {
        self.graph.covered()
    }

    /// The visible rows as ascending runs.
    fn runs(&self, visible: &[EventRange]) -> Vec<Range<usize>> {
        let runs = visible.iter().map(|range| self.rows.of(*range));
        runs.filter(|run| !run.is_empty()).collect()
    }

    /// Whether whoever asks may not read these messages.
    fn is_foreign(&self, request: &VectorRequest<'_>) -> bool {
        let owner = self.owner.as_ref();
        request.reader.is_some_and(|reader| owner != Some(reader))
    }

    fn scan(&self, query: &Query, runs: &[Range<usize>], request: &VectorRequest<'_>) -> Found {
        let scan = Scan::new(&self.rows, query, self.kernel, request.limit);
        let mut scan = scan.in_foreign(self.is_foreign(request));
        for run in runs {
            scan.read(run.clone());
        }
        let foreign = scan.foreign;
        (scan.finish(), foreign)
    }

    /// What graph and scan of the rest find together; `None` where too little of it is visible.
    fn search_graph(
        &self,
        request: &VectorRequest<'_>,
        query: &Query,
        runs: &[Range<usize>],
        visible: usize,
    ) -> Option<Found> {
        let (graph, count) = self.graph.worth(&self.rows, visible, request.limit)?;
        let covered = self.graph.covered();
        let asked = fixed_query(self.rows.dimension, request.query).ok()?;
        let found = graph.search(&asked, count, graph::width(count)).ok()?;
        let sees = |row: usize| {
            let at = runs.partition_point(|run| run.end <= row);
            runs.get(at).is_some_and(|run| run.contains(&row)) && !self.rows.is_removed(row)
        };
        let rows = found.into_iter().filter(|row| sees(*row));
        let mut events: Vec<EventId> = rows
            .filter_map(|row| self.rows.events.get(row).copied())
            .collect();
        events.sort_unstable();
        events.dedup();
        if events.len() < request.limit {
            return None;
        }
        let tail: Vec<_> = runs
            .iter()
            .map(|run| run.start.max(covered)..run.end)
            .filter(|run| !run.is_empty())
            .collect();
        let (mut hits, mut foreign) = self.scan(query, &tail, request);
        if self.is_foreign(request) {
            foreign += events.len() as u64;
        }
        hits.extend(events.into_iter().filter_map(|event_id| {
            let cosine = self.rows.nearest(event_id, query, self.kernel)?;
            Some(VectorHit { event_id, cosine })
        }));
        hits.sort_unstable_by_key(|hit| hit.event_id);
        hits.dedup_by_key(|hit| hit.event_id);
        Some((best(hits, request.limit), foreign))
    }
}

/// A query as a graph takes it.
fn fixed_query(dimension: usize, query: &[f32]) -> Result<Vec<i16>> {
    let vector = form::unit("query", dimension, query)?;
    let numbers = vector
        .into_iter()
        .map(|number| (number * f64::from(i16::MAX)).round() as i16);
    Ok(numbers.collect())
}

/// How many hits lie outside the visible events.
fn unseen(hits: &[VectorHit], visible: &[EventRange]) -> u64 {
    let sees = |hit: &&VectorHit| {
        let at = visible.partition_point(|range| range.last < hit.event_id);
        !visible
            .get(at)
            .is_some_and(|range| range.contains(hit.event_id))
    };
    hits.iter().filter(sees).count() as u64
}

impl VectorIndex for DenseIndex {
    fn set_owner(&mut self, owner: &SessionKey) {
        self.owner = Some(owner.clone());
    }

    fn insert(&mut self, event: EventId, bytes: &[u8]) -> Result<()> {
        match self.rows.set(event, bytes)? {
            Change::Moved(row) if row < self.graph.covered() => self.graph.forget(),
            Change::Moved(_) | Change::Appended => {}
        }
        Ok(())
    }

    fn remove(&mut self, events: EventRange) -> u64 {
        let count = self.rows.remove(events);
        // What is removed must leave no trace in a graph either.
        if self.rows.compact() || (count > 0 && self.rows.of(events).start < self.graph.covered()) {
            self.graph.forget();
        }
        count
    }

    fn search(&self, request: &VectorRequest<'_>) -> Result<VectorHits> {
        let query = Query::of(self.rows.dimension, request.query)?;
        let runs = self.runs(request.visible);
        let visible = runs.iter().map(ExactSizeIterator::len).sum();
        let approximate = self.search_graph(request, &query, &runs, visible);
        let exact = approximate.is_none();
        let (hits, foreign) = approximate.unwrap_or_else(|| self.scan(&query, &runs, request));
        Ok(VectorHits {
            foreign: foreign.max(unseen(&hits, request.visible)),
            hits,
            searched: visible as u64,
            exact,
        })
    }

    fn cosines(&self, query: &[f32], events: &[EventId]) -> Result<Vec<Option<f32>>> {
        let query = Query::of(self.rows.dimension, query)?;
        let cosines = events
            .iter()
            .map(|event| self.rows.nearest(*event, &query, self.kernel));
        Ok(cosines.collect())
    }

    fn advance(&self) -> bool {
        self.graph.advance(&self.rows)
    }

    fn len(&self) -> u64 {
        self.rows.messages()
    }

    fn memory(&self) -> usize {
        self.rows.memory() + self.graph.memory()
    }
}
