//! Splitting a text into the pieces that are tokenized one by one.
//!
//! Each vocabulary comes with a regular expression; these scanners do what it does, without a regular-expression
//! engine. The two expressions, of which the first alternative that matches wins:
//!
//! ```text
//! o200k_base    [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!             | [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!             | \p{N}{1,3} |  ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//! cl100k_base   '(?i:[sdmt]|ll|ve|re) | [^\r\n\p{L}\p{N}]?+\p{L}++
//!             | \p{N}{1,3}+ |  ?[^\s\p{L}\p{N}]++[\r\n]*+ | \s++$ | \s*[\r\n] | \s+(?!\S) | \s
//! ```

/// Which expression to split by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    O200k,
    Cl100k,
}

// Classes of characters, in the numbering of the build script. "Other" is punctuation, symbols, controls, unassigned.
const OTHER: u8 = 0;
const UPPER: u8 = 1;
const LOWER: u8 = 2;
const CASELESS: u8 = 3;
const MARK: u8 = 4;
const NUMBER: u8 = 5;
const BLANK: u8 = 6;
const NEWLINE: u8 = 7;

static CLASSES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes"));

/// Blocks of 256 characters in the table's first step.
const BLOCKS: usize = 0x11_0000 / 256;

/// Classes of ASCII, beside the table because most characters are.
static ASCII: [u8; 128] = {
    let mut classes = [OTHER; 128];
    let mut byte = 0;
    while byte < 128 {
        #[expect(clippy::indexing_slicing, reason = "byte < 128, at compile time")]
        {
            classes[byte] = match byte as u8 {
                b'A'..=b'Z' => UPPER,
                b'a'..=b'z' => LOWER,
                b'0'..=b'9' => NUMBER,
                b'\n' | b'\r' => NEWLINE,
                b'\t' | 0x0B | 0x0C | b' ' => BLANK,
                _ => OTHER,
            };
        }
        byte += 1;
    }
    classes
};

fn class_of(c: char) -> u8 {
    let code = c as usize;
    let row = CLASSES.get(code >> 8).copied().unwrap_or(0);
    let at = BLOCKS + usize::from(row) * 256 + (code & 0xFF);
    CLASSES.get(at).copied().unwrap_or(OTHER)
}

const fn is_letter(class: u8) -> bool {
    matches!(class, UPPER | LOWER | CASELESS)
}

/// Hands every piece of `text` to `sink`, in order and without a gap.
#[inline]
pub(super) fn pieces(text: &str, rules: Rules, mut sink: impl FnMut(&[u8])) {
    let cursor = Cursor { text };
    let mut at = 0;
    while at < text.len() {
        let end = match rules {
            Rules::O200k => cursor.o200k(at),
            Rules::Cl100k => cursor.cl100k(at),
        };
        // A scanner that does not advance would be a defect; one byte at a time is the safe answer.
        let end = end.max(at + 1);
        sink(text.as_bytes().get(at..end).unwrap_or_default());
        at = end;
    }
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
}

impl Cursor<'_> {
    /// The class of the character at a byte offset and its length; at the end [`NEWLINE`] (which ends every run but those
    /// of white space, and those check) and 0.
    #[inline]
    fn class(self, at: usize) -> (u8, usize) {
        match self.text.as_bytes().get(at) {
            #[expect(clippy::indexing_slicing, reason = "below 128")]
            Some(&byte) if byte < 128 => (ASCII[usize::from(byte)], 1),
            Some(_) => self.wide_class(at),
            None => (NEWLINE, 0),
        }
    }

    fn wide_class(self, at: usize) -> (u8, usize) {
        self.text
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or((NEWLINE, 0), |c| (class_of(c), c.len_utf8()))
    }

    /// End of the run of characters, from `at` on, whose class `belongs`.
    #[inline]
    fn run(self, mut at: usize, belongs: impl Fn(u8) -> bool) -> usize {
        loop {
            let (class, len) = self.class(at);
            if len == 0 || !belongs(class) {
                return at;
            }
            at += len;
        }
    }

    fn o200k(self, at: usize) -> usize {
        let (first, len) = self.class(at);
        if is_letter(first) {
            // A letter always starts a word.
            let word = self.cased_word(at);
            return self.contraction(word.lower_end.unwrap_or(word.upper_end));
        }
        if first == NUMBER {
            return self.number(at);
        }
        if first != NEWLINE {
            // Anything else but a line break may lead a word.
            let word = self.cased_word(at + len);
            if let Some(end) = word.lower_end {
                return self.contraction(end);
            }
            if first == MARK {
                // A mark that cannot lead a lower-case word is one by itself.
                return self.contraction(at + len);
            }
            if word.upper_end > at + len {
                return self.contraction(word.upper_end);
            }
        }
        if let Some(end) = self.symbols(at, first) {
            return self.line_breaks(end, true);
        }
        self.blanks(at, false)
    }

    fn cl100k(self, at: usize) -> usize {
        let (first, len) = self.class(at);
        if is_letter(first) {
            return self.run(at, is_letter);
        }
        if first == NUMBER {
            return self.number(at);
        }
        if first != NEWLINE {
            let suffix = self.contraction(at);
            if suffix > at {
                return suffix;
            }
            let end = self.run(at + len, is_letter);
            if end > at + len {
                return end;
            }
        }
        if let Some(end) = self.symbols(at, first) {
            return self.line_breaks(end, false);
        }
        self.blanks(at, true)
    }

    /// Scans `[Lu Lt Lm Lo M]*[Ll Lm Lo M]+` and `[Lu Lt Lm Lo M]+` at once.
    #[inline]
    fn cased_word(self, at: usize) -> CasedWord {
        let mut end = at;
        // Where the first run can stop so that the second has a character: after the last one both accept.
        let mut shared_end = None;
        loop {
            let (class, len) = self.class(end);
            match class {
                UPPER => end += len,
                CASELESS | MARK => {
                    end += len;
                    shared_end = Some(end);
                }
                LOWER => {
                    let lower = |c| matches!(c, LOWER | CASELESS | MARK);
                    return CasedWord {
                        lower_end: Some(self.run(end + len, lower)),
                        upper_end: end,
                    };
                }
                _ => {
                    return CasedWord {
                        lower_end: shared_end,
                        upper_end: end,
                    };
                }
            }
        }
    }

    /// `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in any case, if it stands at `at`; its end, else `at`.
    #[inline]
    fn contraction(self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let (Some(b'\''), Some(&next)) = (bytes.get(at), bytes.get(at + 1)) else {
            return at;
        };
        let after = bytes.get(at + 2).map_or(0, u8::to_ascii_lowercase);
        match (next.to_ascii_lowercase(), after) {
            (b's' | b't' | b'm' | b'd', _) => at + 2,
            (b'r' | b'v', b'e') | (b'l', b'l') => at + 3,
            // The long s folds to s.
            (0xC5, 0xBF) => at + 3,
            _ => at,
        }
    }

    /// `\p{N}{1,3}`
    fn number(self, at: usize) -> usize {
        let mut end = at;
        for _ in 0..3 {
            let (class, len) = self.class(end);
            if class != NUMBER {
                break;
            }
            end += len;
        }
        end
    }

    /// ` ?[^\s\p{L}\p{N}]+`
    fn symbols(self, at: usize, first: u8) -> Option<usize> {
        let symbol = |c| matches!(c, OTHER | MARK);
        let space = usize::from(self.text.as_bytes().get(at) == Some(&b' '));
        if space == 0 && !symbol(first) {
            return None;
        }
        let end = self.run(at + space, symbol);
        (end > at + space).then_some(end)
    }

    /// `[\r\n]*`, with slashes where the vocabulary says so.
    fn line_breaks(self, at: usize, slashes: bool) -> usize {
        let tail = self.text.as_bytes().iter().skip(at);
        at + tail
            .take_while(|&&b| matches!(b, b'\r' | b'\n') || slashes && b == b'/')
            .count()
    }

    /// White space that leads no word: up to its last line break; else all of it at the end of the text; else all but the
    /// last character, which may lead the next word.
    fn blanks(self, at: usize, end_first: bool) -> usize {
        let mut end = at;
        let mut last = at;
        let mut break_end = None;
        loop {
            let (class, len) = self.class(end);
            if len == 0 || !matches!(class, BLANK | NEWLINE) {
                break;
            }
            last = end;
            end += len;
            if class == NEWLINE {
                break_end = Some(end);
            }
        }
        let at_end = end == self.text.len();
        match break_end {
            _ if at_end && end_first => end,
            Some(break_end) => break_end,
            None if at_end || last == at => end,
            None => last,
        }
    }
}

struct CasedWord {
    /// End of `[Lu Lt Lm Lo M]*[Ll Lm Lo M]+`, if it matches.
    lower_end: Option<usize>,
    /// End of `[Lu Lt Lm Lo M]*`.
    upper_end: usize,
}
