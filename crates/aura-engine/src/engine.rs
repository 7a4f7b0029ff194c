//! The engine: opening, flushing and closing.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use aura_assembly::Meter;
use aura_core::{Error, ErrorKind, Principal, Result, SessionId, SessionKey, Storage};
use aura_memory::HeuristicExtractor;
use aura_retrieval::Bm25Backend;
use aura_text::{Analyzer, BuiltinCounter};
use parking_lot::Mutex;

use crate::background::distiller;
use crate::background::queue::Queue;
use crate::clock::{SystemClock, UuidSource};
use crate::gate::{Gate, Pass};
use crate::options::{DEFAULT_BODY_CACHE_BYTES, DEFAULT_SESSIONS, EngineOptions};
use crate::parts::Parts;
use crate::session::bodies::Bodies;
use crate::session::map::SessionMap;

/// Keeps turns durably and compiles contexts; one per store, shared by cloning.
///
/// All methods take `&self`, may be called from any thread, and block until done. Dropping the last clone closes it.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) parts: Arc<Parts>,
    pub(crate) sessions: Arc<SessionMap>,
    gate: Gate,
    distiller: Mutex<Option<JoinHandle<()>>>,
}

impl Engine {
    /// An engine on a store, with a background thread that finishes what a crash interrupted.
    ///
    /// # Errors
    /// `Unavailable`, when the thread cannot be started.
    pub fn new(storage: Arc<dyn Storage>, options: EngineOptions) -> Result<Self> {
        let or = |bytes, default| if bytes == 0 { default } else { bytes };
        let counter = options
            .counter
            .unwrap_or_else(|| Arc::new(BuiltinCounter::O200kBase));
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
            queue: Queue::default(),
        });
        let sessions = Arc::new(SessionMap::new(or(options.sessions, DEFAULT_SESSIONS)));
        let distiller = std::thread::Builder::new()
            .name("aura-distiller".to_owned())
            .spawn({
                let (parts, sessions) = (Arc::clone(&parts), Arc::clone(&sessions));
                move || distiller::run(&parts, &sessions)
            })
            .map_err(|error| {
                Error::new(
                    ErrorKind::Unavailable,
                    "the background thread could not be started",
                )
                .caused_by(error)
                .during("open")
            })?;
        let inner = Inner {
            parts,
            sessions,
            gate: Gate::default(),
            distiller: Mutex::new(Some(distiller)),
        };
        Ok(Self(Arc::new(inner)))
    }

    /// Waits until background work is done: tokens counted, facts distilled and committed, manifests stored.
    ///
    /// # Errors
    /// `Busy`, when that takes longer than `timeout`; else the last failure in the background since the last flush.
    pub fn flush(&self, timeout: Duration) -> Result<()> {
        let _pass = self.0.enter("flush")?;
        self.0
            .parts
            .queue
            .flush(timeout)
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
        let pass = self.0.enter(operation)?;
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
    fn enter(&self, operation: &'static str) -> Result<Pass<'_>> {
        self.gate.enter(operation)
    }

    fn close(&self) -> Result<()> {
        if !self.gate.close() {
            return Ok(());
        }
        self.parts.queue.stop();
        let distiller = self.distiller.lock().take();
        if let Some(distiller) = distiller
            && distiller.thread().id() != std::thread::current().id()
        {
            // A panic there has been reported by its hook, and everything it does is derived.
            let _ = distiller.join();
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
