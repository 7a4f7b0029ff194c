//! The context compiler of the Aura context engine: filter, retrieve, resolve, admit, order, serialize.
//!
//! [`compile`] is a pure function of a [`CompileRequest`] and a [`History`](aura_core::History): no clock, no randomness,
//! no model; the same inputs give the same bytes. [`fallback::recover`] answers when a stage failed.
#![forbid(unsafe_code)]

mod budget;
mod compile;
mod evidence;
pub mod excerpt;
mod facts;
mod kit;
mod manifest;
mod meter;
mod plan;
mod provider;
pub mod render;
mod request;
mod stage;
mod transcript;

pub use compile::{compile, fallback};
pub use facts::FactIndex;
pub use kit::{results, skills, tools};
pub use meter::{
    CALL_TOKENS, LIST_TOKENS, MEDIA_TOKENS, MESSAGE_TOKENS, Meter, NAME_TOKENS, SEALED_BYTES,
    TOOL_TOKENS, message_tokens,
};
pub use plan::FrozenPlan;
pub use provider::repair::{Repair, Repaired, repair};
pub use provider::verify::{Rule, Violation, rules, verify};
pub use request::{
    COMPILER_VERSION, CompileRequest, Compiled, Failure, Gathered, Kept, POOL, Timer,
};
pub use stage::serialize::cache::SentList;
