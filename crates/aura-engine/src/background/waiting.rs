//! A compilation that waits to be stored.

use std::sync::Arc;

use aura_assembly::{FrozenPlan, Kept};
use aura_core::{ArtifactWrite, CompilationRecord, Manifest, Result, SessionKey, Storage, TurnId};

use crate::manifests::given::Given;

/// A compilation before it is turned into bytes, which the caller of the compilation need not wait for.
#[derive(Clone)]
pub(crate) struct Waiting {
    pub(crate) key: SessionKey,
    pub(crate) turn_id: TurnId,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) plan: Option<FrozenPlan>,
    /// Texts that the context names by a handle.
    pub(crate) kept: Vec<Kept>,
    /// What it was given, to be compiled again.
    pub(crate) given: Arc<Given>,
}

impl Waiting {
    /// Stores the texts that the context names by a handle.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) fn store_kept(&self, storage: &dyn Storage) -> Result<()> {
        for Kept { handle, text } in &self.kept {
            storage.put_artifact(ArtifactWrite {
                user: self.manifest.principal.user.clone(),
                session_id: Some(self.key.session_id.clone()),
                tenant: handle.tenant.clone(),
                name: handle.name.clone(),
                mime: Some("text/plain".to_owned()),
                bytes: text.clone().into_bytes(),
                recorded_at: self.manifest.now,
            })?;
        }
        Ok(())
    }

    /// As the store takes it.
    ///
    /// # Errors
    /// Those of writing plan and inputs as bytes.
    pub(crate) fn record(&self) -> Result<CompilationRecord> {
        Ok(CompilationRecord {
            key: self.key.clone(),
            turn_id: self.turn_id.clone(),
            manifest: Arc::clone(&self.manifest),
            plan: self.plan.as_ref().map(FrozenPlan::to_bytes).transpose()?,
            inputs: Some(self.given.inputs()?),
        })
    }
}
