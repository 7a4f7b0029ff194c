//! Changes of a number inside a list, or in a fact that goes by other words.

use super::super::super::{Entries, Scene};
use super::super::same_sort;
use crate::facts::heuristic::book::{Entry, mentions};
use crate::facts::heuristic::lexicon::{self};
use crate::facts::heuristic::phrase::Span;
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value::{self, Sort, Value};
use crate::facts::heuristic::wording;

/// `Extend Tokyo to 7 nights`: in a list, the number of the same unit in the item that names the topic.
pub(super) fn item(scene: &mut Scene<'_, '_, '_>, topic: Span, value: Value, end: usize) -> bool {
    let tokens = scene.tokens;
    let words = scene.content(topic);
    let unit = value::unit(tokens, value, end).map(|i| lexicon::stem(tokens.fold(i)).to_owned());
    if words.is_empty() {
        return false;
    }
    let new = wording::slice(tokens, value.start, value.end);
    for entry in scene.book.mentioning(&words).into_iter().rev() {
        let text = scene.book.text(entry).to_owned();
        let Some(changed) = in_item(&text, &words, value.sort, unit.as_deref(), &new) else {
            continue;
        };
        let subject = scene.book.subject(entry).to_owned();
        let added = scene.book.add(&subject, &changed);
        scene.book.end(entry, added);
        scene.topic = added;
        return true;
    }
    false
}

/// `Change the order to 5 pizzas`: the one known number of the same things.
pub(super) fn counted(scene: &mut Scene<'_, '_, '_>, value: Value, end: usize) -> bool {
    let tokens = scene.tokens;
    let Some(unit) = value::unit(tokens, value, end) else {
        return false;
    };
    let subject = format!("topic:{}/count", lexicon::stem(tokens.fold(unit)));
    let facts = scene.book.of_subject(&subject);
    let [entry] = facts.as_slice() else {
        return false;
    };
    let entry = *entry;
    let known = scene.book.text(entry).to_owned();
    let Some(old) = same_sort(&known, Some(value.sort)) else {
        return false;
    };
    let Some(changed) = wording::substituted(
        &known,
        &old,
        &wording::slice(tokens, value.start, value.end),
    ) else {
        return false;
    };
    let added = scene.book.add(&subject, &changed);
    scene.book.end(entry, added);
    scene.topic = added;
    true
}

fn in_item(
    text: &str,
    words: &[String],
    sort: Sort,
    unit: Option<&str>,
    new: &str,
) -> Option<String> {
    let tokens = Tokens::of(text);
    let colon = (0..tokens.len()).find(|i| tokens.kind(*i) == Kind::Colon)?;
    let holds = |item: Span| {
        words
            .iter()
            .all(|word| (item.0..item.1).any(|i| lexicon::stem(tokens.fold(i)) == word))
    };
    let mut from = colon + 1;
    for at in colon + 1..=tokens.len() {
        if at < tokens.len() && tokens.kind(at) != Kind::Comma {
            continue;
        }
        if holds((from, at)) {
            let old = value::all(&tokens, from, at).into_iter().find(|value| {
                let same_unit = unit.is_none_or(|unit| {
                    value::unit(&tokens, *value, at)
                        .is_some_and(|i| lexicon::stem(tokens.fold(i)) == unit)
                });
                value.sort == sort && same_unit
            })?;
            let head = text.get(..tokens.at(old.start).start as usize)?;
            let tail = text.get(tokens.at(old.end - 1).end as usize..)?;
            return Some(format!("{head}{new}{tail}"));
        }
        from = at + 1;
    }
    None
}

/// A fact that speaks of the topic in other words and has one value of this sort: the value changes.
pub(super) fn mentioned(scene: &mut Scene<'_, '_, '_>, np: Span, value: Value, goal: Span) -> bool {
    let tokens = scene.tokens;
    let words = scene.content(np);
    let facts: Entries = scene.book.mentioning(&words);
    let candidates: Vec<Entry> = facts
        .into_iter()
        .filter(|entry| {
            let subject = scene.book.subject(*entry);
            let text = scene.book.text(*entry);
            !subject.contains("'s")
                && !super::super::super::is_ended(subject)
                && same_sort(text, Some(value.sort)).is_some()
                && mentions(text, &words)
        })
        .collect();
    let [entry] = candidates.as_slice() else {
        return false;
    };
    let known = scene.book.text(*entry).to_owned();
    let Some(old) = same_sort(&known, Some(value.sort)) else {
        return false;
    };
    let Some(changed) = wording::substituted(&known, &old, &wording::slice(tokens, goal.0, goal.1))
    else {
        return false;
    };
    let subject = scene.book.subject(*entry).to_owned();
    let added = scene.book.add(&subject, &changed);
    scene.book.end(*entry, added);
    scene.topic = added;
    true
}
