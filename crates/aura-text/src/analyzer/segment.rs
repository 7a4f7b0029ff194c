//! Cuts a text into atoms: the smallest pieces that can be words.
//!
//! Word boundaries are those of UAX #29, refined so that identifiers, addresses and dates come apart (`_`, and `.` or
//! `:` between letters, separate atoms). Text that is ASCII is cut by a table; only a stretch between blanks that
//! holds other characters goes through the Unicode tables. [`atoms`] and [`atoms_by_uax29`] agree on every text,
//! which a property test checks.

use unicode_segmentation::UnicodeSegmentation;

use super::script::Script;

/// A lower-case ASCII letter occurs.
pub(super) const LOWER: u8 = 1;
/// An upper-case ASCII letter occurs.
pub(super) const UPPER: u8 = 1 << 1;
/// A digit occurs.
pub(super) const DIGIT: u8 = 1 << 2;
/// A character outside ASCII occurs.
pub(super) const WIDE: u8 = 1 << 3;
/// An apostrophe occurs.
pub(super) const APOSTROPHE: u8 = 1 << 4;
/// A point or comma occurs between digits.
pub(super) const POINT: u8 = 1 << 5;
const BLANK: u8 = 1 << 6;

/// ASCII letters.
pub(super) const ALPHA: u8 = LOWER | UPPER;
const WORD: u8 = ALPHA | DIGIT;

static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::indexing_slicing, reason = "byte < 256, at compile time")]
        {
            table[byte] = match byte as u8 {
                b'a'..=b'z' => LOWER,
                b'A'..=b'Z' => UPPER,
                b'0'..=b'9' => DIGIT,
                0..=b' ' | 0x7F => BLANK,
                0x80..=0xFF => WIDE,
                _ => 0,
            };
        }
        byte += 1;
    }
    table
};

/// What kinds of character a byte may stand for.
#[inline]
pub(super) fn class(byte: u8) -> u8 {
    #[expect(clippy::indexing_slicing, reason = "a table of 256 indexed by a byte")]
    CLASSES[byte as usize]
}

#[inline]
fn class_at(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).map_or(0, |&b| class(b))
}

/// A piece of a text that can be a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Atom {
    /// First byte.
    pub(super) start: usize,
    /// First byte after it.
    pub(super) end: usize,
    /// Which kinds of character occur, of [`LOWER`] to [`POINT`].
    pub(super) flags: u8,
    /// Of what script it is.
    pub(super) script: Script,
}

/// Hands the atoms of `text` to `sink`, in order.
pub(super) fn atoms(text: &str, mut sink: impl FnMut(Atom)) {
    let bytes = text.as_bytes();
    if text.is_ascii() {
        return ascii_stretch(bytes, 0, &mut sink);
    }
    let mut start = 0;
    while start < bytes.len() {
        let mut end = start;
        let mut kinds = 0;
        while let Some(&byte) = bytes.get(end) {
            let kind = class(byte);
            if kind == BLANK {
                break;
            }
            kinds |= kind;
            end += 1;
        }
        if kinds & WIDE != 0 {
            wide_stretch(text, start, end, &mut sink);
        } else if let Some(stretch) = bytes.get(start..end) {
            ascii_stretch(stretch, start, &mut sink);
        }
        start = end + 1;
    }
}

/// The same atoms as [`atoms`], found without its fast path.
#[cfg(test)]
pub(super) fn atoms_by_uax29(text: &str, mut sink: impl FnMut(Atom)) {
    wide_stretch(text, 0, text.len(), &mut sink);
}

/// Atoms of a stretch of ASCII that lies `offset` bytes into its text.
#[inline]
fn ascii_stretch(bytes: &[u8], offset: usize, sink: &mut impl FnMut(Atom)) {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if class(byte) & WORD == 0 {
            at += 1;
            continue;
        }
        let (end, flags) = ascii_run(bytes, at);
        sink(Atom {
            start: offset + at,
            end: offset + end,
            flags,
            script: Script::Spaced,
        });
        at = end;
    }
}

/// The end and the flags of the letters and digits at `start`, with the apostrophes and decimal points inside them.
#[inline]
fn ascii_run(bytes: &[u8], start: usize) -> (usize, u8) {
    let mut end = start;
    let mut flags = 0;
    loop {
        while class_at(bytes, end) & WORD != 0 {
            flags |= class_at(bytes, end);
            end += 1;
        }
        let before = end.checked_sub(1).map_or(0, |i| class_at(bytes, i));
        match bytes.get(end) {
            Some(b'\'') if before & ALPHA != 0 && class_at(bytes, end + 1) & ALPHA != 0 => {
                flags |= APOSTROPHE;
                end += 1;
            }
            Some(b'.' | b',') if flags & ALPHA == 0 => {
                let mut stop = end + 1;
                while class_at(bytes, stop) == DIGIT {
                    stop += 1;
                }
                if stop == end + 1 || class_at(bytes, stop) & ALPHA != 0 {
                    return (end, flags);
                }
                flags |= POINT;
                end = stop;
            }
            _ => return (end, flags),
        }
    }
}

/// Atoms of `text[start..end]` by the Unicode tables; both ends are character boundaries.
fn wide_stretch(text: &str, start: usize, end: usize, sink: &mut impl FnMut(Atom)) {
    let mut at = start;
    while let Some(rest) = text.get(at..end) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        let script = Script::of(first);
        let unspaced = matches!(script, Script::Cjk | Script::Unspaced);
        let run = rest
            .char_indices()
            .find(|&(_, c)| match Script::of(c) {
                other @ (Script::Cjk | Script::Unspaced) => other != script,
                _ => unspaced && !script.continues(c),
            })
            .and_then(|(n, _)| rest.get(..n))
            .unwrap_or(rest);
        if unspaced {
            sink(Atom {
                start: at,
                end: at + run.len(),
                flags: WIDE,
                script,
            });
        } else {
            for (offset, word) in run.unicode_word_indices() {
                word_atoms(word, at + offset, sink);
            }
        }
        at += run.len();
    }
}

/// Splits one word of UAX #29 into atoms.
fn word_atoms(word: &str, start: usize, sink: &mut impl FnMut(Atom)) {
    if word.is_ascii() {
        return ascii_stretch(word.as_bytes(), start, sink);
    }
    let mut open: Option<Atom> = None;
    for (offset, c) in word.char_indices() {
        let end = start + offset + c.len_utf8();
        let (flags, script) = match c {
            '\'' | '\u{2019}' | '\u{FF07}' => (WIDE | APOSTROPHE, None),
            _ if c.is_alphabetic() => (WIDE | LOWER, Some(Script::of(c))),
            _ if c.is_numeric() => (WIDE | DIGIT, Some(Script::Spaced)),
            _ if separates(c) => {
                open.take().map(&mut *sink);
                continue;
            }
            _ => (WIDE, None),
        };
        match &mut open {
            Some(atom) if script.is_none_or(|s| s == atom.script) => {
                atom.end = end;
                atom.flags |= flags;
            }
            _ => {
                open.take().map(&mut *sink);
                open = script.map(|script| Atom {
                    start: start + offset,
                    end,
                    flags,
                    script,
                });
            }
        }
    }
    open.take().map(sink);
}

/// Characters inside a word of UAX #29 at which an identifier, address or number comes apart.
const fn separates(c: char) -> bool {
    c.is_ascii()
        || matches!(
            c,
            '\u{203F}' | '\u{2040}' | '\u{2054}' | '\u{FE33}' | '\u{FE34}' | '\u{FE4D}'
                ..='\u{FE4F}'
                    | '\u{FF3F}'
                    | '\u{FF0E}'
                    | '\u{FF0C}'
                    | '\u{FF1A}'
                    | '\u{FE52}'
                    | '\u{FE55}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn collect(text: &str) -> Vec<&str> {
        let mut out = Vec::new();
        atoms(text, |a| out.push(&text[a.start..a.end]));
        out
    }

    #[test]
    fn cuts_words_numbers_and_identifiers() {
        assert_eq!(collect("Miso's cats don't."), ["Miso's", "cats", "don't"]);
        assert_eq!(collect("order_id=ORD-7781"), ["order", "id", "ORD", "7781"]);
        assert_eq!(
            collect("$1,234.50 and 3.14, 2"),
            ["1,234.50", "and", "3.14", "2"]
        );
        assert_eq!(collect("v1.2b 'quoted'"), ["v1", "2b", "quoted"]);
        assert_eq!(
            collect("naïve-test d'été l’homme"),
            ["naïve", "test", "d'été", "l’homme"]
        );
        assert_eq!(collect("我住在Oslo。ไปเที่ยว"), ["我住在", "Oslo", "ไปเที่ยว"]);
        assert_eq!(collect("학교abc"), ["학교", "abc"]);
        assert_eq!(collect(" \u{301} 🍕 _ ' "), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn the_fast_path_agrees_with_uax29(text in "([a-cA-C0-9 .,:'_@/é’\u{301}Ⅷ中カﾞไ한א\u{200d}-]|\\PC|.){0,24}") {
            let mut fast = Vec::new();
            atoms(&text, |a| fast.push(a));
            let mut slow = Vec::new();
            atoms_by_uax29(&text, |a| slow.push(a));
            let strip = |v: Vec<Atom>| v.into_iter().map(|a| (a.start, a.end, a.script)).collect::<Vec<_>>();
            prop_assert_eq!(strip(fast), strip(slow), "{:?}", text);
        }

        #[test]
        fn atoms_are_in_order_and_on_boundaries(text in "\\PC{0,40}|[ -~]{0,40}") {
            let mut last = 0;
            atoms(&text, |a| {
                assert!(a.start >= last && a.start < a.end && text.get(a.start..a.end).is_some());
                last = a.end;
            });
        }
    }
}
