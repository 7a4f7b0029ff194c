//! Turns atoms into terms.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::Settings;
use super::compound::{Joiner, MAX_ATOMS, Plan, case_boundaries};
use super::fold::{fold_case, has_marks, strip_marks};
use super::language::Language;
use super::scratch::{Key, Scratch, Stem};
use super::script::{Script, is_ideograph, is_ignorable};
use super::segment::{ALPHA, APOSTROPHE, Atom, DIGIT, LOWER, POINT, UPPER, WIDE};
use super::term::{MAX_TERM_BYTES, Term, TermKind, clip};

/// Query weight of one Chinese character beside the pairs it stands in.
const UNIGRAM: f32 = 0.5;
/// Query weight of a pair inside a Korean word beside the word.
const INNER: f32 = 0.5;

/// How a term is to be shown: the part of a [`Term`] that is known before its text.
#[derive(Debug, Clone, Copy)]
struct Shape {
    start: usize,
    end: usize,
    kind: TermKind,
    weight: f32,
}

impl Shape {
    fn part(self, start: usize, end: usize) -> Self {
        Self {
            start,
            end,
            kind: TermKind::Part,
            weight: self.weight * 0.5,
        }
    }
}

/// Emits the terms of one text.
pub(super) struct Emitter<'a, F> {
    pub(super) text: &'a str,
    pub(super) settings: &'a Settings,
    pub(super) scratch: &'a mut Scratch,
    pub(super) sink: F,
}

impl<F: FnMut(Term<'_>)> Emitter<'_, F> {
    /// Takes the next atom; compounds are emitted when the atom after them arrives.
    #[inline]
    pub(super) fn push(&mut self, atom: Atom) {
        if let Some(last) = self.scratch.group.last()
            && (self.scratch.group.len() > MAX_ATOMS
                || matches!(atom.script, Script::Cjk | Script::Unspaced)
                || matches!(last.script, Script::Cjk | Script::Unspaced)
                || Joiner::between(self.text, last.end, atom.start).is_none())
        {
            self.flush();
        }
        self.scratch.group.push(atom);
    }

    /// Emits the compound read so far.
    pub(super) fn flush(&mut self) {
        let group = std::mem::take(&mut self.scratch.group);
        match group.as_slice() {
            [] => {}
            [atom] => {
                self.sharp(atom);
                self.atom(atom, TermKind::Word, 1.0);
            }
            atoms => self.compound(atoms),
        }
        self.scratch.group = group;
        self.scratch.group.clear();
    }

    fn compound(&mut self, atoms: &[Atom]) {
        let mut plan = Plan::of(self.text, atoms);
        if let (Some(weight), Some(first), Some(last)) = (plan.whole, atoms.first(), atoms.last()) {
            self.join(atoms, plan.hyphens);
            if self.scratch.whole.len() <= MAX_TERM_BYTES {
                let shape = Shape {
                    start: first.start,
                    end: last.end,
                    kind: TermKind::Whole,
                    weight,
                };
                let whole = std::mem::take(&mut self.scratch.whole);
                self.word(&whole, shape);
                self.scratch.whole = whole;
            } else {
                plan.part = 1.0;
            }
        }
        for atom in atoms {
            self.atom(atom, TermKind::Part, plan.part);
        }
    }

    /// Writes the joined form of a compound to `scratch.whole`.
    fn join(&mut self, atoms: &[Atom], hyphens: bool) {
        let whole = &mut self.scratch.whole;
        whole.clear();
        for atom in atoms {
            if hyphens && !whole.is_empty() {
                whole.push('-');
            }
            let Some(text) = self.text.get(atom.start..atom.end) else {
                continue;
            };
            if atom.flags & WIDE == 0 {
                whole.extend(
                    text.bytes()
                        .filter(u8::is_ascii_alphanumeric)
                        .map(|b| char::from(b.to_ascii_lowercase())),
                );
            } else {
                self.scratch.lower.clear();
                fold_case(text, self.settings.language, &mut self.scratch.lower);
                strip_marks(&self.scratch.lower, whole);
            }
            if whole.len() > MAX_TERM_BYTES {
                return;
            }
        }
    }

    /// `C++`, `C#`, `F#`: a letter that its punctuation turns into a name of its own.
    #[inline]
    fn sharp(&mut self, atom: &Atom) {
        if atom.end - atom.start != 1 || atom.flags & ALPHA == 0 {
            return;
        }
        let bytes = self.text.as_bytes();
        let Some(&letter) = bytes.get(atom.start) else {
            return;
        };
        let (tail, text) = match bytes.get(atom.end..) {
            Some([b'+', b'+', ..]) => (2, [letter.to_ascii_lowercase(), b'+', b'+']),
            Some([b'#', ..]) => (1, [letter.to_ascii_lowercase(), b'#', 0]),
            _ => return,
        };
        if let Some(text) = text
            .get(..1 + tail)
            .and_then(|b| std::str::from_utf8(b).ok())
        {
            (self.sink)(Term {
                text,
                range: atom.start..atom.end + tail,
                kind: TermKind::Whole,
                stop: false,
                weight: 1.0,
            });
        }
    }

    #[inline]
    fn atom(&mut self, atom: &Atom, kind: TermKind, weight: f32) {
        let full = self.text;
        let Some(text) = full.get(atom.start..atom.end) else {
            return;
        };
        let shape = Shape {
            start: atom.start,
            end: atom.end,
            kind,
            weight,
        };
        match atom.script {
            Script::Cjk => self.characters(text, shape),
            Script::Unspaced => self.clusters(text, shape),
            Script::Hangul => self.korean(text, shape),
            Script::Spaced if atom.flags & APOSTROPHE != 0 => {
                self.apostrophes(text, atom.flags, shape)
            }
            Script::Spaced => self.plain_atom(text, atom.flags, shape),
        }
    }

    #[inline]
    fn plain_atom(&mut self, text: &str, flags: u8, shape: Shape) {
        if flags & WIDE != 0 {
            self.wide_word(text, shape);
        } else if flags & ALPHA == 0 {
            self.number(text, flags, shape);
        } else {
            self.ascii_word(text, shape);
            if flags & DIGIT != 0 {
                self.mixed_parts(text, shape);
            } else if flags & (LOWER | UPPER) == LOWER | UPPER {
                self.case_parts(text, shape);
            }
        }
    }

    /// Lower-cases an ASCII word and emits it.
    #[inline]
    fn ascii_word(&mut self, text: &str, shape: Shape) {
        let mut buffer = [0; MAX_TERM_BYTES];
        let length = text.len().min(MAX_TERM_BYTES);
        if let (Some(to), Some(from)) = (buffer.get_mut(..length), text.as_bytes().get(..length)) {
            to.copy_from_slice(from);
            // Turkish has two letters I, and only the dotted one is that of other languages.
            if self.settings.language == Language::Turkish && to.contains(&b'I') {
                return self.wide_word(text, shape);
            }
            to.make_ascii_lowercase();
            if let Ok(word) = std::str::from_utf8(to) {
                self.word(word, shape);
            }
        }
    }

    /// Emits a word that is folded already: stems it and looks whether it is a stop word.
    #[inline]
    fn word(&mut self, word: &str, shape: Shape) {
        let key = Key::new(word.as_bytes());
        if let Some(stem) = key.as_ref().and_then(|k| self.scratch.cache.get(k)) {
            (self.sink)(Term {
                text: stem.text(),
                range: shape.start..shape.end,
                kind: shape.kind,
                stop: stem.stop,
                weight: shape.weight,
            });
            return;
        }
        let stop = self.settings.stop.contains(word);
        self.settings.stem(word, &mut self.scratch.plain);
        let text = clip(&self.scratch.plain);
        if text.is_empty() {
            return;
        }
        if let (Some(key), Some(stem)) = (key, Stem::new(text, stop)) {
            self.scratch.cache.put(key, stem);
        }
        (self.sink)(Term {
            text,
            range: shape.start..shape.end,
            kind: shape.kind,
            stop,
            weight: shape.weight,
        });
    }

    /// A word with letters outside ASCII.
    fn wide_word(&mut self, text: &str, shape: Shape) {
        let mut lower = std::mem::take(&mut self.scratch.lower);
        lower.clear();
        fold_case(text, self.settings.language, &mut lower);
        if !has_marks(&lower) {
            self.word(&lower, shape);
        } else {
            let mut term = std::mem::take(&mut self.scratch.term);
            term.clear();
            strip_marks(&lower, &mut term);
            if self.settings.stems_marked_words() {
                // A stemmer knows its endings with their accents, a hurried writer leaves them out: serve both.
                self.word(&lower, shape);
                if term != lower && self.settings.stem_differs(&lower, &term, self.scratch) {
                    self.word(&term, shape.part(shape.start, shape.end));
                }
            } else {
                self.word(&term, shape);
            }
            self.scratch.term = term;
        }
        self.scratch.lower = lower;
    }

    /// Words with an apostrophe: possessives, contractions, elisions, names.
    fn apostrophes(&mut self, text: &str, flags: u8, shape: Shape) {
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
                    self.plain_atom(
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
            return self.plain_atom(stem, flags, shape);
        }
        let suffix = |s: &str| tail.eq_ignore_ascii_case(s);
        let clitic = suffix("s")
            || (matches!(language, Language::English | Language::Neutral)
                && ["m", "d", "re", "ll", "ve"].into_iter().any(suffix));
        if clitic && !head.contains(is_apostrophe) {
            return self.plain_atom(head, flags, shape);
        }
        let negation = suffix("t") && head.ends_with(['n', 'N']) && self.settings.stop.negations;
        let mut joined = std::mem::take(&mut self.scratch.whole);
        joined.clear();
        joined.extend(text.split(is_apostrophe));
        if negation {
            joined.make_ascii_lowercase();
            (self.sink)(Term {
                text: clip(&joined),
                range: shape.start..shape.end,
                kind: shape.kind,
                stop: true,
                weight: shape.weight,
            });
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
                self.plain_atom(tail, flags, shape.part(start, shape.end));
            }
        }
        self.scratch.whole = joined;
    }

    /// Parts of `orderId`.
    fn case_parts(&mut self, text: &str, shape: Shape) {
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
    fn mixed_parts(&mut self, text: &str, shape: Shape) {
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

    /// A number: `42`, `1,234.50`, `3.14`, `1.2.3`.
    fn number(&mut self, text: &str, flags: u8, shape: Shape) {
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

    fn whole_number(&mut self, shape: Shape) {
        (self.sink)(Term {
            text: clip(&self.scratch.whole),
            range: shape.start..shape.end,
            kind: shape.kind,
            stop: false,
            weight: shape.weight,
        });
    }

    /// Digits; days, months and minutes lose their leading zero.
    fn digits(&mut self, text: &str, shape: Shape) {
        let text = match text.as_bytes() {
            [b'0', _] => text.get(1..).unwrap_or(text),
            _ => text,
        };
        (self.sink)(Term {
            text: clip(text),
            range: shape.start..shape.end,
            kind: shape.kind,
            stop: false,
            weight: shape.weight,
        });
    }

    /// Chinese and Japanese: every pair of neighbours, and every Chinese character by itself.
    fn characters(&mut self, text: &str, shape: Shape) {
        let mut folded = std::mem::take(&mut self.scratch.lower);
        folded.clear();
        let stable = text.chars().all(|c| matches!(u32::from(c), 0x3005 | 0x3041..=0x3096 | 0x30A1..=0x30FE | 0x3400..=0x9FFF));
        if stable {
            folded.push_str(text);
        } else {
            folded.extend(text.nfkc().filter(|&c| !is_ignorable(c)));
        }
        let mut units = folded
            .char_indices()
            .map(|(i, c)| (i, i + c.len_utf8(), c))
            .peekable();
        let alone = folded.chars().nth(1).is_none();
        while let Some((start, end, c)) = units.next() {
            if alone || is_ideograph(c) {
                let weight = if alone {
                    shape.weight
                } else {
                    shape.weight * UNIGRAM
                };
                self.gram(&folded, start, end, stable, Shape { weight, ..shape });
            }
            if let Some(&(_, next, _)) = units.peek() {
                self.gram(&folded, start, next, stable, shape);
            }
        }
        self.scratch.lower = folded;
    }

    fn gram(&mut self, run: &str, start: usize, end: usize, exact: bool, shape: Shape) {
        let Some(text) = run.get(start..end) else {
            return;
        };
        (self.sink)(Term {
            text: clip(text),
            range: if exact {
                shape.start + start..shape.start + end
            } else {
                shape.start..shape.end
            },
            kind: TermKind::Gram,
            stop: false,
            weight: shape.weight,
        });
    }

    /// Thai and its like: every pair of neighbouring grapheme clusters.
    fn clusters(&mut self, text: &str, shape: Shape) {
        let mut gram = std::mem::take(&mut self.scratch.lower);
        let mut clusters = text.grapheme_indices(true).peekable();
        let mut first = true;
        while let Some((start, cluster)) = clusters.next() {
            let next = clusters.peek().map_or("", |&(_, c)| c);
            if next.is_empty() && !first {
                break;
            }
            first = false;
            let end = start + cluster.len() + next.len();
            gram.clear();
            gram.extend(
                text.get(start..end)
                    .unwrap_or("")
                    .nfkc()
                    .filter(|&c| !is_ignorable(c)),
            );
            let shape = Shape {
                start: shape.start + start,
                end: shape.start + end,
                ..shape
            };
            self.gram(&gram, 0, gram.len(), false, shape);
        }
        self.scratch.lower = gram;
    }

    /// Korean: the word, and pairs inside it, since particles are written onto the word.
    fn korean(&mut self, text: &str, shape: Shape) {
        let mut word = std::mem::take(&mut self.scratch.lower);
        word.clear();
        fold_case(text, Language::Neutral, &mut word);
        self.word(&word, shape);
        if word.chars().nth(2).is_some() {
            let exact = word == text;
            let pairs = word.char_indices().zip(word.char_indices().skip(1));
            for ((start, _), (middle, c)) in pairs {
                let shape = Shape {
                    weight: shape.weight * INNER,
                    ..shape
                };
                self.gram(&word, start, middle + c.len_utf8(), exact, shape);
            }
        }
        self.scratch.lower = word;
    }
}
