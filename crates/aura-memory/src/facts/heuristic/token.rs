//! Words, numbers and marks of a message, with what the lexicon says of each.

mod lexer;

use super::lexicon::{Class, Entry};
use super::patterns::{Patterns, bit, word_matches};

/// What a token is, by its letters alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// Before the first or after the last token.
    #[default]
    None,
    /// Letters, possibly with digits, hyphens and dots inside.
    Word,
    /// Digits with what is written onto them: `9,500`, `40k`, `21st`, `3pm`, `10:30`.
    Number,
    /// `$`, `€` and their like.
    Currency,
    Comma,
    /// A full stop that ends a sentence, or the end of a line.
    Stop,
    Question,
    Exclamation,
    Semicolon,
    Colon,
    /// A dash between words.
    Dash,
    /// `→`, `->`.
    Arrow,
    Slash,
    Quote,
    Open,
    Close,
    /// Anything else that is no word.
    Other,
}

/// One token. Contractions give two: `don't` is `do` and `not`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Token {
    /// Where it stands in the text, in bytes.
    pub(super) start: u32,
    pub(super) end: u32,
    fold_start: u32,
    fold_end: u32,
    pub(super) kind: Kind,
    entry: Entry,
    /// The marks of its folded form and its lemma, for [`Patterns`].
    marks: [u16; 2],
    /// Begins with a capital letter.
    pub(super) capital: bool,
    /// Stands between quotation marks.
    pub(super) quoted: bool,
}

impl Token {
    pub(super) fn has(&self, class: Class) -> bool {
        self.entry.class.has(class)
    }

    pub(super) fn forms(&self) -> u8 {
        self.entry.forms
    }

    /// Whether it belongs inside a phrase: a word, number or currency sign.
    pub(super) fn is_wordy(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number | Kind::Currency)
    }

    /// Whether it is a word of grammar: an article, pronoun, preposition, conjunction or adverb.
    pub(super) fn is_function_word(&self) -> bool {
        self.has(
            Class::DET
                .with(Class::MY)
                .with(Class::THEIR)
                .with(Class::I)
                .with(Class::WE)
                .with(Class::IT)
                .with(Class::OTHER)
                .with(Class::PREP)
                .with(Class::AND)
                .with(Class::ADV)
                .with(Class::WH)
                .with(Class::NOT)
                .with(Class::BE)
                .with(Class::NUM),
        )
    }

    /// Whether a sentence ends with it.
    pub(super) fn ends_sentence(&self) -> bool {
        matches!(
            self.kind,
            Kind::Stop | Kind::Question | Kind::Exclamation | Kind::Semicolon
        )
    }
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub(super) struct Tokens<'a> {
    pub(super) text: &'a str,
    list: Vec<Token>,
    folded: String,
    /// Classes of all its words together: what cannot occur need not be looked for.
    pub(super) classes: Class,
    /// Some word other than `I` has a capital inside a sentence, so lower case means something.
    pub(super) cased: bool,
    /// There are Chinese characters.
    pub(super) has_han: bool,
}

impl<'a> Tokens<'a> {
    /// Splits `text`; takes time linear in it.
    pub(super) fn of(text: &'a str) -> Self {
        let mut tokens = Self {
            text,
            list: Vec::with_capacity(text.len() / 4 + 4),
            folded: String::with_capacity(text.len()),
            classes: Class::default(),
            cased: false,
            has_han: false,
        };
        let mut at = 0;
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            at = tokens.push(at, c);
        }
        tokens.mark_quotes();
        tokens
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The token at a place; an empty one outside.
    pub(super) fn at(&self, place: usize) -> Token {
        self.list.get(place).copied().unwrap_or_default()
    }

    /// The token before a place.
    pub(super) fn before(&self, place: usize) -> Token {
        place
            .checked_sub(1)
            .map_or_else(Token::default, |p| self.at(p))
    }

    pub(super) fn kind(&self, place: usize) -> Kind {
        self.list.get(place).map_or(Kind::None, |token| token.kind)
    }

    pub(super) fn has(&self, place: usize, class: Class) -> bool {
        self.list.get(place).is_some_and(|token| token.has(class))
    }

    /// The word in lower case, plain apostrophes, without the apostrophe of a contraction.
    pub(super) fn fold(&self, place: usize) -> &str {
        self.list.get(place).map_or("", |token| {
            self.folded
                .get(token.fold_start as usize..token.fold_end as usize)
                .unwrap_or_default()
        })
    }

    /// The dictionary form of a known verb, else the folded word.
    pub(super) fn lemma(&self, place: usize) -> &str {
        match self.at(place).entry.lemma {
            "" => self.fold(place),
            lemma => lemma,
        }
    }

    /// The words of the text from one token up to another, as written.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        if from >= to {
            return "";
        }
        let (first, last) = (self.at(from), self.before(to));
        self.text
            .get(first.start as usize..last.end as usize)
            .unwrap_or_default()
    }

    /// Matches a pattern of words by lemma or folded form, `a|b` for alternatives; gives the place after it.
    pub(super) fn matches(&self, place: usize, pattern: &str) -> Option<usize> {
        let mut rest = pattern.as_bytes();
        let mut at = place;
        while !rest.is_empty() {
            let token = self.list.get(at)?;
            let fold = self.folded_bytes(token);
            rest = word_matches(rest, fold, token.entry.lemma.as_bytes())?;
            at += 1;
        }
        Some(at)
    }

    /// Whether one of the patterns begins at a place; gives the place after it.
    #[inline]
    pub(super) fn any(&self, place: usize, patterns: &Patterns) -> Option<usize> {
        self.any_from(place, place.wrapping_add(1), patterns)
    }

    /// Whether one of the patterns has its first word at a place, and the others from `next` on. Most places begin none:
    /// that much is decided where it is asked.
    #[inline]
    pub(super) fn any_from(&self, place: usize, next: usize, patterns: &Patterns) -> Option<usize> {
        let token = self.list.get(place)?;
        let [own, lemma] = token.marks;
        if !patterns.may_begin(own) && !patterns.may_begin(lemma) {
            return None;
        }
        self.first_of(token, next, patterns)
    }

    #[inline(never)]
    fn first_of(&self, token: &Token, next: usize, patterns: &Patterns) -> Option<usize> {
        let [own, lemma] = token.marks;
        let bits = bit(own) | bit(lemma);
        let (fold, lemma) = (self.folded_bytes(token), token.entry.lemma.as_bytes());
        patterns.list.iter().find_map(|(beginnings, pattern)| {
            if bits & beginnings == 0 {
                return None;
            }
            let rest = word_matches(pattern.as_bytes(), fold, lemma)?;
            if rest.is_empty() {
                return Some(next);
            }
            let rest = pattern.get(pattern.len() - rest.len()..)?;
            self.matches(next, rest)
        })
    }

    fn folded_bytes(&self, token: &Token) -> &[u8] {
        self.folded
            .as_bytes()
            .get(token.fold_start as usize..token.fold_end as usize)
            .unwrap_or_default()
    }
}
