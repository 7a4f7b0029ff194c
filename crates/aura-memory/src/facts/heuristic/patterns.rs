//! Sets of word patterns that are refused quickly: most places of a text begin none of them.

/// Patterns to try at a place; made by [`words!`](super::words).
#[derive(Debug)]
pub(super) struct Patterns {
    /// The first letters that a match can begin with, as [`letter`] numbers them.
    pub(super) letters: u32,
    /// The patterns, each with its own first letters.
    pub(super) list: &'static [(u32, &'static str)],
}

/// The bit of a letter; all that is no ASCII letter shares one.
pub(super) const fn letter(byte: u8) -> u32 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        _ => 1 << 26,
    }
}

/// Each pattern with its first letters.
pub(super) const fn with_letters<const N: usize>(
    patterns: [&'static str; N],
) -> [(u32, &'static str); N] {
    let mut list = [(0, ""); N];
    let mut at = 0;
    while at < N {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated at compile time, and below N"
        )]
        {
            list[at] = (first_letters(patterns[at]), patterns[at]);
        }
        at += 1;
    }
    list
}

/// The first letters of all patterns.
pub(super) const fn all_letters(list: &[(u32, &'static str)]) -> u32 {
    let mut letters = 0;
    let mut at = 0;
    while at < list.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated at compile time, and below the length"
        )]
        {
            letters |= list[at].0;
        }
        at += 1;
    }
    letters
}

/// The first letters of the alternatives of a pattern's first word.
const fn first_letters(pattern: &str) -> u32 {
    let bytes = pattern.as_bytes();
    let mut letters = 0;
    let mut begins = true;
    let mut at = 0;
    while at < bytes.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated at compile time, and below the length"
        )]
        let byte = bytes[at];
        if byte == b' ' {
            break;
        }
        if begins {
            letters |= letter(byte);
        }
        begins = byte == b'|';
        at += 1;
    }
    letters
}

/// A constant set of patterns.
macro_rules! words {
    ($($pattern:expr),* $(,)?) => {
        const {
            const LIST: &[(u32, &str)] = &$crate::facts::heuristic::patterns::with_letters([$($pattern),*]);
            &$crate::facts::heuristic::patterns::Patterns {
                letters: $crate::facts::heuristic::patterns::all_letters(LIST),
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
