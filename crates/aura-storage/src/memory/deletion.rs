//! Deletions: everything is in one place, so each is one step and its proof another.

use std::collections::{BTreeMap, HashSet};

use aura_core::{
    DeletionId, DeletionOrder, DeletionQuery, DeletionReceipt, DeletionState, DeletionStorage,
    DeletionSubject, Error, ErrorKind, EventRange, FactOp, HoldId, Layer, LegalHold, ProofSearch,
    Result, SessionId, SessionKey, TenantId, Timestamp, UserId,
};

use super::store::{MemoryStorage, State};
use crate::erasure::{check_holds, ranges, strip_facts};
use crate::refusal::check_tenant;

/// How many deletions a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

/// What is known of deletions.
#[derive(Default, Clone)]
pub(super) struct Deletions {
    /// In the order begun.
    receipts: Vec<DeletionReceipt>,
    pub(super) sessions: HashSet<SessionId>,
    holds: BTreeMap<(TenantId, HoldId), LegalHold>,
}

impl DeletionStorage for MemoryStorage {
    fn preview_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt> {
        self.read("preview_deletion", |state| {
            state.check_deletion(&order)?;
            // What would happen is seen best by letting it happen to a copy.
            let mut copy = state.clone();
            let mut receipt = DeletionReceipt::of(order);
            copy.erase_all(&mut receipt)?;
            receipt.state = DeletionState::DryRun;
            Ok(receipt)
        })
    }

    fn begin_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt> {
        self.write("begin_deletion", |state| {
            if let Some(known) = state.deletion(&order.tenant, &order.deletion_id) {
                return Ok(known.clone());
            }
            state.check_deletion(&order)?;
            let receipt = DeletionReceipt::of(order);
            state.deletions.receipts.push(receipt.clone());
            Ok(receipt)
        })
    }

    fn advance_deletion(
        &self,
        tenant: &TenantId,
        deletion_id: &DeletionId,
        now: Timestamp,
    ) -> Result<DeletionReceipt> {
        self.write("advance_deletion", |state| {
            let mut receipt = state
                .deletion(tenant, deletion_id)
                .cloned()
                .ok_or_else(no_deletion)?;
            match receipt.state {
                DeletionState::Erasing => {
                    state.erase_all(&mut receipt)?;
                    receipt.state = DeletionState::Pending;
                }
                DeletionState::Pending => {
                    receipt.state = DeletionState::Complete;
                    receipt.completed_at = Some(now);
                    // There are no bytes outside of what was removed.
                    receipt.proof = Some(ProofSearch {
                        searched_at: Some(now),
                        ..ProofSearch::default()
                    });
                }
                DeletionState::DryRun | DeletionState::Complete => {}
            }
            let mut known = state.deletions.receipts.iter_mut();
            let is_it = |known: &&mut DeletionReceipt| {
                known.tenant == receipt.tenant && known.deletion_id == receipt.deletion_id
            };
            if let Some(known) = known.find(is_it) {
                known.clone_from(&receipt);
            }
            Ok(receipt)
        })
    }

    fn deletions(&self, query: &DeletionQuery) -> Result<Vec<DeletionReceipt>> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        self.read("deletions", |state| {
            let receipts = state.deletions.receipts.iter().rev();
            let of_tenant = receipts.filter(|receipt| {
                let tenant = query.tenant.as_ref();
                tenant.is_none_or(|tenant| receipt.tenant == *tenant)
                    && (!query.open_only || receipt.state != DeletionState::Complete)
            });
            Ok(of_tenant.take(limit as usize).cloned().collect())
        })
    }

    fn put_hold(&self, tenant: &TenantId, hold: LegalHold) -> Result<()> {
        self.write("put_hold", |state| {
            let named = (tenant.clone(), hold.hold_id.clone());
            state.deletions.holds.insert(named, hold);
            Ok(())
        })
    }

    fn release_hold(&self, tenant: &TenantId, hold_id: &HoldId) -> Result<bool> {
        self.write("release_hold", |state| {
            let named = (tenant.clone(), hold_id.clone());
            Ok(state.deletions.holds.remove(&named).is_some())
        })
    }

    fn holds(&self, tenant: &TenantId) -> Result<Vec<LegalHold>> {
        self.read("holds", |state| Ok(state.holds(tenant)))
    }
}

fn no_deletion() -> Error {
    Error::new(
        ErrorKind::NotFound,
        "deletion_id: there is no such deletion",
    )
    .with_field("deletion_id")
}

impl State {
    fn deletion(&self, tenant: &TenantId, deletion_id: &DeletionId) -> Option<&DeletionReceipt> {
        let mut receipts = self.deletions.receipts.iter();
        receipts.find(|known| known.tenant == *tenant && known.deletion_id == *deletion_id)
    }

    fn holds(&self, tenant: &TenantId) -> Vec<LegalHold> {
        let holds = self.deletions.holds.iter();
        let own = holds.filter(|((owner, _), _)| owner == tenant);
        own.map(|(_, hold)| hold.clone()).collect()
    }

    fn check_deletion(&self, order: &DeletionOrder) -> Result<()> {
        for subject in &order.subjects {
            subject.validate()?;
            if let Some(session_id) = subject.session_id() {
                self.find(&key(&order.tenant, session_id))?;
            }
        }
        let holds = self.holds(&order.tenant);
        check_holds(&holds, &order.subjects, |subject| {
            Ok(self.owner(&order.tenant, subject))
        })
    }

    /// Whose something is.
    fn owner(&self, tenant: &TenantId, subject: &DeletionSubject) -> Option<UserId> {
        match subject {
            DeletionSubject::Session { session_id }
            | DeletionSubject::Events { session_id, .. } => {
                let session = &self.sessions.get(session_id)?.session;
                check_tenant(&session.tenant, &key(tenant, session_id)).ok()?;
                session.user.clone()
            }
            DeletionSubject::Artifact { name, .. } => self.artifacts.owner(tenant, name),
            DeletionSubject::Memory { memory_id } => {
                let memory = self.memories.get(tenant, memory_id)?;
                memory.proposal.user.clone()
            }
            DeletionSubject::User { .. } => None,
        }
    }

    fn erase_all(&mut self, receipt: &mut DeletionReceipt) -> Result<()> {
        for subject in receipt.subjects.clone() {
            self.erase(&subject, receipt)?;
        }
        Ok(())
    }

    fn erase(&mut self, subject: &DeletionSubject, receipt: &mut DeletionReceipt) -> Result<()> {
        let tenant = receipt.tenant.clone();
        match subject {
            DeletionSubject::User { user } => {
                let sessions = self.sessions.values().map(|state| &state.session);
                let own = sessions.filter(|session| {
                    session.tenant == tenant && session.user.as_ref() == Some(user)
                });
                let own: Vec<SessionId> = own.map(|session| session.session_id.clone()).collect();
                for session_id in own {
                    self.erase_session(&key(&tenant, &session_id), receipt);
                }
                self.artifacts.erase_of_user(user, receipt);
                self.memories.erase(receipt, |memory| {
                    memory.proposal.user.as_ref() == Some(user)
                });
            }
            DeletionSubject::Session { session_id } => {
                let key = key(&tenant, session_id);
                self.find(&key)?;
                self.erase_session(&key, receipt);
            }
            DeletionSubject::Events { session_id, range } => {
                self.erase_events(&key(&tenant, session_id), *range, receipt)?;
            }
            DeletionSubject::Artifact { name, version } => {
                self.artifacts.erase(name, *version, receipt);
            }
            DeletionSubject::Memory { memory_id } => {
                self.memories
                    .erase(receipt, |memory| memory.memory_id == *memory_id);
            }
        }
        Ok(())
    }

    fn erase_session(&mut self, key: &SessionKey, receipt: &mut DeletionReceipt) {
        let id = key.session_id.as_str();
        if let Some(gone) = self.sessions.remove(&key.session_id) {
            self.deletions.sessions.insert(key.session_id.clone());
            receipt.note(Layer::Sessions, id, 1);
            let count = gone.messages.iter().flatten().count() as u64;
            if count > 0 {
                let events = format!("{id}:1-{}", gone.session.last_event);
                receipt.note(Layer::Events, events, count);
            }
            for entry in &gone.facts {
                if let FactOp::Add { fact } = &entry.change {
                    receipt.note(Layer::Facts, fact.fact_id.to_string(), 1);
                }
            }
            for name in gone.snapshots.keys() {
                receipt.note(Layer::Snapshots, format!("{id}/{name}"), 1);
            }
            for vectors in &gone.vectors {
                vectors.note(id, receipt);
            }
            self.drop_parts(&key.tenant, receipt);
        }
        self.checkpoints.erase(receipt, &key.session_id, None);
        self.memories.erase(receipt, |memory| {
            memory.proposal.source.session_id.as_ref() == Some(&key.session_id)
        });
        for packet in self.packets.remove_of(&key.tenant, &key.session_id) {
            receipt.note(Layer::Packets, packet.to_string(), 1);
        }
        self.artifacts.erase_of_session(&key.session_id, receipt);
        self.compilations.erase_session(key, receipt);
    }

    fn erase_events(
        &mut self,
        key: &SessionKey,
        range: EventRange,
        receipt: &mut DeletionReceipt,
    ) -> Result<()> {
        if self.find(key)?.is_none() {
            return Ok(());
        }
        let state = self.need(key)?;
        let id = key.session_id.as_str();
        let mut gone = Vec::new();
        for message in &mut state.messages {
            if let Some(found) = message.take_if(|found| range.contains(found.event_id)) {
                gone.push(found.event_id);
            }
        }
        if gone.is_empty() {
            return Ok(());
        }
        for range in ranges(&gone) {
            let events = format!("{id}:{}-{}", range.first, range.last);
            receipt.note(Layer::Events, events, range.len());
        }
        let mut facts = Vec::new();
        state.facts = strip_facts(std::mem::take(&mut state.facts), range, &mut facts);
        for fact_id in facts {
            receipt.note(Layer::Facts, fact_id.to_string(), 1);
        }
        for name in std::mem::take(&mut state.snapshots).into_keys() {
            receipt.note(Layer::Snapshots, format!("{id}/{name}"), 1);
        }
        for vectors in &mut state.vectors {
            vectors.erase(id, range, receipt);
        }
        state.session.change_seq += 1;
        state.session.purge_seq = state.session.change_seq;
        state.session.distilled.commits += 1;
        self.compilations.erase_inputs(key, receipt);
        self.compilations.erase_plans(key, receipt);
        self.artifacts.erase_of_session(&key.session_id, receipt);
        self.checkpoints
            .erase(receipt, &key.session_id, Some(range));
        self.memories.erase(receipt, |memory| {
            let source = &memory.proposal.source;
            source.session_id.as_ref() == Some(&key.session_id)
                && source.events.iter().any(|event| range.contains(*event))
        });
        self.drop_parts(&key.tenant, receipt);
        Ok(())
    }

    /// Drops the large parts of a tenant that no message holds any more.
    fn drop_parts(&mut self, tenant: &TenantId, receipt: &mut DeletionReceipt) {
        let sessions = self.sessions.values();
        let own = sessions.filter(|state| state.session.tenant == *tenant);
        let messages = own.flat_map(|state| state.messages.iter().flatten());
        let held: HashSet<String> = messages
            .flat_map(|stored| &stored.large_parts)
            .map(|part| part.handle.name.clone())
            .collect();
        self.artifacts.drop_parts(tenant, &held, receipt);
    }
}

fn key(tenant: &TenantId, session_id: &SessionId) -> SessionKey {
    SessionKey {
        tenant: tenant.clone(),
        session_id: session_id.clone(),
    }
}
