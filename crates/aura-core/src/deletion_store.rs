//! Deletions in the store: carried out step by step, so that others read and write meanwhile and a crash only pauses one.

use crate::deletion::{DeletionOrder, DeletionReceipt, DeletionSubject, LegalHold};
use crate::error::Result;
use crate::id::{DeletionId, HoldId, TenantId};
use crate::time::Timestamp;

/// Which deletions to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeletionQuery {
    /// Only those of this tenant.
    pub tenant: Option<TenantId>,
    /// Only those that are not complete.
    pub open_only: bool,
    /// How many at most, the newest first; 0 means 1,000.
    pub limit: u32,
}

/// The part of a store that deletes.
///
/// Contract, beside that of [`Storage`](crate::Storage):
/// - A session that was deleted reads like one that never was. Its id is never used again: [`Storage::record`] gives
///   `Conflict` naming `session_id`, so that no event id is given out twice. Compilations of it are dropped unsaid.
/// - Events that were deleted leave gaps: [`Storage::messages`] and turn records have no entry for them, and their ids
///   are not used again. Facts drawn from them go; what such a fact had replaced stays past. Snapshots and plans of the
///   session go too, and vectors of these events. `change_seq` grows, `purge_seq` becomes the same, and so does the
///   count of commits of facts.
/// - What was derived before the last deletion of a session is no longer taken: snapshots with a smaller `change_seq`
///   give `Conflict` naming `change_seq`; vectors of events that are gone are dropped unsaid, and so are plans of
///   compilations that saw an older `change_seq`.
/// - Versions of artifacts that were deleted are not used again. Bytes go with their last holder.
/// - Whatever is held is not deleted, nor what would take it along.
///
/// [`Storage::record`]: crate::Storage::record
/// [`Storage::messages`]: crate::Storage::messages
pub trait DeletionStorage {
    /// What a deletion would remove; nothing is changed.
    ///
    /// # Errors
    /// Those of [`DeletionStorage::begin_deletion`].
    fn preview_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt>;

    /// Writes down that a deletion is to be carried out; nothing is removed yet. An order whose id is known gives the
    /// receipt as it is.
    ///
    /// # Errors
    /// `Conflict` naming `subject` for what a legal hold keeps, with the hold's id under `hold_id`; `Denied` naming
    /// `session_id` for a session of another tenant; those of the medium.
    fn begin_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt>;

    /// Carries a deletion one step further: removes the next session, memory, artifact or range of events, or, when all
    /// rows are gone, gets rid of their bytes and searches for them. What is `Pending` after that waits for somebody
    /// who still reads an old state of the file.
    ///
    /// # Errors
    /// `NotFound` naming `deletion_id`; those of the medium.
    fn advance_deletion(
        &self,
        tenant: &TenantId,
        deletion_id: &DeletionId,
        now: Timestamp,
    ) -> Result<DeletionReceipt>;

    /// Deletions, the newest first.
    ///
    /// # Errors
    /// Those of the medium.
    fn deletions(&self, query: &DeletionQuery) -> Result<Vec<DeletionReceipt>>;

    /// Places a legal hold; one of the same id is replaced.
    ///
    /// # Errors
    /// Those of the medium.
    fn put_hold(&self, tenant: &TenantId, hold: LegalHold) -> Result<()>;

    /// Releases a legal hold; says whether there was one.
    ///
    /// # Errors
    /// Those of the medium.
    fn release_hold(&self, tenant: &TenantId, hold_id: &HoldId) -> Result<bool>;

    /// The legal holds of a tenant, by id.
    ///
    /// # Errors
    /// Those of the medium.
    fn holds(&self, tenant: &TenantId) -> Result<Vec<LegalHold>>;
}

/// Whether keeping `held` forbids deleting `subject`, as far as their names tell; a user's own session, memory or
/// artifact is the store's to know.
#[must_use]
pub fn is_covered(held: &DeletionSubject, subject: &DeletionSubject) -> bool {
    use DeletionSubject as S;
    match (held, subject) {
        (S::User { user: a }, S::User { user: b }) => a == b,
        (S::Memory { memory_id: a }, S::Memory { memory_id: b }) => a == b,
        (
            S::Artifact {
                name: a,
                version: of_a,
            },
            S::Artifact {
                name: b,
                version: of_b,
            },
        ) => a == b && (of_a.is_none() || of_b.is_none() || of_a == of_b),
        (
            S::Events {
                session_id: a,
                range: of_a,
            },
            S::Events {
                session_id: b,
                range: of_b,
            },
        ) => a == b && of_a.first <= of_b.last && of_b.first <= of_a.last,
        _ => match (held.session_id(), subject.session_id()) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{EventId, EventRange, SessionId, UserId};

    #[test]
    fn a_hold_covers_what_lies_in_it_and_around_it() {
        let session = |id: &str| DeletionSubject::Session {
            session_id: SessionId::new(id).unwrap(),
        };
        let events = |id: &str, first, last| DeletionSubject::Events {
            session_id: SessionId::new(id).unwrap(),
            range: EventRange::new(EventId(first), EventId(last)),
        };
        let user = |id: &str| DeletionSubject::User {
            user: UserId::new(id).unwrap(),
        };
        assert!(is_covered(&session("a"), &events("a", 3, 4)));
        assert!(is_covered(&events("a", 3, 4), &session("a")));
        assert!(is_covered(&events("a", 3, 4), &events("a", 4, 9)));
        assert!(!is_covered(&events("a", 3, 4), &events("a", 5, 9)));
        assert!(!is_covered(&session("a"), &session("b")));
        assert!(is_covered(&user("u"), &user("u")));
        assert!(!is_covered(&user("u"), &session("a")));
    }
}
