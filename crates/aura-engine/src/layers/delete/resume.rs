//! Finishing what a crash, or a reader of an old state, interrupted.

use aura_core::{DeletionQuery, Result};

use super::carry_out;
use crate::parts::Parts;
use crate::session::map::SessionMap;

/// Carries on all deletions that are not complete, the oldest first.
///
/// # Errors
/// Those of the store.
pub(crate) fn resume(parts: &Parts, sessions: &SessionMap) -> Result<()> {
    let open = DeletionQuery {
        tenant: None,
        open_only: true,
        limit: u32::MAX,
    };
    for receipt in parts.storage.deletions(&open)?.into_iter().rev() {
        if parts.queue.is_stopping() {
            break;
        }
        carry_out(parts, sessions, receipt)?;
    }
    Ok(())
}
