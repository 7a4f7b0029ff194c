//! Values with a type: amounts, numbers, dates, times of day.

use smallvec::SmallVec;

use super::lexicon::Class;
use super::token::{Kind, Tokens};
use crate::facts::heuristic::patterns::{Patterns, words};

/// What sort of value it is; values of one sort replace each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Money,
    Percent,
    Number,
    Date,
    Time,
}

/// A value and the tokens it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) sort: Sort,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The values in `from..to`, in order.
pub(super) fn all(tokens: &Tokens<'_>, from: usize, to: usize) -> SmallVec<[Value; 4]> {
    let mut values = SmallVec::new();
    let mut at = from;
    while at < to {
        match read(tokens, at, to) {
            Some(value) => {
                values.push(value);
                at = value.end.max(at + 1);
            }
            None => at += 1,
        }
    }
    values
}

/// The value that begins at `at`, at most up to `to`.
pub(super) fn read(tokens: &Tokens<'_>, at: usize, to: usize) -> Option<Value> {
    let found = money(tokens, at)
        .or_else(|| time(tokens, at))
        .or_else(|| date(tokens, at))
        .or_else(|| number(tokens, at))?;
    (found.end <= to).then_some(found)
}

fn value(sort: Sort, start: usize, end: usize) -> Option<Value> {
    Some(Value { sort, start, end })
}

fn money(tokens: &Tokens<'_>, at: usize) -> Option<Value> {
    const UNITS: &Patterns = words![
        "dollars|dollar|euros|euro|pounds|bucks|usd|eur|gbp|kroner|yen|francs|cents|quid|grand",
        "k",
        "thousand|million",
    ];
    if tokens.kind(at) == Kind::Currency && tokens.kind(at + 1) == Kind::Number {
        let end = tokens
            .any(at + 2, words!["thousand|million|k|m|billion"])
            .unwrap_or(at + 2);
        return value(Sort::Money, at, end);
    }
    if tokens.kind(at) != Kind::Number {
        return None;
    }
    if tokens.kind(at + 1) == Kind::Currency {
        return value(Sort::Money, at, at + 2);
    }
    if let Some(mut end) = tokens.any(at + 1, UNITS) {
        end = tokens.any(end, UNITS).unwrap_or(end);
        return value(Sort::Money, at, end);
    }
    let fold = tokens.fold(at);
    let thousands = fold
        .strip_suffix('k')
        .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    if thousands {
        return value(Sort::Money, at, at + 1);
    }
    None
}

fn time(tokens: &Tokens<'_>, at: usize) -> Option<Value> {
    let fold = tokens.fold(at);
    if tokens.kind(at) == Kind::Number {
        let clock = fold.contains(':') || fold.ends_with("am") || fold.ends_with("pm");
        let plain = fold
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b':' | b'a' | b'p' | b'm'));
        let hour = tokens.fold(at.wrapping_sub(1)) == "at" && is_hour(tokens, at);
        let clock = clock || hour;
        let said = tokens.any(at + 1, words!["am|pm|a.m|p.m|a.m.|p.m.|o'clock"]);
        if let Some(end) = said {
            return value(Sort::Time, at, end);
        }
        return (clock && plain).then_some(Value {
            sort: Sort::Time,
            start: at,
            end: at + 1,
        });
    }
    matches!(fold, "noon" | "midnight" | "noonish").then_some(Value {
        sort: Sort::Time,
        start: at,
        end: at + 1,
    })
}

/// A plain number that can only be an hour after `at`: nothing follows that it counts.
fn is_hour(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    let counts =
        next.is_wordy() && !next.is_function_word() && !next.has(Class::DAY.with(Class::UNIT));
    !counts
        && tokens
            .fold(at)
            .parse::<u8>()
            .is_ok_and(|hour| (1..=24).contains(&hour))
}

/// `Q2`, `H1`, perhaps with its year.
fn quarter(tokens: &Tokens<'_>, at: usize) -> Option<Value> {
    let named = matches!(tokens.fold(at), "q1" | "q2" | "q3" | "q4" | "h1" | "h2");
    let of = tokens.any(at + 1, words!["of"]).unwrap_or(at + 1);
    named.then(|| Value {
        sort: Sort::Date,
        start: at,
        end: if is_year(tokens, of) { of + 1 } else { at + 1 },
    })
}

fn date(tokens: &Tokens<'_>, at: usize) -> Option<Value> {
    if let Some(found) = quarter(tokens, at) {
        return Some(found);
    }
    if let Some(next) = tokens.any(
        at,
        words![
            "next|this|last|coming|following",
            "end|middle|start|beginning of",
            "early|late|mid"
        ],
    ) {
        let next = tokens.any(next, words!["the"]).unwrap_or(next);
        if tokens.has(next, Class::DAY.with(Class::MONTH).with(Class::UNIT)) {
            let end = date(tokens, next).map_or(next + 1, |inner| inner.end);
            return value(Sort::Date, at, end);
        }
    }
    if is_month(tokens, at) {
        let mut end = at + 1;
        if tokens.any(end, words!["the"]).is_some() && is_day_number(tokens, end + 1) {
            end += 1;
        }
        if is_day_number(tokens, end) {
            end += 1;
            let ranged = tokens.kind(end) == Kind::Dash && is_day_number(tokens, end + 1);
            end += usize::from(ranged) * 2;
        }
        let comma = usize::from(tokens.kind(end) == Kind::Comma);
        if is_year(tokens, end + comma) {
            end += comma + 1;
        }
        return value(Sort::Date, at, end);
    }
    if is_weekday(tokens, at) {
        let part = tokens.any(at + 1, words!["morning|afternoon|evening|night"]);
        return value(Sort::Date, at, part.unwrap_or(at + 1));
    }
    if is_day_number(tokens, at) {
        let of = tokens.any(at + 1, words!["of"]).unwrap_or(at + 1);
        if is_month(tokens, of) {
            let end = if is_year(tokens, of + 1) {
                of + 2
            } else {
                of + 1
            };
            return value(Sort::Date, at, end);
        }
        let ordinal = tokens.fold(at).ends_with(['t', 'd', 'h']) && !tokens.at(at + 1).is_wordy();
        if ordinal {
            return value(Sort::Date, at, at + 1);
        }
    }
    let fold = tokens.fold(at);
    let separators = fold.bytes().filter(|b| matches!(b, b'-' | b'/')).count();
    let written = tokens.kind(at) == Kind::Number && separators >= 1 && fold.len() >= 4;
    let prepositioned = tokens
        .any(at.wrapping_sub(1), words!["in|by|until|since|for"])
        .is_some();
    if written && fold.len() >= 8
        || written && separators == 1 && fold.contains('/')
        || is_year(tokens, at) && prepositioned
    {
        return value(Sort::Date, at, at + 1);
    }
    None
}

/// Words that name a day; `sun` and `sat` only with a capital.
fn is_weekday(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.has(at, Class::DAY) && (tokens.fold(at).len() > 4 || tokens.at(at).capital)
}

/// Names of months; `may`, `march` and `sun` are words too, so short and ambiguous ones need a capital or a number.
fn is_month(tokens: &Tokens<'_>, at: usize) -> bool {
    let fold = tokens.fold(at);
    tokens.has(at, Class::MONTH)
        && (tokens.at(at).capital
            || is_day_number(tokens, at + 1)
            || fold.len() > 5 && fold != "august")
}

fn is_day_number(tokens: &Tokens<'_>, at: usize) -> bool {
    if tokens.kind(at) != Kind::Number {
        return false;
    }
    // `12-15` of `July 12-15`
    let fold = tokens.fold(at);
    let fold = fold.split_once('-').map_or(fold, |(first, _)| first);
    let digits = fold.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = fold.get(digits.len()..).unwrap_or_default();
    matches!(suffix, "" | "st" | "nd" | "rd" | "th")
        && digits
            .parse::<u8>()
            .is_ok_and(|day| (1..=31).contains(&day))
}

fn is_year(tokens: &Tokens<'_>, at: usize) -> bool {
    let fold = tokens.fold(at);
    tokens.kind(at) == Kind::Number
        && fold.len() == 4
        && fold
            .parse::<u16>()
            .is_ok_and(|year| (1900..2100).contains(&year))
}

fn number(tokens: &Tokens<'_>, at: usize) -> Option<Value> {
    let numeral = tokens.kind(at) == Kind::Number;
    if !numeral && !tokens.has(at, Class::NUM) {
        return None;
    }
    // `one` is more often a pronoun.
    if !numeral
        && matches!(tokens.fold(at), "one" | "both" | "couple" | "half")
        && !tokens.at(at + 1).is_wordy()
    {
        return None;
    }
    if tokens.fold(at).ends_with('%') || tokens.any(at + 1, words!["percent"]).is_some() {
        let end = if tokens.fold(at).ends_with('%') {
            at + 1
        } else {
            at + 2
        };
        return value(Sort::Percent, at, end);
    }
    let end = tokens
        .any(at + 1, words!["hundred|thousand|million|dozen"])
        .unwrap_or(at + 1);
    value(Sort::Number, at, end)
}

/// The noun that a number counts: `chairs` of `40 wooden chairs`; gives its place.
pub(super) fn unit(tokens: &Tokens<'_>, number: Value, to: usize) -> Option<usize> {
    let mut at = number.end;
    let mut noun = None;
    while at < to && at < number.end + 4 {
        let token = tokens.at(at);
        let ends = Class::PREP
            .with(Class::AND)
            .with(Class::NOT)
            .with(Class::BE)
            .with(Class::HAVE)
            .with(Class::WILL)
            .with(Class::ADV)
            .with(Class::DET);
        if token.kind != Kind::Word || token.has(ends) {
            break;
        }
        noun = Some(at);
        at += 1;
    }
    noun
}
