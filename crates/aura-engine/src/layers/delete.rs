//! Deleting: the rows and every copy, in the store and in memory, with a receipt.

mod holds;
mod resume;
mod retention;

use std::time::{Duration, Instant};

use aura_core::{
    DeletionId, DeletionOrder, DeletionQuery, DeletionReceipt, DeletionState, DeletionSubject,
    Error, ErrorKind, Principal, Requester, Result,
};

use crate::engine::{Engine, key_of};
use crate::parts::Parts;
use crate::record::known_session;
use crate::session::map::SessionMap;

pub(crate) use resume::resume;
pub use retention::{RetentionLayer, RetentionRule};

/// How long a deletion waits for what stands in the way of its last step before it is left to be finished later.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a deletion waits for compilations that are being stored.
const STORING: Duration = Duration::from_secs(1);

/// What to delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletionRequest {
    /// The subjects, one after the other.
    pub subjects: Vec<DeletionSubject>,
    /// Only say what would go.
    pub dry_run: bool,
    /// The deletion's id, so that a repeated call is recognised; `None` makes one.
    pub deletion_id: Option<DeletionId>,
    /// Why; no stored text.
    pub reason: Option<String>,
}

impl DeletionRequest {
    /// A deletion of one subject.
    #[must_use]
    pub fn of(subject: DeletionSubject) -> Self {
        Self {
            subjects: vec![subject],
            dry_run: false,
            deletion_id: None,
            reason: None,
        }
    }

    /// The same, but only saying what would go.
    #[must_use]
    pub fn dry_run(mut self) -> Self {
        self.dry_run = true;
        self
    }
}

impl Engine {
    /// Deletes users, sessions, memories, artifacts or ranges of events with everything derived from them, down to the
    /// bytes on the disk. A principal without a user may delete everything of its tenant, one with a user what is that
    /// user's.
    ///
    /// The receipt is `Complete` once a search of the raw files found nothing, and `Pending` where somebody still reads
    /// an old state of the store; such a deletion is finished by the next one, or after the next start.
    ///
    /// # Errors
    /// `Invalid` naming the field; `NotFound` and `Denied` naming `session_id`; `Denied` naming `subject`; `Conflict`
    /// naming `subject` for what a legal hold keeps; those of the store.
    pub fn delete(
        &self,
        principal: &Principal,
        request: DeletionRequest,
    ) -> Result<DeletionReceipt> {
        let (_pass, parts, sessions) = self.enter("delete")?;
        delete(parts, sessions, principal, request).map_err(|error| error.during("delete"))
    }

    /// The receipts of deletions of the principal's tenant, the newest first; for a principal with a user, of those it
    /// asked for.
    ///
    /// # Errors
    /// Those of the store.
    pub fn deletions(&self, principal: &Principal, limit: u32) -> Result<Vec<DeletionReceipt>> {
        let (_pass, parts, _) = self.enter("deletions")?;
        let query = DeletionQuery {
            tenant: Some(principal.tenant.clone()),
            open_only: false,
            limit,
        };
        let mut receipts = parts
            .storage
            .deletions(&query)
            .map_err(|error| error.during("deletions"))?;
        if principal.user.is_some() {
            receipts.retain(|receipt| receipt.by.user == principal.user);
        }
        Ok(receipts)
    }
}

pub(crate) fn requester(principal: &Principal) -> Requester {
    Requester {
        agent: principal.agent.clone(),
        user: principal.user.clone(),
    }
}

fn delete(
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    request: DeletionRequest,
) -> Result<DeletionReceipt> {
    if request.subjects.is_empty() {
        return Err(Error::invalid_field(
            "deletion",
            "subjects",
            "must name something",
        ));
    }
    let known = match &request.deletion_id {
        Some(id) => known(parts, principal, id)?,
        None => None,
    };
    if known.is_none() {
        for subject in &request.subjects {
            subject.validate()?;
            check_access(parts, principal, subject)?;
        }
    }
    let now = parts.clock.now();
    let deletion_id = match request.deletion_id {
        Some(deletion_id) => deletion_id,
        None => DeletionId::new(parts.ids.next_id(now))?,
    };
    let order = DeletionOrder {
        deletion_id,
        tenant: principal.tenant.clone(),
        subjects: request.subjects,
        by: requester(principal),
        reason: request.reason,
        requested_at: now,
    };
    if parts.queue.has_compilations() {
        // Whatever is not stored by then is refused by the store, if it saw what is gone.
        parts.queue.wait_idle(STORING);
    }
    if request.dry_run {
        return parts.storage.preview_deletion(order);
    }
    let receipt = parts.storage.begin_deletion(order)?;
    carry_out(parts, sessions, receipt)
}

/// The deletion of an id that was asked for before.
fn known(parts: &Parts, principal: &Principal, id: &DeletionId) -> Result<Option<DeletionReceipt>> {
    let query = DeletionQuery {
        tenant: Some(principal.tenant.clone()),
        open_only: false,
        limit: u32::MAX,
    };
    let mut receipts = parts.storage.deletions(&query)?.into_iter();
    let found = receipts.find(|receipt| receipt.deletion_id == *id);
    if let Some(found) = &found
        && principal.user.is_some()
        && found.by.user != principal.user
    {
        return Err(denied());
    }
    Ok(found)
}

/// Checks that a principal may delete something.
fn check_access(parts: &Parts, principal: &Principal, subject: &DeletionSubject) -> Result<()> {
    match subject {
        DeletionSubject::Session { session_id } | DeletionSubject::Events { session_id, .. } => {
            let owner = match &principal.user {
                Some(_) => principal.clone(),
                // Who acts for nobody in particular may delete what is anybody's.
                None => {
                    let found = parts.storage.session(&key_of(principal, session_id))?;
                    let user = found.and_then(|session| session.user);
                    Principal {
                        user,
                        ..principal.clone()
                    }
                }
            };
            known_session(parts, &owner, session_id).map(drop)
        }
        DeletionSubject::User { user } if principal.user.as_ref().is_none_or(|me| me == user) => {
            Ok(())
        }
        // Whose an artifact is, its readers cannot tell, so a user's word is not enough.
        _ if principal.user.is_none() => Ok(()),
        _ => Err(denied()),
    }
}

fn denied() -> Error {
    Error::new(
        ErrorKind::Denied,
        "subject: a principal with a user may delete only what is that user's",
    )
    .with_field("subject")
}

/// Carries a deletion on until it is complete, or until somebody else stands in the way of that.
pub(crate) fn carry_out(
    parts: &Parts,
    sessions: &SessionMap,
    mut receipt: DeletionReceipt,
) -> Result<DeletionReceipt> {
    let mut waiting = None;
    while receipt.state != DeletionState::Complete {
        let was = receipt.state;
        let now = parts.clock.now();
        receipt = parts
            .storage
            .advance_deletion(&receipt.tenant, &receipt.deletion_id, now)?;
        if was == DeletionState::Erasing {
            // At once: nobody shall be shown from memory what the store no longer has.
            forget(parts, sessions, &receipt)?;
        } else if receipt.state == DeletionState::Pending {
            let since = *waiting.get_or_insert_with(Instant::now);
            if since.elapsed() >= PATIENCE {
                break;
            }
            std::thread::sleep(PAUSE);
        }
    }
    Ok(receipt)
}

/// How long to wait before the last step is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// Lets memory catch up with what is gone from the store.
fn forget(parts: &Parts, sessions: &SessionMap, receipt: &DeletionReceipt) -> Result<()> {
    if let Some(dense) = &parts.dense {
        dense.queries.forget();
    }
    for entry in sessions.all() {
        if entry.key.tenant != receipt.tenant {
            continue;
        }
        let is_gone = entry.current(parts)?.session.is_none();
        if is_gone {
            sessions.remove(&entry.key);
        }
    }
    Ok(())
}
