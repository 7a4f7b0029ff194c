//! The best few of many: a bounded heap whose ties go to the newer document.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Keeps the `limit` best documents by score, then by ordinal (newer first).
#[derive(Debug)]
pub(crate) struct Top {
    limit: usize,
    heap: BinaryHeap<Reverse<u64>>,
}

impl Top {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            heap: BinaryHeap::with_capacity(limit.min(1 << 12)),
        }
    }

    /// A document must score more than this to be kept, when documents come newest first.
    #[inline]
    pub(crate) fn threshold(&self) -> i32 {
        match self.heap.peek() {
            Some(&Reverse(least)) if self.heap.len() >= self.limit => (least >> 32) as i32,
            _ => 0,
        }
    }

    /// Offers a document; scores below 1 are not kept.
    #[inline]
    pub(crate) fn offer(&mut self, score: i32, document: u32) {
        if score <= 0 {
            return;
        }
        let key = (score as u64) << 32 | u64::from(document);
        if self.heap.len() < self.limit {
            self.heap.push(Reverse(key));
        } else if let Some(mut least) = self.heap.peek_mut()
            && key > least.0
        {
            *least = Reverse(key);
        }
    }

    /// The kept documents with their scores, best first.
    pub(crate) fn into_sorted(self) -> impl Iterator<Item = (i32, u32)> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|Reverse(key)| ((key >> 32) as i32, key as u32))
    }
}
