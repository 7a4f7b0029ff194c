//! Sets of word patterns that are refused quickly: most places of a text begin none of them.

/// Patterns to try at a place; made by [`words!`](super::words).
#[derive(Debug)]
pub(super) struct Patterns {
    /// The words that a match can begin with, by the low byte of their [`mark`].
    pub(super) beginnings: [u64; 4],
    /// The patterns, each with its own beginnings by the next six bits of the marks.
    pub(super) list: &'static [(u64, &'static str)],
}

impl Patterns {
    /// Whether a pattern may begin with a word of this mark; hardly ever true of a word that begins none.
    #[inline]
    pub(super) fn may_begin(&self, mark: u16) -> bool {
        self.beginnings
            .get(usize::from(mark >> 6) & 3)
            .is_some_and(|bits| bits >> (mark & 63) & 1 != 0)
    }
}

/// Sixteen bits that tell most words apart (FNV-1a, folded).
pub(super) const fn mark(word: &[u8]) -> u16 {
    let mut hash = BASIS;
    let mut at = 0;
    while at < word.len() {
        hash = step(hash, letter(word, at));
        at += 1;
    }
    fold(hash)
}

/// Offset basis and prime of FNV-1a for 32 bits.
const BASIS: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

const fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(PRIME)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the upper half is mixed into the lower"
)]
const fn fold(hash: u32) -> u16 {
    (hash ^ hash >> 16) as u16
}

/// One of 64 bits for a mark, of other bits than [`Patterns::may_begin`] looks at.
pub(super) const fn bit(mark: u16) -> u64 {
    1 << (mark >> 8 & 63)
}

/// Each pattern with its beginnings.
pub(super) const fn with_beginnings<const N: usize>(
    patterns: [&'static str; N],
) -> [(u64, &'static str); N] {
    let mut list = [(0, ""); N];
    let mut at = 0;
    while at < N {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated at compile time, and below N"
        )]
        {
            list[at] = (beginnings(patterns[at].as_bytes(), [0; 4]).1, patterns[at]);
        }
        at += 1;
    }
    list
}

/// The beginnings of all patterns.
pub(super) const fn all_beginnings(list: &[(u64, &'static str)]) -> [u64; 4] {
    let mut all = [0; 4];
    let mut at = 0;
    while at < list.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated at compile time, and below the length"
        )]
        {
            all = beginnings(list[at].1.as_bytes(), all).0;
        }
        at += 1;
    }
    all
}

/// Adds the alternatives of a pattern's first word to `all`; and gives their bits.
const fn beginnings(pattern: &[u8], all: [u64; 4]) -> ([u64; 4], u64) {
    let mut all = all;
    let mut bits = 0;
    let mut hash = BASIS;
    let mut at = 0;
    loop {
        let byte = letter(pattern, at);
        if matches!(byte, 0 | b' ' | b'|') {
            let mark = fold(hash);
            #[expect(clippy::indexing_slicing, reason = "below four")]
            {
                all[(mark >> 6 & 3) as usize] |= 1 << (mark & 63);
            }
            bits |= bit(mark);
            hash = BASIS;
        } else {
            hash = step(hash, byte);
        }
        if byte == 0 || byte == b' ' {
            return (all, bits);
        }
        at += 1;
    }
}

/// A byte of a pattern, 0 past its end.
const fn letter(pattern: &[u8], at: usize) -> u8 {
    if at >= pattern.len() {
        return 0;
    }
    #[expect(clippy::indexing_slicing, reason = "tested just before")]
    pattern[at]
}

/// A constant set of patterns.
macro_rules! words {
    ($($pattern:expr),* $(,)?) => {
        const {
            const LIST: &[(u64, &str)] = &$crate::facts::heuristic::patterns::with_beginnings([$($pattern),*]);
            &$crate::facts::heuristic::patterns::Patterns {
                beginnings: $crate::facts::heuristic::patterns::all_beginnings(LIST),
                list: LIST,
            }
        }
    };
}
pub(super) use words;

/// Whether the first word of a pattern is one of two spellings; gives the rest of the pattern.
pub(super) fn word_matches<'p>(pattern: &'p [u8], fold: &[u8], lemma: &[u8]) -> Option<&'p [u8]> {
    let mut found = false;
    let mut start = 0;
    for (at, byte) in pattern.iter().enumerate() {
        if *byte == b'|' || *byte == b' ' {
            let word = pattern.get(start..at)?;
            found = found || word == fold || word == lemma;
            if *byte == b' ' {
                return if found { pattern.get(at + 1..) } else { None };
            }
            start = at + 1;
        }
    }
    let word = pattern.get(start..)?;
    (found || word == fold || word == lemma).then_some(&[])
}
