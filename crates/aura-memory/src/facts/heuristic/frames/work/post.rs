//! A new post, in whatever words: `got a new gig as a tour guide`, `landed a position at Stripe`, `Nokia hired me as a tester`.

use super::super::{Scene, Who, after};
use super::occupation::role_at;
use super::organisation::{names_time, organisation};
use super::{employ, set_role};
use crate::facts::heuristic::clause::{Clause, Subject};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;

/// The speaker or somebody known begins a job.
pub(super) fn new_post(scene: &mut Scene<'_, '_, '_>, who: &Who<'_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let begins = matches!(
        clause.lemma(tokens),
        "get"
            | "land"
            | "take"
            | "start"
            | "accept"
            | "find"
            | "have"
            | "begin"
            | "score"
            | "secure"
    );
    let noun = (clause.body..clause.end.min(clause.body + 5)).find(|i| {
        matches!(
            tokens.fold(*i),
            "job"
                | "gig"
                | "role"
                | "position"
                | "post"
                | "work"
                | "career"
                | "offer"
                | "internship"
        )
    });
    let Some(noun) = noun.filter(|_| begins) else {
        // `Went full-time at Pixar`
        let at = clause.after_verb(
            tokens,
            words![
                "go full-time|part-time|freelance at|with|for",
                "go full|part time at|with|for"
            ],
        );
        return at.is_some_and(|at| posts(scene, who, at - 1, clause.end));
    };
    let new = (clause.body..noun).any(|i| matches!(tokens.fold(i), "new" | "another" | "first"))
        || clause.lemma(tokens) != "have";
    let plain = (clause.body..noun).all(|i| !tokens.has(i, Class::THEIR.with(Class::NOT)));
    new && plain && posts(scene, who, noun + 1, clause.end)
}

/// Somebody else gives the speaker a job: `Nokia hired me as a tester`.
pub(super) fn hired_me(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let hired = clause
        .after_verb(
            tokens,
            words![
                "hire|employ|recruit|promote|poach|appoint me",
                "take me on",
                "make me"
            ],
        )
        .filter(|_| {
            clause.is_real()
                && !clause.marks.negated
                && !clause.marks.passive
                && !Scene::is_mine(clause)
        });
    let Some(at) = hired else {
        return false;
    };
    let who = scene.me();
    let made = clause.lemma(tokens) == "make";
    let role = if made {
        role_at(tokens, at, clause.end, false)
    } else {
        after(tokens, at, words!["as", "to"]).and_then(|at| role_at(tokens, at, clause.end, true))
    };
    if made && role.is_none() {
        return false;
    }
    if let Some(role) = role {
        set_role(scene, &who, role, true);
    }
    if clause.subject == Subject::Name && !matches!(clause.lemma(tokens), "promote" | "make") {
        employ(scene, &who, clause.np, true);
        return true;
    }
    role.is_some()
}

/// `as a guide`, `at Stripe`, in any order.
fn posts(scene: &mut Scene<'_, '_, '_>, who: &Who<'_>, from: usize, end: usize) -> bool {
    let tokens = scene.tokens;
    let mut at = from;
    let mut found = false;
    while at < end {
        if let Some(next) = after(tokens, at, words!["as"])
            && let Some(role) = role_at(tokens, next, end, true)
        {
            set_role(scene, who, role, true);
            at = role.1;
        } else if tokens.any(at, words!["at|with|for"]).is_some()
            && !names_time(tokens, at)
            && let Some(span) = organisation(tokens, at + 1, end, "at")
        {
            employ(scene, who, span, true);
            at = span.1;
        } else {
            break;
        }
        found = true;
    }
    found
}
