//! Reading artifacts by the handles that contexts name.

use aura_core::{ArtifactHandle, Error, Principal, Result};

use crate::engine::Engine;
use crate::manifests::STORING;

impl Engine {
    /// The bytes that a handle stands for, say of a block that a context names by its handle.
    ///
    /// # Errors
    /// `Denied` naming `handle`, when it is of another tenant; `NotFound` naming `handle`; `Corrupt`; those of the store.
    pub fn read_artifact(&self, principal: &Principal, handle: &ArtifactHandle) -> Result<Vec<u8>> {
        let (_pass, parts, _) = self.enter("read_artifact")?;
        // What a context has just named may still wait to be stored.
        if parts.queue.has_compilations() {
            parts.queue.wait_idle(STORING);
        }
        let read = parts.storage.read_artifact(&principal.tenant, handle);
        read.map_err(|error: Error| error.during("read_artifact"))
    }
}
