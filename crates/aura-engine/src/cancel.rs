//! Cancelling a call from outside, and the time it may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use aura_core::{Error, ErrorKind, Result};

/// A flag by which another thread ends a call; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag; calls that carry it end with `Cancelled` at their next step.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the flag is set.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Checks a flag, if there is one.
pub(crate) fn check(cancel: Option<&Cancel>) -> Result<()> {
    if cancel.is_some_and(Cancel::is_cancelled) {
        return Err(Error::new(ErrorKind::Cancelled, "cancelled by the caller"));
    }
    Ok(())
}

/// When optional work must stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// `None` never passes.
    pub(crate) fn after(start: Instant, span: Option<Duration>) -> Self {
        Self(span.and_then(|span| start.checked_add(span)))
    }

    /// When three quarters of the time from `start` have passed: what waits for somebody else must leave some for the rest.
    pub(crate) fn three_quarters(self, start: Instant) -> Option<Instant> {
        let span = self.0?.saturating_duration_since(start);
        start.checked_add(span / 4 * 3)
    }

    pub(crate) fn has_passed(self) -> bool {
        self.0.is_some_and(|at| Instant::now() >= at)
    }
}
