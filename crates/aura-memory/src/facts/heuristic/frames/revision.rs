//! Corrections that name only the new value: `24 now`, `it's due Thursday instead`, `actually, green for the bedroom`.
//!
//! The new value takes the place of the one value of its shape among what was said last, or among the facts that share the
//! words the correction stands with. Where more than one could be meant, none is changed.

mod around;
mod given;
mod slot;

use super::{RECENT, Scene, is_ended};
use crate::facts::heuristic::book::{Entry, mentions};
use crate::facts::heuristic::clause::Clause;
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::phrase::{Span, Words};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value::Sort;
use crate::facts::heuristic::wording;
use given::{Correction, find};
pub(super) use slot::{Given, Shape, read as read_value};

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    if clause.marks.negated || clause.marks.ended || clause.marks.also || !clause.is_asserted() {
        return false;
    }
    let Some(correction) = find(scene, clause) else {
        return false;
    };
    put(scene, &correction)
}

/// Puts a value in the place of the one of its shape that was said last.
pub(super) fn put_value(scene: &mut Scene<'_, '_, '_>, given: &Given) -> bool {
    put(scene, &Correction::bare(given.clone()))
}

/// Puts the value in its place, if just one is fit.
fn put(scene: &mut Scene<'_, '_, '_>, correction: &Correction) -> bool {
    let tokens = scene.tokens;
    let Some((entry, span)) = place(scene, correction) else {
        return false;
    };
    let known = scene.book.text(entry).to_owned();
    let inner = Tokens::of(&known);
    let new = wording::slice(tokens, correction.given.span.0, correction.given.span.1);
    let old = inner.slice(span.0, span.1);
    if old.eq_ignore_ascii_case(&new) {
        return true;
    }
    let head = known
        .get(..inner.at(span.0).start as usize)
        .unwrap_or_default();
    let tail = known
        .get(inner.before(span.1).end as usize..)
        .unwrap_or_default();
    let text = format!("{head}{new}{tail}");
    let subject = scene.book.subject(entry).to_owned();
    let added = scene.book.add(&subject, &text);
    scene.book.end(entry, added);
    scene.topic = added;
    true
}

/// The fact and the place in it that a correction can only mean.
fn place(scene: &Scene<'_, '_, '_>, correction: &Correction) -> Option<(Entry, Span)> {
    if let Some(topic) = scene
        .topic
        .filter(|_| correction.context.is_empty() && correction.entity.is_none())
        && let Some(span) = fitting(scene, topic, correction, true)
    {
        return Some((topic, span));
    }
    let unit = matches!(correction.given.shape, Shape::Typed(Sort::Number, Some(_)));
    let mut best: Option<(usize, u64, Entry, Span)> = None;
    let mut rivals = 0;
    for (entry, text, subject) in scene.book.live().rev() {
        let age = scene.book.age(entry);
        let shared = correction
            .context
            .iter()
            .filter(|word| {
                subject.contains(word.as_str()) || mentions(text, std::slice::from_ref(*word))
            })
            .count();
        let near = age <= RECENT;
        let entity = correction.entity.as_deref();
        if entity.is_some_and(|entity| {
            !subject
                .strip_prefix(entity)
                .is_some_and(|rest| rest.starts_with('/'))
        }) {
            continue;
        }
        if is_ended(subject)
            || shared < correction.context.len().min(1)
            || correction.context.is_empty() && !near && !unit
            || entity.is_none()
                && !correction.context.iter().any(|word| {
                    subject.rsplit('/').next().map(lexicon::stem) == Some(word.as_str())
                })
                && !open(subject, &correction.given.shape)
                && (shared == 0 || correction.given.shape == Shape::Name)
        {
            continue;
        }
        let Some(span) = fitting(scene, entry, correction, false) else {
            continue;
        };
        let better =
            best.is_none_or(|(known, since, ..)| shared > known || shared == known && age < since);
        let equal = best.is_some_and(|(known, since, ..)| shared == known && age == since);
        if better {
            best = Some((shared, age, entry, span));
            rivals = 0;
        } else if equal {
            rivals += 1;
        }
    }
    let (shared, _, entry, span) = best?;
    // All words that the correction stands with must be known, or it is about something else.
    let whole = shared == correction.context.len();
    (rivals == 0 && whole).then_some((entry, span))
}

/// Facts whose values change by a bare correction: no names of people and pets, and nothing of other people.
fn open(subject: &str, shape: &Shape) -> bool {
    let (entity, property) = subject.rsplit_once('/').unwrap_or(("", subject));
    let others = entity.contains("'s ");
    match shape {
        Shape::Noun => !others && lexicon::look_up(property).class.has(Class::HABIT),
        Shape::Name => {
            let named = matches!(
                property,
                "name"
                    | "pets"
                    | "partner"
                    | "relationship"
                    | "origin"
                    | "group"
                    | "likes"
                    | "dislikes"
                    | "list"
            ) || lexicon::look_up(property).class.has(Class::KIN);
            !others && !named
        }
        _ => !others,
    }
}

/// The one place of the shape in a fact, after the same preposition if the correction has one.
fn fitting(
    scene: &Scene<'_, '_, '_>,
    entry: Entry,
    correction: &Correction,
    spoken_of: bool,
) -> Option<Span> {
    let tokens = scene.tokens;
    let text = scene.book.text(entry);
    let inner = Tokens::of(text);
    let subject = scene.book.subject(entry);
    let held = subject.ends_with(" role") || subject.ends_with("/owner");
    let mut spans = slot::slots(&inner, &correction.given.shape, held);
    spans.retain(|span| {
        !(span.0..span.1).any(|i| {
            correction
                .context
                .iter()
                .any(|word| lexicon::stem(inner.fold(i)) == word)
        })
    });
    if spans.len() > 1 && !correction.context.is_empty() {
        spans.retain(|span| item_holds(&inner, *span, &correction.context));
    }
    if spans.len() > 1
        && let Some(preposition) = correction.preposition
    {
        spans.retain(|span| inner.fold(span.0.wrapping_sub(1)) == tokens.fold(preposition));
    }
    let [span] = spans.as_slice() else {
        return None;
    };
    let place = correction
        .preposition
        .filter(|_| correction.given.shape == Shape::Name);
    let misplaced =
        !spoken_of && place.is_some_and(|at| inner.fold(span.0.wrapping_sub(1)) != tokens.fold(at));
    (!misplaced).then_some(*span)
}

/// Whether the item of a list in which a value stands holds one of the words.
fn item_holds(inner: &Tokens<'_>, span: Span, words: &Words) -> bool {
    let splits =
        |i: usize| matches!(inner.kind(i), Kind::Comma | Kind::Colon) || inner.has(i, Class::AND);
    let start = (0..span.0).rev().find(|i| splits(*i)).map_or(0, |i| i + 1);
    let end = (span.1..inner.len())
        .find(|i| splits(*i))
        .unwrap_or(inner.len());
    (start..end).any(|i| {
        words
            .iter()
            .any(|word| lexicon::stem(inner.fold(i)) == word)
    })
}
