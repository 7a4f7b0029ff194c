//! What nobody waits for: counting, distilling, embedding, storing manifests and plans, snapshots.

pub(crate) mod distiller;
pub(crate) mod embed_queue;
pub(crate) mod embedder;
pub(crate) mod keeping;
pub(crate) mod queue;
pub(crate) mod waiting;
