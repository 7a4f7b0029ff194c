//! A compilation that waits to be stored.

use std::sync::Arc;

use aura_assembly::FrozenPlan;
use aura_core::{CompilationRecord, Manifest, Result, SessionKey, TurnId};

/// A compilation before it is turned into bytes, which the caller of the compilation need not wait for.
#[derive(Clone)]
pub(crate) struct Waiting {
    pub(crate) key: SessionKey,
    pub(crate) turn_id: TurnId,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) plan: Option<FrozenPlan>,
}

impl Waiting {
    /// As the store takes it.
    ///
    /// # Errors
    /// Those of writing the plan as bytes.
    pub(crate) fn record(&self) -> Result<CompilationRecord> {
        Ok(CompilationRecord {
            key: self.key.clone(),
            turn_id: self.turn_id.clone(),
            manifest: Arc::clone(&self.manifest),
            plan: self.plan.as_ref().map(FrozenPlan::to_bytes).transpose()?,
        })
    }
}
