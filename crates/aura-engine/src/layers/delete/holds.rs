//! Legal holds: what must not be deleted, whoever asks.

use aura_core::{DeletionSubject, Error, HoldId, LegalHold, Principal, Result};

use super::{check_access, requester};
use crate::engine::Engine;

impl Engine {
    /// Keeps something, and what would take it along, from being deleted until the hold is released.
    ///
    /// # Errors
    /// `Invalid` naming the field; `NotFound` and `Denied` naming `session_id`; `Denied` naming `subject`; those of the
    /// store.
    pub fn hold(
        &self,
        principal: &Principal,
        subject: DeletionSubject,
        reason: &str,
    ) -> Result<LegalHold> {
        let (_pass, parts, _) = self.enter("hold")?;
        let place = || {
            subject.validate()?;
            check_access(parts, principal, &subject)?;
            let now = parts.clock.now();
            let hold = LegalHold {
                hold_id: HoldId::new(parts.ids.next_id(now))?,
                subject,
                reason: reason.to_owned(),
                by: requester(principal),
                placed_at: now,
            };
            parts.storage.put_hold(&principal.tenant, hold.clone())?;
            Ok(hold)
        };
        place().map_err(|error: Error| error.during("hold"))
    }

    /// Releases a legal hold; says whether there was one. Only a principal without a user may.
    ///
    /// # Errors
    /// `Denied` naming `hold_id`; those of the store.
    pub fn release_hold(&self, principal: &Principal, hold_id: &HoldId) -> Result<bool> {
        let (_pass, parts, _) = self.enter("release_hold")?;
        if principal.user.is_some() {
            return Err(Error::new(
                aura_core::ErrorKind::Denied,
                "hold_id: a principal with a user may not release a hold",
            )
            .with_field("hold_id")
            .during("release_hold"));
        }
        parts
            .storage
            .release_hold(&principal.tenant, hold_id)
            .map_err(|error| error.during("release_hold"))
    }

    /// The legal holds of the principal's tenant.
    ///
    /// # Errors
    /// Those of the store.
    pub fn holds(&self, principal: &Principal) -> Result<Vec<LegalHold>> {
        let (_pass, parts, _) = self.enter("holds")?;
        parts
            .storage
            .holds(&principal.tenant)
            .map_err(|error| error.during("holds"))
    }
}
