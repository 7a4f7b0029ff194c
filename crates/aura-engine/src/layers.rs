//! The verbs about what outlives a turn: artifacts, memories, checkpoints, and the deletion that reaches every layer.

mod artifacts;
pub(crate) mod checkpoint;
pub(crate) mod delete;
pub(crate) mod memory;

pub use artifacts::ArtifactWriter;
pub use checkpoint::{CheckpointStatus, Restore};
pub use delete::{DeletionRequest, RetentionLayer, RetentionRule};
