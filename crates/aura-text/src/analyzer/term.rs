//! What an analyzer hands out.

use std::ops::Range;

/// How a term came out of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// An ordinary word or number.
    Word,
    /// The joined form of something that also has parts: `orderid` of `order_id`, `ord7781` of `ORD-7781`.
    Whole,
    /// A part of such a thing: `order` and `id`, `ord` and `7781`.
    Part,
    /// A character or pair of characters of a script written without spaces, or a pair inside a Korean word.
    Gram,
}

/// One term of a text: what an index stores and a query looks up.
///
/// The text lives in the analyzer's scratch space and is valid during the callback only.
#[derive(Debug, Clone, PartialEq)]
pub struct Term<'a> {
    /// The folded and stemmed form, at most [`MAX_TERM_BYTES`] long.
    pub text: &'a str,
    /// The bytes of the analysed text it stands for. Ranges of a whole and its parts overlap.
    pub range: Range<usize>,
    /// How it came out of the text.
    pub kind: TermKind,
    /// A stop word of the analyzer's language. An index stores it, so that a query made of nothing else works; document
    /// lengths and ordinary queries leave it out.
    pub stop: bool,
    /// What the term counts in a query, 0 to 1: a whole and its parts, or the grams of one passage, share what one
    /// word would count, so that writing something joined is not worth more than writing it apart.
    pub weight: f32,
}

/// The longest term in bytes: enough for a SHA-256 digest in hexadecimal. What is longer is cut at a character boundary,
/// so it is still found by a query that begins the same.
pub const MAX_TERM_BYTES: usize = 64;

/// The longest beginning of `text` that a term may have.
pub(super) fn clip(text: &str) -> &str {
    if text.len() <= MAX_TERM_BYTES {
        return text;
    }
    text.get(..text.floor_char_boundary(MAX_TERM_BYTES))
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_terms_are_cut_between_characters() {
        assert_eq!(clip("short"), "short");
        assert_eq!(clip(&"a".repeat(100)).len(), 64);
        assert_eq!(clip(&"é".repeat(40)).len(), 64);
        assert_eq!(clip(&format!("a{}", "é".repeat(40))).len(), 63);
    }
}
