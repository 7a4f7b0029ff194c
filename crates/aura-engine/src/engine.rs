//! The engine: opening, flushing and closing.

mod gate;
pub(crate) mod metrics;
mod options;

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use aura_assembly::Meter;
use aura_core::{Error, ErrorKind, Principal, Result, SessionId, SessionKey, Storage};
use aura_memory::HeuristicExtractor;
use aura_retrieval::{Bm25Backend, DenseBackend};
use aura_text::{Analyzer, BuiltinCounter};
use parking_lot::Mutex;

use crate::background::queue::Queue;
use crate::background::{distiller, embedder};
use crate::build_context::sources::Registered;
use crate::build_context::tools::Toolboxes;
use crate::clock::{SystemClock, UuidSource};
use crate::dense::Dense;
use crate::engine::gate::{Gate, Pass};
use crate::engine::options::{DEFAULT_BODY_CACHE_BYTES, DEFAULT_EMBED_TIMEOUT, DEFAULT_SESSIONS};
use crate::manifests::retention::Retention;
use crate::manifests::standing::Standings;
use crate::parts::Parts;
use crate::session::bodies::Bodies;
use crate::session::map::SessionMap;

pub use options::EngineOptions;

/// Keeps turns durably and compiles contexts; one per store, shared by cloning.
///
/// All methods take `&self`, may be called from any thread, and block until done. Dropping the last clone closes it.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) parts: Arc<Parts>,
    pub(crate) sessions: Arc<SessionMap>,
    gate: Gate,
    /// The background threads.
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Engine {
    /// An engine on a store, with background threads that finish what a crash interrupted.
    ///
    /// # Errors
    /// `Unavailable`, when a thread cannot be started.
    pub fn new(storage: Arc<dyn Storage>, options: EngineOptions) -> Result<Self> {
        let or = |bytes, default| if bytes == 0 { default } else { bytes };
        let counter = options
            .counter
            .unwrap_or_else(|| Arc::new(BuiltinCounter::O200kBase));
        let patience = match options.embed_timeout {
            Duration::ZERO => DEFAULT_EMBED_TIMEOUT,
            patience => patience,
        };
        let vectors = options
            .vectors
            .unwrap_or_else(|| Arc::new(DenseBackend::default()));
        let dense = options.embedder.map(|embedder| {
            let previous = options.previous_embedder;
            Arc::new(Dense::new(embedder, previous, vectors, patience))
        });
        let parts = Arc::new(Parts {
            storage,
            lexical: options
                .lexical
                .unwrap_or_else(|| Arc::new(Bm25Backend::default())),
            extractor: options
                .extractor
                .unwrap_or_else(|| Arc::new(HeuristicExtractor::default())),
            analyzer: Analyzer::default(),
            meter: Meter::new(counter),
            clock: options.clock.unwrap_or_else(|| Arc::new(SystemClock)),
            ids: options
                .ids
                .unwrap_or_else(|| Arc::new(UuidSource::default())),
            bodies: Bodies::new(or(options.body_cache_bytes, DEFAULT_BODY_CACHE_BYTES)),
            queue: Queue::new(),
            standings: Standings::default(),
            retention: Retention::of(options.manifest_retention),
            toolboxes: Toolboxes::default(),
            probe: options.probe,
            dense,
            sources: options.sources.into_iter().map(Registered::new).collect(),
        });
        let sessions = Arc::new(SessionMap::new(or(options.sessions, DEFAULT_SESSIONS)));
        // From here on dropping it stops what was started.
        let inner = Inner {
            parts: Arc::clone(&parts),
            sessions: Arc::clone(&sessions),
            gate: Gate::default(),
            threads: Mutex::default(),
        };
        inner.start("aura-distiller", {
            let (parts, sessions) = (Arc::clone(&parts), Arc::clone(&sessions));
            move || distiller::run(&parts, &sessions)
        })?;
        if let Some(dense) = parts.dense.clone() {
            inner.start("aura-embedder", move || {
                embedder::run(&parts, &dense, &sessions)
            })?;
        }
        Ok(Self(Arc::new(inner)))
    }

    /// Waits until background work is done: tokens counted, facts distilled and committed, manifests stored, messages
    /// embedded.
    ///
    /// # Errors
    /// `Busy`, when that takes longer than `timeout`; else the last failure in the background since the last flush.
    pub fn flush(&self, timeout: Duration) -> Result<()> {
        let _pass = self.0.enter("flush")?;
        let begin = Instant::now();
        let parts = &self.0.parts;
        let counted = parts.queue.flush(timeout);
        let left = timeout.saturating_sub(begin.elapsed());
        let embedded = parts.dense.as_ref().map(|dense| dense.queue.flush(left));
        counted
            .and(embedded.unwrap_or(Ok(())))
            .map_err(|error| error.during("flush"))
    }

    /// Refuses new calls, waits for those under way, finishes background work and closes the store.
    ///
    /// Closing again does nothing. From inside a callback the calling thread's own call is not waited for.
    ///
    /// # Errors
    /// Those of the store; the engine is closed all the same.
    pub fn close(&self) -> Result<()> {
        self.0.close()
    }

    pub(crate) fn enter(&self, operation: &'static str) -> Result<(Pass<'_>, &Parts, &SessionMap)> {
        let pass = self.0.enter(operation)?.within(operation);
        Ok((pass, &self.0.parts, &self.0.sessions))
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("storage", &self.0.parts.storage.name())
            .finish_non_exhaustive()
    }
}

impl Inner {
    /// Starts a background thread.
    fn start(&self, name: &str, run: impl FnOnce() + Send + 'static) -> Result<()> {
        let thread = std::thread::Builder::new().name(name.to_owned());
        let started = thread.spawn(run).map_err(|error| {
            Error::new(
                ErrorKind::Unavailable,
                "a background thread could not be started",
            )
            .caused_by(error)
            .during("open")
        })?;
        self.threads.lock().push(started);
        Ok(())
    }

    fn enter(&self, operation: &'static str) -> Result<Pass<'_>> {
        self.gate.enter(operation)
    }

    fn close(&self) -> Result<()> {
        if !self.gate.close() {
            return Ok(());
        }
        if let Some(dense) = &self.parts.dense {
            dense.queue.stop();
            dense.queries.close();
        }
        self.parts.queue.stop();
        let own = std::thread::current().id();
        let threads = std::mem::take(&mut *self.threads.lock());
        for thread in threads
            .into_iter()
            .filter(|thread| thread.thread().id() != own)
        {
            // A panic there has been reported by its hook, and everything it does is derived.
            let _ = thread.join();
        }
        self.parts
            .storage
            .close()
            .map_err(|error| error.during("close"))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Nobody is left to tell; whoever wants to know calls `close`.
        let _ = self.close();
    }
}

/// The key of a principal's session.
pub(crate) fn key_of(principal: &Principal, session: &SessionId) -> SessionKey {
    SessionKey {
        tenant: principal.tenant.clone(),
        session_id: session.clone(),
    }
}
