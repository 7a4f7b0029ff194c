//! Pieces of deleted texts, to look for in raw bytes: digests alone, so that what is to be gone is not kept by its proof.
//!
//! A piece is found by a rolling hash (Karp and Rabin 1987) and confirmed by a keyed digest, so that one pass over the
//! bytes looks for any number of them.

use std::collections::{HashMap, HashSet};

use aura_core::Digest;

/// The bytes of a piece: long enough that it is no accident, short enough that a sentence has some.
const PIECE: usize = 20;
/// One piece a text for each of these bytes.
const EVERY: usize = 256;
/// Pieces of one text at most.
const OF_TEXT: usize = 32;
/// Pieces of one deletion at most; a small part of a text finds the whole of it.
const MOST: usize = 100_000;
/// Fewer different bytes than this tell nothing, as a line of dashes.
const DIFFERENT: usize = 6;
/// The base of the rolling hash.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
/// Bits of the filter before the table.
const FILTER: usize = 1 << 20;

/// What a piece is known by.
pub(crate) type Hash = u64;

/// Pieces to look for.
pub(crate) struct Needles {
    key: [u8; 32],
    pieces: HashMap<Hash, u64>,
}

impl Needles {
    /// None as yet; `salt` keeps those of different deletions apart.
    pub(crate) fn new(salt: &str) -> Self {
        Self {
            key: *Digest::of(salt.as_bytes()).as_bytes(),
            pieces: HashMap::new(),
        }
    }

    /// Takes pieces of a text that goes.
    pub(crate) fn take(&mut self, text: &[u8]) {
        let Some(room) = text.len().checked_sub(PIECE) else {
            return;
        };
        let count = (2 + text.len() / EVERY).min(OF_TEXT);
        for at in 0..count {
            if self.pieces.len() >= MOST {
                return;
            }
            // How texts begin and end is often the same.
            let start = room * (at + 1) / (count + 1);
            let piece = text.get(start..start + PIECE).unwrap_or_default();
            if piece.iter().collect::<HashSet<_>>().len() >= DIFFERENT {
                self.pieces.insert(hash(piece), check(&self.key, piece));
            }
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// As bytes to keep.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.key.to_vec();
        for (hash, check) in &self.pieces {
            out.extend_from_slice(&hash.to_le_bytes());
            out.extend_from_slice(&check.to_le_bytes());
        }
        out
    }

    /// From bytes that were kept; none from bytes that are none of ours.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (key, rest) = bytes.split_first_chunk::<32>()?;
        let (pairs, _) = rest.as_chunks::<16>();
        let number = |bytes: &[u8]| Some(u64::from_le_bytes(bytes.try_into().ok()?));
        let pairs = pairs.iter().filter_map(|pair| {
            let (hash, check) = pair.split_at_checked(8)?;
            Some((number(hash)?, number(check)?))
        });
        Some(Self {
            key: *key,
            pieces: pairs.collect(),
        })
    }

    /// Something that looks for them.
    pub(crate) fn search(&self) -> Search<'_> {
        let mut filter = vec![0_u64; FILTER / 64];
        for hash in self.pieces.keys() {
            let bit = bit(*hash);
            if let Some(word) = filter.get_mut(bit / 64) {
                *word |= 1 << (bit % 64);
            }
        }
        let mut out = 1_u64;
        for _ in 0..PIECE {
            out = out.wrapping_mul(BASE);
        }
        Search {
            needles: self,
            filter,
            out,
        }
    }
}

/// Looks for pieces.
pub(crate) struct Search<'a> {
    needles: &'a Needles,
    filter: Vec<u64>,
    /// What the byte that leaves the window weighs.
    out: u64,
}

impl Search<'_> {
    /// How many bytes of a run must be looked at again with the next one.
    pub(crate) const OVERLAP: usize = PIECE - 1;

    /// Goes through bytes; `found` gets each piece that stands in them.
    pub(crate) fn scan(&self, bytes: &[u8], mut found: impl FnMut(Hash)) {
        let Some((first, rest)) = bytes.split_at_checked(PIECE) else {
            return;
        };
        let mut rolling = hash(first);
        if self.is_piece(rolling, first) {
            found(rolling);
        }
        let windows = bytes.windows(PIECE).skip(1);
        for ((leaves, enters), window) in bytes.iter().zip(rest).zip(windows) {
            rolling = rolling
                .wrapping_mul(BASE)
                .wrapping_add(u64::from(*enters) + 1)
                .wrapping_sub((u64::from(*leaves) + 1).wrapping_mul(self.out));
            if self.is_piece(rolling, window) {
                found(rolling);
            }
        }
    }

    fn is_piece(&self, hash: Hash, window: &[u8]) -> bool {
        let bit = bit(hash);
        let word = self.filter.get(bit / 64).copied().unwrap_or_default();
        word >> (bit % 64) & 1 == 1
            && self
                .needles
                .pieces
                .get(&hash)
                .is_some_and(|known| *known == check(&self.needles.key, window))
    }
}

fn bit(hash: Hash) -> usize {
    (hash >> 44) as usize % FILTER
}

fn hash(piece: &[u8]) -> Hash {
    piece.iter().fold(0, |hash: u64, byte| {
        hash.wrapping_mul(BASE).wrapping_add(u64::from(*byte) + 1)
    })
}

fn check(key: &[u8; 32], piece: &[u8]) -> u64 {
    let digest = blake3::keyed_hash(key, piece);
    let first = digest.as_bytes().first_chunk::<8>();
    first.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(needles: &Needles, bytes: &[u8]) -> usize {
        let mut found = HashSet::new();
        needles.search().scan(bytes, |hash| {
            found.insert(hash);
        });
        found.len()
    }

    #[test]
    fn pieces_are_found_wherever_they_stand() {
        let text = b"the account number is 4711-0815, do not tell";
        let mut needles = Needles::new("d");
        needles.take(text);
        assert_eq!(needles.len(), 2);
        for before in [0, 1, 19, 500] {
            let hay = [&vec![b'x'; before][..], text, b"more"].concat();
            assert_eq!(found(&needles, &hay), 2, "{before}");
        }
        assert_eq!(
            found(&needles, b"another text altogether, as long as it"),
            0
        );
        let kept = Needles::from_bytes(&needles.to_bytes()).unwrap();
        assert_eq!(found(&kept, text), 2);
    }

    #[test]
    fn a_long_text_has_several_pieces_and_a_dull_one_none() {
        let mut needles = Needles::new("d");
        let long: String = (0..300).map(|n| format!("word {n} of many, ")).collect();
        needles.take(long.as_bytes());
        let pieces = needles.len();
        assert!(pieces > 10, "{pieces}");
        assert_eq!(found(&needles, long.as_bytes()), pieces);
        assert_eq!(found(&needles, &long.as_bytes()[..300]), 1);
        needles.take(&[b'-'; 500]);
        needles.take(b"short");
        assert_eq!(needles.len(), pieces);
    }
}
