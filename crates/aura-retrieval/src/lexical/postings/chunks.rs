//! Small posting lists in one arena: no allocation, no header and little slack per list.

use crate::lexical::postings::growth::extend_tight;
use crate::lexical::postings::posting::Posting;

/// Sizes a chunk can have, in postings. Steps of a third to a half keep the slack near a sixth.
const SIZES: [u32; 11] = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

/// A place in the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) offset: u32,
    pub(crate) class: u8,
}

impl Chunk {
    pub(crate) fn capacity(self) -> u32 {
        SIZES.get(usize::from(self.class)).copied().unwrap_or(0)
    }
}

/// The arena and its free chunks by size class.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chunks {
    postings: Vec<Posting>,
    free: [Vec<u32>; SIZES.len()],
}

impl Chunks {
    /// A chunk that can hold at least `capacity` postings; `None` above the largest size, or when the arena is full.
    pub(crate) fn allocate(&mut self, capacity: usize) -> Option<Chunk> {
        let class = SIZES.iter().position(|&size| size as usize >= capacity)?;
        let size = *SIZES.get(class)? as usize;
        let offset = match self.free.get_mut(class)?.pop() {
            Some(offset) => offset,
            None => {
                let offset = u32::try_from(self.postings.len()).ok()?;
                extend_tight(&mut self.postings, size, Posting::default());
                offset
            }
        };
        Some(Chunk {
            offset,
            class: class as u8,
        })
    }

    /// Gives a chunk back and wipes it, so that deleted postings do not linger.
    pub(crate) fn release(&mut self, chunk: Chunk) {
        self.slice_mut(chunk).fill(Posting::default());
        if let Some(free) = self.free.get_mut(usize::from(chunk.class)) {
            free.push(chunk.offset);
        }
    }

    /// Makes room for so many postings more.
    pub(crate) fn reserve(&mut self, postings: usize) {
        self.postings.reserve_exact(postings);
    }

    /// Gives back more room than slack.
    pub(crate) fn tighten(&mut self) {
        let slack = self.postings.len() / 8;
        self.postings.shrink_to(self.postings.len() + slack);
    }

    pub(crate) fn memory(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        self.postings.capacity() * size_of::<Posting>() + free * size_of::<u32>()
    }

    /// The whole chunk.
    #[inline]
    pub(crate) fn slice(&self, chunk: Chunk) -> &[Posting] {
        let start = chunk.offset as usize;
        self.postings
            .get(start..start + chunk.capacity() as usize)
            .unwrap_or_default()
    }

    /// The whole chunk, to be written.
    pub(crate) fn slice_mut(&mut self, chunk: Chunk) -> &mut [Posting] {
        let start = chunk.offset as usize;
        self.postings
            .get_mut(start..start + chunk.capacity() as usize)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_do_not_overlap_and_are_used_again() {
        let mut chunks = Chunks::default();
        let taken: Vec<Chunk> = (1..=128)
            .map(|size| chunks.allocate(size).unwrap())
            .collect();
        for (number, &chunk) in taken.iter().enumerate() {
            assert!(chunk.capacity() > number as u32);
            chunks.slice_mut(chunk).fill(Posting::new(number as u32, 1));
        }
        for (number, &chunk) in taken.iter().enumerate() {
            assert!(
                chunks
                    .slice(chunk)
                    .iter()
                    .all(|p| p.document() == number as u32)
            );
        }
        let size = chunks.postings.len();
        chunks.release(taken[40]);
        let again = chunks.allocate(41).unwrap();
        assert_eq!(again, taken[40]);
        assert!(chunks.slice(again).iter().all(|&p| p == Posting::default()));
        assert_eq!(chunks.postings.len(), size);
        assert_eq!(chunks.allocate(129), None);
    }
}
