//! The verbs of the Aura context engine: record, build a context, read, flush, close.
//!
//! [`Engine`] works on any [`Storage`](aura_core::Storage) and knows no backend. What it keeps in memory of a session
//! is derived from the log and checked against it inside each read.
#![forbid(unsafe_code)]

mod bodies;
mod branch;
mod build_context;
mod cancel;
mod clock;
mod distiller;
mod engine;
mod fact_state;
mod gate;
mod history_tokens;
mod history_view;
mod manifests;
mod options;
mod parts;
mod queue;
mod read;
mod record;
mod request;
mod session_data;
mod session_entry;
mod session_map;
mod snapshot;
mod turn_meta;
mod waiting;

pub use cancel::Cancel;
pub use clock::{SystemClock, UuidSource};
pub use engine::Engine;
pub use options::EngineOptions;
pub use read::AsOf;
pub use request::{ContextRequest, RecordRequest, RecordedTurn};
