//! Dense search.

use crate::error::Result;
use crate::id::EventId;

/// A vector's event and its cosine with the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    /// The message.
    pub event_id: EventId,
    /// The cosine, in [-1, 1].
    pub cosine: f32,
}

/// An index of the vectors of one session and model.
///
/// Contract: vectors are of one dimension, finite and of length 1; `search` returns at most `k` hits for which `keep`
/// is true, best first, ties by the newer event.
pub trait VectorIndex: Send + Sync {
    /// Adds or replaces the vector of an event.
    ///
    /// # Errors
    /// `Invalid`, when the dimension differs or a number is not finite.
    fn insert(&mut self, event: EventId, vector: &[f32]) -> Result<()>;

    /// Removes the vector of an event; says whether there was one.
    fn remove(&mut self, event: EventId) -> bool;

    /// The `k` nearest kept vectors.
    ///
    /// # Errors
    /// `Invalid`, when the dimension differs or a number is not finite.
    fn search(
        &self,
        query: &[f32],
        k: usize,
        keep: &dyn Fn(EventId) -> bool,
    ) -> Result<Vec<VectorHit>>;

    /// How many vectors it holds.
    fn len(&self) -> usize;

    /// Whether it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
