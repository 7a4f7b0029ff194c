//! A store that fails when it is told to, and stages that do.

mod lasting;
mod packets;

use std::collections::BTreeSet;
use std::sync::Arc;

use aura_core::{
    Artifact, ArtifactHandle, ArtifactWrite, CompilationInputs, CompilationPurge,
    CompilationRecord, CompilationStorage, Durability, Error, ErrorKind, EventId, EventRange,
    FactCommit, FactEntry, Manifest, ManifestQuery, OutcomeReport, PolicyQuery, PolicyStorage,
    PolicyVersion, Recorded, RequestId, Result, Session, SessionKey, SessionQuery, Signature,
    Snapshot, Storage, StoredMessage, StoredVector, TenantId, Turn, TurnId, TurnIndex, TurnRecord,
    TurnStatus, TurnWrite, VectorSet, VectorStorage, VectorWrite,
};
use parking_lot::Mutex;

mod stages;

pub use stages::FaultStages;

/// Wraps a store; calls of the chosen methods fail before they reach it.
///
/// ```no_run
/// # fn example(store: std::sync::Arc<dyn aura_core::Storage>) {
/// use aura_core::ErrorKind;
/// use aura_testkit::fault::{FaultStorage, Times};
/// let store = FaultStorage::new(store);
/// store.fail("messages", ErrorKind::Unavailable, Times::Next(1));
/// # }
/// ```
pub struct FaultStorage {
    inner: Arc<dyn Storage>,
    faults: Mutex<Vec<Fault>>,
    lost: Mutex<BTreeSet<EventId>>,
}

/// How often a method fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// The next calls, as many as this.
    Next(u32),
    /// Every call until [`FaultStorage::heal`].
    Always,
}

struct Fault {
    method: &'static str,
    kind: ErrorKind,
    times: Times,
}

impl FaultStorage {
    /// A store that works like `inner` as yet.
    #[must_use]
    pub fn new(inner: Arc<dyn Storage>) -> Self {
        Self {
            inner,
            faults: Mutex::default(),
            lost: Mutex::default(),
        }
    }

    /// Leaves messages out of all that is read from now on, as if they had been deleted; in every session.
    pub fn lose(&self, events: impl IntoIterator<Item = EventId>) {
        self.lost.lock().extend(events);
    }

    fn keep(&self, messages: &mut Vec<Arc<StoredMessage>>) {
        let lost = self.lost.lock();
        messages.retain(|stored| !lost.contains(&stored.event_id));
    }

    /// Has a method of [`Storage`], named as in the trait, or every method (`*`) fail.
    pub fn fail(&self, method: &'static str, kind: ErrorKind, times: Times) {
        self.faults.lock().push(Fault {
            method,
            kind,
            times,
        });
    }

    /// Forgets all faults.
    pub fn heal(&self) {
        self.faults.lock().clear();
    }

    fn enter(&self, method: &'static str) -> Result<&dyn Storage> {
        let mut faults = self.faults.lock();
        let hits = |fault: &Fault| fault.method == method || fault.method == "*";
        let Some(at) = faults.iter().position(hits) else {
            return Ok(&*self.inner);
        };
        let kind = faults.get_mut(at).map(|fault| {
            if let Times::Next(left) = &mut fault.times {
                *left = left.saturating_sub(1);
            }
            fault.kind
        });
        faults.retain(|fault| fault.times != Times::Next(0));
        let kind = kind.unwrap_or(ErrorKind::Internal);
        Err(Error::new(kind, "a fault that a test asked for").during(method))
    }
}

impl VectorStorage for FaultStorage {
    fn put_vectors(&self, write: VectorWrite) -> Result<()> {
        self.enter("put_vectors")?.put_vectors(write)
    }

    fn vector_sets(&self, key: &SessionKey) -> Result<Vec<VectorSet>> {
        self.enter("vector_sets")?.vector_sets(key)
    }

    fn vectors(
        &self,
        key: &SessionKey,
        model: &str,
        from: EventId,
        limit: usize,
    ) -> Result<Vec<StoredVector>> {
        self.enter("vectors")?.vectors(key, model, from, limit)
    }

    fn drop_vectors(&self, key: &SessionKey, model: &str) -> Result<bool> {
        self.enter("drop_vectors")?.drop_vectors(key, model)
    }

    fn unembedded(&self, model: &str, limit: usize) -> Result<Vec<SessionKey>> {
        self.enter("unembedded")?.unembedded(model, limit)
    }
}

impl PolicyStorage for FaultStorage {
    fn put_policy(&self, tenant: &TenantId, policy: PolicyVersion) -> Result<PolicyVersion> {
        self.enter("put_policy")?.put_policy(tenant, policy)
    }

    fn approve_policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
        approval: Signature,
    ) -> Result<PolicyVersion> {
        self.enter("approve_policy")?
            .approve_policy(tenant, subject, version, approval)
    }

    fn policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
    ) -> Result<Option<PolicyVersion>> {
        self.enter("policy")?.policy(tenant, subject, version)
    }

    fn policies(&self, tenant: &TenantId, query: &PolicyQuery) -> Result<Vec<PolicyVersion>> {
        self.enter("policies")?.policies(tenant, query)
    }
}

impl CompilationStorage for FaultStorage {
    fn put_compilations(&self, records: Vec<CompilationRecord>) -> Result<()> {
        self.enter("put_compilations")?.put_compilations(records)
    }

    fn manifest(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<Manifest>> {
        self.enter("manifest")?.manifest(tenant, request)
    }

    fn manifests(&self, tenant: &TenantId, query: &ManifestQuery) -> Result<Vec<Manifest>> {
        self.enter("manifests")?.manifests(tenant, query)
    }

    fn inputs(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<CompilationInputs>> {
        self.enter("inputs")?.inputs(tenant, request)
    }

    fn plan(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Vec<u8>>> {
        self.enter("plan")?.plan(key, turn_id)
    }

    fn report_outcome(
        &self,
        tenant: &TenantId,
        request: &RequestId,
        report: OutcomeReport,
    ) -> Result<OutcomeReport> {
        self.enter("report_outcome")?
            .report_outcome(tenant, request, report)
    }

    fn forget_compilations(&self, purge: &CompilationPurge) -> Result<u64> {
        self.enter("forget_compilations")?
            .forget_compilations(purge)
    }
}

impl Storage for FaultStorage {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn durability(&self) -> Durability {
        self.inner.durability()
    }

    fn record(&self, write: TurnWrite) -> Result<Recorded> {
        self.enter("record")?.record(write)
    }

    fn set_status(
        &self,
        key: &SessionKey,
        turn_id: &TurnId,
        status: TurnStatus,
    ) -> Result<Recorded> {
        self.enter("set_status")?.set_status(key, turn_id, status)
    }

    fn set_head(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Session> {
        self.enter("set_head")?.set_head(key, turn_id)
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>> {
        self.enter("session")?.session(key)
    }

    fn sessions(&self, tenant: &TenantId, query: &SessionQuery) -> Result<Vec<Session>> {
        self.enter("sessions")?.sessions(tenant, query)
    }

    fn turns(&self, key: &SessionKey, from: TurnIndex, limit: usize) -> Result<Vec<Turn>> {
        self.enter("turns")?.turns(key, from, limit)
    }

    fn turn_records(
        &self,
        key: &SessionKey,
        from: TurnIndex,
        limit: usize,
    ) -> Result<Vec<TurnRecord>> {
        let mut records = self.enter("turn_records")?.turn_records(key, from, limit)?;
        for record in &mut records {
            self.keep(&mut record.messages);
        }
        Ok(records)
    }

    fn turn(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Turn>> {
        self.enter("turn")?.turn(key, turn_id)
    }

    fn messages(&self, key: &SessionKey, ranges: &[EventRange]) -> Result<Vec<Arc<StoredMessage>>> {
        let mut messages = self.enter("messages")?.messages(key, ranges)?;
        self.keep(&mut messages);
        Ok(messages)
    }

    fn facts(&self, key: &SessionKey, from: u64) -> Result<Vec<FactEntry>> {
        self.enter("facts")?.facts(key, from)
    }

    fn commit_facts(&self, commit: FactCommit) -> Result<Session> {
        self.enter("commit_facts")?.commit_facts(commit)
    }

    fn undistilled(&self, limit: usize) -> Result<Vec<SessionKey>> {
        self.enter("undistilled")?.undistilled(limit)
    }

    fn put_snapshot(&self, key: &SessionKey, name: &str, snapshot: Snapshot) -> Result<()> {
        self.enter("put_snapshot")?
            .put_snapshot(key, name, snapshot)
    }

    fn snapshot(&self, key: &SessionKey, name: &str) -> Result<Option<Snapshot>> {
        self.enter("snapshot")?.snapshot(key, name)
    }

    fn snapshots(&self, key: &SessionKey, prefix: &str) -> Result<Vec<(String, Snapshot)>> {
        self.enter("snapshots")?.snapshots(key, prefix)
    }

    fn replace_snapshots(
        &self,
        key: &SessionKey,
        prefix: &str,
        keep: &[String],
        put: Vec<(String, Snapshot)>,
    ) -> Result<()> {
        self.enter("replace_snapshots")?
            .replace_snapshots(key, prefix, keep, put)
    }

    fn put_artifact(&self, write: ArtifactWrite) -> Result<Artifact> {
        self.enter("put_artifact")?.put_artifact(write)
    }

    fn artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Option<Artifact>> {
        self.enter("artifact")?.artifact(tenant, handle)
    }

    fn read_artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Vec<u8>> {
        self.enter("read_artifact")?.read_artifact(tenant, handle)
    }

    fn close(&self) -> Result<()> {
        self.enter("close")?.close()
    }
}
