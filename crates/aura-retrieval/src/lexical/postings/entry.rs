//! Where a term's postings are, in eight bytes: most terms occur once or twice, so this is most of the memory of a
//! small index.

use crate::lexical::postings::chunks::Chunk;
use crate::lexical::postings::posting::Posting;

/// A term's place: one or two postings, or a reference that no posting can be mistaken for, since its frequency is 0.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entry([Posting; 2]);

/// What an [`Entry`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// In the entry itself: none, one or two.
    Inline(usize),
    /// In the arena: where, and how many.
    Chunk(Chunk, usize),
    /// In an allocation of its own: its number.
    Long(u32),
}

const CHUNK: u32 = 1;
const LONG: u32 = 2;

impl Entry {
    /// Up to two postings, oldest first.
    pub(crate) fn inline(postings: &[Posting]) -> Self {
        let mut slots = [Posting::default(); 2];
        for (slot, &posting) in slots.iter_mut().zip(postings) {
            *slot = posting;
        }
        Self(slots)
    }

    pub(crate) fn chunk(chunk: Chunk, count: usize) -> Self {
        let tag = CHUNK | u32::from(chunk.class) << 2 | (count as u32) << 8;
        Self([Posting::new(tag, 0), Posting::from_bits(chunk.offset)])
    }

    pub(crate) fn long(number: u32) -> Self {
        Self([Posting::new(LONG, 0), Posting::from_bits(number)])
    }

    #[inline]
    pub(crate) fn home(&self) -> Home {
        let [first, second] = self.0;
        if first.frequency() > 0 {
            return Home::Inline(1 + usize::from(second.frequency() > 0));
        }
        let tag = first.document();
        match tag & 3 {
            CHUNK => {
                let chunk = Chunk {
                    offset: second.to_bits(),
                    class: (tag >> 2 & 63) as u8,
                };
                Home::Chunk(chunk, (tag >> 8) as usize)
            }
            LONG => Home::Long(second.to_bits()),
            _ => Home::Inline(0),
        }
    }

    /// The postings of an inline entry, and its free places.
    #[inline]
    pub(crate) fn slots(&self) -> &[Posting; 2] {
        &self.0
    }

    pub(crate) fn slots_mut(&mut self) -> &mut [Posting; 2] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_written() {
        assert_eq!(size_of::<Entry>(), 8);
        assert_eq!(Entry::default().home(), Home::Inline(0));
        let postings = [Posting::new(0, 1), Posting::new(9, 63)];
        assert_eq!(Entry::inline(&postings[..1]).home(), Home::Inline(1));
        assert_eq!(Entry::inline(&postings).home(), Home::Inline(2));
        assert_eq!(Entry::inline(&postings).slots(), &postings);
        for (offset, class, count) in [(0, 0, 3), (u32::MAX, 10, 128), (77, 5, 17)] {
            let chunk = Chunk { offset, class };
            assert_eq!(Entry::chunk(chunk, count).home(), Home::Chunk(chunk, count));
        }
        assert_eq!(Entry::long(u32::MAX).home(), Home::Long(u32::MAX));
    }
}
