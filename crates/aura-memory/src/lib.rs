//! Facts, durable memory, artifacts and checkpoints of the Aura context engine.
#![forbid(unsafe_code)]

mod digest_range;
mod facts;
mod model;
mod remember;

pub use digest_range::digest_range;
pub use facts::{HeuristicExtractor, Ledger};
#[cfg(feature = "llm-extract")]
pub use model::{DEFAULT_EXTRACTOR_MODEL, HttpModel, HttpOptions, MODEL_VARIABLES};
pub use model::{Model, ModelExtractor, ModelOptions};
pub use remember::{LONGEST_STATEMENT, Verdict, check_proposal};
