//! Noun phrases after a verb: where they end, what they enumerate, which of their words count.

use smallvec::SmallVec;

use super::clause::{Marks, is_break, verb_group};
use super::lexicon::{self, Class};
use super::token::{Kind, Tokens};
use super::value::{self, Sort};
use crate::facts::heuristic::patterns::{Patterns, words};

/// A range of tokens.
pub(super) type Span = (usize, usize);

/// Stems by which facts are found again.
pub(super) type Words = SmallVec<[String; 4]>;

/// Adverbials of time and manner that end an object without belonging to it.
const ADVERBIALS: &Patterns = words![
    "any more|longer",
    "anymore",
    "these days",
    "at the moment",
    "at present",
    "right now",
    "for now",
    "for good",
    "as well",
    "after all",
    "as of",
    "from now on",
    "last|this|next|past week|month|year|spring|summer|autumn|fall|winter|weekend|night|morning|semester|quarter",
    "last|this|next|past few|couple",
    "last|this|next|past monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "last|this|next|past january|february|march|april|may|june|july|august|september|october|november|december",
    "over the summer|winter|weekend|holidays|break",
    "a|one|two|three|few|couple few|day|days|week|weeks|month|months|year|years|of",
    "in the end",
    "by the way",
    "because of",
    "thanks to",
    "due to",
    "so far",
    "at last",
    "again",
    "now",
    "instead",
    "too",
    "please",
];

/// Where the object that begins at `from` ends: at a mark, a new clause, or an adverbial. Commas and `and` are kept when
/// `list` says that the object may enumerate.
pub(super) fn object_end(tokens: &Tokens<'_>, from: usize, to: usize, list: bool) -> usize {
    let mut at = from;
    while at < to {
        let token = tokens.at(at);
        let stops = token.has(Class::BECAUSE.with(Class::WHILE).with(Class::IF))
            && !is_place_word(tokens, at)
            || token.has(Class::WH)
            || at > from && token.has(Class::NOT)
            || tokens.fold(at) == "but"
            || token.has(Class::ADV) && token.has(Class::NOW.with(Class::GREETING)) && at > from
            || tokens
                .any(at, ADVERBIALS)
                .is_some_and(|next| at > from || next > at + 1)
            || token.has(Class::UNIT) && tokens.fold(at + 1) == "ago"
            || at > from
                && tokens.any(at, words!["last|this|next|past"]).is_some()
                && tokens.has(at + 1, Class::DAY.with(Class::UNIT).with(Class::MONTH));
        if stops
            || matches!(
                token.kind,
                Kind::Stop | Kind::Open | Kind::Dash | Kind::Colon | Kind::Arrow | Kind::Quote
            )
        {
            break;
        }
        if (token.kind == Kind::Comma || token.has(Class::AND))
            && (!list || !continues(tokens, at, to))
        {
            break;
        }
        at += 1;
    }
    let dangles = Class::AND.with(Class::PREP);
    while at > from
        && (is_break(tokens, at - 1)
            || tokens.has(at - 1, dangles) && !tokens.has(at - 1, Class::HABIT))
    {
        at -= 1;
    }
    at
}

/// `since` and its like are prepositions inside an object only before a place or time, where the object has ended anyway.
fn is_place_word(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.has(at, Class::PREP) && !matches!(tokens.fold(at), "since" | "as" | "until" | "till")
        || tokens.fold(at) == "as" && tokens.has(at + 1, Class::DET)
}

/// Whether a comma or `and` is followed by one more item.
fn continues(tokens: &Tokens<'_>, at: usize, to: usize) -> bool {
    let mut next = at + 1;
    while next < to && (tokens.has(next, Class::AND) || tokens.kind(next) == Kind::Comma) {
        next += 1;
    }
    let token = tokens.at(next);
    let other = Class::WH
        .with(Class::NOT)
        .with(Class::I)
        .with(Class::WE)
        .with(Class::BECAUSE)
        .with(Class::GREETING);
    let place = token.has(Class::PREP) && !token.has(Class::ADV);
    // `…, taking the train` tells how, and is no item.
    let manner =
        token.forms() == lexicon::form::ING && tokens.at(next + 1).has(Class::DET.with(Class::MY));
    next < to && token.is_wordy() && !token.has(other) && !place && !manner
}

/// The items that `from..to` enumerates: split at commas and `and`; names that stand in apposition stay with what they
/// name (`two cats, Miso and Nori`).
pub(super) fn items(tokens: &Tokens<'_>, from: usize, to: usize) -> SmallVec<[Span; 6]> {
    let mut items: SmallVec<[Span; 6]> = SmallVec::new();
    let mut start = from;
    let mut at = from;
    while at <= to {
        let separates = at == to
            || tokens.kind(at) == Kind::Comma
            || tokens.has(at, Class::AND) && tokens.fold(at) != "yet";
        if separates {
            if start < at {
                push_item(tokens, &mut items, (start, at));
            }
            start = at + 1;
        }
        at += 1;
    }
    items
}

fn push_item(tokens: &Tokens<'_>, items: &mut SmallVec<[Span; 6]>, item: Span) {
    let first = tokens.at(item.0);
    if let Some(last) = items.last_mut() {
        let bare = !tokens.cased
            && item.1 == item.0 + 1
            && !first.has(Class::ANIMAL.with(Class::NUM).with(Class::VERB))
            && tokens.has(last.0, Class::NUM);
        let names_something =
            (first.capital || bare) && item.1 - item.0 <= 2 && named_kind(tokens, *last);
        let continues_names = names_something && tokens.kind(item.0.wrapping_sub(1)) == Kind::Comma
            || (first.capital || bare) && last.1 - last.0 > 2 && has_apposition(tokens, *last);
        if continues_names {
            last.1 = item.1;
            return;
        }
    }
    items.push(item);
}

/// Whether an item speaks of animals or relatives, which have names.
fn named_kind(tokens: &Tokens<'_>, item: Span) -> bool {
    (item.0..item.1).any(|i| tokens.has(i, Class::ANIMAL.with(Class::KIN)))
        && !tokens.at(item.0).capital
}

fn has_apposition(tokens: &Tokens<'_>, item: Span) -> bool {
    named_kind(tokens, item)
        && (item.0..item.1).any(|i| {
            tokens.kind(i) == Kind::Comma || matches!(tokens.fold(i), "named" | "called" | "name")
        })
}

/// An object without the date that ends it: `from Siemens on Friday`, `smoking in January`.
pub(super) fn undated(tokens: &Tokens<'_>, span: Span) -> Span {
    let dated = Class::DAY.with(Class::MONTH).with(Class::UNIT);
    let end = (span.0..span.1).find(|i| {
        let preposition = tokens.any(*i, words!["on|in|at|by|since|until|for|from"]);
        let at = preposition.unwrap_or(*i);
        let skip = tokens
            .any(at, words!["the|last|this|next|early|late"])
            .unwrap_or(at);
        *i > span.0
            && (tokens.has(skip, dated)
                || preposition.is_some()
                    && value::read(tokens, skip, span.1)
                        .is_some_and(|value| matches!(value.sort, Sort::Date | Sort::Time)))
            || tokens
                .any(*i, words!["yesterday|today|tonight|tomorrow"])
                .is_some()
    });
    (span.0, end.unwrap_or(span.1))
}

/// The stems of the words that count: no articles, prepositions, pronouns, adverbs.
pub(super) fn content(tokens: &Tokens<'_>, span: Span) -> Words {
    (span.0..span.1)
        .filter(|i| is_content(tokens, *i))
        .map(|i| lexicon::stem(tokens.fold(i)).to_owned())
        .collect()
}

/// Whether a word counts when facts are compared.
pub(super) fn is_content(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let empty = Class::DET
        .with(Class::PREP)
        .with(Class::MY)
        .with(Class::THEIR)
        .with(Class::I)
        .with(Class::WE)
        .with(Class::IT)
        .with(Class::BE)
        .with(Class::AND)
        .with(Class::NOT)
        .with(Class::WILL)
        .with(Class::NOW);
    token.is_wordy()
        && token.kind != Kind::Currency
        && !token.has(empty)
        && !FILLERS.contains(&tokens.fold(at))
}

/// Adjectives that tell versions of the same thing apart, and so are no part of its name.
const FILLERS: [&str; 24] = [
    "new", "current", "final", "total", "overall", "latest", "old", "original", "updated",
    "revised", "actual", "own", "really", "whole", "first", "initial", "'s", "previous", "still",
    "already", "them", "him", "us", "me",
];

/// The head noun of a phrase: its last content word before a preposition.
pub(super) fn head(tokens: &Tokens<'_>, span: Span) -> Option<usize> {
    let leading = Class::PREP
        .with(Class::DET)
        .with(Class::MY)
        .with(Class::THEIR)
        .with(Class::ADV);
    let start = (span.0..span.1)
        .find(|i| !tokens.has(*i, leading) || tokens.has(*i, Class::JOB))
        .unwrap_or(span.1);
    let mut end = start;
    while end < span.1 {
        let token = tokens.at(end);
        if end > start && token.has(Class::PREP.with(Class::WH).with(Class::DET))
            || token.kind == Kind::Comma
            || matches!(tokens.fold(end), "named" | "called")
        {
            break;
        }
        end += 1;
    }
    (span.0..end).rev().find(|i| is_content(tokens, *i))
}

/// Where a run of capitalised words that begins at `at` ends: `St. Olav's`, `New York`.
pub(super) fn name_end(tokens: &Tokens<'_>, at: usize, to: usize) -> usize {
    let mut end = at;
    while end < to {
        let token = tokens.at(end);
        let joins = end > at
            && matches!(
                tokens.fold(end),
                "of" | "de" | "la" | "der" | "van" | "von" | "the" | "&" | "and" | "'s"
            )
            && tokens.at(end + 1).capital
            && end + 1 < to
            && tokens.fold(end) != "and"
            || end > at
                && end + 1 < to
                && tokens.slice(end, end + 1) == "&"
                && tokens.at(end + 1).capital;
        let fits = token.capital && token.is_wordy() && !token.has(Class::I)
            || token.kind == Kind::Number && end > at
            || joins;
        if !fits {
            break;
        }
        end += 1;
    }
    end
}

/// Skips adverbs at the beginning of an object, noting what they mark.
pub(super) fn skip_adverbs(tokens: &Tokens<'_>, at: usize, to: usize, marks: &mut Marks) -> usize {
    verb_group::adverbs(tokens, at, to, marks)
}

/// Whether some adverbial in `from..to` marks the statement as of now, as one more, or as ended.
pub(super) fn marks_in(tokens: &Tokens<'_>, from: usize, to: usize, marks: &mut Marks) {
    for at in from..to {
        if tokens
            .any(at, words!["any more|longer", "anymore"])
            .is_some()
        {
            marks.ended = true;
        }
        marks.now |= tokens
            .any(
                at,
                words![
                    "now",
                    "instead",
                    "these days",
                    "at the moment",
                    "nowadays",
                    "currently"
                ],
            )
            .is_some();
        marks.also |= tokens
            .any(
                at,
                words!["too", "as well", "also", "another", "in addition"],
            )
            .is_some();
    }
}
