//! Manifests, the turns they led to, frozen plans, and what compilations were made from.

use std::collections::HashMap;
use std::sync::Arc;

use aura_core::{
    CompilationInputs, CompilationPurge, CompilationRecord, CompilationStorage, DeletionReceipt,
    Digest, InputPart, Layer, Link, Manifest, ManifestQuery, OutcomeReport, RequestId, Result,
    SessionId, SessionKey, TenantId, Timestamp, TurnId, TurnWrite,
};

use super::store::{MemoryStorage, State};
use crate::refusal::no_manifest;

/// How many manifests a query without a limit lists.
const DEFAULT_LIMIT: u32 = 100;

/// How many compilations are forgotten at once where no limit is given.
const DEFAULT_PURGE: u32 = 1_000;

type Request = (TenantId, RequestId);

/// What compilations left.
#[derive(Default, Clone)]
pub(super) struct Compilations {
    manifests: HashMap<Request, Kept>,
    links: HashMap<(Request, SessionId), Link>,
    outcomes: HashMap<Request, OutcomeReport>,
    plans: HashMap<(TenantId, SessionId, TurnId), Plan>,
    parts: HashMap<(TenantId, Digest), Part>,
    count: u64,
}

#[derive(Clone)]
struct Kept {
    /// Its number in the order kept.
    number: u64,
    session_id: SessionId,
    manifest: Arc<Manifest>,
    inputs: Option<CompilationInputs>,
}

#[derive(Clone)]
struct Plan {
    made_by: RequestId,
    bytes: Vec<u8>,
}

/// An input with the number of compilations that have it.
#[derive(Clone)]
struct Part {
    bytes: Arc<[u8]>,
    uses: usize,
}

impl CompilationStorage for MemoryStorage {
    fn put_compilations(&self, records: Vec<CompilationRecord>) -> Result<()> {
        self.write("put_compilations", |state| state.put_compilations(records))
    }

    fn manifest(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<Manifest>> {
        self.read("manifest", |state| {
            Ok(state.compilations.manifest(tenant, request))
        })
    }

    fn manifests(&self, tenant: &TenantId, query: &ManifestQuery) -> Result<Vec<Manifest>> {
        self.read("manifests", |state| {
            Ok(state.compilations.manifests(tenant, query))
        })
    }

    fn inputs(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<CompilationInputs>> {
        self.read("inputs", |state| {
            let request = (tenant.clone(), request.clone());
            let kept = state.compilations.manifests.get(&request);
            Ok(kept.and_then(|kept| kept.inputs.clone()))
        })
    }

    fn plan(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Vec<u8>>> {
        self.read("plan", |state| {
            state.find(key)?;
            let turn = (key.tenant.clone(), key.session_id.clone(), turn_id.clone());
            let plan = state.compilations.plans.get(&turn);
            Ok(plan.map(|plan| plan.bytes.clone()))
        })
    }

    fn report_outcome(
        &self,
        tenant: &TenantId,
        request: &RequestId,
        report: OutcomeReport,
    ) -> Result<OutcomeReport> {
        self.write("report_outcome", |state| {
            let request = (tenant.clone(), request.clone());
            if !state.compilations.manifests.contains_key(&request) {
                return Err(no_manifest());
            }
            let known = state.compilations.outcomes.entry(request).or_default();
            known.join(report);
            Ok(known.clone())
        })
    }

    fn forget_compilations(&self, purge: &CompilationPurge) -> Result<u64> {
        self.write("forget_compilations", |state| {
            Ok(state.compilations.forget(purge))
        })
    }
}

impl State {
    fn put_compilations(&mut self, records: Vec<CompilationRecord>) -> Result<()> {
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
            // What was planned or given before the last deletion may show what is gone.
            if record.manifest.change_seq < purged {
                record.plan = None;
                record.inputs = None;
            }
            self.compilations.put(record);
        }
        Ok(())
    }
}

impl Compilations {
    /// Drops all that was compiled for a session.
    pub(super) fn erase_session(&mut self, key: &SessionKey, receipt: &mut DeletionReceipt) {
        self.erase_inputs(key, receipt);
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
            self.outcomes.remove(&(key.tenant.clone(), request));
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

    /// Drops what compilations for a session were made from.
    pub(super) fn erase_inputs(&mut self, key: &SessionKey, receipt: &mut DeletionReceipt) {
        let mut gone = Vec::new();
        for ((tenant, request), kept) in &mut self.manifests {
            if *tenant == key.tenant && kept.session_id == key.session_id {
                let inputs = kept.inputs.take();
                gone.extend(inputs.map(|inputs| (kept.number, request.clone(), inputs)));
            }
        }
        gone.sort_unstable_by_key(|(number, ..)| *number);
        for (_, request, inputs) in gone {
            receipt.note(Layer::Inputs, request.to_string(), 1);
            self.release(&key.tenant, Some(inputs));
        }
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
        let made_by = record.manifest.request_id.clone();
        self.count += 1;
        let request = (tenant.clone(), made_by.clone());
        let inputs = record.inputs.map(|inputs| self.share(&tenant, inputs));
        let kept = Kept {
            number: self.count,
            session_id: session_id.clone(),
            manifest: record.manifest,
            inputs,
        };
        if let Some(replaced) = self.manifests.insert(request, kept) {
            self.release(&tenant, replaced.inputs);
        }
        if let Some(bytes) = record.plan {
            let turn = (tenant, session_id, record.turn_id);
            self.plans.insert(turn, Plan { made_by, bytes });
        }
    }

    /// Keeps each part once.
    fn share(&mut self, tenant: &TenantId, mut inputs: CompilationInputs) -> CompilationInputs {
        inputs.parts.sort_by_key(|part| part.digest);
        inputs.parts.dedup_by_key(|part| part.digest);
        for InputPart { digest, bytes } in &mut inputs.parts {
            let new = || Part {
                bytes: Arc::clone(bytes),
                uses: 0,
            };
            let part = self
                .parts
                .entry((tenant.clone(), *digest))
                .or_insert_with(new);
            part.uses += 1;
            *bytes = Arc::clone(&part.bytes);
        }
        inputs
    }

    /// Lets go of parts that no other compilation has.
    fn release(&mut self, tenant: &TenantId, inputs: Option<CompilationInputs>) {
        for InputPart { digest, .. } in inputs.into_iter().flat_map(|inputs| inputs.parts) {
            let place = (tenant.clone(), digest);
            if let Some(part) = self.parts.get_mut(&place) {
                part.uses = part.uses.saturating_sub(1);
                if part.uses == 0 {
                    self.parts.remove(&place);
                }
            }
        }
    }

    /// Notes which turn answered the requests of a write.
    pub(super) fn link(&mut self, write: &TurnWrite, link: impl FnOnce() -> Link) {
        if write.requests.is_empty() {
            return;
        }
        let link = link();
        for request in &write.requests {
            let request = (write.key.tenant.clone(), request.clone());
            let answered = (request, write.key.session_id.clone());
            self.links.insert(answered, link.clone());
        }
    }

    fn manifest(&self, tenant: &TenantId, request: &RequestId) -> Option<Manifest> {
        let request = (tenant.clone(), request.clone());
        let kept = self.manifests.get(&request)?;
        Some(self.linked(&request, kept))
    }

    fn manifests(&self, tenant: &TenantId, query: &ManifestQuery) -> Vec<Manifest> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        let mut found: Vec<(&Request, &Kept)> = self
            .manifests
            .iter()
            .filter(|((owner, _), kept)| owner == tenant && kept.answers(query))
            .collect();
        found.sort_unstable_by_key(|(_, kept)| std::cmp::Reverse(kept.age()));
        found
            .into_iter()
            .take(limit as usize)
            .map(|(request, kept)| self.linked(request, kept))
            .collect()
    }

    fn linked(&self, request: &Request, kept: &Kept) -> Manifest {
        let mut manifest = Manifest::clone(&kept.manifest);
        let answered = (request.clone(), kept.session_id.clone());
        if let Some(link) = self.links.get(&answered) {
            manifest.link = link.clone();
        }
        manifest.link.outcome = self.outcomes.get(request).cloned();
        manifest
    }

    fn forget(&mut self, purge: &CompilationPurge) -> u64 {
        let limit = match purge.limit {
            0 => DEFAULT_PURGE,
            limit => limit,
        };
        let mut found: Vec<(_, Request)> = self
            .manifests
            .iter()
            .filter(|((tenant, _), kept)| kept.is_doomed(tenant, purge))
            .map(|(request, kept)| (kept.age(), request.clone()))
            .collect();
        found.sort_unstable_by_key(|(age, _)| *age);
        found.truncate(limit as usize);
        for (_, request) in &found {
            let Some(kept) = self.manifests.remove(request) else {
                continue;
            };
            self.release(&request.0, kept.inputs);
            self.outcomes.remove(request);
            self.links
                .remove(&(request.clone(), kept.session_id.clone()));
            self.plans.retain(|(tenant, session, _), plan| {
                (tenant, session, &plan.made_by) != (&request.0, &kept.session_id, &request.1)
            });
        }
        found.len() as u64
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

    fn is_doomed(&self, owner: &TenantId, purge: &CompilationPurge) -> bool {
        let (tenant, session) = (purge.tenant.as_ref(), purge.session_id.as_ref());
        tenant.is_none_or(|tenant| tenant == owner)
            && session.is_none_or(|session| self.session_id == *session)
            && purge.before.is_none_or(|before| self.manifest.now < before)
    }

    fn age(&self) -> (Timestamp, u64) {
        (self.manifest.now, self.number)
    }
}
