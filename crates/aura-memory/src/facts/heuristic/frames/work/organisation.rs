//! Phrases that name an employer.

use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};

pub(super) fn names_time(tokens: &Tokens<'_>, at: usize) -> bool {
    // `in the morning`, `at night`, `for three years`
    tokens.has(
        at + 1,
        Class::UNIT
            .with(Class::DAY)
            .with(Class::MONTH)
            .with(Class::NUM),
    ) || tokens.has(at + 2, Class::UNIT) && tokens.has(at + 1, Class::DET)
        || tokens.kind(at + 1) == Kind::Number
}

pub(super) fn is_firm(tokens: &Tokens<'_>, span: Span) -> bool {
    (span.0..span.1).any(|i| {
        matches!(
            tokens.fold(i),
            "company"
                | "firm"
                | "startup"
                | "start-up"
                | "agency"
                | "house"
                | "studio"
                | "practice"
                | "hospital"
        )
    })
}

pub(super) fn is_workplace(word: &str) -> bool {
    matches!(
        word,
        "library"
            | "hospital"
            | "school"
            | "university"
            | "college"
            | "bank"
            | "company"
            | "firm"
            | "startup"
            | "start-up"
            | "agency"
            | "clinic"
            | "restaurant"
            | "cafe"
            | "café"
            | "bakery"
            | "office"
            | "studio"
            | "lab"
            | "museum"
            | "shop"
            | "store"
            | "hotel"
            | "publisher"
            | "house"
            | "newspaper"
            | "factory"
            | "practice"
            | "government"
            | "council"
            | "department"
            | "team"
            | "ministry"
            | "kindergarten"
            | "nursery"
            | "bookstore"
            | "bookshop"
            | "farm"
            | "garage"
            | "theatre"
            | "theater"
            | "charity"
            | "nonprofit"
            | "ngo"
            | "embassy"
            | "brewery"
            | "airline"
            | "consultancy"
            | "pharmacy"
            | "salon"
    )
}

pub(super) fn organisation(
    tokens: &Tokens<'_>,
    at: usize,
    end: usize,
    preposition: &str,
) -> Option<Span> {
    let first = tokens.at(at);
    if at >= end
        || first.kind != Kind::Word
        || first.has(
            Class::OTHER
                .with(Class::IT)
                .with(Class::THEIR)
                .with(Class::VAGUE),
        )
    {
        return None;
    }
    if first.capital && !first.has(Class::MONTH.with(Class::DAY).with(Class::I)) {
        return Some((at, phrase::name_end(tokens, at, end)));
    }
    let stop = phrase::object_end(tokens, at, end, false);
    let stop = (at..stop)
        .find(|i| {
            *i > at
                && tokens.has(*i, Class::PREP)
                && !matches!(tokens.fold(*i), "of" | "in" | "for" | "called")
        })
        .unwrap_or(stop);
    let stop = stop.min(at + 8);
    let noun = (at..stop).any(|i| is_workplace(tokens.fold(i)) || tokens.at(i).capital);
    let field = preposition == "in"
        && !first.has(Class::DET.with(Class::MY))
        && !first.has(Class::UNIT.with(Class::NUM))
        && first.kind == Kind::Word;
    // `at a warehouse`
    let head = phrase::head(tokens, (at, stop));
    let place = preposition == "at"
        && first.has(Class::DET)
        && head.is_some_and(|i| {
            !tokens.has(
                i,
                Class::VAGUE
                    .with(Class::UNIT)
                    .with(Class::DAY)
                    .with(Class::HOUSE)
                    .with(Class::EVENT)
                    .with(Class::NUM),
            ) && !matches!(
                tokens.fold(i),
                "desk"
                    | "table"
                    | "computer"
                    | "laptop"
                    | "pace"
                    | "speed"
                    | "level"
                    | "cost"
                    | "price"
            )
        });
    (stop > at && (noun || field || place)).then_some((
        at,
        if field && !noun {
            (at + 2).min(stop)
        } else {
            stop
        },
    ))
}
