//! Turns atoms into terms.

mod apostrophe;
mod number;
mod parts;
mod unspaced;

use super::Settings;
use super::compound::{Joiner, MAX_ATOMS, Plan};
use super::fold::{fold_case, has_marks, strip_marks};
use super::language::Language;
use super::scratch::{Key, Scratch, Stem};
use super::script::Script;
use super::segment::{ALPHA, APOSTROPHE, Atom, DIGIT, LOWER, UPPER, WIDE};
use super::term::{MAX_TERM_BYTES, Term, TermKind, clip};

/// How a term is to be shown: what is known of a [`Term`] before its text.
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

    #[inline]
    fn term(self, text: &str, stop: bool) -> Term<'_> {
        Term {
            text,
            range: self.start..self.end,
            kind: self.kind,
            stop,
            weight: self.weight,
        }
    }
}

/// Emits the terms of one text.
pub(super) struct Emitter<'a, F> {
    text: &'a str,
    settings: &'a Settings,
    scratch: &'a mut Scratch,
    sink: F,
    /// The last atom, which the next one may be joined to.
    pending: Option<Atom>,
}

impl<'a, F: FnMut(Term<'_>)> Emitter<'a, F> {
    pub(super) fn new(
        text: &'a str,
        settings: &'a Settings,
        scratch: &'a mut Scratch,
        sink: F,
    ) -> Self {
        scratch.group.clear();
        Self {
            text,
            settings,
            scratch,
            sink,
            pending: None,
        }
    }

    /// Takes the next atom; it is emitted once the one after it shows whether they are joined.
    #[inline]
    pub(super) fn push(&mut self, atom: Atom) {
        let spaced = |a: &Atom| !matches!(a.script, Script::Cjk | Script::Unspaced);
        let joined = self.pending.as_ref().is_some_and(|last| {
            Joiner::between(self.text, last.end, atom.start).is_some()
                && spaced(last)
                && spaced(&atom)
        });
        match self.pending.take() {
            Some(last) if joined && self.scratch.group.len() < MAX_ATOMS => {
                self.scratch.group.push(last);
            }
            Some(last) => self.close(last),
            None => {}
        }
        self.pending = Some(atom);
    }

    /// Emits what is still held back at the end of the text.
    pub(super) fn finish(mut self) {
        if let Some(last) = self.pending.take() {
            self.close(last);
        }
    }

    /// Emits the word or compound that ends with `last`.
    #[inline]
    fn close(&mut self, last: Atom) {
        if self.scratch.group.is_empty() {
            self.sharp(&last);
            self.atom(&last, TermKind::Word, 1.0);
        } else {
            let mut group = std::mem::take(&mut self.scratch.group);
            group.push(last);
            self.compound(&group);
            group.clear();
            self.scratch.group = group;
        }
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
                let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
                whole.extend(letters.map(|b| char::from(b.to_ascii_lowercase())));
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
        let (Some(letter), Some(after)) = (bytes.get(atom.start), bytes.get(atom.end..)) else {
            return;
        };
        let tail = match after {
            [b'+', b'+', ..] => "++",
            [b'#', ..] => "#",
            _ => return,
        };
        let whole = &mut self.scratch.whole;
        whole.clear();
        whole.push(char::from(letter.to_ascii_lowercase()));
        whole.push_str(tail);
        let shape = Shape {
            start: atom.start,
            end: atom.end + tail.len(),
            kind: TermKind::Whole,
            weight: 1.0,
        };
        (self.sink)(shape.term(whole, false));
    }

    #[inline]
    fn atom(&mut self, atom: &Atom, kind: TermKind, weight: f32) {
        let text = self.text;
        let Some(text) = text.get(atom.start..atom.end) else {
            return;
        };
        let shape = Shape {
            start: atom.start,
            end: atom.end,
            kind,
            weight,
        };
        match atom.script {
            Script::Spaced if atom.flags & APOSTROPHE != 0 => {
                self.apostrophes(text, atom.flags, shape)
            }
            Script::Spaced => self.spaced(text, atom.flags, shape),
            Script::Cjk => self.characters(text, shape),
            Script::Unspaced => self.clusters(text, shape),
            Script::Hangul => self.korean(text, shape),
        }
    }

    /// A word or number without an apostrophe.
    #[inline]
    fn spaced(&mut self, text: &str, flags: u8, shape: Shape) {
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

    /// An ASCII word in any case.
    #[inline]
    fn ascii_word(&mut self, text: &str, shape: Shape) {
        // Turkish has two letters I, and the one without a dot is not that of other languages.
        if self.settings.language == Language::Turkish && text.contains('I') {
            return self.wide_word(text, shape);
        }
        let key = Key::lower_case(text.as_bytes());
        if let Some(stem) = key.as_ref().and_then(|k| self.scratch.cache.get(k)) {
            return (self.sink)(shape.term(&stem.text, stem.stop));
        }
        let mut lower = std::mem::take(&mut self.scratch.lower);
        lower.clear();
        lower.push_str(clip(text));
        lower.make_ascii_lowercase();
        self.new_word(&lower, key, shape);
        self.scratch.lower = lower;
    }

    /// A word that is folded already.
    fn word(&mut self, word: &str, shape: Shape) {
        let key = Key::lower_case(word.as_bytes());
        match key.as_ref().and_then(|k| self.scratch.cache.get(k)) {
            Some(stem) => (self.sink)(shape.term(&stem.text, stem.stop)),
            None => self.new_word(word, key, shape),
        }
    }

    /// Stems a folded word, looks whether it is a stop word, and remembers both.
    fn new_word(&mut self, word: &str, key: Option<Key>, shape: Shape) {
        let stop = self.settings.stop.contains(word);
        self.settings.stem(word, &mut self.scratch.plain);
        let text = clip(&self.scratch.plain);
        if text.is_empty() {
            return;
        }
        if let Some(key) = key {
            let text = text.into();
            self.scratch.cache.put(key, Stem { text, stop });
        }
        (self.sink)(shape.term(text, stop));
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
}
