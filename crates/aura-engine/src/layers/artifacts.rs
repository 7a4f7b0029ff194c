//! Artifacts: storing, finding and reading them, whole or piece by piece.

mod writer;

use aura_core::{
    Artifact, ArtifactHandle, ArtifactWrite, Error, Principal, Result, SessionId, UPLOAD_PREFIX,
};

use crate::engine::Engine;
use crate::manifests::STORING;
use crate::parts::Parts;

pub use writer::ArtifactWriter;

impl Engine {
    /// Stores bytes under a name. The newest version is returned if its bytes are the same; else a new version is made.
    /// It goes when the principal's user is deleted.
    ///
    /// # Errors
    /// `Invalid` naming `name`; those of the store.
    pub fn put_artifact(
        &self,
        principal: &Principal,
        name: &str,
        mime: Option<&str>,
        bytes: Vec<u8>,
    ) -> Result<Artifact> {
        let (_pass, parts, _) = self.enter("put_artifact")?;
        let put = || {
            check_name(name)?;
            let write = write_of(parts, principal, name, mime, bytes);
            parts.storage.put_artifact(write)
        };
        put().map_err(|error: Error| error.during("put_artifact"))
    }

    /// Begins an artifact that is written piece by piece; see [`ArtifactWriter`].
    ///
    /// # Errors
    /// `Invalid` naming `name`; `Closed`.
    pub fn artifact_writer(
        &self,
        principal: &Principal,
        name: &str,
        mime: Option<&str>,
    ) -> Result<ArtifactWriter> {
        let (_pass, parts, _) = self.enter("artifact_writer")?;
        check_name(name).map_err(|error| error.during("artifact_writer"))?;
        let upload = parts.ids.next_id(parts.clock.now());
        Ok(ArtifactWriter::new(
            self.clone(),
            principal.clone(),
            name,
            mime,
            &upload,
        ))
    }

    /// The versions of an artifact that are still there, the oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub fn artifact_versions(&self, principal: &Principal, name: &str) -> Result<Vec<Artifact>> {
        let (_pass, parts, _) = self.enter("artifact_versions")?;
        let found = parts.storage.artifact_versions(&principal.tenant, name);
        found.map_err(|error| error.during("artifact_versions"))
    }

    /// The bytes that a handle stands for, say of a block that a context names by its handle.
    ///
    /// # Errors
    /// `Denied` naming `handle`, when it is of another tenant; `NotFound` naming `handle`; `Corrupt`; those of the store.
    pub fn read_artifact(&self, principal: &Principal, handle: &ArtifactHandle) -> Result<Vec<u8>> {
        let (_pass, parts, _) = self.enter("read_artifact")?;
        settle(parts);
        let read = parts.storage.read_artifact(&principal.tenant, handle);
        read.map_err(|error: Error| error.during("read_artifact"))
    }

    /// At most `limit` of the bytes that a handle stands for, from `offset` on; fewer at the end, and none beyond it.
    ///
    /// # Errors
    /// Those of [`Engine::read_artifact`].
    pub fn read_artifact_range(
        &self,
        principal: &Principal,
        handle: &ArtifactHandle,
        offset: u64,
        limit: usize,
    ) -> Result<Vec<u8>> {
        let (_pass, parts, _) = self.enter("read_artifact_range")?;
        settle(parts);
        let tenant = &principal.tenant;
        let read = parts.storage.artifact_range(tenant, handle, offset, limit);
        read.map_err(|error: Error| error.during("read_artifact_range"))
    }
}

/// What a context has just named may still wait to be stored.
fn settle(parts: &Parts) {
    if parts.queue.has_compilations() {
        parts.queue.wait_idle(STORING);
    }
}

fn check_name(name: &str) -> Result<()> {
    if name.starts_with(UPLOAD_PREFIX) {
        return Err(Error::invalid_field(
            "artifact",
            "name",
            format_args!("must not begin with `{UPLOAD_PREFIX}`, which the engine uses itself"),
        ));
    }
    aura_core::check_id("name", name)
}

fn write_of(
    parts: &Parts,
    principal: &Principal,
    name: &str,
    mime: Option<&str>,
    bytes: Vec<u8>,
) -> ArtifactWrite {
    ArtifactWrite {
        tenant: principal.tenant.clone(),
        name: name.to_owned(),
        mime: mime.map(str::to_owned),
        user: principal.user.clone(),
        session_id: None::<SessionId>,
        bytes,
        recorded_at: parts.clock.now(),
    }
}
