//! What outlives a turn.

mod deletion;
mod memory;
