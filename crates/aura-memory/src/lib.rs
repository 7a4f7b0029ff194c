//! Facts, durable memory, artifacts and checkpoints of the Aura context engine.
#![forbid(unsafe_code)]

mod facts;

pub use facts::{HeuristicExtractor, Ledger};
