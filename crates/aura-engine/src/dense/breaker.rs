//! Spares readers an embedder that keeps failing.

use std::time::{Duration, Instant};

/// How many failures in a row open it.
const FAILURES: u32 = 3;
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Counts failures in a row. After a few it lets nothing through for a while, then one attempt, and waits twice as long
/// when that fails too.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    pause: Duration,
    open_until: Option<Instant>,
}

impl Breaker {
    /// Whether an attempt may be made at this time. Once open, only one attempt passes each pause.
    pub(super) fn lets_through(&mut self, now: Instant) -> bool {
        match self.open_until {
            Some(until) if now < until => false,
            Some(_) => {
                self.open_until = now.checked_add(self.pause);
                true
            }
            None => true,
        }
    }

    /// An attempt succeeded.
    pub(super) fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// An attempt failed.
    pub(super) fn failed(&mut self, now: Instant) {
        self.failures += 1;
        if self.failures >= FAILURES {
            self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
            self.open_until = now.checked_add(self.pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_after_failures_in_a_row_and_closes_after_a_success() {
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let mut breaker = Breaker::default();
        breaker.failed(start);
        breaker.failed(start);
        breaker.succeeded();
        breaker.failed(start);
        breaker.failed(start);
        assert!(
            breaker.lets_through(start),
            "two failures in a row are not enough"
        );
        breaker.failed(start);
        assert!(!breaker.lets_through(after(999)));
        assert!(breaker.lets_through(after(1000)), "one attempt");
        assert!(!breaker.lets_through(after(1001)), "and no other meanwhile");
        breaker.failed(after(1001));
        assert!(!breaker.lets_through(after(3000)), "the pause has doubled");
        assert!(breaker.lets_through(after(3001)));
        breaker.succeeded();
        assert!(breaker.lets_through(after(3002)) && breaker.lets_through(after(3003)));
    }
}
