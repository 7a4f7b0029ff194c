//! Forgetting manifests.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use aura_core::{CompilationPurge, Error, ErrorKind, Principal, Result, TenantId, Timestamp};

use crate::engine::Engine;
use crate::parts::Parts;

/// How many are forgotten in one transaction, so that writers need not wait for long.
const BATCH: u32 = 200;

/// How often the background looks for manifests that are too old, in milliseconds.
const EVERY: i64 = 60 * 60 * 1000;

impl Engine {
    /// Forgets the manifests of the principal's tenant that were made before a time, with all that hangs on them: the
    /// inputs to replay them, the plans they made, and what was reported of them. Gives how many.
    ///
    /// # Errors
    /// `Denied` naming `user` for a principal with a user, since manifests of all users go; those of the store.
    pub fn forget_manifests(&self, principal: &Principal, before: Timestamp) -> Result<u64> {
        let (_pass, parts, _) = self.enter("forget_manifests")?;
        let forget = || {
            if principal.user.is_some() {
                let problem = "user: what concerns all users is not for one of them";
                return Err(Error::new(ErrorKind::Denied, problem).with_field("user"));
            }
            // What waits is as old as what is stored.
            parts.queue.wait_idle(super::STORING);
            forget_before(parts, Some(&principal.tenant), before)
        };
        forget().map_err(|error| error.during("forget_manifests"))
    }
}

/// How long manifests are kept, and when to look again.
pub(crate) struct Retention {
    age: Option<Duration>,
    next: AtomicI64,
}

impl Retention {
    /// Manifests older than `age` go; `None` keeps all.
    pub(crate) fn of(age: Option<Duration>) -> Self {
        Self {
            age,
            next: AtomicI64::new(i64::MIN),
        }
    }

    /// Forgets what is too old, if it is time to look.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) fn sweep(&self, parts: &Parts) -> Result<()> {
        let Some(age) = self.age else {
            return Ok(());
        };
        let now = parts.clock.now();
        if now.as_millis() < self.next.load(Ordering::Relaxed) {
            return Ok(());
        }
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        let before = Timestamp::from_millis_clamped(now.as_millis().saturating_sub(age));
        forget_before(parts, None, before)?;
        let next = now.as_millis().saturating_add(EVERY);
        self.next.store(next, Ordering::Relaxed);
        Ok(())
    }
}

fn forget_before(parts: &Parts, tenant: Option<&TenantId>, before: Timestamp) -> Result<u64> {
    let purge = CompilationPurge {
        tenant: tenant.cloned(),
        before: Some(before),
        limit: BATCH,
        ..CompilationPurge::default()
    };
    let mut all = 0;
    loop {
        let forgotten = parts.storage.forget_compilations(&purge)?;
        all += forgotten;
        if forgotten < u64::from(BATCH) {
            return Ok(all);
        }
    }
}
