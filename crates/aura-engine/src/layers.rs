//! The verbs about what outlives a turn: artifacts, and the deletion that reaches every layer.

mod artifacts;
pub(crate) mod delete;
pub(crate) mod memory;
