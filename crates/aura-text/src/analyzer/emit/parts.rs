//! Parts of words that carry case or digits inside them.

use super::{Emitter, Shape};
use crate::analyzer::compound::case_boundaries;
use crate::analyzer::term::{MAX_TERM_BYTES, Term};

impl<F: FnMut(Term<'_>)> Emitter<'_, F> {
    /// Parts of `orderId`.
    pub(super) fn case_parts(&mut self, text: &str, shape: Shape) {
        let bytes = text.as_bytes();
        if !bytes.iter().skip(1).any(u8::is_ascii_uppercase) || text.len() > MAX_TERM_BYTES {
            return;
        }
        let mut last = 0;
        let boundaries = case_boundaries(bytes);
        for end in boundaries.chain([text.len()]) {
            if (last, end) != (0, text.len())
                && let Some(part) = text.get(last..end)
            {
                self.ascii_word(part, shape.part(shape.start + last, shape.start + end));
            }
            last = end;
        }
    }

    /// Parts of words of letters and digits: `iPhone15`, `10am`, `03T10`; none of `mp3` or `b2b`.
    pub(super) fn mixed_parts(&mut self, text: &str, shape: Shape) {
        let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
        let starts_with_digit = text.starts_with(|c: char| c.is_ascii_digit());
        if text.len() > MAX_TERM_BYTES {
            return;
        }
        let mut last = 0;
        for run in text
            .as_bytes()
            .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())
        {
            let (start, end) = (last, last + run.len());
            last = end;
            let Some(part) = text.get(start..end) else {
                continue;
            };
            let shape = shape.part(shape.start + start, shape.start + end);
            let digits = run.first().is_some_and(u8::is_ascii_digit);
            if starts_with_digit && letters <= 2 {
                if digits {
                    self.digits(part, shape);
                }
            } else if !starts_with_digit && text.bytes().take(3).all(|b| b.is_ascii_alphabetic()) {
                if digits {
                    self.digits(part, shape);
                } else if run.len() > 1 {
                    self.ascii_word(part, shape);
                }
            }
        }
    }
}
