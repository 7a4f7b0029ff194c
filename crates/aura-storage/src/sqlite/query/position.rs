//! Keys that hold the number of a session and a number within it, so that one B-tree keeps a session's rows together.

use std::ops::RangeInclusive;

use aura_core::{EventId, Result, TurnIndex};

use crate::refusal::full_session;

/// The key of the `low`-th thing of the session `no`.
pub(in crate::sqlite) const fn at(no: i64, low: u32) -> i64 {
    no << 32 | low as i64
}

/// The number within the session.
pub(in crate::sqlite) const fn low(pos: i64) -> u32 {
    (pos & 0xFFFF_FFFF) as u32
}

/// All keys of the session `no`.
pub(in crate::sqlite) const fn all_of(no: i64) -> RangeInclusive<i64> {
    at(no, 0)..=at(no, u32::MAX)
}

/// The key of an event.
///
/// # Errors
/// `Unavailable`, when the session has more events than a key can count (2^32 - 2).
pub(in crate::sqlite) fn of_event(no: i64, event: EventId) -> Result<i64> {
    let event = u32::try_from(event.0).ok().filter(|low| *low < u32::MAX);
    event.map(|low| at(no, low)).ok_or_else(full_session)
}

/// The event at a key.
pub(in crate::sqlite) const fn event(pos: i64) -> EventId {
    EventId(low(pos) as u64)
}

/// The turn at a key.
pub(in crate::sqlite) const fn turn(pos: i64) -> TurnIndex {
    TurnIndex(low(pos))
}
