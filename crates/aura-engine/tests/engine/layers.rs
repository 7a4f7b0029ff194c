//! What outlives a turn.

mod artifacts;
mod checkpoints;
mod deletion;
mod extraction;
mod memory;
