//! How an engine is set up.

use std::sync::Arc;
use std::time::Duration;

use aura_core::{
    Clock, Embedder, FactExtractor, IdSource, LexicalBackend, Probe, Source, TokenCounter,
    VectorBackend,
};

/// What an engine is made of, beside its store. `Default` is the embedded set: heuristic facts, the English analyzer,
/// exact `o200k_base` counts, the machine's clock.
#[derive(Clone, Default)]
pub struct EngineOptions {
    /// Draws facts from turns; `None` is the heuristic extractor.
    pub extractor: Option<Arc<dyn FactExtractor>>,
    /// Counts tokens; `None` is `o200k_base`.
    pub counter: Option<Arc<dyn TokenCounter>>,
    /// Indexes messages; `None` is the BM25 index with the English analyzer.
    pub lexical: Option<Arc<dyn LexicalBackend>>,
    /// Makes vectors of messages and questions; `None` leaves retrieval to words alone.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The embedder that `embedder` replaces: its stored vectors serve until the new ones are made.
    pub previous_embedder: Option<Arc<dyn Embedder>>,
    /// Indexes vectors; `None` is the exact index in memory, with a graph for large sessions where the build has one.
    pub vectors: Option<Arc<dyn VectorBackend>>,
    /// How long a context without a deadline waits for the vector of its question; zero is one second. With a deadline
    /// it is three quarters of that at most.
    pub embed_timeout: Duration,
    /// Retrievers of the host, asked by every context that is compiled afresh, in this order.
    pub sources: Vec<Arc<dyn Source>>,
    /// Tells the time.
    pub clock: Option<Arc<dyn Clock>>,
    /// Makes ids.
    pub ids: Option<Arc<dyn IdSource>>,
    /// How long manifests are kept, with the inputs to replay them; `None` keeps them until they are forgotten by a call.
    pub manifest_retention: Option<Duration>,
    /// Is told of the stages of every compilation and may make them fail.
    pub probe: Option<Arc<dyn Probe>>,
    /// How many bytes of turns are kept in memory for reading, over all sessions; 0 is 128 MiB.
    pub body_cache_bytes: usize,
    /// How many sessions are kept ready in memory; 0 is 256.
    pub sessions: usize,
}

pub(crate) const DEFAULT_BODY_CACHE_BYTES: usize = 128 << 20;
pub(crate) const DEFAULT_EMBED_TIMEOUT: Duration = Duration::from_secs(1);
pub(crate) const DEFAULT_SESSIONS: usize = 256;
