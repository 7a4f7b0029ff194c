//! Words that put one value in the place of another.

mod exchange;

use super::super::after;
use super::Contrast;
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense, is_break};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value;
use exchange::arrow;
pub(super) use exchange::exchanged;

pub(super) fn find(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    if clause.mood == Mood::Asserted && !clause.marks.negated && clause.tense != Tense::Former {
        let moved = exchanged(tokens, clause)
            .or_else(|| from_to(tokens, clause))
            .or_else(|| arrow(tokens, clause));
        if moved.is_some() {
            return moved;
        }
    }
    if clause.mood == Mood::Intended
        && !(matches!(clause.subject, Subject::Me | Subject::Us) && wishes_thing(tokens, clause))
    {
        return None;
    }
    if clause.marks.ended
        && clause.lemma(tokens) == "be"
        && let Some(but) = (clause.body..clause.end).find(|i| tokens.fold(*i) == "but")
    {
        let new = following(tokens, but + 1, clause.end);
        return Some(Contrast {
            old: (skip_article(tokens, clause.body, but), but),
            new,
            cut: clause.start,
            change: true,
        });
    }
    (clause.start..clause.end).find_map(|at| rejected(tokens, clause, at))
}

/// `I'd like quartz instead of oak` decides, `I'd like to move to quartz` does not.
fn wishes_thing(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    matches!(
        clause.lemma(tokens),
        "like" | "have" | "prefer" | "go" | "want" | "take"
    )
}

/// `instead of OLD`, `rather than OLD`, `, not OLD`, `not OLD but NEW`.
fn rejected(tokens: &Tokens<'_>, clause: &Clause, at: usize) -> Option<Contrast> {
    let end = clause.end;
    if let Some(next) = after(
        tokens,
        at,
        words![
            "instead of",
            "rather than",
            "in place of",
            "as opposed to",
            "in lieu of"
        ],
    ) {
        let old = (next, phrase::object_end(tokens, next, end, false));
        let new = if at > clause.start {
            before(tokens, clause, at, old)
        } else {
            following(tokens, old.1, end)
        };
        return (old.1 > old.0).then_some(Contrast {
            old,
            new,
            cut: at,
            change: false,
        });
    }
    let stated = clause.has_verb();
    if !tokens.has(at, Class::NOT)
        || tokens.fold(at) != "not"
        || stated && at < clause.body && !copular_not(tokens, clause, at)
    {
        return None;
    }
    let next = after(tokens, at + 1, words!["on|in|at|by|with|for"]).unwrap_or(at + 1);
    let empty = Class::ADV
        .with(Class::I)
        .with(Class::WE)
        .with(Class::OTHER)
        .with(Class::PREP)
        .with(Class::BECAUSE)
        .with(Class::IF)
        .with(Class::NOT);
    let idle = tokens.has(next, empty) && !tokens.at(next).capital
        || matches!(
            tokens.fold(next),
            "sure"
                | "only"
                | "yet"
                | "much"
                | "that"
                | "to"
                | "bad"
                | "good"
                | "my"
                | "the"
                | "a"
                | "an"
                | "it"
                | "this"
        ) && !tokens.at(next + 1).is_wordy()
        || matches!(
            tokens.fold(next),
            "sure" | "only" | "yet" | "to" | "bad" | "possible"
        );
    if idle || !tokens.at(next).is_wordy() || next >= end {
        return None;
    }
    let old = (next, phrase::object_end(tokens, next, end, false));
    if old.1 - old.0 > 6 {
        return None;
    }
    // `not oak but quartz`
    let but = after(tokens, old.1, words!["but"])
        .or_else(|| (tokens.kind(old.1) == Kind::Comma).then_some(old.1 + 1));
    if let Some(but) = but.filter(|but| *but < end) {
        let skip = after(tokens, but, words!["but", "it 's", "it is", "rather"]).unwrap_or(but);
        let new = following(tokens, skip, end);
        if new.is_some() && (!stated || at >= clause.body || copular_not(tokens, clause, at)) {
            let leads = at <= clause.body + 1;
            if leads {
                return Some(Contrast {
                    old,
                    new,
                    cut: at,
                    change: true,
                });
            }
        }
    }
    let set_off = tokens.kind(at - usize::from(at > 0)) == Kind::Comma
        || tokens.before(at).has(Class::AND)
        || tokens.before(at).is_wordy();
    if at == clause.start || !set_off || copular_not(tokens, clause, at) {
        return None;
    }
    Some(Contrast {
        old,
        new: before(tokens, clause, at, old),
        cut: at,
        change: false,
    })
}

/// The `not` of `it's not oak`.
fn copular_not(tokens: &Tokens<'_>, clause: &Clause, at: usize) -> bool {
    clause.has_verb() && tokens.lemma(clause.verb) == "be" && at >= clause.verb && at < clause.body
}

/// The new value before a rejected one: a value of the same sort, else the phrase right before.
fn before(tokens: &Tokens<'_>, clause: &Clause, at: usize, old: Span) -> Option<Span> {
    let mut end = at;
    while end > clause.start
        && (is_break(tokens, end - 1)
            || tokens.has(end - 1, Class::AND)
            || tokens.has(end - 1, Class::NOW))
    {
        end -= 1;
    }
    let from = if clause.has_verb() {
        clause.body
    } else {
        clause.start
    };
    if let Some(value) = value::read(tokens, old.0, old.1) {
        let same = value::all(tokens, from, end).into_iter().rev().find(|new| {
            new.sort == value.sort
                || matches!(
                    (new.sort, value.sort),
                    (value::Sort::Money, value::Sort::Number)
                        | (value::Sort::Number, value::Sort::Money)
                )
        });
        if let Some(same) = same {
            return Some((same.start, same.end));
        }
    }
    // `to Madrid in April instead of Lisbon`: a name for a name.
    if phrase::name_end(tokens, old.0, old.1) == old.1 && tokens.at(old.0).capital {
        let same = (from..end).rev().find(|i| {
            tokens.at(*i).capital
                && !tokens.has(*i, Class::MONTH.with(Class::DAY).with(Class::I))
                && !tokens.at(i.wrapping_sub(1)).capital
        });
        if let Some(start) = same {
            return Some((start, phrase::name_end(tokens, start, end)));
        }
    }
    let mut start = end;
    while start > from {
        let token = tokens.at(start - 1);
        let stops = Class::PREP
            .with(Class::BE)
            .with(Class::AND)
            .with(Class::MY)
            .with(Class::ADV)
            .with(Class::WH);
        let verb = token.has(Class::VERB)
            && token.forms() & (form::ING | form::PAST | form::THIRD) != 0
            && start - 1 <= clause.verb;
        let pronoun = matches!(tokens.fold(start - 1), "me" | "us" | "it" | "them");
        if pronoun
            || !token.is_wordy()
            || token.has(stops) && tokens.fold(start - 1) != "of"
            || verb
        {
            break;
        }
        start -= 1;
    }
    start = skip_article(tokens, start, end);
    (start < end && end - start <= 8).then_some((start, end))
}

pub(super) fn skip_article(tokens: &Tokens<'_>, start: usize, end: usize) -> usize {
    if start < end && matches!(tokens.fold(start), "the" | "a" | "an") {
        start + 1
    } else {
        start
    }
}

pub(super) fn following(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let mut at = at;
    while at < end && is_break(tokens, at) {
        at += 1;
    }
    at = skip_article(tokens, at, end);
    let stop = phrase::object_end(tokens, at, end, false);
    let stop = (at + 1..stop)
        .find(|i| {
            tokens.has(*i, Class::PREP)
                && tokens.has(*i + 1, Class::MY.with(Class::DET))
                && tokens.fold(*i) != "of"
        })
        .unwrap_or(stop);
    let verb =
        tokens.at(at).forms() & form::BASE != 0 && tokens.has(at + 1, Class::DET.with(Class::MY));
    let clause_like = (tokens.has(
        at,
        Class::I.with(Class::WE).with(Class::OTHER).with(Class::IT),
    ) || verb)
        && !tokens.at(at).capital;
    (stop > at && stop - at <= 8 && !clause_like).then_some((at, stop))
}

/// `from OLD to NEW`, `to NEW from OLD`, with a verb of change.
fn from_to(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    let changes =
        clause.verb_is(tokens, Class::CHANGE.with(Class::MOVE)) || clause.lemma(tokens) == "make";
    if !changes || matches!(clause.tense, Tense::Present) && !clause.marks.passive {
        return None;
    }
    let from = (clause.body..clause.end).find(|i| tokens.fold(*i) == "from")?;
    let to_after =
        (from + 1..clause.end.min(from + 9)).find(|i| matches!(tokens.fold(*i), "to" | "into"));
    let (old, new_at) = match to_after {
        Some(to) => ((from + 1, to), to + 1),
        None => {
            let to = (clause.body..from).find(|i| matches!(tokens.fold(*i), "to" | "over"))?;
            (
                (
                    from + 1,
                    phrase::object_end(tokens, from + 1, clause.end, false),
                ),
                to + 1,
            )
        }
    };
    let limit = if to_after.is_some() { clause.end } else { from };
    let new = (
        skip_article(tokens, new_at, limit),
        phrase::object_end(tokens, new_at, limit, false),
    );
    let old = (skip_article(tokens, old.0, old.1), old.1);
    (old.0 < old.1 && new.0 < new.1 && new.1 - new.0 <= 8).then_some(Contrast {
        old,
        new: Some(new),
        cut: clause.start,
        change: true,
    })
}
