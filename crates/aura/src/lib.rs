//! Aura: a context engine for LLM agents.
//!
//! It keeps every turn of every session durably, and for each model call compiles a small, budgeted list of messages
//! with what the question needs, plus a manifest that says what went in, what stayed out and why. No model is called
//! on the way.
//!
//! ```
//! use aura::{ContextRequest, Principal, SessionId};
//!
//! # fn main() -> aura::Result<()> {
//! let engine = aura::in_memory()?; // or aura::open("agent.db")?
//! let (me, chat) = (Principal::default(), SessionId::new("chat-1")?);
//! engine.record_exchange(&me, &chat, "I live in Oslo and I have two cats, Miso and Nori.", "Lovely!")?;
//! engine.record_exchange(&me, &chat, "I just moved to Berlin.", "How exciting!")?;
//!
//! let context = engine.build_context(&me, &chat, &ContextRequest::ask("Where do I live now?"))?;
//! println!("{}", aura::messages_json(&context)?);
//! assert!(context.manifest.totals.tokens <= 4096);
//! engine.close()
//! # }
//! ```
#![forbid(unsafe_code)]

mod embedder;
#[cfg(feature = "llm-extract")]
mod extractor;
mod open;

pub use aura_assembly::render::{messages_json, request_json, tools_json};
pub use aura_assembly::{
    COMPILER_VERSION, Meter, Repair, Repaired, Rule, Violation, repair, rules, verify,
};
pub use aura_assembly::{results, skills, tools};
pub use aura_core::*;
pub use aura_engine::{
    ArtifactWriter, AsOf, Cancel, CheckpointStatus, ContextRequest, DeletionRequest, Engine,
    EngineOptions, RecordRequest, RecordedTurn, Restore, RetentionLayer, RetentionRule, SkillSet,
    SystemClock, TeamContext, UuidSource,
};
pub use aura_engine::{METRICS, Metric, MetricKind, describe_metrics};
#[cfg(feature = "llm-extract")]
pub use aura_memory::{DEFAULT_EXTRACTOR_MODEL, HttpModel, HttpOptions, MODEL_VARIABLES};
pub use aura_memory::{HeuristicExtractor, Model, ModelExtractor, ModelOptions};
pub use aura_retrieval::{
    Bm25Backend, DenseBackend, DenseIndex, GraphKind, MAX_DIMENSION, SpeakerNames, calibrate,
    passages,
};
#[cfg(feature = "fastembed")]
pub use aura_retrieval::{Fastembed, FastembedOptions, Pooling};
pub use aura_storage::MemoryStorage;
#[cfg(feature = "sqlite")]
pub use aura_storage::{Fsck, Problem, SqliteOptions, SqliteStorage};
pub use aura_teams as teams;
pub use aura_text::{Analyzer, AnalyzerOptions, BuiltinCounter, Language};
pub use embedder::{MODEL_VARIABLE, embedder_from_environment, embedder_from_folder};
#[cfg(feature = "llm-extract")]
pub use extractor::extractor_from_environment;
#[cfg(feature = "sqlite")]
pub use open::{OpenOptions, open, open_with};
pub use open::{in_memory, in_memory_with};

/// The version of this library.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
