//! The dense half of retrieval: who makes vectors, for messages in the background and for questions in time.
//!
//! - `model`: an embedder behind a guard; `queries`: the vector of a question within a time limit, with its `breaker`;
//! - `search`: the messages near to a question, or why there are none.
//!
//! The vectors of a session in memory are in `session::vectors`, the thread that makes them in `background::embedder`.

mod breaker;
pub(crate) mod model;
pub(crate) mod queries;
pub(crate) mod search;

use std::sync::Arc;
use std::time::Duration;

use aura_core::{Embedder, VectorBackend};

use crate::background::embed_queue::EmbedQueue;
use model::Model;
use queries::Queries;

/// What makes and keeps vectors.
pub(crate) struct Dense {
    /// The model in use, and behind it the one it replaces, if any.
    pub(crate) models: Vec<Arc<Model>>,
    pub(crate) backend: Arc<dyn VectorBackend>,
    pub(crate) queries: Queries,
    pub(crate) queue: EmbedQueue,
}

impl Dense {
    /// `patience` is how long a call without a deadline waits for the vector of its question.
    pub(crate) fn new(
        embedder: Arc<dyn Embedder>,
        previous: Option<Arc<dyn Embedder>>,
        backend: Arc<dyn VectorBackend>,
        patience: Duration,
    ) -> Self {
        let previous = previous.filter(|previous| previous.model() != embedder.model());
        let embedders = std::iter::once(embedder).chain(previous);
        let models = embedders.map(|embedder| Arc::new(Model::new(embedder)));
        Self {
            models: models.collect(),
            backend,
            queries: Queries::new(patience),
            queue: EmbedQueue::new(),
        }
    }
}
