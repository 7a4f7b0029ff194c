//! Checkpoints, in the order made.

use aura_core::{
    Checkpoint, CheckpointId, CheckpointStorage, DeletionReceipt, EventRange, Layer, Result,
    SessionId, TenantId,
};

use super::store::MemoryStorage;
use crate::refusal::known_checkpoint;

/// All checkpoints.
#[derive(Default, Clone)]
pub(super) struct Checkpoints(Vec<Checkpoint>);

impl Checkpoints {
    fn get(&self, tenant: &TenantId, id: &CheckpointId) -> Option<&Checkpoint> {
        let mut own = self.0.iter().filter(|found| found.tenant == *tenant);
        own.find(|found| found.checkpoint_id == *id)
    }

    /// Drops those of a session, or those that cover some of its events.
    pub(super) fn erase(
        &mut self,
        receipt: &mut DeletionReceipt,
        session_id: &SessionId,
        range: Option<EventRange>,
    ) {
        let tenant = receipt.tenant.clone();
        let gone = self.0.extract_if(.., |found| {
            found.tenant == tenant
                && found.session_id == *session_id
                && range.is_none_or(|range| found.range.overlaps(&range))
        });
        for checkpoint in gone {
            receipt.note(Layer::Checkpoints, checkpoint.checkpoint_id.to_string(), 1);
        }
    }
}

impl CheckpointStorage for MemoryStorage {
    fn put_checkpoint(&self, checkpoint: Checkpoint) -> Result<()> {
        self.write("put_checkpoint", |state| {
            let (tenant, id) = (&checkpoint.tenant, &checkpoint.checkpoint_id);
            if state.checkpoints.get(tenant, id).is_some() {
                return Err(known_checkpoint());
            }
            state.checkpoints.0.push(checkpoint);
            Ok(())
        })
    }

    fn checkpoint(&self, tenant: &TenantId, id: &CheckpointId) -> Result<Option<Checkpoint>> {
        self.read("checkpoint", |state| {
            Ok(state.checkpoints.get(tenant, id).cloned())
        })
    }

    fn checkpoints(&self, tenant: &TenantId, session_id: &SessionId) -> Result<Vec<Checkpoint>> {
        self.read("checkpoints", |state| {
            let all = state.checkpoints.0.iter();
            let own =
                all.filter(|found| found.tenant == *tenant && found.session_id == *session_id);
            Ok(own.cloned().collect())
        })
    }
}
