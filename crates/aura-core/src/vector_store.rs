//! Vectors in the store: what a model made of the messages of a session.

use crate::error::Result;
use crate::id::EventId;
use crate::storage::SessionKey;

/// The vectors of one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVector {
    /// The message.
    pub event_id: EventId,
    /// Its vectors, in the form of the index that reads them.
    pub bytes: Vec<u8>,
}

/// Vectors to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorWrite {
    /// The session.
    pub key: SessionKey,
    /// The model that made them.
    pub model: String,
    /// How many numbers each vector has.
    pub dimension: u32,
    /// The vectors, in any order; a message without anything to embed has none.
    pub vectors: Vec<StoredVector>,
    /// The first event that the model has not looked at yet, after this write.
    pub next: EventId,
}

/// The vectors that one model has made for a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorSet {
    /// The model.
    pub model: String,
    /// How many numbers each vector has.
    pub dimension: u32,
    /// The first event that the model has not looked at yet: the messages of all events before it have their vectors.
    pub next: EventId,
}

/// The part of a store that keeps vectors. They are derived from the log: losing them loses no data.
///
/// Contract, beside that of [`Storage`](crate::Storage):
/// - Vectors of one model are neither seen nor touched through another.
/// - Nothing here changes a session's `change_seq` or anything else of it.
pub trait VectorStorage: Send + Sync {
    /// Keeps vectors, all or none; those of a message that has some already are replaced. The set begins with its first
    /// write, and its `next` never goes back.
    ///
    /// # Errors
    /// `NotFound` naming `session_id`; `Conflict` naming `dimension`, when the set has another; those of the medium.
    fn put_vectors(&self, write: VectorWrite) -> Result<()>;

    /// The sets of a session, the one begun first first.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn vector_sets(&self, key: &SessionKey) -> Result<Vec<VectorSet>>;

    /// The vectors of at most `limit` messages from event `from` on, in event order.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn vectors(
        &self,
        key: &SessionKey,
        model: &str,
        from: EventId,
        limit: usize,
    ) -> Result<Vec<StoredVector>>;

    /// Removes the set of a model; says whether there was one.
    ///
    /// # Errors
    /// `NotFound` naming `session_id`; those of the medium.
    fn drop_vectors(&self, key: &SessionKey, model: &str) -> Result<bool>;

    /// Sessions with messages that the model has not looked at, oldest session first, for recovery after a restart.
    ///
    /// # Errors
    /// Those of the medium.
    fn unembedded(&self, model: &str, limit: usize) -> Result<Vec<SessionKey>>;
}
