//! The verbs of the Aura context engine: record, build a context, read, flush, close.
//!
//! [`Engine`] works on any [`Storage`](aura_core::Storage) and knows no backend. What it keeps in memory of a session
//! is derived from the log and checked against it inside each read.
#![forbid(unsafe_code)]

mod background;
mod build_context;
mod cancel;
mod clock;
mod dense;
mod engine;
mod layers;
mod manifests;
mod parts;
mod policies;
mod read;
mod record;
mod request;
mod session;

pub use build_context::skills::SkillSet;
pub use build_context::teams::TeamContext;
pub use cancel::Cancel;
pub use clock::{SystemClock, UuidSource};
pub use engine::metrics::{METRICS, Metric, MetricKind, describe_metrics};
pub use engine::{Engine, EngineOptions};
pub use layers::{
    ArtifactWriter, CheckpointStatus, DeletionRequest, Restore, RetentionLayer, RetentionRule,
};
pub use read::AsOf;
pub use request::{ContextRequest, RecordRequest, RecordedTurn};
