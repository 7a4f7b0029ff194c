//! `be` and the short forms of it, and of `have`.

use super::{Step, VerbGroup, adverbs, is_base, lexical, merge};
use crate::facts::heuristic::clause::{Marks, Mood, Tense};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::token::Tokens;

/// Whether a form of `be` stands here; `'s` only where no noun follows that it could own.
pub(in super::super::super) fn is_copula(tokens: &Tokens<'_>, at: usize, next: usize) -> bool {
    if tokens.fold(at) != "'s" {
        return tokens.has(at, Class::BE);
    }
    let before = tokens.before(at);
    let known = before.has(Class::IT.with(Class::OTHER).with(Class::WH));
    let predicate = Class::DET
        .with(Class::MY)
        .with(Class::PREP)
        .with(Class::STATE)
        .with(Class::NATION)
        .with(Class::NOT)
        .with(Class::NOW);
    known
        || tokens.has(next, predicate)
        || next > at + 1
        || tokens.at(next).forms() & (form::ING | form::PARTICIPLE) != 0
        || !tokens.at(next).is_wordy()
}

/// Whether `'s` is short for `has`: `it's been moved`, `Kate's moved to Galway`, unlike `it's called Fernweh`.
pub(super) fn stands_for_has(tokens: &Tokens<'_>, at: usize, next: usize) -> bool {
    if tokens.fold(at) != "'s" || tokens.at(next).forms() & form::PARTICIPLE == 0 {
        return false;
    }
    if matches!(
        tokens.fold(next),
        "been" | "got" | "had" | "gone" | "become"
    ) {
        return true;
    }
    let before = tokens.before(at);
    let person = before.has(Class::KIN)
        || matches!(tokens.fold(at.wrapping_sub(1)), "he" | "she" | "who")
        || before.capital && !before.has(Class::IT.with(Class::ATTR).with(Class::EVENT));
    person
        && !tokens.has(next, Class::STATE)
        && matches!(
            tokens.lemma(next),
            "move"
                | "relocate"
                | "retrain"
                | "start"
                | "join"
                | "quit"
                | "leave"
                | "retire"
                | "switch"
                | "change"
                | "turn"
                | "take"
                | "give"
                | "sell"
                | "buy"
                | "decide"
                | "settle"
                | "resign"
                | "begin"
                | "grow"
                | "pass"
                | "hand"
                | "step"
                | "drop"
                | "stop"
                | "go"
                | "come"
                | "finish"
                | "lose"
                | "find"
                | "adopt"
                | "graduate"
                | "pick"
                | "choose"
                | "swap"
                | "trade"
                | "cancel"
                | "agree"
                | "return"
                | "transfer"
        )
}

pub(super) fn be(
    tokens: &Tokens<'_>,
    at: usize,
    next: usize,
    end: usize,
    group: &mut VerbGroup,
    skipped: Marks,
) -> Step {
    let past = matches!(tokens.fold(at), "was" | "were");
    if group.tense == Tense::Present && past {
        group.tense = Tense::Past;
    }
    if let Some(after) = tokens.any(
        next,
        words![
            "going to",
            "about to",
            "supposed to",
            "planning to",
            "due to",
            "set to"
        ],
    ) && is_base(tokens, after)
    {
        merge(group, skipped);
        if past || tokens.fold(next) == "supposed" {
            group.mood = Mood::Hypothetical;
        } else if tokens.fold(next) == "planning" {
            group.mood = Mood::Intended;
        }
        group.tense = Tense::Future;
        return Step::Go(after);
    }
    if let Some(after) = tokens.any(
        next,
        words![
            "able to",
            "happy to",
            "allowed to",
            "excited to",
            "ready to"
        ],
    ) {
        if !is_base(tokens, after) {
            return Step::Main(at, at + 1);
        }
        merge(group, skipped);
        group.marks.ability = true;
        if tokens.fold(next) != "able" {
            group.mood = Mood::Intended;
        }
        return Step::Go(after);
    }
    let forms = tokens.at(next).forms();
    if next < end && forms & form::ING != 0 && tokens.has(next, Class::VERB) {
        group.tense = if past {
            Tense::Past
        } else {
            Tense::Progressive
        };
        merge(group, skipped);
        return lexical(
            tokens,
            next,
            adverbs(tokens, next + 1, end, &mut Marks::default()),
            end,
            group,
        );
    }
    if next < end && forms & form::PARTICIPLE != 0 && !tokens.has(next, Class::STATE) {
        group.marks.passive = true;
        merge(group, skipped);
        if group.tense == Tense::Present && !past {
            group.tense = Tense::Perfect;
        }
        return Step::Main(next, next + 1);
    }
    Step::Main(at, at + 1)
}
