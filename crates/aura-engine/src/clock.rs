//! The real clock, and identifiers made from it.

use std::time::{SystemTime, UNIX_EPOCH};

use aura_core::{Clock, IdSource, Timestamp};

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let millis = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => {
                i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis)
            }
        };
        Timestamp::from_millis_clamped(millis)
    }
}

/// UUIDv7 identifiers, ascending within a process.
#[derive(Debug, Default)]
pub struct UuidSource {
    context: parking_lot::Mutex<uuid::ContextV7>,
}

impl IdSource for UuidSource {
    fn next_id(&self, now: Timestamp) -> String {
        let millis = u64::try_from(now.as_millis()).unwrap_or(0);
        let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
        let context = self.context.lock();
        let stamp = uuid::Timestamp::from_unix(&*context, millis / 1000, nanos);
        uuid::Uuid::new_v7(stamp).hyphenated().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_and_differ() {
        let source = UuidSource::default();
        let now = SystemClock.now();
        let ids: Vec<String> = (0..10_000).map(|_| source.next_id(now)).collect();
        assert!(ids.is_sorted() && ids.windows(2).all(|pair| pair.first() != pair.last()));
        assert_eq!(ids[0].len(), 36);
    }
}
