//! What is said of a topic after `is`.

use super::super::{Scene, after};
use super::{Topic, key};
use crate::facts::heuristic::clause::{Clause, Subject};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value::{self, Sort};

/// What is said of a topic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Predicate {
    pub(super) span: Span,
    pub(super) attribute: &'static str,
    /// Says which it is, not how it is: one such statement replaces another.
    pub(super) identity: bool,
}

pub(super) fn predicate(
    scene: &Scene<'_, '_, '_>,
    topic: &Topic,
    named: bool,
    span: Span,
) -> Option<Predicate> {
    let tokens = scene.tokens;
    let (mut at, end) = span;
    if named {
        return (at < end).then_some(Predicate {
            span,
            attribute: "name",
            identity: true,
        });
    }
    if let Some(next) = after(
        tokens,
        at,
        words![
            "due on|by|at",
            "due",
            "scheduled for|on",
            "planned for|on",
            "set for|at",
            "made of|from",
            "called",
            "named"
        ],
    ) {
        let attribute = match tokens.fold(at) {
            "due" => "deadline",
            "called" | "named" => "name",
            "made" => "value",
            _ => "date",
        };
        return (next < end).then_some(Predicate {
            span: (next, end),
            attribute,
            identity: true,
        });
    }
    if let Some(next) = after(
        tokens,
        at,
        words![
            "on",
            "at",
            "in",
            "by",
            "for",
            "from",
            "until",
            "around|about|approximately|roughly"
        ],
    ) {
        at = next;
    }
    let at = after(
        tokens,
        at,
        words![
            "the",
            "around|about|approximately|roughly|only|now",
            "every|each"
        ],
    )
    .unwrap_or(at);
    let first = value::all(tokens, at, end)
        .first()
        .copied()
        .filter(|value| value.start == at);
    if let Some(value) = first {
        let attribute = match value.sort {
            Sort::Money => "price",
            Sort::Date => "date",
            Sort::Time => "time",
            Sort::Percent | Sort::Number => "number",
        };
        return Some(Predicate {
            span: (value.start, value.end),
            attribute,
            identity: true,
        });
    }
    let span = (
        after(tokens, span.0, words!["the|a|an"]).unwrap_or(span.0),
        end,
    );
    let short = span.0 < end && end - span.0 <= 8;
    let token = tokens.at(span.0);
    if !short || token.has(Class::VERB) && token.forms() & lexicon::form::ING != 0 {
        return None;
    }
    let proper = tokens.at(span.0).capital && tokens.cased;
    let kind = (span.0..end).any(|i| lexicon::kind_of(tokens.fold(i)).is_some());
    let property = !topic.attribute.is_empty() || topic.is_favourite();
    let place = tokens.any(at.wrapping_sub(1), words!["in|at|on"]).is_some() && at > span.0;
    if place && !property {
        let venue = proper_in(tokens, (at, end))
            || (at..end).any(|i| {
                matches!(
                    tokens.fold(i),
                    "room" | "hall" | "building" | "floor" | "gate"
                )
            });
        return venue.then_some(Predicate {
            span: (at, end),
            attribute: "venue",
            identity: true,
        });
    }
    let worded = property
        && (is_worded(&topic.attribute) || topic.is_favourite())
        && end - span.0 <= 4
        && !vague_adjective(tokens, span)
        && !token.has(Class::ADV.with(Class::PREP).with(Class::IT));
    let noun = property
        && tokens.has(span.0.wrapping_sub(1), Class::DET)
        && !token.has(Class::VAGUE)
        && end - span.0 <= 4
        && proper_in(tokens, span);
    let unclear = key::is_vague(tokens.fold(span.0))
        || token.has(Class::PREP.with(Class::WH))
        || tokens.fold(span.0) == "to";
    (!unclear && (proper || kind || worded || noun)).then_some(Predicate {
        span,
        attribute: "value",
        identity: true,
    })
}

fn proper_in(tokens: &Tokens<'_>, span: Span) -> bool {
    (span.0..span.1).any(|i| tokens.at(i).capital)
}

/// Properties whose values are ordinary words.
pub(super) fn is_worded(attribute: &str) -> bool {
    matches!(
        attribute,
        "email"
            | "phone"
            | "number"
            | "address"
            | "colour"
            | "theme"
            | "venue"
            | "name"
            | "nickname"
            | "title"
            | "language"
            | "framework"
            | "database"
            | "font"
            | "logo"
            | "genre"
            | "subject"
            | "topic"
            | "slogan"
            | "motto"
            | "destination"
            | "major"
            | "nationality"
            | "flavour"
            | "flavor"
            | "favourite"
            | "host"
            | "vendor"
            | "supplier"
            | "provider"
            | "carrier"
            | "bank"
            | "currency"
            | "hotel"
            | "caterer"
            | "model"
            | "size"
            | "surname"
            | "username"
            | "password"
            | "passcode"
            | "hometown"
            | "city"
            | "occupation"
            | "position"
            | "version"
    )
}

/// `tight`, `important`, `not clear`: how something is.
fn vague_adjective(tokens: &Tokens<'_>, span: Span) -> bool {
    const VAGUE: [&str; 44] = [
        "tight",
        "important",
        "clear",
        "unclear",
        "flexible",
        "fixed",
        "high",
        "low",
        "big",
        "small",
        "good",
        "bad",
        "great",
        "fine",
        "ok",
        "okay",
        "hard",
        "easy",
        "difficult",
        "limited",
        "approaching",
        "close",
        "coming",
        "ready",
        "done",
        "finished",
        "late",
        "early",
        "tough",
        "complicated",
        "simple",
        "nice",
        "strict",
        "realistic",
        "reasonable",
        "sure",
        "unknown",
        "open",
        "real",
        "near",
        "soon",
        "crazy",
        "huge",
        "not",
    ];
    let first =
        (span.0..span.1).find(|i| phrase::is_content(tokens, *i) && !tokens.has(*i, Class::ADV));
    first.is_none_or(|i| VAGUE.contains(&tokens.fold(i)))
}

/// `the sun is a star` is no fact of a session; `the venue is the town hall` is.
pub(super) fn general_enough(
    tokens: &Tokens<'_>,
    clause: &Clause,
    topic: &Topic,
    predicate: Predicate,
) -> bool {
    let head = phrase::head(tokens, clause.np);
    let known = head.is_some_and(|i| {
        tokens.has(i, Class::EVENT.with(Class::LIST)) || tokens.has(i, Class::ATTR)
    });
    let definite = tokens.fold(clause.np.0) == "the";
    let counted = predicate.attribute == "number" && tokens.has(predicate.span.1, Class::UNIT);
    let typed = !matches!(predicate.attribute, "value" | "number");
    let kind =
        (predicate.span.0..predicate.span.1).any(|i| lexicon::kind_of(tokens.fold(i)).is_some());
    let event = head.is_some_and(|i| tokens.has(i, Class::EVENT))
        && clause.np.1 == clause.np.0 + 1
        && matches!(predicate.attribute, "date" | "time");
    // `Rent is 900`, `Mum's party is on Saturday`
    let bare = head.is_some_and(|i| tokens.has(i, Class::ATTR.with(Class::EVENT)))
        && typed
        && predicate.attribute != "name"
        && (clause.np.1 == clause.np.0 + 1
            || (clause.np.0..clause.np.1).any(|i| tokens.fold(i) == "'s"));
    let timetable = matches!(clause.subject, Subject::Thing | Subject::Name)
        && clause.np.1 == clause.np.0 + 1
        && matches!(predicate.attribute, "time" | "date")
        && !tokens.has(
            clause.np.0,
            Class::OTHER
                .with(Class::DET)
                .with(Class::NUM)
                .with(Class::DAY)
                .with(Class::MONTH),
        );
    // `The meeting room is Room 5`
    let named = definite
        && clause.np.1 - clause.np.0 <= 3
        && !proper_in(tokens, (clause.np.0 + 1, clause.np.1))
        && predicate.attribute == "value"
        && tokens.at(predicate.span.0).capital
        && tokens.cased
        && predicate.span.1 - predicate.span.0 <= 3;
    bare || timetable
        || named
        || definite && (known || counted || !topic.attribute.is_empty() && typed || kind)
        || event
}
