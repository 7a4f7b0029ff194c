//! Dense search.

use crate::error::Result;
use crate::id::{EventId, EventRange};
use crate::storage::SessionKey;

/// What to search for and where.
#[derive(Debug, Clone, Copy)]
pub struct VectorRequest<'a> {
    /// The vector to be near to; its length does not matter.
    pub query: &'a [f32],
    /// The events that may be found: ascending, without overlap.
    pub visible: &'a [EventRange],
    /// How many messages to find at most.
    pub limit: usize,
    /// Who asks: the session that it may read. With it, vectors compared in an index of another owner are counted.
    pub reader: Option<&'a SessionKey>,
}

/// A message and its cosine with the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    /// The message.
    pub event_id: EventId,
    /// The cosine of its nearest vector, in [-1, 1].
    pub cosine: f32,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VectorHits {
    /// The messages, nearest first, ties by the newer event.
    pub hits: Vec<VectorHit>,
    /// How many vectors were visible.
    pub searched: u64,
    /// How many vectors were compared that are not the reader's, or not visible, as counted where they are compared. 0,
    /// unless a filter before the search is broken.
    pub foreign: u64,
    /// Whether the hits are the nearest for certain, and not only very probably.
    pub exact: bool,
}

/// An index of the vectors of one session and model. A message may have several, for its passages.
///
/// Contract:
/// - A message is found by every search that starts after `insert` returned.
/// - The same messages and request give the same hits and the same cosines to the bit, on any machine, whether they were
///   inserted just now or read from a store.
/// - Messages outside the visible ranges change nothing of what is found inside them.
/// - Losing an index loses no data; it is rebuilt from the store, and the store from the log.
pub trait VectorIndex: Send + Sync {
    /// Says whose messages it holds.
    fn set_owner(&mut self, owner: &SessionKey);

    /// Adds a message, or replaces its vectors; `bytes` is what [`VectorBackend::encode`] made of them. No bytes remove it.
    ///
    /// # Errors
    /// `Corrupt`, when the bytes are damaged or of another form or dimension; `BudgetExceeded`, when the index is full.
    fn insert(&mut self, event: EventId, bytes: &[u8]) -> Result<()>;

    /// Removes the messages of these events, with every trace of their vectors; says how many there were.
    fn remove(&mut self, events: EventRange) -> u64;

    /// The nearest visible messages.
    ///
    /// # Errors
    /// `Invalid` naming `query`, when its dimension differs, a number is not finite, or all are 0.
    fn search(&self, request: &VectorRequest<'_>) -> Result<VectorHits>;

    /// The cosine of each message with a query; `None` for those that have no vector.
    ///
    /// # Errors
    /// Those of [`VectorIndex::search`].
    fn cosines(&self, query: &[f32], events: &[EventId]) -> Result<Vec<Option<f32>>>;

    /// Does a slice of work that makes later searches faster, if there is any; says whether some is left. It may be
    /// called while others search.
    fn advance(&self) -> bool {
        false
    }

    /// How many messages it holds.
    fn len(&self) -> u64;

    /// Whether it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much memory it takes, in bytes, about.
    fn memory(&self) -> usize;
}

/// Makes vector indexes of one kind, and the form in which their vectors are stored.
pub trait VectorBackend: Send + Sync {
    /// The vectors of a message in the form that [`VectorIndex::insert`] takes and a store keeps.
    ///
    /// # Errors
    /// `Invalid` naming `vectors`, when their dimension differs, a number is not finite, or all of one are 0.
    fn encode(&self, dimension: usize, vectors: &[Vec<f32>]) -> Result<Vec<u8>>;

    /// A new, empty index.
    ///
    /// # Errors
    /// `Invalid` naming `dimension`, when it is 0 or more than the index can hold.
    fn create(&self, dimension: usize) -> Result<Box<dyn VectorIndex>>;
}
