//! What compilations leave in the store: manifests, frozen plans, and the inputs to compile them again.

use std::sync::Arc;

use crate::digest::Digest;
use crate::error::Result;
use crate::id::{RequestId, SessionId, TenantId, TurnId};
use crate::manifest::{Manifest, OutcomeReport};
use crate::storage::SessionKey;
use crate::time::Timestamp;

/// What a compilation leaves in the store.
#[derive(Debug, Clone, PartialEq)]
pub struct CompilationRecord {
    /// The session.
    pub key: SessionKey,
    /// The turn it was made for.
    pub turn_id: TurnId,
    /// The manifest.
    pub manifest: Arc<Manifest>,
    /// The frozen plan of the turn, if this compilation made it; bytes of the compiler's own.
    pub plan: Option<Vec<u8>>,
    /// What it was made from, if it shall be possible to make it again.
    pub inputs: Option<CompilationInputs>,
}

/// What a compilation was made from beside the log, so that it can be made again; bytes of the engine's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilationInputs {
    /// What is this compilation's own; it names the parts by their digests.
    pub call: Vec<u8>,
    /// What other compilations may share, each kept once a tenant under its digest.
    pub parts: Vec<InputPart>,
}

/// One of the inputs of a compilation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputPart {
    /// The digest of the bytes, by which it is kept.
    pub digest: Digest,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

impl InputPart {
    /// A part of these bytes.
    #[must_use]
    pub fn of(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self {
            digest: Digest::of(&bytes),
            bytes,
        }
    }
}

/// Which manifests to list, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ManifestQuery {
    /// Only those of this session.
    pub session_id: Option<SessionId>,
    /// Only those made at or after this time.
    pub since: Option<Timestamp>,
    /// Only those made before this time.
    pub until: Option<Timestamp>,
    /// How many at most; 0 means 100.
    pub limit: u32,
}

/// Which compilations to forget; what is absent does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompilationPurge {
    /// Only those of this tenant.
    pub tenant: Option<TenantId>,
    /// Only those of this session.
    pub session_id: Option<SessionId>,
    /// Only those made before this time.
    pub before: Option<Timestamp>,
    /// How many at most, the oldest first; 0 means 1,000.
    pub limit: u32,
}

/// The part of a [`Storage`](crate::Storage) that keeps compilations. Its contract stands there.
pub trait CompilationStorage {
    /// Keeps manifests, plans and inputs, all or none. A plan that a turn has already is replaced, and so are manifest
    /// and inputs of the same request. The session need not exist: the first context is compiled before the first turn.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn put_compilations(&self, records: Vec<CompilationRecord>) -> Result<()>;

    /// The manifest of a request of this tenant.
    ///
    /// # Errors
    /// Those of the medium.
    fn manifest(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<Manifest>>;

    /// Manifests of this tenant, newest `now` first, then the one put last.
    ///
    /// # Errors
    /// Those of the medium.
    fn manifests(&self, tenant: &TenantId, query: &ManifestQuery) -> Result<Vec<Manifest>>;

    /// The inputs of a request of this tenant, the parts in any order.
    ///
    /// # Errors
    /// `Corrupt`, when a part does not fit its digest; those of the medium.
    fn inputs(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<CompilationInputs>>;

    /// The frozen plan of a turn, also before session and turn exist.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn plan(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Vec<u8>>>;

    /// Joins a report with what was reported of a request before; gives both together.
    ///
    /// # Errors
    /// `NotFound` naming `request_id`, when no manifest of it is kept; those of the medium.
    fn report_outcome(
        &self,
        tenant: &TenantId,
        request: &RequestId,
        report: OutcomeReport,
    ) -> Result<OutcomeReport>;

    /// Forgets compilations: manifests with all that hangs on them, plans that they made, and inputs that no other
    /// compilation has. Gives how many; fewer than the limit when none is left.
    ///
    /// # Errors
    /// Those of the medium.
    fn forget_compilations(&self, purge: &CompilationPurge) -> Result<u64>;
}
