//! Writes down the occupation and the employer of somebody.

use super::super::{Scene, Who, after, speaks_of_change};
use super::organisation::{names_time, organisation};
use super::{EMPLOYER, JOB};
use crate::facts::heuristic::clause::Clause;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::Span;
use crate::facts::heuristic::token::Kind;
use crate::facts::heuristic::wording;

/// Whoever works is neither unemployed nor retired; with `all`, whoever takes a post is not self-employed either.
fn end_leisure(scene: &mut Scene<'_, '_, '_>, who: &Who<'_>, all: bool) {
    for state in scene.book.of_subject(&who.subject("employment")) {
        if all
            || !scene.book.text(state).contains("self-employed")
                && !scene.book.text(state).contains("freelance")
        {
            scene.book.end(state, None);
        }
    }
}

pub(super) fn employer_after(
    scene: &mut Scene<'_, '_, '_>,
    who: &Who<'_>,
    at: usize,
    clause: &Clause,
) {
    let tokens = scene.tokens;
    let at = if tokens.kind(at) == Kind::Comma {
        at + 1
    } else {
        at
    };
    if let Some(next) = after(tokens, at, words!["at", "for", "in"])
        && !names_time(tokens, at)
        && let Some(span) = organisation(tokens, next, clause.end, "at")
    {
        set_employer(scene, who, span, at, clause);
    }
}

pub(super) fn set_role(scene: &mut Scene<'_, '_, '_>, who: &Who<'_>, role: Span, changes: bool) {
    end_leisure(scene, who, false);
    let tokens = scene.tokens;
    let words = scene.content(role);
    let text = who.says(&format!(
        "works as {}",
        wording::slice(tokens, role.0, role.1)
    ));
    scene.state_single(&who.subject(JOB), &text, &words, changes);
}

pub(super) fn set_employer(
    scene: &mut Scene<'_, '_, '_>,
    who: &Who<'_>,
    span: Span,
    preposition: usize,
    clause: &Clause,
) {
    let tokens = scene.tokens;
    let words = scene.content(span);
    let text = who.says(&format!(
        "works {} {}",
        tokens.fold(preposition),
        wording::slice(tokens, span.0, span.1)
    ));
    scene.state_single(
        &who.subject(EMPLOYER),
        &text,
        &words,
        speaks_of_change(clause.marks),
    );
}

pub(super) fn employ(scene: &mut Scene<'_, '_, '_>, who: &Who<'_>, span: Span, changes: bool) {
    end_leisure(scene, who, changes);
    let tokens = scene.tokens;
    let words = scene.content(span);
    let text = who.says(&format!(
        "works at {}",
        wording::slice(tokens, span.0, span.1)
    ));
    scene.state_single(&who.subject(EMPLOYER), &text, &words, changes);
}
