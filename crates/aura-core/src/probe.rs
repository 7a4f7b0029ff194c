//! Watching the stages of a compilation.

use crate::candidate::Stage;
use crate::error::Result;

/// Is told of every stage of a compilation when it begins, also of those that answer after a failure.
///
/// A host may look on or end a stage; tests make stages fail with it. It is called on the thread that compiles, with no
/// lock held that recording needs, and should return at once.
pub trait Probe: Send + Sync {
    /// A stage begins.
    ///
    /// # Errors
    /// Whatever the stage shall fail with; the policy's `on_failure` then decides what is given instead.
    fn begins(&self, stage: Stage) -> Result<()>;
}
