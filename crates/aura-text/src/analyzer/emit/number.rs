//! Numbers.

use super::{Emitter, Shape};
use crate::analyzer::segment::POINT;
use crate::analyzer::term::{Term, TermKind, clip};

impl<F: FnMut(Term<'_>)> Emitter<'_, F> {
    /// A number: `42`, `1,234.50`, `3.14`, `1.2.3`.
    pub(super) fn number(&mut self, text: &str, flags: u8, shape: Shape) {
        if flags & POINT == 0 {
            return self.digits(text, shape);
        }
        self.scratch.whole.clear();
        let whole = &mut self.scratch.whole;
        let (integer, fraction) = text.rsplit_once('.').unwrap_or((text, ""));
        let digits = |g: &str| g.bytes().all(|b| b.is_ascii_digit());
        let grouped = |n: &str, mark: char| {
            let mut groups = n.split(mark);
            groups.next().is_some_and(|g| g.len() <= 3 && digits(g))
                && groups.all(|g| g.len() == 3 && digits(g))
        };
        if !fraction.contains(',') && (grouped(integer, ',') || !integer.contains(['.', ','])) {
            // 1,234.50 and 3.14: one value, without the marks between thousands.
            whole.extend(integer.chars().filter(|&c| c != ','));
            if !fraction.is_empty() {
                whole.push('.');
                whole.push_str(fraction);
            }
            return self.whole_number(shape);
        }
        if let Some((integer, fraction)) = text.split_once(',')
            && grouped(integer, '.')
            && !fraction.contains([',', '.'])
        {
            // 1.234,50 and 3,14: the same, as most of Europe writes it.
            whole.extend(integer.chars().filter(|&c| c != '.'));
            whole.push('.');
            whole.push_str(fraction);
            let kind = if integer.contains('.') {
                shape.kind
            } else {
                TermKind::Whole
            };
            self.whole_number(Shape { kind, ..shape });
            if integer.contains('.') {
                return;
            }
        } else {
            // Versions, dotted dates, addresses, lists.
            let long = text.bytes().filter(u8::is_ascii_digit).count() >= 6;
            for group in text.split(['.', ',']) {
                if !long && !whole.is_empty() {
                    whole.push('-');
                }
                whole.push_str(group);
            }
            self.whole_number(Shape {
                kind: TermKind::Whole,
                ..shape
            });
        }
        let mut at = shape.start;
        for group in text.split(['.', ',']) {
            self.digits(group, shape.part(at, at + group.len()));
            at += group.len() + 1;
        }
    }

    pub(super) fn whole_number(&mut self, shape: Shape) {
        (self.sink)(shape.term(clip(&self.scratch.whole), false));
    }

    /// Digits; days, months and minutes lose their leading zero.
    pub(super) fn digits(&mut self, text: &str, shape: Shape) {
        let text = match text.as_bytes() {
            [b'0', _] => text.get(1..).unwrap_or(text),
            _ => text,
        };
        (self.sink)(shape.term(clip(text), false));
    }
}
