//! A property and its value with a colon between: `Budget: 500 pounds`, `New number: 555-0199`.

use super::super::Scene;
use super::super::revision::{Shape, put_value, read_value};
use super::predicate::is_worded;
use super::{Topic, replace};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Kind;
use crate::facts::heuristic::wording;

/// Most words before the colon.
const LONGEST: usize = 5;

pub(in super::super::super) fn labelled(
    scene: &mut Scene<'_, '_, '_>,
    start: usize,
    end: usize,
) -> bool {
    let tokens = scene.tokens;
    let Some(colon) = (start + 1..end.min(start + LONGEST + 1))
        .find(|i| tokens.kind(*i) == Kind::Colon)
        .filter(|colon| (start..*colon).all(|i| tokens.at(i).is_wordy() && !tokens.at(i).quoted))
    else {
        return false;
    };
    let label = (start, colon);
    let property =
        phrase::head(tokens, label).is_some_and(|i| tokens.has(i, Class::ATTR.with(Class::EVENT)));
    let others = (start..colon).any(|i| {
        tokens.has(i, Class::THEIR.with(Class::VERB.with(Class::WH)))
            && !tokens.has(i, Class::ATTR.with(Class::EVENT))
    });
    let Some(topic) = Topic::of(tokens, label).filter(|_| property && !others) else {
        return false;
    };
    if is_worded(&topic.attribute) && end - colon <= 8 && end > colon + 1 {
        return whole(scene, &topic, (start, colon), (colon + 1, end));
    }
    let Some(given) = read_value(tokens, colon + 1, end) else {
        return false;
    };
    let typed = matches!(given.shape, Shape::Typed(..) | Shape::Mail | Shape::Phone);
    let rest = (given.span.1..end)
        .filter(|i| phrase::is_content(tokens, *i))
        .count();
    if !typed || rest > 3 {
        return false;
    }
    let new = (start..colon).any(|i| {
        matches!(
            tokens.fold(i),
            "new" | "updated" | "revised" | "current" | "correct" | "corrected"
        )
    });
    if new && topic.find(scene, true).is_empty() && put_value(scene, &given) {
        return true;
    }
    let skip = usize::from(tokens.has(start, Class::MY.with(Class::DET)));
    let text = format!(
        "{} is {}",
        wording::slice(tokens, start + skip, colon),
        wording::slice(tokens, given.span.0, given.span.1)
    );
    let mut topic = topic;
    if topic.attribute.is_empty() {
        "date".clone_into(&mut topic.attribute);
    }
    replace(scene, &topic, given.span, &text, true, true);
    true
}

/// A property whose value is all that follows: `New address: 4 Mill Road`.
fn whole(scene: &mut Scene<'_, '_, '_>, topic: &Topic, label: Span, value: Span) -> bool {
    let tokens = scene.tokens;
    let numbered = tokens.has(phrase::head(tokens, label).unwrap_or(label.0), Class::ATTR)
        && matches!(topic.attribute.as_str(), "phone" | "count");
    if numbered && topic.find(scene, true).is_empty() {
        return read_value(tokens, value.0, value.1).is_some_and(|given| put_value(scene, &given));
    }
    let skip = usize::from(tokens.has(label.0, Class::MY.with(Class::DET)));
    let text = format!(
        "{} is {}",
        wording::slice(tokens, label.0 + skip, label.1),
        wording::slice(tokens, value.0, value.1)
    );
    let facts = topic.find(scene, true);
    let added = scene.book.add(&topic.subject(), &text);
    for fact in facts {
        scene.book.end(fact, added);
    }
    scene.topic = added;
    true
}
