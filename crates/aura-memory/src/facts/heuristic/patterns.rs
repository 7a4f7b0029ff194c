//! Sets of word patterns that are refused quickly: most places of a text begin none of them.

/// Patterns to try at a place; made by [`words!`](super::words).
#[derive(Debug)]
pub(super) struct Patterns {
    /// How a match can begin, as [`beginning`] numbers it.
    pub(super) beginnings: u64,
    /// The patterns, each with its own beginnings.
    pub(super) list: &'static [(u64, &'static str)],
}

/// One of 64 bits for the first two letters of a word; the second is 0 where there is none.
pub(super) const fn beginning(first: u8, second: u8) -> u64 {
    1 << ((first.wrapping_mul(5) ^ second.wrapping_mul(3)) & 63)
}

/// The bit of a word, none for an empty one.
pub(super) fn beginning_of(word: &[u8]) -> u64 {
    word.first().map_or(0, |first| {
        beginning(*first, word.get(1).copied().unwrap_or(0))
    })
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
            list[at] = (beginnings(patterns[at].as_bytes()), patterns[at]);
        }
        at += 1;
    }
    list
}

/// The beginnings of all patterns.
pub(super) const fn all_beginnings(list: &[(u64, &'static str)]) -> u64 {
    let mut all = 0;
    let mut at = 0;
    while at < list.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated at compile time, and below the length"
        )]
        {
            all |= list[at].0;
        }
        at += 1;
    }
    all
}

/// The beginnings of the alternatives of a pattern's first word.
const fn beginnings(pattern: &[u8]) -> u64 {
    let mut all = 0;
    let mut begins = true;
    let mut at = 0;
    while at < pattern.len() {
        let byte = letter(pattern, at);
        if byte == b' ' {
            break;
        }
        if begins {
            let second = match letter(pattern, at + 1) {
                b' ' | b'|' => 0,
                other => other,
            };
            all |= beginning(byte, second);
        }
        begins = byte == b'|';
        at += 1;
    }
    all
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
