//! Artifacts: versions by name, bytes once a tenant.

use std::collections::HashMap;
use std::sync::Arc;

use aura_core::{
    Artifact, ArtifactHandle, ArtifactWrite, Digest, Error, ErrorKind, HANDLE_DIGITS, Result,
    TenantId, TurnWrite,
};

use crate::large;
use crate::refusal::{foreign_handle, no_artifact};

/// All artifacts.
#[derive(Default)]
pub(super) struct Artifacts {
    /// By tenant and name, the version `n` at `n - 1`.
    versions: HashMap<(TenantId, String), Vec<Artifact>>,
    bytes: HashMap<(TenantId, Digest), Arc<[u8]>>,
}

impl Artifacts {
    pub(super) fn put(&mut self, write: ArtifactWrite) -> Result<Artifact> {
        large::check_name(&write.name)?;
        let digest = Digest::of(&write.bytes);
        Ok(self.add(write, digest))
    }

    /// Keeps a large part of a turn.
    pub(super) fn put_part(
        &mut self,
        write: &TurnWrite,
        digest: &Digest,
        text: &str,
    ) -> ArtifactHandle {
        let handle = large::handle(&write.key.tenant, digest);
        let known = (handle.tenant.clone(), handle.name.clone());
        if !self.versions.contains_key(&known) {
            let write = ArtifactWrite {
                tenant: handle.tenant.clone(),
                name: handle.name.clone(),
                mime: Some(large::MIME.to_owned()),
                bytes: text.as_bytes().to_vec(),
                recorded_at: write.recorded_at,
            };
            self.add(write, *digest);
        }
        handle
    }

    fn add(&mut self, write: ArtifactWrite, digest: Digest) -> Artifact {
        let versions = self
            .versions
            .entry((write.tenant.clone(), write.name.clone()))
            .or_default();
        if let Some(newest) = versions.last()
            && newest.digest == digest
        {
            return newest.clone();
        }
        let artifact = Artifact {
            handle: ArtifactHandle {
                tenant: write.tenant.clone(),
                name: write.name,
                version: versions
                    .last()
                    .map_or(1, |newest| newest.handle.version + 1),
                digest: digest.prefix(HANDLE_DIGITS),
            },
            digest,
            bytes: write.bytes.len() as u64,
            mime: write.mime,
            recorded_at: write.recorded_at,
        };
        versions.push(artifact.clone());
        self.bytes
            .entry((write.tenant, digest))
            .or_insert_with(|| write.bytes.into());
        artifact
    }

    pub(super) fn get(
        &self,
        tenant: &TenantId,
        handle: &ArtifactHandle,
    ) -> Result<Option<Artifact>> {
        if handle.tenant != *tenant {
            return Err(foreign_handle());
        }
        let named = (tenant.clone(), handle.name.clone());
        let version = (handle.version as usize).checked_sub(1);
        let found = version.and_then(|at| self.versions.get(&named)?.get(at));
        Ok(found.filter(|found| handle.matches(&found.digest)).cloned())
    }

    pub(super) fn bytes(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Vec<u8>> {
        let artifact = self.get(tenant, handle)?.ok_or_else(no_artifact)?;
        let kept = self.bytes.get(&(tenant.clone(), artifact.digest));
        let bytes = kept.ok_or_else(|| {
            Error::new(ErrorKind::Corrupt, "the bytes of an artifact are missing")
        })?;
        Ok(bytes.to_vec())
    }
}
