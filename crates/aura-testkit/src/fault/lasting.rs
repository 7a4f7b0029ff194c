//! Faults of what outlives a turn.

use aura_core::{
    Artifact, ArtifactHandle, ArtifactStorage, ArtifactWrite, Checkpoint, CheckpointId,
    CheckpointStorage, DeletionId, DeletionOrder, DeletionQuery, DeletionReceipt, DeletionStorage,
    HoldId, LegalHold, Memory, MemoryCounters, MemoryId, MemoryQuery, MemoryRecords, MemoryState,
    Result, SessionId, TenantId, Timestamp,
};

use super::FaultStorage;

impl ArtifactStorage for FaultStorage {
    fn artifact_versions(&self, tenant: &TenantId, name: &str) -> Result<Vec<Artifact>> {
        self.enter("artifact_versions")?
            .artifact_versions(tenant, name)
    }

    fn compose_artifact(&self, write: ArtifactWrite, parts: &[ArtifactHandle]) -> Result<Artifact> {
        self.enter("compose_artifact")?
            .compose_artifact(write, parts)
    }

    fn artifact_range(
        &self,
        tenant: &TenantId,
        handle: &ArtifactHandle,
        offset: u64,
        limit: usize,
    ) -> Result<Vec<u8>> {
        self.enter("artifact_range")?
            .artifact_range(tenant, handle, offset, limit)
    }
}

impl CheckpointStorage for FaultStorage {
    fn put_checkpoint(&self, checkpoint: Checkpoint) -> Result<()> {
        self.enter("put_checkpoint")?.put_checkpoint(checkpoint)
    }

    fn checkpoint(&self, tenant: &TenantId, id: &CheckpointId) -> Result<Option<Checkpoint>> {
        self.enter("checkpoint")?.checkpoint(tenant, id)
    }

    fn checkpoints(&self, tenant: &TenantId, session_id: &SessionId) -> Result<Vec<Checkpoint>> {
        self.enter("checkpoints")?.checkpoints(tenant, session_id)
    }
}

impl MemoryRecords for FaultStorage {
    fn put_memories(&self, memories: Vec<(Memory, Option<MemoryState>)>) -> Result<()> {
        self.enter("put_memories")?.put_memories(memories)
    }

    fn memory(&self, tenant: &TenantId, memory_id: &MemoryId) -> Result<Option<Memory>> {
        self.enter("memory")?.memory(tenant, memory_id)
    }

    fn memories(&self, tenant: &TenantId, query: &MemoryQuery) -> Result<Vec<Memory>> {
        self.enter("memories")?.memories(tenant, query)
    }

    fn count_memories(
        &self,
        tenant: &TenantId,
        counts: &[(MemoryId, MemoryCounters)],
    ) -> Result<()> {
        self.enter("count_memories")?.count_memories(tenant, counts)
    }
}

impl DeletionStorage for FaultStorage {
    fn preview_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt> {
        self.enter("preview_deletion")?.preview_deletion(order)
    }

    fn begin_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt> {
        self.enter("begin_deletion")?.begin_deletion(order)
    }

    fn advance_deletion(
        &self,
        tenant: &TenantId,
        deletion_id: &DeletionId,
        now: Timestamp,
    ) -> Result<DeletionReceipt> {
        self.enter("advance_deletion")?
            .advance_deletion(tenant, deletion_id, now)
    }

    fn deletions(&self, query: &DeletionQuery) -> Result<Vec<DeletionReceipt>> {
        self.enter("deletions")?.deletions(query)
    }

    fn put_hold(&self, tenant: &TenantId, hold: LegalHold) -> Result<()> {
        self.enter("put_hold")?.put_hold(tenant, hold)
    }

    fn release_hold(&self, tenant: &TenantId, hold_id: &HoldId) -> Result<bool> {
        self.enter("release_hold")?.release_hold(tenant, hold_id)
    }

    fn holds(&self, tenant: &TenantId) -> Result<Vec<LegalHold>> {
        self.enter("holds")?.holds(tenant)
    }
}
