//! Counting one text inside several prefixes and suffixes without counting its middle again.
//!
//! The scanners go from left to right and never look back, so two texts that agree from some boundary of pieces on are
//! split alike from there on. They look ahead, but only through the white space at hand and a few characters more. So the
//! middle of a text keeps its pieces whatever stands before and after it, and only its ends are split anew.

use super::vocabulary::Vocabulary;

/// Texts shorter than this are counted whole: their ends are all there is.
const SHORT: usize = 160;

/// How much of the beginning is split again behind a prefix.
const HEAD: usize = 64;

/// How much of the end is split again before a suffix; more, where a long piece or white space stands there.
const TAIL: usize = 24;

/// How far a scanner looks ahead beyond white space: the longest contraction (`'ll`), and one character to be safe.
const LOOK_AHEAD: usize = 4;

/// Where a piece ends, and how many tokens all pieces up to there have.
#[derive(Debug, Clone, Copy, Default)]
struct Boundary {
    end: usize,
    tokens: usize,
}

impl Vocabulary {
    /// The tokens of `text` in each of `frames` (prefix and suffix).
    pub(super) fn count_framed(&self, text: &str, frames: &[(&str, &str)]) -> Vec<usize> {
        let joined = |(prefix, suffix): &(&str, &str)| self.count(&[prefix, text, suffix].concat());
        if text.len() < SHORT {
            return frames.iter().map(joined).collect();
        }
        let cut = text.floor_char_boundary(HEAD);
        let head = text.get(..cut).unwrap_or_default();
        let mut early: Vec<Boundary> = Vec::with_capacity(HEAD);
        let (mut last, mut all) = (Boundary::default(), Boundary::default());
        self.for_each(text, |end, tokens| {
            let tokens = all.tokens + tokens;
            all = Boundary { end, tokens };
            if is_settled(head, end) {
                early.push(all);
            }
            if end + TAIL <= text.len() {
                last = all;
            }
        });
        let tail = text.get(last.end..).unwrap_or_default();
        let settled = is_settled(text, last.end);
        let framed = |frame: &(&str, &str)| {
            let (prefix, suffix) = *frame;
            if prefix.is_empty() && suffix.is_empty() {
                return all.tokens;
            }
            let before = if prefix.is_empty() {
                Some(0)
            } else {
                self.gained(prefix, head, &early, last.end)
            };
            let Some(before) = before.filter(|_| settled) else {
                return joined(frame);
            };
            let after = if suffix.is_empty() {
                all.tokens - last.tokens
            } else {
                self.count(&[tail, suffix].concat())
            };
            // `before` is what the prefix adds; it may be less than nothing where it joins the first piece.
            (last.tokens + after).saturating_add_signed(before)
        };
        frames.iter().map(framed).collect()
    }

    /// How many tokens more a text has behind `prefix`; `None` where the pieces do not fall into step within `head`, its
    /// beginning, of which `early` has the boundaries.
    fn gained(&self, prefix: &str, head: &str, early: &[Boundary], latest: usize) -> Option<isize> {
        let (mut tokens, mut gained) = (0, None);
        self.for_each(&[prefix, head].concat(), |end, count| {
            tokens += count;
            let Some(end) = end.checked_sub(prefix.len()) else {
                return;
            };
            if gained.is_none() && end <= latest && is_settled(head, end) {
                let alone = match end {
                    0 => Some(0),
                    _ => early.iter().find(|b| b.end == end).map(|b| b.tokens),
                };
                gained = alone.map(|alone| tokens as isize - alone as isize);
            }
        });
        gained
    }
}

/// Whether what follows `text` cannot change the pieces up to `end`.
fn is_settled(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    rest.len() >= LOOK_AHEAD && rest.contains(|c: char| !c.is_whitespace())
}
