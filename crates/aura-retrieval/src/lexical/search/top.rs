//! The best few of many; ties go to the newer document.

/// Keeps the `limit` best documents by score, then by ordinal (newer first).
///
/// Holds up to half as many more and throws the worst out in one go, which is several times cheaper than a heap for
/// limits of a hundred and more and no dearer for small ones.
#[derive(Debug)]
pub(crate) struct Top {
    limit: usize,
    /// Score and document in one number, so that one comparison orders both.
    keys: Vec<u64>,
    threshold: i32,
}

/// How many documents are held beyond the limit.
const fn spare(limit: usize) -> usize {
    limit / 2 + 8
}

impl Top {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            keys: Vec::with_capacity((limit + spare(limit)).min(1 << 12)),
            threshold: 0,
        }
    }

    /// A document must score more than this to be kept, when documents come newest first.
    #[inline]
    pub(crate) fn threshold(&self) -> i32 {
        self.threshold
    }

    /// Offers a document that scores more than [`Self::threshold`].
    #[inline]
    pub(crate) fn offer(&mut self, score: i32, document: u32) {
        self.keys.push((score as u64) << 32 | u64::from(document));
        if self.keys.len() >= self.limit + spare(self.limit) {
            self.shrink();
        }
    }

    /// The kept documents with their scores, best first.
    pub(crate) fn into_sorted(mut self) -> impl Iterator<Item = (i32, u32)> {
        self.keys.sort_unstable_by(|a, b| b.cmp(a));
        self.keys.truncate(self.limit);
        self.keys
            .into_iter()
            .map(|key| ((key >> 32) as i32, key as u32))
    }

    fn shrink(&mut self) {
        let Some(last) = self
            .limit
            .checked_sub(1)
            .filter(|&last| last < self.keys.len())
        else {
            self.keys.clear();
            return;
        };
        let (_, &mut worst, _) = self.keys.select_nth_unstable_by(last, |a, b| b.cmp(a));
        self.keys.truncate(self.limit);
        self.threshold = (worst >> 32) as i32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_the_best(scores in prop::collection::vec(1i32..50, 0..300), limit in 1usize..40) {
            let mut top = Top::new(limit);
            let mut all = Vec::new();
            for (document, &score) in scores.iter().enumerate().rev() {
                all.push((score, document as u32));
                if score > top.threshold() {
                    top.offer(score, document as u32);
                }
            }
            all.sort_unstable_by(|a, b| b.cmp(a));
            all.truncate(limit);
            prop_assert_eq!(top.into_sorted().collect::<Vec<_>>(), all);
        }
    }
}
