//! Leaving a job.

use super::super::{Scene, Who, after};
use super::organisation::{names_time, organisation};
use super::{EMPLOYER, JOB, employ};
use crate::facts::heuristic::book::mentions;
use crate::facts::heuristic::clause::Clause;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self};
use crate::facts::heuristic::wording;

/// `I quit my job`, `I left Siemens`, `I got laid off from Siemens`, `I quit nursing`, `I retired`.
pub(super) fn quit(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if dismissed_me(scene, clause) {
        return true;
    }
    let Some(who) = scene.who(clause) else {
        return false;
    };
    if !clause.is_real() || clause.marks.negated {
        return false;
    }
    let dismissed = clause
        .after_verb(
            tokens,
            words![
                "lay off",
                "fire",
                "let go",
                "be laid off",
                "lose my job",
                "lose my position",
                "resign",
                "step down",
                "retire"
            ],
        )
        .filter(|_| {
            clause.marks.passive || !matches!(clause.lemma(tokens), "lay" | "fire" | "let")
        });
    let quits = matches!(
        clause.lemma(tokens),
        "quit" | "leave" | "give" | "stop" | "hand"
    );
    let Some(at) = dismissed.or(quits.then_some(clause.body)) else {
        return false;
    };
    let at = after(
        tokens,
        at,
        words!["up", "in my notice at", "down", "down as|from", "as|from"],
    )
    .unwrap_or(at);
    let end = phrase::object_end(tokens, at, clause.end, false);
    let whole = end;
    // `left Baker & Co for Simmons`
    let next = (at + 1..end)
        .find(|i| tokens.fold(*i) == "for")
        .filter(|i| tokens.at(*i + 1).capital && !names_time(tokens, *i));
    let end = next.unwrap_or(end);
    let job_word = (at..end).any(|i| {
        matches!(
            tokens.fold(i),
            "job" | "position" | "role" | "company" | "firm" | "post"
        )
    });
    let words = phrase::content(tokens, phrase::undated(tokens, (at, end)));
    let words: phrase::Words = words
        .into_iter()
        .filter(|w| {
            !matches!(
                w.as_str(),
                "job" | "position" | "rol" | "company" | "compan" | "firm" | "post"
            )
        })
        .collect();
    let both = [who.subject(JOB), who.subject(EMPLOYER)];
    let mut facts: crate::facts::heuristic::book::Entries = both
        .iter()
        .flat_map(|subject| scene.book.of_subject(subject))
        .collect();
    if !words.is_empty() {
        facts.retain(|entry| mentions(scene.book.text(*entry), &words));
    } else if dismissed.is_none() && !job_word {
        return false;
    }
    if facts.is_empty()
        && (words.is_empty() || dismissed.is_none())
        && !job_word
        && dismissed.is_none()
    {
        return false;
    }
    if facts.is_empty() && !job_word && dismissed.is_none() {
        return false;
    }
    let text = scene.statement(clause, end.max(clause.body));
    let subject = facts.first().map_or_else(
        || who.subject(JOB),
        |entry| scene.book.subject(*entry).to_owned(),
    );
    if let Some(next) = next
        && let Some(span) = organisation(tokens, next + 1, whole, "at")
        && !facts.is_empty()
    {
        for fact in &facts {
            if !scene.book.subject(*fact).ends_with(EMPLOYER) {
                scene.book.end(*fact, None);
            }
        }
        employ(scene, &who, span, true);
        return true;
    }
    scene.end_with(&facts, &[], &subject, &text);
    true
}

/// `The cafe let me go`, `they laid me off`, `my boss fired me`.
fn dismissed_me(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let dismissed = clause
        .after_verb(
            tokens,
            words![
                "let me|us go",
                "lay me|us off",
                "fire|sack|dismiss me|us",
                "make me|us redundant"
            ],
        )
        .filter(|_| clause.is_real() && !clause.marks.negated && !Scene::is_mine(clause));
    let Some(end) = dismissed else {
        return false;
    };
    let who = scene.me();
    let facts: crate::facts::heuristic::book::Entries = [who.subject(JOB), who.subject(EMPLOYER)]
        .iter()
        .flat_map(|subject| scene.book.of_subject(subject))
        .collect();
    let Some(first) = facts.first() else {
        return false;
    };
    let subject = scene.book.subject(*first).to_owned();
    let text = wording::slice(tokens, clause.start, end);
    scene.end_with(&facts, &[], &subject, &text);
    true
}

pub(super) fn stopped(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who<'_>) {
    let tokens = scene.tokens;
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let words: phrase::Words = scene.content(phrase::undated(tokens, (clause.body, end)));
    let both = [who.subject(JOB), who.subject(EMPLOYER)];
    let mut facts: crate::facts::heuristic::book::Entries = both
        .iter()
        .flat_map(|subject| scene.book.of_subject(subject))
        .collect();
    if words.is_empty() {
        let verb = clause.lemma(tokens).to_owned();
        if verb == "teach" {
            facts.retain(|entry| scene.book.text(*entry).contains("teach"));
        }
    } else {
        facts.retain(|entry| mentions(scene.book.text(*entry), &words));
    }
    if facts.is_empty() {
        return;
    }
    let text = who.says(&format!(
        "no longer {} {}",
        crate::facts::heuristic::lexicon::third_person(clause.lemma(tokens)),
        wording::slice(tokens, clause.body, end)
    ));
    let subject = facts.first().map_or_else(
        || who.subject(JOB),
        |entry| scene.book.subject(*entry).to_owned(),
    );
    scene.end_with(&facts, &[], &subject, text.trim_end());
}
