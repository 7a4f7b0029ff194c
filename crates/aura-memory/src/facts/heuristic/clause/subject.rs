//! Noun phrases before a verb.

use super::verb_group;
use super::{Marks, Subject, is_break};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::token::{Kind, Tokens};

/// How many words a subject may have.
const LONGEST: usize = 12;

/// A noun phrase that begins at `place` and is followed by a finite verb: what it is, its end, where the verb group begins.
pub(in super::super) fn read(
    tokens: &Tokens<'_>,
    place: usize,
    end: usize,
) -> Option<(Subject, usize)> {
    let first = tokens.at(place);
    if first.forms() == form::ING && !first.capital
        || first.forms() == form::ING && tokens.has(place + 1, Class::MY.with(Class::DET))
    {
        return None;
    }
    let opens = first.has(Class::AND.with(Class::BECAUSE))
        || first.has(Class::GREETING) && first.has(Class::ADV);
    if opens
        || !first.is_wordy()
        || first.has(Class::PREP.with(Class::WH).with(Class::NOT).with(Class::IF))
    {
        return None;
    }
    let limit = end.min(place + LONGEST);
    let mut at = place + 1;
    while at < limit {
        let token = tokens.at(at);
        if is_finite(tokens, at, place, end) {
            return Some((classify(tokens, place, at), at));
        }
        if token.kind == Kind::Comma {
            // `my wife, Joan, is`
            let named = tokens.at(at + 1).capital && tokens.kind(at + 2) == Kind::Comma;
            if !named {
                return None;
            }
            at += 3;
            continue;
        }
        let joined = token.has(Class::I.with(Class::WE))
            && place > 0
            && !is_break(tokens, place - 1)
            && !tokens.has(place - 1, Class::AND.with(Class::BECAUSE));
        let stops = token.has(Class::WH.with(Class::IF)) || is_break(tokens, at) || joined;
        let pronoun = token.has(Class::I.with(Class::WE).with(Class::OTHER))
            && !tokens.has(at, Class::WH)
            && !tokens.has(at.wrapping_sub(1), Class::AND);
        if stops || pronoun || token.kind == Kind::Quote {
            return None;
        }
        at += 1;
    }
    None
}

/// Whether a finite verb group begins at `at`, for a subject that began at `start`.
fn is_finite(tokens: &Tokens<'_>, at: usize, start: usize, end: usize) -> bool {
    let token = tokens.at(at);
    let before = tokens.at(at - 1);
    let next = verb_group::adverbs(tokens, at + 1, end, &mut Marks::default());
    if before.has(
        Class::DET
            .with(Class::MY)
            .with(Class::THEIR)
            .with(Class::PREP),
    ) && !before.has(Class::IT)
    {
        return false;
    }
    if tokens.fold(at) == "'s" {
        return verb_group::is_copula(tokens, at, next);
    }
    if token.has(Class::BE) {
        return !matches!(tokens.fold(at), "been" | "being" | "be");
    }
    if token.has(Class::WILL.with(Class::MODAL).with(Class::CAN)) {
        return !token.has(Class::MONTH);
    }
    if token.has(Class::HAVE.with(Class::DO)) {
        return token.forms() & form::ING == 0 && tokens.fold(at) != "done";
    }
    if token.has(Class::ADV) && !token.has(Class::VERB) {
        return tokens.any(at, words!["no longer"]).is_some()
            || next > at
                && next < end
                && is_finite_verb(tokens, next, start)
                && tokens.has(at, Class::ADV);
    }
    is_finite_verb(tokens, at, start)
}

fn is_finite_verb(tokens: &Tokens<'_>, at: usize, start: usize) -> bool {
    let token = tokens.at(at);
    let (before, after) = (tokens.before(at), tokens.at(at + 1));
    if !token.has(Class::VERB) || token.capital {
        return token.has(Class::BE) || token.has(Class::WILL) || tokens.fold(at) == "has";
    }
    if before.has(
        Class::DET
            .with(Class::MY)
            .with(Class::THEIR)
            .with(Class::PREP),
    ) || before.has(Class::TITLE) && !before.has(Class::JOB)
    {
        return false;
    }
    let forms = token.forms();
    // `a cat called Tom`
    // `a cat called Tom`, but `he called off the party`
    let particle = tokens
        .any(
            at + 1,
            words!["off|back|in|for|me|us|him|her|them|my|the|a"],
        )
        .is_some();
    if matches!(tokens.fold(at), "called" | "named") && !particle {
        return false;
    }
    if forms & form::PAST != 0 && forms & form::BASE == 0 {
        return true;
    }
    let followed_by_verb = after.has(
        Class::BE
            .with(Class::WILL)
            .with(Class::MODAL)
            .with(Class::HAVE),
    );
    // `14 chairs`
    if before.kind == Kind::Number || before.has(Class::NUM) && tokens.fold(at - 1) != "one" {
        return false;
    }
    if forms & form::THIRD != 0 {
        return !followed_by_verb && after.forms() & form::PAST == 0;
    }
    if forms & form::BASE != 0 && tokens.fold(at) != "like" {
        // `Rehearsals now start at 6:30`
        let noun = (start..at)
            .rev()
            .find(|i| !tokens.has(*i, Class::ADV))
            .unwrap_or(at - 1);
        let plural = (start..at).any(|i| tokens.has(i, Class::AND))
            || tokens.fold(noun).ends_with('s')
            || matches!(tokens.fold(at - 1), "people" | "kids" | "children");
        let past = forms & form::PAST != 0;
        return (plural || past) && !followed_by_verb;
    }
    false
}

fn classify(tokens: &Tokens<'_>, start: usize, end: usize) -> Subject {
    let with_me = (start..end).any(|i| tokens.has(i, Class::I) || matches!(tokens.fold(i), "me"));
    if with_me {
        return Subject::Us;
    }
    if tokens.has(start, Class::MY) {
        return Subject::Mine;
    }
    if tokens.has(start, Class::THEIR) {
        return Subject::Other;
    }
    let first = tokens.at(start);
    let named = first.capital
        && !first.has(
            Class::DET
                .with(Class::NUM)
                .with(Class::ANIMAL)
                .with(Class::ATTR)
                .with(Class::EVENT)
                .with(Class::KIN),
        )
        || first.has(Class::TITLE) && tokens.at(start + 1).capital;
    if named && end - start <= 3 {
        Subject::Name
    } else {
        Subject::Thing
    }
}
