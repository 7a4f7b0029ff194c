//! Moving from one place to another.

use super::super::{Scene, Who, after};
use super::place::{is_whole, place_after, place_at};
use super::{HOME, long_ago, no_longer, set};
use crate::facts::heuristic::clause::{Clause, Mood, Tense, is_break};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self};
use crate::facts::heuristic::token::Tokens;

/// `I just moved to Berlin`, `we've relocated to Nantes`, `I moved into a house in Tucson`.
pub(super) fn moved(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let moves = clause.verb_is(tokens, Class::MOVE)
        || matches!(lemma, "transfer" | "trade" | "swap")
        || makes_move(tokens, clause);
    if !moves || lemma == "settle" {
        return false;
    }
    let Some(who) = scene.who(clause) else {
        return false;
    };
    if matches!(lemma, "trade" | "swap") {
        return traded(scene, clause, &who);
    }
    let mut at = clause.body;
    if makes_move(tokens, clause) {
        at += 2;
    }
    // The object of a transitive `move` is what moved: `I moved the meeting to Berlin time`.
    let mut origin = None;
    for _ in 0..4 {
        if let Some(next) = after(tokens, at, words!["out of", "away from", "from"])
            && let Some(span) = place_at(tokens, next, clause.end)
        {
            origin = Some(span);
            at = span.1;
            continue;
        }
        if let Some(next) = after(
            tokens,
            at,
            words![
                "back",
                "over",
                "up",
                "down",
                "out",
                "again",
                "all the way",
                "across the country",
                "abroad",
                "together"
            ],
        ) && tokens
            .any(next, words!["to|into|from|here|in|of"])
            .is_some()
        {
            at = next;
            continue;
        }
        if let Some(next) = after(tokens, at, words!["in with"]) {
            at = (next..clause.end)
                .find(|i| tokens.any(*i, words!["in|to"]).is_some())
                .unwrap_or(clause.end);
            continue;
        }
        break;
    }
    let mut target = place_after(
        tokens,
        at,
        clause.end,
        &["to", "into", "in", "over to", "back to"],
    );
    if let Some(span) = target
        && let Some(from) = tokens.any(span.1, words!["from"])
    {
        origin = origin.or_else(|| place_at(tokens, from, clause.end));
    }
    if target.is_some_and(|span| !is_whole(tokens, span, clause.end)) {
        target = None;
    }
    let done = clause.is_real()
        && !clause.marks.negated
        && clause.tense != Tense::Progressive
        && clause.tense != Tense::Present
        || clause.marks.decided && makes_move(tokens, clause);
    match (target, origin) {
        (Some(target), _) if done => {
            if long_ago(tokens, clause.start, clause.end)
                && !scene.book.of_subject(&who.subject(HOME)).is_empty()
            {
                return true;
            }
            if is_employer_rather(scene, &who, clause) {
                let text = scene.statement(clause, target.1);
                scene.state_multi(&who.subject("move"), &text);
                return true;
            }
            set(scene, &who, target, true);
            true
        }
        (Some(_), _)
            if matches!(clause.tense, Tense::Progressive | Tense::Future)
                && clause.mood == Mood::Asserted
                && !clause.marks.negated =>
        {
            let end = phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body);
            let text = scene.statement(clause, clause.end.max(end));
            scene.state_multi(&who.subject("plan"), &text);
            true
        }
        (None, Some(origin)) if done => {
            no_longer(scene, &who, origin);
            true
        }
        (None, None) if done && (clause.body >= clause.end || is_break(tokens, clause.body)) => {
            // `We moved. Orlando now.`
            scene.topic = scene.book.of_subject(&who.subject(HOME)).last().copied();
            false
        }
        (found, _) => found.is_some(),
    }
}

/// `I've moved to Boeing`, of somebody whose employer is known and whose home is not, may be either.
fn is_employer_rather(scene: &Scene<'_, '_, '_>, who: &Who<'_>, clause: &Clause) -> bool {
    let home = scene.book.of_subject(&who.subject(HOME)).is_empty()
        && scene
            .book
            .of_subject(&super::super::ended(&who.subject(HOME)))
            .is_empty();
    let employer = !scene.book.of_subject(&who.subject("employer")).is_empty();
    clause.lemma(scene.tokens) == "move" && home && employer
}

/// `made the move from Chicago to Denver`
fn makes_move(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    clause.lemma(tokens) == "make"
        && after(tokens, clause.body, words!["the move", "a move"]).is_some()
}

/// `I traded Milan for Turin`: only where the first is the home we know.
fn traded(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who<'_>) -> bool {
    let tokens = scene.tokens;
    let Some(old) = place_at(tokens, clause.body, clause.end) else {
        return false;
    };
    let words = scene.content(old);
    let known = scene.book.of_subject(&who.subject(HOME));
    let named = known
        .iter()
        .any(|entry| crate::facts::heuristic::book::mentions(scene.book.text(*entry), &words));
    let target = place_after(tokens, old.1, clause.end, &["for", "with"]);
    match target {
        Some(target) if named && clause.is_real() => {
            set(scene, who, target, true);
            true
        }
        _ => false,
    }
}

/// `We left Porto`, `I've moved out of Leeds`.
pub(super) fn left(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if clause.lemma(tokens) != "leave"
        || !clause.is_real()
        || clause.marks.negated
        || clause.marks.passive
    {
        return false;
    }
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let Some(span) = place_at(tokens, clause.body, clause.end) else {
        return false;
    };
    let words = scene.content(span);
    let home = scene.book.of_subject(&who.subject(HOME));
    if !home
        .iter()
        .any(|entry| crate::facts::heuristic::book::mentions(scene.book.text(*entry), &words))
    {
        return false;
    }
    match place_after(tokens, span.1, clause.end, &["for", "behind for"]) {
        Some(target) => set(scene, &who, target, true),
        None => no_longer(scene, &who, span),
    }
    true
}
