//! How many there are of something: `there will be 10 of us`, `a table for 4`.

use super::super::{Scene, after};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::value::{self, Sort};
use crate::facts::heuristic::wording;

/// `Book a table for 4`.
pub(super) fn table_for(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let books = matches!(
        clause.lemma(tokens),
        "book" | "reserve" | "need" | "order" | "get" | "make"
    ) && !clause.marks.negated;
    let Some(at) = (clause.body..clause.end)
        .find_map(|i| {
            after(
                tokens,
                i,
                words!["table|room|dinner|lunch|reservation|booking for"],
            )
        })
        .filter(|_| books)
    else {
        return false;
    };
    let Some(value) =
        value::read(tokens, at, clause.end).filter(|value| value.sort == Sort::Number)
    else {
        return false;
    };
    let people =
        after(tokens, value.end, words!["people|persons|guests|adults"]).unwrap_or(value.end);
    if people == value.end && tokens.has(value.end, Class::UNIT) {
        return false;
    }
    let text = wording::slice(tokens, clause.verb, people);
    let subject = format!("topic:{}/count", lexicon::stem("people"));
    let before = scene.book.of_subject(&subject);
    let Some(added) = scene.book.add(&subject, &text) else {
        return false;
    };
    for old in before {
        scene.book.end(old, Some(added));
    }
    scene.topic = Some(added);
    true
}

/// `There will be 10 of us`, `there are 25 guests`, `12 people are coming`.
pub(super) fn there_are(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let there = clause.lemma(tokens) == "be"
        && (tokens.fold(clause.np.0) == "there" || clause.subject == Subject::Us)
        && clause.np.1 > clause.np.0;
    if !there || clause.marks.negated || !matches!(clause.tense, Tense::Present | Tense::Future) {
        return false;
    }
    let head_at = phrase::skip_adverbs(tokens, clause.body, clause.end, &mut clause.marks.clone());
    let at = after(tokens, head_at, words!["a party|group|team|family of"]);
    let group = at.is_some();
    let at = at.unwrap_or(head_at);
    let Some(value) =
        value::read(tokens, at, clause.end).filter(|value| value.sort == Sort::Number)
    else {
        return false;
    };
    let people = after(
        tokens,
        value.end,
        words!["of us", "of them", "people", "guests", "persons"],
    );
    // `There are 25 students in my class`
    let own = value::unit(tokens, value, clause.end).filter(|unit| {
        people.is_none()
            && tokens.has(unit + 1, Class::PREP)
            && tokens.has(unit + 2, Class::MY)
            && !tokens.has(*unit, Class::UNIT)
    });
    if let Some(unit) = own {
        let stop = phrase::object_end(tokens, unit + 2, clause.end, false);
        return count(scene, clause, tokens.fold(unit), (clause.start, stop));
    }
    let stop = match people {
        Some(stop) => stop,
        None if clause.subject == Subject::Us && (group || value.end >= clause.end) => value.end,
        None => return false,
    };
    let noun = people.map_or("people", |stop| {
        if tokens.fold(stop - 1) == "guests" {
            "guest"
        } else {
            "people"
        }
    });
    count(scene, clause, noun, (clause.start, stop))
}

/// Keeps how many there are of something; a new number replaces the old one.
fn count(scene: &mut Scene<'_, '_, '_>, clause: &Clause, noun: &str, span: Span) -> bool {
    let subject = format!("topic:{}/count", lexicon::stem(noun));
    let text = wording::slice(scene.tokens, span.0, span.1);
    let before = scene.book.of_subject(&subject);
    let Some(added) = scene.book.add(&subject, &text) else {
        return false;
    };
    for old in before {
        if !clause.marks.also {
            scene.book.end(old, Some(added));
        }
    }
    scene.topic = Some(added);
    true
}
