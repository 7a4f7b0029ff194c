//! Facts, durable memory, artifacts and checkpoints of the Aura context engine.
#![forbid(unsafe_code)]

mod facts;
mod remember;

pub use facts::{HeuristicExtractor, Ledger};
pub use remember::{LONGEST_STATEMENT, Verdict, check_proposal};
