//! Sets of documents as sorted, disjoint ranges: a visible branch is nearly always one range.

use std::ops::Range;

/// A set of document ordinals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ranges(Vec<Range<u32>>);

impl Ranges {
    pub(crate) fn as_slice(&self) -> &[Range<u32>] {
        &self.0
    }

    /// How many documents the set holds.
    pub(crate) fn count(&self) -> u64 {
        self.0
            .iter()
            .map(|range| u64::from(range.end - range.start))
            .sum()
    }

    pub(crate) fn contains(&self, document: u32) -> bool {
        let after = self.0.partition_point(|range| range.start <= document);
        after
            .checked_sub(1)
            .and_then(|before| self.0.get(before))
            .is_some_and(|range| document < range.end)
    }

    /// Puts in place of each document, which are members in ascending order, how many members come before it.
    pub(crate) fn to_ranks(&self, documents: &mut [u32]) {
        let mut ranges = self.0.iter().peekable();
        let mut before = 0;
        for document in documents {
            while let Some(range) = ranges.next_if(|range| range.end <= *document) {
                before += range.end - range.start;
            }
            let start = ranges.peek().map_or(0, |range| range.start);
            *document = before + document.saturating_sub(start);
        }
    }

    /// The way back: hands over the members with these ranks, as ranges. Ranks must not overlap and must ascend from call
    /// to call.
    pub(crate) fn places(&self) -> Places<'_> {
        Places {
            ranges: &self.0,
            before: 0,
        }
    }

    /// Adds `range`, joining what it touches.
    pub(crate) fn insert(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let first = self.0.partition_point(|old| old.end < range.start);
        let after = self.0.partition_point(|old| old.start <= range.end);
        let mut joined = range;
        if let (true, Some(old)) = (first < after, self.0.get(first)) {
            joined.start = joined.start.min(old.start);
        }
        if let (true, Some(old)) = (
            first < after,
            after.checked_sub(1).and_then(|last| self.0.get(last)),
        ) {
            joined.end = joined.end.max(old.end);
        }
        self.0.splice(first..after, [joined]);
    }

    /// Takes `range` out.
    pub(crate) fn remove(&mut self, range: &Range<u32>) {
        if range.is_empty() {
            return;
        }
        let first = self.0.partition_point(|old| old.end <= range.start);
        let after = self.0.partition_point(|old| old.start < range.end);
        if first >= after {
            return;
        }
        let left = self.0.get(first).map(|old| old.start..range.start);
        let right = after
            .checked_sub(1)
            .and_then(|last| self.0.get(last))
            .map(|old| range.end..old.end);
        let rest: Vec<Range<u32>> = left
            .into_iter()
            .chain(right)
            .filter(|part| !part.is_empty())
            .collect();
        self.0.splice(first..after, rest);
    }

    /// What is in both.
    pub(crate) fn shared_with(&self, other: &Self) -> Self {
        let mut shared = Self::default();
        let mut theirs = other.0.iter().peekable();
        for mine in &self.0 {
            while theirs.next_if(|range| range.end <= mine.start).is_some() {}
            while let Some(range) = theirs.peek() {
                shared.add_at_end(mine.start.max(range.start)..mine.end.min(range.end));
                if range.end > mine.end {
                    break;
                }
                theirs.next();
            }
        }
        shared
    }

    /// Makes `self` the set of what is in `ranges` (sorted, disjoint) and not in `without`.
    pub(crate) fn set_difference(
        &mut self,
        ranges: impl Iterator<Item = Range<u32>>,
        without: &Self,
    ) {
        self.0.clear();
        let mut holes = without.0.iter().peekable();
        for mut range in ranges {
            while let Some(hole) = holes.peek() {
                if hole.end <= range.start {
                    holes.next();
                    continue;
                }
                if hole.start >= range.end {
                    break;
                }
                self.add_at_end(range.start..hole.start.max(range.start));
                range.start = hole.end.min(range.end);
                if hole.end > range.end {
                    break;
                }
                holes.next();
            }
            self.add_at_end(range);
        }
    }

    fn add_at_end(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.0.push(range),
        }
    }
}

/// Finds members by rank, in ascending order.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    ranges: &'a [Range<u32>],
    /// How many members come before the first of `ranges`.
    before: u32,
}

impl Places<'_> {
    /// Hands over the members with these ranks, as ranges.
    pub(crate) fn for_each(&mut self, ranks: &Range<u32>, mut f: impl FnMut(Range<u32>)) {
        let mut next = ranks.start;
        while next < ranks.end {
            let Some((range, others)) = self.ranges.split_first() else {
                return;
            };
            let start = range.start + next.saturating_sub(self.before);
            if start < range.end {
                let end = range.end.min(start + (ranks.end - next));
                f(start..end);
                next += end - start;
            } else {
                self.before += range.end - range.start;
                self.ranges = others;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn members(ranges: &Ranges) -> BTreeSet<u32> {
        ranges.as_slice().iter().cloned().flatten().collect()
    }

    proptest! {
        #[test]
        fn behaves_like_a_set(steps in prop::collection::vec((any::<bool>(), 0u32..60, 0u32..12), 0..40)) {
            let mut ranges = Ranges::default();
            let mut model = BTreeSet::new();
            for (add, start, length) in steps {
                let range = start..start + length;
                if add {
                    ranges.insert(range.clone());
                    model.extend(range);
                } else {
                    ranges.remove(&range);
                    model.retain(|document| !range.contains(document));
                }
                prop_assert_eq!(members(&ranges), model.clone());
                prop_assert_eq!(ranges.count(), model.len() as u64);
                prop_assert!(ranges.as_slice().windows(2).all(|pair| pair[0].end < pair[1].start));
                let mut ranks: Vec<u32> = model.iter().copied().collect();
                ranges.to_ranks(&mut ranks);
                prop_assert!(ranks.iter().copied().eq(0..model.len() as u32));
                let mut places = ranges.places();
                let mut found = Vec::new();
                for first in (0..model.len() as u32).step_by(7) {
                    places.for_each(&(first..first + 5), |range| found.extend(range));
                }
                let expected = model.iter().enumerate().filter(|(rank, _)| rank % 7 < 5).map(|(_, &d)| d);
                prop_assert!(found.iter().copied().eq(expected));
                prop_assert!((0..80).all(|document| ranges.contains(document) == model.contains(&document)));
            }
        }

        #[test]
        fn difference_is_exact(a in prop::collection::btree_set(0u32..60, 0..40), b in prop::collection::btree_set(0u32..60, 0..40)) {
            let set = |members: &BTreeSet<u32>| {
                let mut ranges = Ranges::default();
                members.iter().for_each(|&document| ranges.insert(document..document + 1));
                ranges
            };
            let (left, right) = (set(&a), set(&b));
            let mut difference = Ranges::default();
            difference.set_difference(left.as_slice().iter().cloned(), &right);
            prop_assert_eq!(members(&difference), a.difference(&b).copied().collect::<BTreeSet<u32>>());
            let shared = left.shared_with(&right);
            prop_assert_eq!(members(&shared), a.intersection(&b).copied().collect::<BTreeSet<u32>>());
            prop_assert!(shared.as_slice().windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
