//! Ranges of events as a caller names them, made ascending and disjoint.

use aura_core::{EventId, EventRange};

/// The same events, each once, in ascending ranges that do not touch, cut to what exists (1 to `last`).
pub(crate) fn merge(ranges: &[EventRange], last: EventId) -> Vec<EventRange> {
    let cut = |range: &EventRange| {
        let first = range.first.max(EventId(1));
        EventRange::new(first, range.last.min(last))
    };
    let mut sorted: Vec<EventRange> = ranges
        .iter()
        .map(cut)
        .filter(|range| !range.is_empty())
        .collect();
    sorted.sort_unstable_by_key(|range| range.first);
    let mut out: Vec<EventRange> = Vec::with_capacity(sorted.len());
    for range in sorted {
        match out.last_mut() {
            Some(before) if range.first <= before.last.next() => {
                before.last = before.last.max(range.last);
            }
            _ => out.push(range),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_and_disorder_are_mended() {
        let range = |first, last| EventRange::new(EventId(first), EventId(last));
        let given = [
            range(8, 9),
            range(0, 2),
            range(2, 4),
            range(5, 5),
            range(9, u64::MAX),
            range(7, 6),
        ];
        assert_eq!(merge(&given, EventId(12)), [range(1, 5), range(8, 12)]);
        assert_eq!(merge(&given, EventId(0)), []);
    }
}
