//! Engines and shorthands for the tests of this folder.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use aura_core::{Clock, CompiledContext, Section, SessionId, Timestamp, TurnId};
use aura_engine::{Engine, EngineOptions};
use aura_storage::MemoryStorage;

/// A clock that goes on by a millisecond whenever it is looked at; a context names the minute, which thus stays the same.
#[derive(Default)]
pub(crate) struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        let millis = self.0.fetch_add(1, Ordering::SeqCst);
        Timestamp::from_millis_clamped(1_700_000_000_000 + millis)
    }
}

/// Options with a clock on which no two turns are recorded at the same time.
pub(crate) fn options() -> EngineOptions {
    EngineOptions {
        clock: Some(Arc::new(Ticking::default())),
        ..EngineOptions::default()
    }
}

/// An engine on a store in memory with these options.
pub(crate) fn memory_engine() -> Engine {
    Engine::new(Arc::new(MemoryStorage::new()), options()).unwrap()
}

/// A session id.
pub(crate) fn session(id: &str) -> SessionId {
    SessionId::new(id).unwrap()
}

/// A turn id.
pub(crate) fn turn_id(id: &str) -> TurnId {
    TurnId::new(id).unwrap()
}

/// The text of all messages, one after the other.
pub(crate) fn all_text(context: &CompiledContext) -> String {
    context
        .messages
        .iter()
        .map(|message| message.content.clone() + "\n")
        .collect()
}

/// The text of the evidence messages.
pub(crate) fn evidence(context: &CompiledContext) -> String {
    let evidence = context
        .messages
        .iter()
        .filter(|message| message.section == Section::Evidence);
    evidence.map(|message| message.content.as_str()).collect()
}
