//! Things that are off, over or unable to come: `the Grand Hotel fell through`, `Kim can't come`, `the trip is off`.

use super::super::{Scene, after, is_ended};
use super::{holders, leave_gap};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::token::Tokens;

/// `The Grand Hotel fell through`, `Kim is out`, `Kim can't come`, `the salmon is sold out`.
pub(super) fn fell_through(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if !matches!(
        clause.subject,
        Subject::Name | Subject::Thing | Subject::Mine
    ) || !clause.is_asserted()
    {
        return false;
    }
    let gone = clause
        .after_verb(
            tokens,
            words![
                "fall through",
                "fall apart",
                "be out",
                "be off",
                "be off the table|list|menu",
                "be cancelled|canceled",
                "be sold out",
                "be gone",
                "be dead",
                "back out",
                "drop out",
                "pull out",
                "bow out",
                "be closed",
                "be fully booked",
                "be unavailable",
                "be no longer available|possible|an",
                "be out of the question|running",
                "cancel"
            ],
        )
        .or_else(|| {
            (clause.marks.passive
                && matches!(
                    clause.lemma(tokens),
                    "cancel" | "close" | "scrap" | "drop" | "cut" | "remove" | "axe"
                ))
            .then_some(clause.body)
        });
    let unable = (clause.marks.negated || clause.marks.ended)
        && matches!(
            clause.lemma(tokens),
            "come" | "make" | "attend" | "join" | "work" | "happen" | "participate"
        );
    let off = clause.marks.ended
        && clause.lemma(tokens) == "be"
        && tokens
            .any(
                clause.body,
                words![
                    "on|in|among|with",
                    "part|a of",
                    "coming|going|joining|invited"
                ],
            )
            .is_some();
    let unable = unable || off;
    let left = matches!(clause.lemma(tokens), "leave" | "quit")
        && clause.is_real()
        && clause.body < clause.end;
    let over = clause.is_real()
        && (matches!(
            clause.lemma(tokens),
            "end" | "finish" | "expire" | "conclude" | "disband" | "fold"
        ) || clause
            .after_verb(
                tokens,
                words![
                    "break up",
                    "split up",
                    "close down",
                    "shut down",
                    "go bankrupt",
                    "go out of business",
                    "go under"
                ],
            )
            .is_some()
            || tokens
                .any(clause.verb, words!["be over|finished|done|complete"])
                .is_some());
    if !((gone.is_some() || left || over) && !clause.marks.negated || unable) {
        return false;
    }
    let words = scene.content(clause.np);
    if words.is_empty() {
        return false;
    }
    let left = matches!(clause.lemma(tokens), "leave" | "quit") && gone.is_none();
    let from = left.then(|| {
        (
            after(tokens, clause.body, words!["the|our"]).unwrap_or(clause.body),
            clause.end,
        )
    });
    let mut facts = holders(scene, &words, from);
    if left {
        facts.retain(|fact| scene.book.text(*fact).contains(": "));
    }
    if unable
        && clause.lemma(tokens) == "work"
        && !clause.marks.ended
        && clause.tense != Tense::Past
    {
        return false;
    }
    // An event is one thing, what is known of it more: only lists and choices end because a thing is off the table.
    facts.retain(|fact| {
        let text = scene.book.text(*fact);
        let subject = scene.book.subject(*fact);
        text.contains(": ")
            || !words.iter().all(|word| subject.contains(word.as_str()))
            || gone.is_some()
    });
    if facts.is_empty() && gone.is_some() {
        facts = plans(scene, clause);
    }
    if facts.is_empty() && over {
        facts = doings(scene, &words);
    }
    if facts.is_empty() {
        return false;
    }
    let text = scene.statement(
        clause,
        phrase::object_end(tokens, clause.body, clause.end, false)
            .max(clause.body)
            .max(gone.unwrap_or(clause.body)),
    );
    leave_gap(scene, &facts, &words, &text);
    true
}

/// What the speaker was doing that is over: `the internship` of `is doing an internship at Nokia`.
fn doings(scene: &Scene<'_, '_, '_>, words: &[String]) -> Entries {
    let me = scene.me();
    scene
        .book
        .live()
        .filter(|(_, text, subject)| {
            subject
                .strip_prefix(&*me.entity)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|verb| {
                    matches!(verb, "do" | "attend" | "plan" | "group" | "employer")
                        || lexicon::look_up(verb).class.has(Class::HABIT)
                })
                && mentions(text, words)
        })
        .map(|(entry, ..)| entry)
        .collect()
}

/// What was planned in other words than the noun that now is off: `we're flying to Rome` for `the trip`.
fn plans(scene: &Scene<'_, '_, '_>, clause: &Clause) -> Entries {
    let tokens = scene.tokens;
    let verbs: &[&str] = match phrase::head(tokens, clause.np).map(|i| tokens.fold(i)) {
        Some("engagement" | "wedding" | "marriage") => &["marri", "engag", "marr"],
        Some("trip" | "holiday" | "vacation" | "flight" | "travels" | "journey") => {
            &["fly", "go", "travel", "visit", "driv", "head"]
        }
        Some("move" | "relocation") => &["mov", "relocat"],
        _ => return Entries::new(),
    };
    let me = scene.me();
    let found: Entries = scene
        .book
        .live()
        .filter(|(_, text, subject)| {
            let plan = subject.starts_with("project/")
                || subject
                    .strip_prefix(&*me.entity)
                    .is_some_and(|rest| rest.starts_with('/') && !is_ended(rest));
            let inner = Tokens::of(text);
            plan && (0..inner.len()).any(|i| {
                verbs.contains(&lexicon::stem(inner.lemma(i)))
                    || verbs.contains(&lexicon::stem(inner.fold(i)))
            })
        })
        .map(|(entry, ..)| entry)
        .collect();
    if found.len() == 1 {
        found
    } else {
        Entries::new()
    }
}
