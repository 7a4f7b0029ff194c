//! Leaving a model alone that fails again and again.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// Counts failures in a row.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    /// Since when the model is left alone.
    open: Option<Instant>,
}

impl Breaker {
    /// Whether the model may be asked; after its rest it is tried once.
    pub(super) fn allows(&mut self, rest: Duration) -> bool {
        match self.open {
            Some(since) if since.elapsed() < rest => false,
            Some(_) => {
                // One failure more and it rests again.
                self.open = None;
                true
            }
            None => true,
        }
    }

    /// Notes how a call went; after `most` failures in a row the model is left alone.
    pub(super) fn note(&mut self, worked: bool, most: u32) {
        if worked {
            *self = Self::default();
            return;
        }
        self.failures = self.failures.saturating_add(1);
        if self.failures >= most {
            self.open = Some(Instant::now());
        }
    }
}

/// A pause of half to one and a half of the one given, so that those who wait do not all come back at once.
pub(super) fn vary(pause: Duration) -> Duration {
    // The keys of a new state are random, and nothing else here needs to be.
    let random = RandomState::new().hash_one(0_u8);
    let share = f64::from(u32::try_from(random >> 32).unwrap_or_default()) / f64::from(u32::MAX);
    pause.mul_f64(0.5 + share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_failures_in_a_row_and_tries_once_after_its_rest() {
        let mut breaker = Breaker::default();
        let long = Duration::from_secs(3_600);
        breaker.note(false, 2);
        breaker.note(true, 2);
        breaker.note(false, 2);
        assert!(breaker.allows(long));
        breaker.note(false, 2);
        assert!(!breaker.allows(long));
        assert!(breaker.allows(Duration::ZERO));
        breaker.note(false, 2);
        assert!(!breaker.allows(long));
    }

    #[test]
    fn pauses_vary_by_a_half() {
        let pause = Duration::from_millis(100);
        for _ in 0..50 {
            let varied = vary(pause);
            assert!(varied >= pause / 2 && varied <= pause * 3 / 2);
        }
    }
}
