//! Artifacts: versions by name, bytes once a tenant.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aura_core::{
    Artifact, ArtifactHandle, ArtifactStorage, ArtifactWrite, DeletionReceipt, Digest, Error,
    ErrorKind, HANDLE_DIGITS, Layer, Result, SessionId, TenantId, TurnWrite, UPLOAD_PREFIX, UserId,
};

use super::store::MemoryStorage;
use crate::large;
use crate::refusal::{foreign_handle, no_artifact};

/// All artifacts.
#[derive(Default, Clone)]
pub(super) struct Artifacts {
    /// By tenant and name, the version `n` at `n - 1`.
    versions: HashMap<(TenantId, String), Vec<Artifact>>,
    bytes: HashMap<(TenantId, Digest), Arc<[u8]>>,
    /// Whom versions were stored for.
    users: HashMap<Version, UserId>,
    /// The sessions that versions were made for.
    sessions: HashMap<Version, SessionId>,
}

/// A version of an artifact.
type Version = (TenantId, String, u32);

/// What stands for a version that was deleted, so that its number is not used again.
const GONE: Digest = Digest::from_bytes([0; 32]);

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
                user: None,
                session_id: None,
                bytes: text.as_bytes().to_vec(),
                recorded_at: write.recorded_at,
            };
            self.add(write, *digest);
        }
        handle
    }

    /// The versions of an artifact that are still there.
    fn versions_of(&self, tenant: &TenantId, name: &str) -> Vec<Artifact> {
        let versions = self.versions.get(&(tenant.clone(), name.to_owned()));
        let left = versions.into_iter().flatten();
        left.filter(|found| found.digest != GONE).cloned().collect()
    }

    fn compose(&mut self, mut write: ArtifactWrite, parts: &[ArtifactHandle]) -> Result<Artifact> {
        large::check_name(&write.name)?;
        let bytes = parts.iter().map(|part| self.bytes(&write.tenant, part));
        write.bytes = bytes.collect::<Result<Vec<_>>>()?.concat();
        let tenant = write.tenant.clone();
        let artifact = self.put(write)?;
        for part in parts {
            if part.name.starts_with(UPLOAD_PREFIX) {
                self.versions.remove(&(tenant.clone(), part.name.clone()));
                let named = (tenant.clone(), part.name.clone(), part.version);
                self.users.remove(&named);
                self.sessions.remove(&named);
            }
        }
        self.drop_bytes();
        Ok(artifact)
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
        let handle = &artifact.handle;
        let named = || (write.tenant.clone(), handle.name.clone(), handle.version);
        self.users.extend(write.user.map(|user| (named(), user)));
        self.sessions
            .extend(write.session_id.map(|id| (named(), id)));
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

    /// Whom an artifact was stored for.
    pub(super) fn owner(&self, tenant: &TenantId, name: &str) -> Option<UserId> {
        let mut users = self.users.iter();
        let found = users.find(|((owner, known, _), _)| owner == tenant && known == name);
        found.map(|(_, user)| user.clone())
    }

    /// Empties versions that a caller named.
    pub(super) fn erase(
        &mut self,
        name: &str,
        version: Option<u32>,
        receipt: &mut DeletionReceipt,
    ) {
        let named = (receipt.tenant.clone(), name.to_owned());
        let versions = self.versions.get_mut(&named).into_iter().flatten();
        let gone = versions.filter(|found| found.digest != GONE);
        let gone = gone.filter(|found| version.is_none_or(|only| found.handle.version == only));
        for found in gone {
            let id = format!("{name}@{}", found.handle.version);
            receipt.note(Layer::Artifacts, id, 1);
            let stored_for = (named.0.clone(), named.1.clone(), found.handle.version);
            self.users.remove(&stored_for);
            self.sessions.remove(&stored_for);
            (found.digest, found.bytes, found.mime) = (GONE, 0, None);
        }
        self.drop_bytes();
    }

    /// Empties all versions that were stored for a user.
    pub(super) fn erase_of_user(&mut self, user: &UserId, receipt: &mut DeletionReceipt) {
        let users = self.users.iter();
        let own = users.filter(|((tenant, ..), owner)| *tenant == receipt.tenant && *owner == user);
        let own = own.map(|((_, name, version), _)| (name.clone(), *version));
        self.erase_versions(own.collect(), receipt);
    }

    /// Empties all versions that were made for a session.
    pub(super) fn erase_of_session(&mut self, id: &SessionId, receipt: &mut DeletionReceipt) {
        let sessions = self.sessions.iter();
        let own = sessions.filter(|((tenant, ..), of)| *tenant == receipt.tenant && *of == id);
        let own = own.map(|((_, name, version), _)| (name.clone(), *version));
        self.erase_versions(own.collect(), receipt);
    }

    fn erase_versions(&mut self, mut own: Vec<(String, u32)>, receipt: &mut DeletionReceipt) {
        own.sort_unstable();
        for (name, version) in own {
            self.erase(&name, Some(version), receipt);
        }
    }

    /// Drops the large parts of a tenant but for those `held`.
    pub(super) fn drop_parts(
        &mut self,
        tenant: &TenantId,
        held: &HashSet<String>,
        receipt: &mut DeletionReceipt,
    ) {
        let gone = self.versions.extract_if(|(owner, name), _| {
            owner == tenant && large::is_part(name) && !held.contains(name)
        });
        let mut gone: Vec<String> = gone.map(|((_, name), _)| name).collect();
        gone.sort_unstable();
        for name in gone {
            receipt.note(Layer::Artifacts, format!("{name}@1"), 1);
        }
        self.drop_bytes();
    }

    /// Drops bytes that no version has.
    fn drop_bytes(&mut self) {
        let versions = self.versions.iter();
        let held: HashSet<(TenantId, Digest)> = versions
            .flat_map(|((tenant, _), found)| {
                found.iter().map(|found| (tenant.clone(), found.digest))
            })
            .collect();
        self.bytes.retain(|bytes, _| held.contains(bytes));
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

impl ArtifactStorage for MemoryStorage {
    fn artifact_versions(&self, tenant: &TenantId, name: &str) -> Result<Vec<Artifact>> {
        self.read("artifact_versions", |state| {
            Ok(state.artifacts.versions_of(tenant, name))
        })
    }

    fn compose_artifact(&self, write: ArtifactWrite, parts: &[ArtifactHandle]) -> Result<Artifact> {
        self.write("compose_artifact", |state| {
            state.artifacts.compose(write, parts)
        })
    }

    fn artifact_range(
        &self,
        tenant: &TenantId,
        handle: &ArtifactHandle,
        offset: u64,
        limit: usize,
    ) -> Result<Vec<u8>> {
        self.read("artifact_range", |state| {
            let bytes = state.artifacts.bytes(tenant, handle)?;
            let from = usize::try_from(offset)
                .unwrap_or(usize::MAX)
                .min(bytes.len());
            let to = from.saturating_add(limit).min(bytes.len());
            Ok(bytes.get(from..to).unwrap_or_default().to_vec())
        })
    }
}
