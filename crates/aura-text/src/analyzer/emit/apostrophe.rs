//! Words with an apostrophe: possessives, contractions, elisions, names.

use super::{Emitter, Shape};
use crate::analyzer::language::Language;
use crate::analyzer::segment::{APOSTROPHE, WIDE};
use crate::analyzer::term::{Term, clip};

impl<F: FnMut(Term<'_>)> Emitter<'_, F> {
    /// Words with an apostrophe: possessives, contractions, elisions, names.
    pub(super) fn apostrophes(&mut self, text: &str, flags: u8, shape: Shape) {
        let is_apostrophe = |c| matches!(c, '\'' | '\u{2019}' | '\u{FF07}');
        let flags = flags & !APOSTROPHE;
        let language = self.settings.language;
        let Some((head, tail)) = text.rsplit_once(is_apostrophe) else {
            return;
        };
        if language.elides() {
            let mut at = shape.start;
            for piece in text.split_inclusive(is_apostrophe) {
                let word = piece.trim_end_matches(is_apostrophe);
                let (start, end) = (at, at + word.len());
                at += piece.len();
                if !word.is_empty() {
                    self.spaced(
                        word,
                        flags,
                        Shape {
                            start,
                            end,
                            ..shape
                        },
                    );
                }
            }
            return;
        }
        if language == Language::Turkish {
            let stem = text.split(is_apostrophe).next().unwrap_or(head);
            return self.spaced(stem, flags, shape);
        }
        let suffix = |s: &str| tail.eq_ignore_ascii_case(s);
        let clitic = suffix("s")
            || (matches!(language, Language::English | Language::Neutral)
                && ["m", "d", "re", "ll", "ve"].into_iter().any(suffix));
        if clitic && !head.contains(is_apostrophe) {
            return self.spaced(head, flags, shape);
        }
        let negation = suffix("t") && head.ends_with(['n', 'N']) && self.settings.stop.negations;
        let mut joined = std::mem::take(&mut self.scratch.whole);
        joined.clear();
        joined.extend(text.split(is_apostrophe));
        if negation {
            joined.make_ascii_lowercase();
            (self.sink)(shape.term(clip(&joined), true));
        } else {
            let flags = if joined.is_ascii() {
                flags & !WIDE
            } else {
                flags
            };
            if flags & WIDE != 0 {
                self.wide_word(&joined, shape);
            } else {
                self.ascii_word(&joined, shape);
            }
            // "O'Brien" is also looked for as "Brien".
            if tail.chars().count() > 2 && head.chars().count() == 1 {
                let start = shape.end - tail.len();
                self.spaced(tail, flags, shape.part(start, shape.end));
            }
        }
        self.scratch.whole = joined;
    }
}
