//! Makes dense indexes.

use aura_core::{Result, VectorBackend, VectorIndex};

use crate::dense::form::{self, MAX_DIMENSION, invalid};
use crate::dense::index::DenseIndex;

/// From how many vectors on a graph is grown, where the build has one.
const GRAPH_FROM: usize = 40_000;

/// Which library keeps the graph of a large session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GraphKind {
    /// `hnsw_rs`, in Rust.
    #[cfg(feature = "hnsw")]
    Hnsw,
    /// USearch, in C++: the faster of the two.
    #[cfg(feature = "usearch")]
    Usearch,
}

impl GraphKind {
    /// The fastest that is part of this build.
    #[must_use]
    pub const fn fastest() -> Option<Self> {
        #[cfg(feature = "usearch")]
        return Some(Self::Usearch);
        #[cfg(all(feature = "hnsw", not(feature = "usearch")))]
        return Some(Self::Hnsw);
        #[cfg(not(any(feature = "hnsw", feature = "usearch")))]
        None
    }
}

/// Exact search in memory; for large sessions also a graph, where the build has one.
///
/// ```
/// use aura_core::{EventId, EventRange, VectorBackend, VectorRequest};
/// use aura_retrieval::DenseBackend;
///
/// let backend = DenseBackend::default();
/// let mut index = backend.create(2)?;
/// for (event, vector) in [(1, vec![1.0, 0.0]), (2, vec![0.6, 0.8])] {
///     index.insert(EventId(event), &backend.encode(2, &[vector])?)?;
/// }
/// let visible = [EventRange::new(EventId(1), EventId(2))];
/// let found = index.search(&VectorRequest { query: &[0.0, 3.0], visible: &visible, limit: 1, reader: None })?;
/// assert_eq!(found.hits[0].event_id, EventId(2));
/// assert!((found.hits[0].cosine - 0.8).abs() < 1e-4);
/// # Ok::<(), aura_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct DenseBackend {
    graph: Option<GraphKind>,
    graph_from: usize,
}

impl Default for DenseBackend {
    fn default() -> Self {
        Self {
            graph: GraphKind::fastest(),
            graph_from: GRAPH_FROM,
        }
    }
}

impl DenseBackend {
    /// The same with this graph, or without any.
    #[must_use]
    pub fn with_graph(mut self, graph: Option<GraphKind>) -> Self {
        self.graph = graph;
        self
    }

    /// The same with a graph from this many vectors on.
    #[must_use]
    pub fn with_graph_from(mut self, vectors: usize) -> Self {
        self.graph_from = vectors;
        self
    }

    /// A new, empty index as its own type.
    ///
    /// # Errors
    /// `Invalid` naming `dimension`, when it is 0 or above [`MAX_DIMENSION`].
    pub fn new_index(&self, dimension: usize) -> Result<DenseIndex> {
        if dimension == 0 || dimension > MAX_DIMENSION {
            return Err(invalid(
                "dimension",
                format_args!("must be 1 to {MAX_DIMENSION}"),
            ));
        }
        Ok(DenseIndex::new(dimension, self.graph, self.graph_from))
    }
}

impl VectorBackend for DenseBackend {
    fn encode(&self, dimension: usize, vectors: &[Vec<f32>]) -> Result<Vec<u8>> {
        form::encode(dimension, vectors)
    }

    fn create(&self, dimension: usize) -> Result<Box<dyn VectorIndex>> {
        Ok(Box::new(self.new_index(dimension)?))
    }
}
