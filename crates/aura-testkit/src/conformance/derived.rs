//! What is derived from the log and may be lost.

pub mod snapshots;
pub mod vectors;
