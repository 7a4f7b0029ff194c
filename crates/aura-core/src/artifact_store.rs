//! Artifacts in the store beyond whole ones: versions by name, parts, and ranges of bytes.

use crate::artifact::{Artifact, ArtifactHandle};
use crate::error::Result;
use crate::id::TenantId;
use crate::storage::ArtifactWrite;

/// The name of artifacts that are still being written begins so; they go when the whole is composed.
pub const UPLOAD_PREFIX: &str = "upload:";

/// The part of a store that reads and writes artifacts piece by piece.
pub trait ArtifactStorage {
    /// The versions of an artifact that are still there, the oldest first.
    ///
    /// # Errors
    /// Those of the medium.
    fn artifact_versions(&self, tenant: &TenantId, name: &str) -> Result<Vec<Artifact>>;

    /// Stores an artifact whose bytes are those of other artifacts of the tenant, one after the other; the bytes of
    /// `write` are not looked at. Nothing is copied: parts are kept once, whatever is composed of them. Those whose names
    /// begin with [`UPLOAD_PREFIX`] cease to be artifacts of their own.
    ///
    /// # Errors
    /// `Invalid` naming `name`; `Denied` and `NotFound` naming `handle`; `Corrupt`; those of the medium.
    fn compose_artifact(&self, write: ArtifactWrite, parts: &[ArtifactHandle]) -> Result<Artifact>;

    /// At most `limit` bytes of an artifact from `offset` on, fewer at its end.
    ///
    /// # Errors
    /// `Denied` and `NotFound` naming `handle`; `Corrupt`; those of the medium.
    fn artifact_range(
        &self,
        tenant: &TenantId,
        handle: &ArtifactHandle,
        offset: u64,
        limit: usize,
    ) -> Result<Vec<u8>>;
}
