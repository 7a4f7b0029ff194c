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

    /// How many documents of the set come before `document`.
    pub(crate) fn rank(&self, document: u32) -> u32 {
        let mut rank = 0;
        for range in self.0.iter().take_while(|range| range.start < document) {
            rank += range.end.min(document) - range.start;
        }
        rank
    }

    /// The document with `rank` documents of the set before it; one past the last for a rank too high.
    pub(crate) fn at(&self, rank: u32) -> u32 {
        let mut left = rank;
        for range in &self.0 {
            let length = range.end - range.start;
            if left < length {
                return range.start + left;
            }
            left -= length;
        }
        self.0.last().map_or(0, |range| range.end)
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
                for (rank, &document) in model.iter().enumerate() {
                    prop_assert_eq!(ranges.rank(document), rank as u32);
                    prop_assert_eq!(ranges.at(rank as u32), document);
                }
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
        }
    }
}
