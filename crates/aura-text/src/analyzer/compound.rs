//! Compounds: atoms joined by punctuation without a blank, such as `order_id`, `2024-05-03`, `src/main.rs`, `well-known`.

use super::script::Script;
use super::segment::{ALPHA, Atom, DIGIT, LOWER, UPPER, WIDE};

/// More atoms than this make no compound worth finding whole.
pub(super) const MAX_ATOMS: usize = 12;

/// The punctuation between two atoms, where it joins them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joiner {
    Hyphen,
    Underscore,
    Point,
    Slash,
    At,
    Ampersand,
    Other,
}

impl Joiner {
    /// What joins an atom that ends at `end` to one that starts at `start`, if anything does.
    #[inline]
    pub(super) fn between(text: &str, end: usize, start: usize) -> Option<Self> {
        match text.as_bytes().get(end..start)? {
            [b'-'] => Some(Self::Hyphen),
            [b'_'] => Some(Self::Underscore),
            [b'.'] => Some(Self::Point),
            [b'/' | b'\\'] | b"://" => Some(Self::Slash),
            [b'@'] => Some(Self::At),
            [b'&'] => Some(Self::Ampersand),
            [b':' | b'+' | b'#' | b'~' | b'%' | b'=' | b'?'] | b"::" => Some(Self::Other),
            // Hyphen and non-breaking hyphen; the full-width underscore and stop.
            [0xE2, 0x80, 0x90 | 0x91] => Some(Self::Hyphen),
            [0xEF, 0xBC, 0xBF] => Some(Self::Underscore),
            [0xEF, 0xBC, 0x8E] => Some(Self::Point),
            _ => None,
        }
    }
}

/// How a compound is shown to an index and counted in a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    /// Query weight of the joined form; `None` if it is not worth a term.
    pub(super) whole: Option<f32>,
    /// Query weight of each part.
    pub(super) part: f32,
    /// What stands between the parts of the joined form: short numbers keep a hyphen, so that 10:30 is not 1030.
    pub(super) hyphens: bool,
}

impl Plan {
    /// Judges a compound of two or more atoms.
    ///
    /// In an identifier the whole is what is meant; in prose ("well-known", "and/or") the parts are.
    pub(super) fn of(text: &str, atoms: &[Atom]) -> Self {
        let prose = Self {
            whole: None,
            part: 1.0,
            hyphens: false,
        };
        if atoms.len() > MAX_ATOMS || atoms.iter().any(|a| a.script == Script::Hangul) {
            return prose;
        }
        let joined_by = |joiner: Joiner| {
            atoms
                .array_windows()
                .any(|[a, b]| Joiner::between(text, a.end, b.start) == Some(joiner))
        };
        let digits = atoms.iter().any(|a| a.flags & DIGIT != 0);
        let letters = atoms.iter().any(|a| a.flags & (ALPHA | WIDE) != 0);
        let identifier = digits
            || joined_by(Joiner::Underscore)
            || joined_by(Joiner::At)
            || (joined_by(Joiner::Slash) && atoms.len() > 2)
            || (joined_by(Joiner::Point) && !is_missing_blank(text, atoms));
        if identifier {
            let length: usize = atoms.iter().map(|a| a.end - a.start).sum();
            return Self {
                whole: Some(1.0),
                part: 0.5,
                hyphens: !letters && length < 6,
            };
        }
        if joined_by(Joiner::Hyphen) || joined_by(Joiner::Ampersand) {
            return Self {
                whole: Some(0.5),
                ..prose
            };
        }
        prose
    }
}

/// Whether this is two sentences with the blank left out ("great.Thanks").
fn is_missing_blank(text: &str, atoms: &[Atom]) -> bool {
    let [first, second] = atoms else {
        return false;
    };
    let starts_upper = |a: &Atom| {
        text.get(a.start..a.end)
            .and_then(|t| t.chars().next())
            .is_some_and(char::is_uppercase)
    };
    first.flags & LOWER != 0 && second.flags & UPPER != 0 && starts_upper(second)
}

/// Where an ASCII word of mixed case comes apart: `orderId`, `HTTPServer`. Yields byte offsets inside the word.
///
/// Nothing is yielded where a part would be a single letter (`iPhone`, `eBay`).
pub(super) fn case_boundaries(word: &[u8]) -> impl Iterator<Item = usize> + Clone {
    let boundaries = word
        .array_windows::<3>()
        .enumerate()
        .filter_map(|(i, window)| match window {
            [a, b, _] if a.is_ascii_lowercase() && b.is_ascii_uppercase() => Some(i + 1),
            [a, b, c]
                if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_lowercase() =>
            {
                Some(i + 1)
            }
            _ => None,
        });
    let mut last = 0;
    let single = boundaries.clone().any(|b| {
        let short = b - last < 2;
        last = b;
        short
    });
    boundaries.filter(move |_| !single)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(word: &str) -> Vec<&str> {
        let mut out = Vec::new();
        let mut last = 0;
        for b in case_boundaries(word.as_bytes()) {
            out.push(&word[last..b]);
            last = b;
        }
        out.push(&word[last..]);
        out
    }

    #[test]
    fn case_comes_apart_at_its_humps() {
        assert_eq!(parts("orderId"), ["order", "Id"]);
        assert_eq!(parts("HTTPServer"), ["HTTP", "Server"]);
        assert_eq!(
            parts("getHTTPResponseCode"),
            ["get", "HTTP", "Response", "Code"]
        );
        assert_eq!(parts("iPhone"), ["iPhone"]);
        assert_eq!(parts("NASA"), ["NASA"]);
        assert_eq!(parts("Miso"), ["Miso"]);
        assert_eq!(parts("McDonald"), ["Mc", "Donald"]);
    }
}
