//! Engines and shorthands for the tests of this folder.

use std::sync::Arc;

use aura_core::{CompiledContext, Section, SessionId, TurnId};
use aura_engine::{Engine, EngineOptions};
use aura_storage::MemoryStorage;

/// An engine on a store in memory.
pub(crate) fn memory_engine() -> Engine {
    Engine::new(Arc::new(MemoryStorage::new()), EngineOptions::default()).unwrap()
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
