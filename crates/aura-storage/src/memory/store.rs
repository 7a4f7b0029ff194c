//! The store: one lock around everything, and the trait that hands out its parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use aura_core::{
    Artifact, ArtifactHandle, ArtifactWrite, Durability, EventRange, FactCommit, FactEntry,
    Recorded, Result, Session, SessionId, SessionKey, SessionQuery, Snapshot, Storage,
    StoredMessage, TenantId, Turn, TurnId, TurnIndex, TurnRecord, TurnStatus, TurnWrite,
};
use parking_lot::RwLock;

use super::artifacts::Artifacts;
use super::checkpoints::Checkpoints;
use super::compilations::Compilations;
use super::deletion::Deletions;
use super::memories::Memories;
use super::packets::Packets;
use super::policies::Policies;
use super::sessions::SessionState;
use crate::refusal::closed;

/// A [`Storage`] in memory: the same contract as the others, but nothing outlives the process.
///
/// ```
/// use aura_core::{Storage, Durability};
/// let store = aura_storage::MemoryStorage::new();
/// assert_eq!(store.durability(), Durability::Normal);
/// ```
#[derive(Default)]
pub struct MemoryStorage {
    state: RwLock<State>,
}

#[derive(Default, Clone)]
pub(super) struct State {
    closed: bool,
    pub(super) sessions: BTreeMap<SessionId, SessionState>,
    pub(super) compilations: Compilations,
    pub(super) artifacts: Artifacts,
    pub(super) deletions: Deletions,
    pub(super) checkpoints: Checkpoints,
    pub(super) memories: Memories,
    pub(super) packets: Packets,
    pub(super) policies: Policies,
}

impl MemoryStorage {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn read<T>(
        &self,
        operation: &'static str,
        read: impl FnOnce(&State) -> Result<T>,
    ) -> Result<T> {
        let state = self.state.read();
        if state.closed {
            return Err(closed().during(operation));
        }
        read(&state).map_err(|error| error.during(operation))
    }

    pub(super) fn write<T>(
        &self,
        operation: &'static str,
        write: impl FnOnce(&mut State) -> Result<T>,
    ) -> Result<T> {
        let mut state = self.state.write();
        if state.closed {
            return Err(closed().during(operation));
        }
        write(&mut state).map_err(|error| error.during(operation))
    }
}

impl Storage for MemoryStorage {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn durability(&self) -> Durability {
        Durability::Normal
    }

    fn record(&self, write: TurnWrite) -> Result<Recorded> {
        self.write("record", |state| state.record(write))
    }

    fn set_status(
        &self,
        key: &SessionKey,
        turn_id: &TurnId,
        status: TurnStatus,
    ) -> Result<Recorded> {
        self.write("set_status", |state| state.set_status(key, turn_id, status))
    }

    fn set_head(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Session> {
        self.write("set_head", |state| state.set_head(key, turn_id))
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>> {
        self.read("session", |state| {
            let found = state.find(key)?;
            Ok(found.map(|found| found.session.clone()))
        })
    }

    fn sessions(&self, tenant: &TenantId, query: &SessionQuery) -> Result<Vec<Session>> {
        self.read("sessions", |state| Ok(state.list(tenant, query)))
    }

    fn turns(&self, key: &SessionKey, from: TurnIndex, limit: usize) -> Result<Vec<Turn>> {
        self.read("turns", |state| {
            let found = state.find(key)?;
            Ok(found.map_or_else(Vec::new, |found| found.turns_from(from, limit).to_vec()))
        })
    }

    fn turn_records(
        &self,
        key: &SessionKey,
        from: TurnIndex,
        limit: usize,
    ) -> Result<Vec<TurnRecord>> {
        self.read("turn_records", |state| {
            let found = state.find(key)?;
            Ok(found.map_or_else(Vec::new, |found| found.records_from(from, limit)))
        })
    }

    fn turn(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Turn>> {
        self.read("turn", |state| {
            let found = state.find(key)?;
            Ok(found.and_then(|found| found.turn(turn_id).cloned()))
        })
    }

    fn messages(&self, key: &SessionKey, ranges: &[EventRange]) -> Result<Vec<Arc<StoredMessage>>> {
        self.read("messages", |state| {
            let found = state.find(key)?;
            Ok(found.map_or_else(Vec::new, |found| found.messages_in(ranges)))
        })
    }

    fn facts(&self, key: &SessionKey, from: u64) -> Result<Vec<FactEntry>> {
        self.read("facts", |state| {
            let found = state.find(key)?;
            Ok(found.map_or_else(Vec::new, |found| found.facts_from(from)))
        })
    }

    fn commit_facts(&self, commit: FactCommit) -> Result<Session> {
        self.write("commit_facts", |state| state.commit_facts(commit))
    }

    fn undistilled(&self, limit: usize) -> Result<Vec<SessionKey>> {
        self.read("undistilled", |state| Ok(state.undistilled(limit)))
    }

    fn put_snapshot(&self, key: &SessionKey, name: &str, snapshot: Snapshot) -> Result<()> {
        self.write("put_snapshot", |state| {
            state.need(key)?.put_snapshot(name, snapshot)
        })
    }

    fn snapshot(&self, key: &SessionKey, name: &str) -> Result<Option<Snapshot>> {
        self.read("snapshot", |state| {
            let found = state.find(key)?;
            Ok(found.and_then(|found| found.snapshot(name)))
        })
    }

    fn snapshots(&self, key: &SessionKey, prefix: &str) -> Result<Vec<(String, Snapshot)>> {
        self.read("snapshots", |state| {
            let found = state.find(key)?;
            Ok(found.map_or_else(Vec::new, |found| found.snapshots(prefix)))
        })
    }

    fn replace_snapshots(
        &self,
        key: &SessionKey,
        prefix: &str,
        keep: &[String],
        put: Vec<(String, Snapshot)>,
    ) -> Result<()> {
        self.write("replace_snapshots", |state| {
            state.need(key)?.replace_snapshots(prefix, keep, put)
        })
    }

    fn put_artifact(&self, write: ArtifactWrite) -> Result<Artifact> {
        self.write("put_artifact", |state| state.artifacts.put(write))
    }

    fn artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Option<Artifact>> {
        self.read("artifact", |state| state.artifacts.get(tenant, handle))
    }

    fn read_artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Vec<u8>> {
        self.read("read_artifact", |state| {
            state.artifacts.bytes(tenant, handle)
        })
    }

    fn close(&self) -> Result<()> {
        self.state.write().closed = true;
        Ok(())
    }
}
