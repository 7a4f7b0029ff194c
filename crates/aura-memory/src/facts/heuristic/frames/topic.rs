//! Properties of things: budgets, deadlines, dates, prices, names.

pub(super) mod key;

mod change;
mod decision;

use super::{Scene, after, ended, speaks_of_change};
use crate::facts::heuristic::book::Entry;
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value::{self, Sort};
use crate::facts::heuristic::wording;
pub(super) use key::Topic;

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    set_aside(scene, clause)
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
    let must = (clause.np.1..clause.verb)
        .any(|i| tokens.any(i, words!["have|need|got to", "must"]).is_some());
    if !must || !Scene::is_mine(clause) || clause.marks.negated {
        return false;
    }
    let Some(by) = (clause.body..clause.end)
        .find(|i| tokens.fold(*i) == "by")
        .filter(|by| *by > clause.body)
    else {
        return false;
    };
    let Some(date) =
        value::read(tokens, by + 1, clause.end).filter(|value| value.sort == Sort::Date)
    else {
        return false;
    };
    let Some(mut topic) = Topic::of(tokens, (clause.body, by))
        .filter(|_| tokens.has(clause.body, Class::MY.with(Class::DET)))
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

/// `The budget is $12,000`, `our hotel is the Sakura Inn`, `the theme isn't pirates any more`.
fn copula(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let about_thing = matches!(clause.subject, Subject::Mine | Subject::Thing | Subject::It)
        || clause.subject == Subject::Name && owned(tokens, clause.np);
    let lemma = clause.lemma(tokens);
    let named = after(tokens, clause.verb, words!["call", "name", "title"])
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

/// What is said of a topic.
#[derive(Debug, Clone, Copy)]
struct Predicate {
    span: Span,
    attribute: &'static str,
    /// Says which it is, not how it is: one such statement replaces another.
    identity: bool,
}

fn predicate(
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
        words!["the", "around|about|approximately|roughly|only|now"],
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
    let property = !topic.attribute.is_empty();
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
        && is_worded(&topic.attribute)
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
fn is_worded(attribute: &str) -> bool {
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
fn general_enough(
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
    let typed = !matches!(predicate.attribute, "value" | "number");
    let kind =
        (predicate.span.0..predicate.span.1).any(|i| lexicon::kind_of(tokens.fold(i)).is_some());
    let event = head.is_some_and(|i| tokens.has(i, Class::EVENT))
        && clause.np.1 == clause.np.0 + 1
        && matches!(predicate.attribute, "date" | "time");
    definite && (known || !topic.attribute.is_empty() && typed || kind) || event
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
            Topic::from_subject(subject).is_some_and(|old| old.attribute == topic.attribute)
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

/// `The hotel costs $900`, `the report needs 20 pages`, `our team has 6 developers`.
fn measured(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let measures = clause.verb_is(tokens, Class::COST)
        || matches!(
            lemma,
            "have" | "need" | "require" | "take" | "seat" | "hold" | "contain" | "weigh"
        );
    let subject = matches!(clause.subject, Subject::Mine | Subject::Thing);
    if !measures
        || !subject
        || clause.marks.negated
        || !matches!(clause.tense, Tense::Present | Tense::Future)
    {
        return false;
    }
    let person = phrase::head(tokens, clause.np).is_some_and(|i| tokens.has(i, Class::KIN));
    let definite = clause.subject == Subject::Mine || tokens.fold(clause.np.0) == "the";
    if person || !definite {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let values = value::all(tokens, clause.body, end);
    let Some(first) = values.first() else {
        return false;
    };
    let Some(mut topic) = Topic::of(tokens, clause.np) else {
        return false;
    };
    let several = values.len() > 1;
    for (position, item) in phrase::items(tokens, clause.body, end).iter().enumerate() {
        let Some(value) = value::all(tokens, item.0, item.1).first().copied() else {
            continue;
        };
        let counted =
            value::unit(tokens, value, item.1).map(|i| lexicon::stem(tokens.fold(i)).to_owned());
        topic.attribute = match value.sort {
            Sort::Money => "price".to_owned(),
            _ => format!("{} {lemma}", counted.unwrap_or_default())
                .trim_start()
                .to_owned(),
        };
        let text = if several {
            let verb = scene.statement(clause, clause.body);
            format!("{verb} {}", wording::slice(tokens, item.0, item.1))
        } else {
            scene.statement(clause, end)
        };
        let changes = speaks_of_change(clause.marks);
        let _ = (position, first);
        replace(
            scene,
            &topic,
            (value.start, value.end),
            &text,
            changes,
            true,
        );
    }
    true
}

/// `We have a budget of 10,000 dollars for the conference`.
fn has_property(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let has = matches!(
        clause.lemma(tokens),
        "have" | "set" | "get" | "agree" | "work"
    ) && Scene::is_mine(clause)
        && !clause.marks.negated;
    let Some(of) = (clause.body..clause.end.min(clause.body + 6))
        .find(|i| tokens.fold(*i) == "of")
        .filter(|of| has && tokens.has(of - 1, Class::ATTR))
    else {
        return false;
    };
    let Some(value) = value::read(tokens, of + 1, clause.end) else {
        return false;
    };
    let Some(start) = (clause.body..of).find(|i| tokens.has(*i, Class::DET)) else {
        return false;
    };
    let property = lexicon::attribute_name(tokens.fold(of - 1)).to_owned();
    let end = phrase::object_end(tokens, value.end, clause.end, false).max(value.end);
    let mut topic = match after(tokens, value.end, words!["for"]) {
        Some(target) => Topic::of(tokens, (target, end)).unwrap_or_default(),
        None => Topic::of(tokens, (start, of)).unwrap_or_default(),
    };
    topic.attribute = property;
    let text = scene.statement(clause, end);
    // `a deadline` is one of perhaps several; it replaces none unless it is of the very same thing.
    let changes = speaks_of_change(clause.marks);
    let known = topic.find(scene, false);
    if !changes
        && known.iter().any(|fact| {
            Topic::from_subject(scene.book.subject(*fact))
                .is_none_or(|known| known.subject() != topic.subject())
        })
    {
        scene.topic = scene.state_multi(&topic.subject(), &text);
        return true;
    }
    replace(
        scene,
        &topic,
        (value.start, value.end),
        &text,
        changes,
        true,
    );
    true
}

/// `We set aside $600 for the flights`.
fn set_aside(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(at) = after(
        tokens,
        clause.verb,
        words!["set aside", "put aside", "allocate", "earmark", "budget"],
    ) else {
        return false;
    };
    let Some(value) = value::read(tokens, at, clause.end).filter(|value| value.sort == Sort::Money)
    else {
        return false;
    };
    let Some(target) = after(tokens, value.end, words!["for", "to"]) else {
        return false;
    };
    if !Scene::is_mine(clause) || !clause.is_real() || clause.marks.negated {
        return false;
    }
    let end = phrase::object_end(tokens, target, clause.end, false);
    let Some(mut topic) = Topic::of(tokens, (target, end)) else {
        return false;
    };
    "budget".clone_into(&mut topic.attribute);
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

/// `Our flight leaves on April 2`, `the exam takes place on Friday`, `the offsite is planned for June`.
fn dated(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let happens = matches!(
        lemma,
        "leave"
            | "depart"
            | "arrive"
            | "start"
            | "begin"
            | "end"
            | "finish"
            | "open"
            | "close"
            | "happen"
            | "take"
            | "schedule"
            | "plan"
            | "set"
            | "book"
            | "fall"
            | "meet"
            | "land"
            | "run"
    );
    let subject = matches!(clause.subject, Subject::Mine | Subject::Thing)
        || clause.subject == Subject::It && scene.topic.is_some();
    let tense = matches!(
        clause.tense,
        Tense::Present | Tense::Future | Tense::Perfect
    );
    if !happens || !subject || !tense || clause.marks.negated || clause.mood != Mood::Asserted {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let Some(value) = value::all(tokens, clause.body, end)
        .into_iter()
        .find(|value| matches!(value.sort, Sort::Date | Sort::Time))
    else {
        return false;
    };
    let Some(mut topic) = topic_of(scene, clause) else {
        return false;
    };
    if topic.attribute.is_empty() {
        topic.attribute = if value.sort == Sort::Date {
            "date"
        } else {
            "time"
        }
        .to_owned();
    }
    let it = clause.subject == Subject::It;
    let text = if it {
        String::new()
    } else {
        scene.statement(clause, end)
    };
    let changes = speaks_of_change(clause.marks) || it;
    replace(
        scene,
        &topic,
        (value.start, value.end),
        &text,
        changes,
        true,
    );
    true
}
