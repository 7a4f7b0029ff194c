//! Manifests, the turns they led to, and frozen plans.

use std::collections::HashMap;
use std::sync::Arc;

use aura_core::{
    CallId, CompilationRecord, DeletionReceipt, Layer, Link, Manifest, ManifestQuery, RequestId,
    Result, SessionId, SessionKey, TenantId, TurnId, TurnWrite,
};

use super::store::State;

/// How many manifests a query without a limit lists.
const DEFAULT_LIMIT: u32 = 100;

type Request = (TenantId, RequestId);

/// What compilations left.
#[derive(Default, Clone)]
pub(super) struct Compilations {
    manifests: HashMap<Request, Kept>,
    links: HashMap<(Request, SessionId), Link>,
    plans: HashMap<(TenantId, SessionId, TurnId), Vec<u8>>,
    count: u64,
}

#[derive(Clone)]
struct Kept {
    /// Its number in the order kept.
    number: u64,
    session_id: SessionId,
    manifest: Arc<Manifest>,
}

impl State {
    pub(super) fn put_compilations(&mut self, records: Vec<CompilationRecord>) -> Result<()> {
        for record in &records {
            self.find(&record.key)?;
        }
        for mut record in records {
            let id = &record.key.session_id;
            if self.deletions.sessions.contains(id) {
                continue;
            }
            let purged = self
                .sessions
                .get(id)
                .map_or(0, |found| found.session.purge_seq);
            // What was planned before the last deletion may show what is gone.
            record.plan.take_if(|_| record.manifest.change_seq < purged);
            self.compilations.put(record);
        }
        Ok(())
    }
}

impl Compilations {
    /// Drops all that was compiled for a session.
    pub(super) fn erase_session(&mut self, key: &SessionKey, receipt: &mut DeletionReceipt) {
        let is_own = |tenant: &TenantId, session: &SessionId| {
            *tenant == key.tenant && *session == key.session_id
        };
        let gone = self
            .manifests
            .extract_if(|(tenant, _), kept| is_own(tenant, &kept.session_id));
        let mut gone: Vec<(u64, RequestId)> = gone
            .map(|((_, request), kept)| (kept.number, request))
            .collect();
        gone.sort_unstable();
        for (_, request) in gone {
            receipt.note(Layer::Manifests, request.to_string(), 1);
        }
        let gone = self
            .links
            .extract_if(|((tenant, _), session), _| is_own(tenant, session));
        let mut gone: Vec<RequestId> = gone.map(|(((_, request), _), _)| request).collect();
        gone.sort_unstable();
        for request in gone {
            receipt.note(Layer::Links, request.to_string(), 1);
        }
        self.erase_plans(key, receipt);
    }

    /// Drops the frozen plans of a session.
    pub(super) fn erase_plans(&mut self, key: &SessionKey, receipt: &mut DeletionReceipt) {
        let gone = self.plans.extract_if(|(tenant, session, _), _| {
            *tenant == key.tenant && *session == key.session_id
        });
        let mut gone: Vec<TurnId> = gone.map(|((_, _, turn), _)| turn).collect();
        gone.sort_unstable();
        for turn in gone {
            let id = format!("{}/{turn}", key.session_id);
            receipt.note(Layer::Plans, id, 1);
        }
    }

    fn put(&mut self, record: CompilationRecord) {
        let SessionKey { tenant, session_id } = record.key;
        self.count += 1;
        let request = (tenant.clone(), record.manifest.request_id.clone());
        let kept = Kept {
            number: self.count,
            session_id: session_id.clone(),
            manifest: record.manifest,
        };
        self.manifests.insert(request, kept);
        if let Some(plan) = record.plan {
            let turn = (tenant, session_id, record.turn_id);
            self.plans.insert(turn, plan);
        }
    }

    /// Notes which turn answered the requests of a write.
    pub(super) fn link(&mut self, write: &TurnWrite, calls: impl FnOnce() -> Vec<CallId>) {
        if write.requests.is_empty() {
            return;
        }
        let link = Link {
            turn_id: Some(write.turn_id.clone()),
            calls: calls(),
        };
        for request in &write.requests {
            let request = (write.key.tenant.clone(), request.clone());
            let answered = (request, write.key.session_id.clone());
            self.links.insert(answered, link.clone());
        }
    }

    pub(super) fn manifest(&self, tenant: &TenantId, request: &RequestId) -> Option<Manifest> {
        let request = (tenant.clone(), request.clone());
        let kept = self.manifests.get(&request)?;
        Some(self.linked(&request, kept))
    }

    pub(super) fn manifests(&self, tenant: &TenantId, query: &ManifestQuery) -> Vec<Manifest> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        let mut found: Vec<(&Request, &Kept)> = self
            .manifests
            .iter()
            .filter(|((owner, _), kept)| owner == tenant && kept.answers(query))
            .collect();
        found.sort_unstable_by_key(|(_, kept)| std::cmp::Reverse((kept.manifest.now, kept.number)));
        found
            .into_iter()
            .take(limit as usize)
            .map(|(request, kept)| self.linked(request, kept))
            .collect()
    }

    pub(super) fn plan(&self, key: &SessionKey, turn_id: &TurnId) -> Option<Vec<u8>> {
        let turn = (key.tenant.clone(), key.session_id.clone(), turn_id.clone());
        self.plans.get(&turn).cloned()
    }

    fn linked(&self, request: &Request, kept: &Kept) -> Manifest {
        let mut manifest = Manifest::clone(&kept.manifest);
        let answered = (request.clone(), kept.session_id.clone());
        if let Some(link) = self.links.get(&answered) {
            manifest.link = link.clone();
        }
        manifest
    }
}

impl Kept {
    fn answers(&self, query: &ManifestQuery) -> bool {
        let now = self.manifest.now;
        let session = query.session_id.as_ref();
        session.is_none_or(|session| self.session_id == *session)
            && query.since.is_none_or(|since| now >= since)
            && query.until.is_none_or(|until| now < until)
    }
}
