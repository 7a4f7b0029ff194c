//! What outlives a turn, and the store as a whole.

mod care;
mod checkpoint;
mod delete;
mod memory;
