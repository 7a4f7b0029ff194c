//! What nobody waits for: counting, distilling, storing manifests and plans, snapshots.

pub(crate) mod distiller;
pub(crate) mod queue;
pub(crate) mod waiting;
