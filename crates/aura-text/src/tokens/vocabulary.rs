//! A vocabulary in memory: from the bytes of a token to its rank.

use super::memo::Memo;
use super::merge;
use super::pieces::{Rules, pieces};
use crate::lanes::partial_lane;

/// Stands for "no token"; above every rank.
pub(super) const NO_RANK: u32 = u32::MAX;

/// Bits of a slot that hold the rank; the others hold part of the hash.
const RANK_BITS: u32 = 18;
const RANK_MASK: u64 = (1 << RANK_BITS) - 1;
const EMPTY: u64 = u64::MAX;

/// Bits of the filter: half a megabyte, of which one bit in twenty is set.
const FILTER_BITS: u64 = 1 << 22;

/// Small letters and the space: what nearly all parts of English words are made of.
const SMALL: usize = 27;

/// The number of a small letter or a space.
#[inline]
fn small(byte: u8) -> Option<usize> {
    match byte {
        b'a'..=b'z' => Some(usize::from(byte - b'a')),
        b' ' => Some(26),
        _ => None,
    }
}

/// Where a part of three small letters stands in a table of them.
#[inline]
fn small_triple(token: &[u8]) -> Option<usize> {
    let &[a, b, c] = token else { return None };
    Some((small(a)? * SMALL + small(b)?) * SMALL + small(c)?)
}

/// Tokens by their bytes. About 7 MB for 200,000 tokens, of which the token bytes are part of the program.
pub(super) struct Vocabulary {
    rules: Rules,
    /// The bytes of all tokens, by rank.
    bytes: &'static [u8],
    /// Where each token starts in `bytes`, and the end.
    starts: Vec<u32>,
    /// Open addressing, linear probing: upper bits of the hash and the rank.
    slots: Vec<u64>,
    /// Ranks of the tokens of two bytes.
    pairs: Vec<u32>,
    /// Ranks of the tokens of three small letters: most of what merging asks for, in a table that stays in the cache.
    triples: Vec<u32>,
    /// One bit for each of a token's hashes: merging asks mostly for what is no token, and this answers from the cache.
    filter: Vec<u64>,
}

impl Vocabulary {
    /// Reads what the build script wrote: one byte of length for each token, then the tokens.
    pub(super) fn load(data: &'static [u8], tokens: usize, rules: Rules) -> Self {
        let (lengths, bytes) = data.split_at_checked(tokens).unwrap_or_default();
        let mut starts = Vec::with_capacity(tokens + 1);
        let mut end = 0;
        starts.push(0);
        for &length in lengths {
            end += u32::from(length);
            starts.push(end);
        }
        let mut vocabulary = Self {
            rules,
            bytes,
            starts,
            slots: vec![EMPTY; (tokens * 2).next_power_of_two()],
            pairs: vec![NO_RANK; 1 << 16],
            triples: vec![NO_RANK; SMALL.pow(3)],
            filter: vec![0; FILTER_BITS as usize / 64],
        };
        for rank in 0..u32::try_from(tokens).unwrap_or(0) {
            vocabulary.insert(rank);
        }
        vocabulary
    }

    fn insert(&mut self, rank: u32) {
        let token = self.token(rank);
        if let &[a, b] = token
            && let Some(pair) = self.pairs.get_mut(usize::from(u16::from_be_bytes([a, b])))
        {
            *pair = rank;
        }
        if let Some(triple) = small_triple(token).and_then(|at| self.triples.get_mut(at)) {
            *triple = rank;
        }
        let hash = hash(token);
        let (word, bit) = filter_bit(hash);
        if let Some(word) = self.filter.get_mut(word) {
            *word |= bit;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(slot) = self.slots.get_mut(at) {
            if *slot == EMPTY {
                *slot = (hash & !RANK_MASK) | u64::from(rank);
                return;
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn token(&self, rank: u32) -> &'static [u8] {
        let bounds = self
            .starts
            .get(rank as usize..)
            .and_then(|s| s.first_chunk::<2>());
        bounds
            .and_then(|&[start, end]| self.bytes.get(start as usize..end as usize))
            .unwrap_or_default()
    }

    /// The rank of a token, or [`NO_RANK`].
    #[inline]
    pub(super) fn rank(&self, token: &[u8]) -> u32 {
        if let Some(at) = small_triple(token) {
            return self.triples.get(at).copied().unwrap_or(NO_RANK);
        }
        self.rank_of(token, hash(token))
    }

    #[inline]
    fn rank_of(&self, token: &[u8], hash: u64) -> u32 {
        let (word, bit) = filter_bit(hash);
        if self.filter.get(word).is_none_or(|word| word & bit == 0) {
            return NO_RANK;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(&slot) = self.slots.get(at) {
            if slot == EMPTY {
                break;
            }
            if (slot ^ hash) & !RANK_MASK == 0 {
                let rank = (slot & RANK_MASK) as u32;
                if self.token(rank) == token {
                    return rank;
                }
            }
            at = (at + 1) & mask;
        }
        NO_RANK
    }

    /// The rank of a token of two bytes, or [`NO_RANK`].
    #[inline]
    pub(super) fn pair(&self, pair: [u8; 2]) -> u32 {
        let at = usize::from(u16::from_be_bytes(pair));
        self.pairs.get(at).copied().unwrap_or(NO_RANK)
    }

    /// How many tokens a text has.
    pub(super) fn count(&self, text: &str) -> usize {
        let mut tokens = 0;
        self.for_each(text, |_, count| tokens += count);
        tokens
    }

    /// Hands over where each piece of a text ends and how many tokens it has, in order.
    #[inline]
    pub(super) fn for_each(&self, text: &str, mut sink: impl FnMut(usize, usize)) {
        let mut end = 0;
        Memo::with(self.rules, |memo| {
            pieces(text, self.rules, |piece| {
                end += piece.len();
                let tokens = if piece.len() == 1 {
                    1
                } else {
                    let hash = hash(piece);
                    memo.tokens(piece, hash, || match self.rank_of(piece, hash) {
                        NO_RANK => merge::count(piece, self),
                        _ => 1,
                    })
                };
                sink(end, tokens);
            });
        });
    }
}

/// The word and the bit of the filter for a hash.
#[inline]
fn filter_bit(hash: u64) -> (usize, u64) {
    let bit = (hash >> RANK_BITS) % FILTER_BITS;
    ((bit / 64) as usize, 1 << (bit % 64))
}

/// A hash whose low bits choose the slot and whose high bits tell tokens apart.
#[inline]
fn hash(token: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = token.len() as u64;
    let (lanes, rest) = token.as_chunks::<8>();
    for lane in lanes {
        state = (state ^ u64::from_le_bytes(*lane)).wrapping_mul(MULTIPLIER);
        state ^= state >> 32;
    }
    state = (state ^ partial_lane(rest)).wrapping_mul(MULTIPLIER);
    state ^= state >> 29;
    state = state.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state ^ (state >> 32)
}
