//! Reading manifests.

use std::sync::Arc;
use std::time::Duration;

use aura_core::{
    BlockRef, CacheReport, Error, ErrorKind, EventId, Explanation, Manifest, ManifestQuery,
    Principal, RequestId, Result, SessionKey,
};

use crate::engine::Engine;
use crate::parts::Parts;
use crate::session::map::SessionMap;

pub(crate) mod given;
mod gone;
mod outcome;
mod replay;
mod replayed;
pub(crate) mod retention;
pub(crate) mod standing;

/// How long a reader waits for manifests that are being stored.
pub(crate) const STORING: Duration = Duration::from_secs(1);

impl Engine {
    /// The manifest of a compilation.
    ///
    /// # Errors
    /// `NotFound` naming `request_id`; `Denied` when it was made for another user; those of the store.
    pub fn manifest(&self, principal: &Principal, request: &RequestId) -> Result<Arc<Manifest>> {
        let (_pass, parts, _) = self.enter("manifest")?;
        find(parts, principal, request).map_err(|error| error.during("manifest"))
    }

    /// The manifests of the principal's tenant (and user, where it has one), newest first.
    ///
    /// # Errors
    /// Those of the store.
    pub fn manifests(&self, principal: &Principal, query: &ManifestQuery) -> Result<Vec<Manifest>> {
        let (_pass, parts, _) = self.enter("manifests")?;
        let list = || {
            if parts.queue.has_compilations() {
                parts.queue.wait_idle(STORING);
            }
            parts.storage.manifests(&principal.tenant, query)
        };
        let mut manifests = list().map_err(|error: Error| error.during("manifests"))?;
        manifests.retain(|manifest| may_see(principal, manifest));
        Ok(manifests)
    }

    /// How well prefixes were kept, by agent version and workflow stage, over the manifests of a query.
    ///
    /// # Errors
    /// Those of [`Engine::manifests`].
    pub fn cache_report(
        &self,
        principal: &Principal,
        query: &ManifestQuery,
    ) -> Result<CacheReport> {
        self.manifests(principal, query)
            .map(|manifests| CacheReport::of(&manifests))
    }

    /// Whether a block was a candidate of a compilation, lost, or won and was cut; for what was never retrieved it
    /// says so.
    ///
    /// # Errors
    /// Those of [`Engine::manifest`].
    pub fn explain(
        &self,
        principal: &Principal,
        request: &RequestId,
        block: &BlockRef,
    ) -> Result<Explanation> {
        let (_pass, parts, sessions) = self.enter("explain")?;
        let manifest = find(parts, principal, request).map_err(|error| error.during("explain"))?;
        let related = related(parts, sessions, &manifest, block);
        Ok(manifest.explain(block, &related))
    }
}

/// The turn of a message, or the messages of a turn; nothing where the session cannot be read.
fn related(
    parts: &Parts,
    sessions: &SessionMap,
    manifest: &Manifest,
    block: &BlockRef,
) -> Vec<BlockRef> {
    let key = SessionKey {
        tenant: manifest.principal.tenant.clone(),
        session_id: manifest.session_id.clone(),
    };
    let (BlockRef::Event(_) | BlockRef::Turn(_)) = block else {
        return Vec::new();
    };
    let Ok(entry) = sessions.get(&key, parts) else {
        return Vec::new();
    };
    let Ok(data) = entry.current(parts) else {
        return Vec::new();
    };
    match block {
        BlockRef::Event(event) => {
            let at = usize::try_from(event.0.saturating_sub(1)).unwrap_or(usize::MAX);
            let turn = data.messages.get(at).map(|meta| BlockRef::Turn(meta.turn));
            turn.into_iter().collect()
        }
        BlockRef::Turn(turn) => {
            let events = data
                .turns
                .get(turn.0 as usize)
                .map(|meta| meta.events.ids());
            let events = events.into_iter().flatten();
            events
                .map(|event| BlockRef::Event(EventId(event)))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn find(parts: &Parts, principal: &Principal, request: &RequestId) -> Result<Arc<Manifest>> {
    let waiting = |parts: &Parts| {
        let record = parts.queue.compilation(request);
        record.filter(|record| record.key.tenant == principal.tenant)
    };
    // Once stored it also says what it led to.
    if waiting(parts).is_some() {
        parts.queue.wait_idle(STORING);
    }
    let manifest = match waiting(parts) {
        Some(record) => Some(Arc::clone(&record.manifest)),
        None => parts
            .storage
            .manifest(&principal.tenant, request)?
            .map(Arc::new),
    };
    let manifest = manifest.ok_or_else(|| {
        Error::new(
            ErrorKind::NotFound,
            "request_id: there is no manifest of such a request",
        )
        .with_field("request_id")
    })?;
    if !may_see(principal, &manifest) {
        return Err(Error::new(
            ErrorKind::Denied,
            "request_id: the manifest was made for another user",
        )
        .with_field("request_id"));
    }
    Ok(manifest)
}

/// Another tenant's manifests are never even read; within a tenant a user's are for that user.
fn may_see(principal: &Principal, manifest: &Manifest) -> bool {
    manifest.principal.user.is_none() || manifest.principal.user == principal.user
}
