//! Values in the text of a fact that another value of the same shape can take the place of.

use smallvec::SmallVec;

use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value::{self, Sort};

/// What a value looks like; only values that look alike replace each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Shape {
    /// The number of one of several things that are counted through: `room 214`, `season 2`.
    Designator(String),
    /// A number, amount, date or time; with the stem of what it counts, if that is said.
    Typed(Sort, Option<String>),
    /// An address of electronic mail.
    Mail,
    /// A long number that counts nothing.
    Phone,
    /// A word of one of the kinds that exclude each other.
    Kind(usize),
    /// A proper name.
    Name,
    /// A common noun that is all that a verb acts on.
    Noun,
}

/// A value: its words, and what it looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Given {
    pub(in super::super) span: Span,
    pub(in super::super) shape: Shape,
}

/// The value that begins at `at`, at most up to `to`.
pub(in super::super) fn read(tokens: &Tokens<'_>, at: usize, to: usize) -> Option<Given> {
    let token = tokens.at(at);
    if at >= to || !token.is_wordy() {
        return None;
    }
    let given = |span: Span, shape| Some(Given { span, shape });
    if tokens.fold(at).contains('@') {
        return given((at, at + 1), Shape::Mail);
    }
    if is_numbered(tokens.fold(at))
        && tokens.kind(at + 1) == Kind::Number
        && at + 1 < to
        && !tokens.has(at + 2, Class::UNIT)
    {
        let noun = lexicon::stem(tokens.fold(at)).to_owned();
        return given((at, at + 2), Shape::Designator(noun));
    }
    if let Some(end) = phone_end(tokens, at, to) {
        return given((at, end), Shape::Phone);
    }
    if let Some(value) = value::read(tokens, at, to) {
        let unit = match value.sort {
            Sort::Number => counted(tokens, value.start, value.end, to),
            _ => None,
        };
        return given((value.start, value.end), Shape::Typed(value.sort, unit));
    }
    let named = phrase::name_end(tokens, at, to) > at + 1;
    if let Some(kind) = lexicon::kind_of(tokens.fold(at)).filter(|_| !named) {
        return given((at, at + 1), Shape::Kind(kind));
    }
    let plain = !token.has(Class::I.with(Class::DAY).with(Class::MONTH));
    let end = phrase::name_end(tokens, at, to);
    (end > at && plain && token.kind == Kind::Word)
        .then_some(())
        .and_then(|()| given((at, end), Shape::Name))
}

/// Things that are told apart by a number.
fn is_numbered(word: &str) -> bool {
    matches!(
        word,
        "room"
            | "seat"
            | "gate"
            | "season"
            | "episode"
            | "chapter"
            | "version"
            | "platform"
            | "track"
            | "bus"
            | "line"
            | "floor"
            | "table"
            | "page"
            | "level"
            | "unit"
            | "apartment"
            | "flat"
            | "building"
            | "terminal"
            | "exit"
            | "aisle"
            | "row"
            | "locker"
            | "lane"
            | "tram"
            | "route"
            | "group"
            | "size"
            | "grade"
            | "step"
            | "part"
            | "volume"
            | "issue"
            | "flight"
            | "door"
            | "box"
            | "class"
            | "suite"
            | "bay"
            | "zone"
            | "phase"
            | "round"
    )
}

/// A common noun at `at` that ends the object: `biology`, `organic chemistry`.
pub(super) fn noun(tokens: &Tokens<'_>, at: usize, to: usize) -> Option<Given> {
    let mut end = at;
    while end < to && end < at + 3 && is_noun(tokens, end) {
        end += 1;
    }
    let whole = end >= to || !tokens.at(end).is_wordy() || tokens.at(end).is_function_word();
    (end > at && whole).then_some(Given {
        span: (at, end),
        shape: Shape::Noun,
    })
}

fn is_noun(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let other = Class::VERB
        .with(Class::VAGUE)
        .with(Class::UNIT)
        .with(Class::DAY)
        .with(Class::MONTH)
        .with(Class::KIN);
    token.kind == Kind::Word && !token.is_function_word() && !token.has(other)
}

/// The common noun that the verb at the beginning of a fact acts on.
fn object(tokens: &Tokens<'_>) -> Option<Span> {
    let verb = (0..tokens.len().min(4))
        .rev()
        .find(|i| tokens.has(*i, Class::HABIT))?;
    noun(tokens, verb + 1, tokens.len()).map(|given| given.span)
}

/// `555-0134`, `+47 900 12 345`.
fn phone_end(tokens: &Tokens<'_>, at: usize, to: usize) -> Option<usize> {
    let mut end = at;
    let mut digits = 0;
    while end < to && end < at + 6 && tokens.kind(end) == Kind::Number {
        let fold = tokens.fold(end);
        if !fold.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            break;
        }
        digits += fold.bytes().filter(u8::is_ascii_digit).count();
        end += 1;
    }
    let single = end == at + 1 && !tokens.fold(at).contains('-');
    let dated = end == at + 1 && digits == 8 && tokens.fold(at).matches('-').count() == 2;
    (digits >= 7 && !single && !dated).then_some(end)
}

/// What a number counts: `chair` of `40 wooden chairs`, `g` of `200g`.
fn counted(tokens: &Tokens<'_>, start: usize, end: usize, to: usize) -> Option<String> {
    let written = tokens.fold(start);
    let letters = written.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    if tokens.kind(start) == Kind::Number
        && !letters.is_empty()
        && !matches!(letters, "st" | "nd" | "rd" | "th" | "k" | "m")
    {
        return Some(lexicon::stem(letters).to_owned());
    }
    let mut noun = None;
    for at in end..to.min(end + 3) {
        let token = tokens.at(at);
        let ends = token.kind != Kind::Word
            || token.is_function_word()
            || token.has(Class::HAVE.with(Class::WILL).with(Class::DO))
            || matches!(tokens.fold(at), "left" | "total" | "now" | "please");
        if ends {
            break;
        }
        noun = Some(at);
    }
    noun.map(|at| lexicon::stem(tokens.fold(at)).to_owned())
}

/// Where values of this shape stand in the text of a fact. With `held` the fact says who has a role, and may begin with the
/// name.
pub(super) fn slots(tokens: &Tokens<'_>, shape: &Shape, held: bool) -> SmallVec<[Span; 2]> {
    let mut found = SmallVec::new();
    if *shape == Shape::Noun {
        found.extend(object(tokens));
        return found;
    }
    let mut at = 0;
    while at < tokens.len() {
        // A name at the beginning is who or what the fact is about.
        let leading = at == 0 && matches!(shape, Shape::Name) && !held;
        match read(tokens, at, tokens.len()) {
            Some(given) => {
                if !leading && alike(&given.shape, shape) {
                    found.push(given.span);
                }
                at = given.span.1.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

fn alike(old: &Shape, new: &Shape) -> bool {
    match (old, new) {
        (Shape::Typed(Sort::Money, _), Shape::Typed(Sort::Number, None))
        | (Shape::Typed(Sort::Number, None), Shape::Typed(Sort::Money, _)) => true,
        (Shape::Typed(old, of), Shape::Typed(new, unit)) => {
            old == new && (unit.is_none() || of == unit)
        }
        _ => old == new,
    }
}
