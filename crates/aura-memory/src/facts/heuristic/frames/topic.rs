//! Properties of things: budgets, deadlines, dates, prices, names.

pub(super) mod key;

mod change;
mod decision;
pub(super) mod label;

mod predicate;

mod measure;

use super::{Scene, after, ended, speaks_of_change};
use crate::facts::heuristic::book::Entry;
use crate::facts::heuristic::clause::{Clause, Subject, Tense, is_break};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value::{self, Sort};
use crate::facts::heuristic::wording;
pub(super) use key::Topic;
use measure::{dated, has_event, has_property, measured, set_aside};
use predicate::{general_enough, predicate};

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    keeps_under(scene, clause)
        || set_aside(scene, clause)
        || earns(scene, clause)
        || has_event(scene, clause)
        || has_property(scene, clause)
        || change::read(scene, clause)
        || copula(scene, clause)
        || measured(scene, clause)
        || dated(scene, clause)
        || decision::read(scene, clause)
}

/// `I have to submit my application by March 1`: a deadline.
pub(super) fn read_obligation(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if keeps_under(scene, clause) {
        return true;
    }
    let must = (clause.np.1..clause.verb)
        .any(|i| tokens.any(i, words!["have|need|got to", "must"]).is_some());
    // `The report must be finished by noon`
    let thing = clause.marks.passive && matches!(clause.subject, Subject::Thing | Subject::Mine);
    if !must || !(Scene::is_mine(clause) || thing) || clause.marks.negated {
        return false;
    }
    let Some(by) = (clause.body..clause.end)
        .find(|i| tokens.fold(*i) == "by")
        .filter(|by| *by > clause.body || thing)
    else {
        return false;
    };
    let Some(date) = value::read(tokens, by + 1, clause.end)
        .filter(|value| value.sort == Sort::Date || thing && value.sort == Sort::Time)
    else {
        return false;
    };
    let object = after(tokens, clause.body, words!["in|out|off|up|over"]).unwrap_or(clause.body);
    let span = if thing { clause.np } else { (object, by) };
    let Some(mut topic) =
        Topic::of(tokens, span).filter(|_| tokens.has(span.0, Class::MY.with(Class::DET)))
    else {
        return false;
    };
    "deadline".clone_into(&mut topic.attribute);
    let text = scene.statement(clause, date.end);
    replace(
        scene,
        &topic,
        (date.start, date.end),
        &text,
        speaks_of_change(clause.marks),
        true,
    );
    true
}

/// `I want to keep the renovation under 15,000 euros`: a budget.
fn keeps_under(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let seeks = clause.after_verb(
        tokens,
        words!["look for", "search for", "shop for", "hunt for"],
    );
    let keeps = (matches!(
        clause.lemma(tokens),
        "keep" | "stay" | "spend" | "do" | "finish" | "want" | "need" | "find"
    ) || seeks.is_some())
        && Scene::is_mine(clause)
        && !clause.marks.negated;
    let Some(under) = (clause.body..clause.end.min(clause.body + 8))
        .find(|i| tokens.any(*i, words!["under|below|within"]).is_some())
        .filter(|_| keeps)
    else {
        return false;
    };
    let Some(value) =
        value::read(tokens, under + 1, clause.end).filter(|value| value.sort == Sort::Money)
    else {
        return false;
    };
    let mut topic = Topic::of(tokens, (seeks.unwrap_or(clause.body), under)).unwrap_or_default();
    "budget".clone_into(&mut topic.attribute);
    let text = scene.statement(clause, value.end);
    replace(
        scene,
        &topic,
        (value.start, value.end),
        &text,
        speaks_of_change(clause.marks),
        true,
    );
    true
}

/// `I earn 3200 a month`, `I make 56k now`.
fn earns(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let earns = matches!(clause.lemma(tokens), "earn" | "make")
        && clause.subject == Subject::Me
        && matches!(clause.tense, Tense::Present | Tense::Progressive)
        && !clause.marks.negated
        && !clause.marks.ability;
    let at = phrase::skip_adverbs(tokens, clause.body, clause.end, &mut clause.marks.clone());
    let at = after(tokens, at, words!["about|around|roughly"]).unwrap_or(at);
    let typed = value::read(tokens, at, clause.end).filter(|value| {
        earns
            && (value.sort == Sort::Money
                || clause.lemma(tokens) == "earn" && value.sort == Sort::Number)
    });
    let Some(value) = typed else {
        return false;
    };
    let mut topic = Topic::default();
    "salary".clone_into(&mut topic.attribute);
    let end = (value.end..clause.end.min(value.end + 2))
        .find(|i| tokens.has(*i, Class::UNIT))
        .map_or(value.end, |i| i + 1);
    let text = scene.statement(clause, end);
    replace(
        scene,
        &topic,
        (value.start, value.end),
        &text,
        speaks_of_change(clause.marks),
        true,
    );
    true
}

/// `The budget is $12,000`, `our hotel is the Sakura Inn`, `the theme isn't pirates any more`.
fn copula(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let about_thing = matches!(clause.subject, Subject::Mine | Subject::Thing | Subject::It)
        || clause.subject == Subject::Name && owned(tokens, clause.np)
        || is_timetable(tokens, clause);
    let lemma = clause.lemma(tokens);
    let named = clause
        .after_verb(tokens, words!["call", "name", "title"])
        .filter(|_| clause.marks.passive);
    if !about_thing || !(lemma == "be" || named.is_some() || lemma == "stand") {
        return false;
    }
    let end = dated_end(tokens, clause);
    let Some(mut topic) = topic_of(scene, clause) else {
        return false;
    };
    let Some(predicate) = predicate(scene, &topic, named.is_some(), (clause.body, end)) else {
        return false;
    };
    if topic.attribute.is_empty() {
        topic.attribute = predicate.attribute.to_owned();
    }
    if clause.subject == Subject::Thing && !general_enough(tokens, clause, &topic, predicate) {
        return false;
    }
    let words = scene.content(predicate.span);
    if clause.marks.negated || clause.marks.ended {
        let mut facts = topic.find(scene, true);
        facts.retain(|entry| {
            crate::facts::heuristic::book::mentions(scene.book.text(*entry), &words)
        });
        if !facts.is_empty() {
            let text = scene.statement(clause, end);
            scene.end_with(&facts, &words, &topic.subject(), &text);
            scene.topic = facts.first().copied();
        }
        return true;
    }
    if !matches!(
        clause.tense,
        Tense::Present | Tense::Future | Tense::Perfect
    ) {
        return true;
    }
    let changes = speaks_of_change(clause.marks)
        || clause.subject == Subject::It
        || tokens
            .any(
                clause.np.0 + 1,
                words!["new", "updated", "revised", "current", "final", "latest"],
            )
            .is_some();
    let text = if clause.subject == Subject::It {
        String::new()
    } else {
        scene.statement(clause, end)
    };
    replace(
        scene,
        &topic,
        predicate.span,
        &text,
        changes,
        predicate.identity,
    );
    true
}

/// Where the predicate ends; a date belongs to it even where it would be a mere adverbial elsewhere (`due next Friday`).
fn dated_end(tokens: &Tokens<'_>, clause: &Clause) -> usize {
    let end = phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body);
    let date = value::read(tokens, end, clause.end)
        .filter(|value| value.sort == Sort::Date && end <= clause.body + 3);
    date.map_or(end, |date| date.end)
}

/// `Checkout is at 11am`, `Rehearsals start at 7`: at the beginning of a sentence a noun looks like a name.
fn is_timetable(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    clause.subject == Subject::Name
        && clause.np.1 == clause.np.0 + 1
        && (clause.np.0 == 0 || is_break(tokens, clause.np.0 - 1))
        && value::all(tokens, clause.body, clause.end.min(clause.body + 4))
            .iter()
            .any(|value| matches!(value.sort, Sort::Date | Sort::Time))
}

fn owned(tokens: &Tokens<'_>, np: Span) -> bool {
    (np.0..np.1).any(|i| tokens.has(i, Class::EVENT.with(Class::ATTR).with(Class::LIST)))
}

/// The topic of a clause: its subject, or for `it` what was spoken of before.
fn topic_of(scene: &Scene<'_, '_, '_>, clause: &Clause) -> Option<Topic> {
    if clause.subject != Subject::It {
        return Topic::of(scene.tokens, clause.np);
    }
    let entry = scene.topic?;
    Topic::from_subject(scene.book.subject(entry).trim_end_matches(":ended"))
}

/// States a new value of a topic. Facts of the same property end; where their words hold more than the new statement, the
/// new value takes the place of the old one in them.
fn replace(
    scene: &mut Scene<'_, '_, '_>,
    topic: &Topic,
    new: Span,
    text: &str,
    changes: bool,
    identity: bool,
) -> Option<Entry> {
    let facts = topic.find(scene, changes);
    let words = scene.content(new);
    let sort = value::read(scene.tokens, new.0, new.1).map(|value| value.sort);
    let mut ends = super::Entries::new();
    let mut worded = None;
    for old in &facts {
        let known = scene.book.text(*old).to_owned();
        if super::is_ended(scene.book.subject(*old)) {
            ends.push(*old);
            continue;
        }
        if crate::facts::heuristic::book::mentions(&known, &words)
            && !words.is_empty()
            && !is_longer(text, &known)
        {
            return Some(*old);
        }
        let same = same_sort(&known, sort);
        let other = Topic::from_subject(scene.book.subject(*old))
            .is_some_and(|known| known.attribute != topic.attribute);
        let replaces =
            same.is_some() || (changes || identity && sort.is_none()) && !(other && sort.is_some());
        if !replaces {
            continue;
        }
        if let Some(span) = same
            && (text.is_empty() || is_longer(&known, text))
        {
            worded = worded.or_else(|| {
                wording::substituted(&known, &span, &wording::slice(scene.tokens, new.0, new.1))
            });
        }
        ends.push(*old);
    }
    if text.is_empty() && worded.is_none() {
        worded = ends.first().and_then(|old| reworded(scene, *old, new));
    }
    let kept = worded.is_some();
    let text = worded.unwrap_or_else(|| text.to_owned());
    let subject = ends
        .first()
        .map(|old| {
            scene
                .book
                .subject(*old)
                .trim_end_matches(":ended")
                .to_owned()
        })
        .filter(|subject| {
            kept || Topic::from_subject(subject).is_some_and(|old| old.attribute == topic.attribute)
        })
        .unwrap_or_else(|| topic.subject());
    let added = scene.book.add(&subject, &text)?;
    for old in ends {
        scene.book.end(old, Some(added));
    }
    for old in scene.book.of_subject(&ended(&subject)) {
        scene.book.end(old, Some(added));
    }
    scene.topic = Some(added);
    Some(added)
}

/// The old statement with everything after its verb replaced by the new value.
fn reworded(scene: &Scene<'_, '_, '_>, old: Entry, new: Span) -> Option<String> {
    let known = scene.book.text(old);
    let tokens = Tokens::of(known);
    let verb = (0..tokens.len()).find(|i| tokens.has(*i, Class::BE))?;
    let subject = tokens.slice(0, verb);
    Some(format!(
        "{subject} is {}",
        wording::slice(scene.tokens, new.0, new.1)
    ))
}

/// The words of the value of this sort in a text, as stems.
fn same_sort(text: &str, sort: Option<Sort>) -> Option<Vec<String>> {
    let sort = sort?;
    let tokens = Tokens::of(text);
    let values = value::all(&tokens, 0, tokens.len());
    let found = values.iter().find(|value| {
        value.sort == sort
            || matches!(
                (value.sort, sort),
                (Sort::Money, Sort::Number) | (Sort::Number, Sort::Money)
            )
    })?;
    Some(
        (found.start..found.end)
            .map(|i| lexicon::stem(tokens.fold(i)).to_owned())
            .collect(),
    )
}

/// Whether a text has more words that count than another.
fn is_longer(text: &str, other: &str) -> bool {
    let count = |text: &str| {
        let tokens = Tokens::of(text);
        phrase::content(&tokens, (0, tokens.len())).len()
    };
    count(text) > count(other)
}
