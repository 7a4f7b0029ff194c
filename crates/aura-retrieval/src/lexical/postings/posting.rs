//! One posting: a document and how often the term occurs in it, packed into four bytes.

use std::ops::Range;

/// The most documents one index can hold (26 bits of a posting).
pub const MAX_DOCUMENTS: u32 = 1 << 26;

/// The largest term frequency a posting tells apart (6 bits); BM25 is saturated long before.
pub const MAX_FREQUENCY: u32 = 63;

/// A document ordinal and a term frequency. Orders by document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub(crate) struct Posting(u32);

impl Posting {
    /// `document` must be below [`MAX_DOCUMENTS`]; a frequency above [`MAX_FREQUENCY`] is cut to it.
    pub(crate) const fn new(document: u32, frequency: u32) -> Self {
        let frequency = if frequency > MAX_FREQUENCY {
            MAX_FREQUENCY
        } else {
            frequency
        };
        Self(document << 6 | frequency)
    }

    /// The least posting of `document`, for binary searches.
    pub(crate) const fn first_of(document: u32) -> Self {
        Self(document << 6)
    }

    pub(crate) const fn document(self) -> u32 {
        self.0 >> 6
    }

    pub(crate) const fn frequency(self) -> u32 {
        self.0 & 63
    }

    pub(crate) const fn to_bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

/// How many postings lie before `document`.
pub(crate) fn position(postings: &[Posting], document: u32) -> usize {
    // `MAX_DOCUMENTS` itself would not fit the shift.
    if document >= MAX_DOCUMENTS {
        return postings.len();
    }
    postings.partition_point(|&posting| posting < Posting::first_of(document))
}

/// How many postings lie before `document`, looking from the end: cheap for the newest documents.
pub(crate) fn position_from_end(postings: &[Posting], document: u32) -> usize {
    if document >= MAX_DOCUMENTS {
        return postings.len();
    }
    let key = Posting::first_of(document);
    let mut step = 1;
    let mut end = postings.len();
    loop {
        let start = end.saturating_sub(step);
        match postings.get(start) {
            Some(&posting) if posting >= key && start > 0 => {
                end = start;
                step *= 2;
            }
            _ => {
                let window = postings.get(start..end).unwrap_or_default();
                return start + window.partition_point(|&posting| posting < key);
            }
        }
    }
}

/// The postings of the documents in `documents`.
pub(crate) fn within(postings: &[Posting], documents: &Range<u32>) -> Range<usize> {
    position(postings, documents.start)..position_from_end(postings, documents.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_and_orders_by_document() {
        let posting = Posting::new(MAX_DOCUMENTS - 1, 1_000);
        assert_eq!(
            (posting.document(), posting.frequency()),
            (MAX_DOCUMENTS - 1, MAX_FREQUENCY)
        );
        assert!(Posting::new(1, 63) < Posting::new(2, 1));
    }

    #[test]
    fn both_searches_agree_everywhere() {
        let postings: Vec<Posting> = (0..100).map(|n| Posting::new(n * 3 + 1, 1)).collect();
        for length in 0..postings.len() {
            let list = &postings[..length];
            for document in 0..310 {
                let expected = list.iter().filter(|p| p.document() < document).count();
                assert_eq!(position(list, document), expected);
                assert_eq!(position_from_end(list, document), expected);
            }
            assert_eq!(position(list, MAX_DOCUMENTS), length);
            assert_eq!(position_from_end(list, u32::MAX), length);
        }
    }
}
