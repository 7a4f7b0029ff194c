//! The commands about what outlives a turn, and about the store as a whole.

pub(crate) mod care;
pub(crate) mod checkpoint;
pub(crate) mod delete;
pub(crate) mod memory;
