//! `We decided on oak for the worktop`, `let's paint the bedroom green`, `we use Postgres for the backend`.

use super::super::{Scene, after, same_kind, speaks_of_change};
use super::Topic;
use crate::facts::heuristic::book::mentions;
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value::{self, Sort};
use crate::facts::heuristic::wording;

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if holds_event(scene, clause) {
        return true;
    }
    let chooses = clause.verb_is(tokens, Class::CHOOSE) && !clause.marks.passive;
    let decides = matches!(clause.tense, Tense::Order) && clause.subject == Subject::Us
        || Scene::is_mine(clause);
    let travels = clause.verb_is(tokens, Class::NEED)
        && matches!(clause.lemma(tokens), "see" | "fly" | "drive" | "travel")
        && clause.tense == Tense::Progressive;
    if !(chooses && decides || travels && Scene::is_mine(clause)) || clause.marks.negated {
        return false;
    }
    let lemma = clause.lemma(tokens);
    let at = match lemma {
        "go" => match after(tokens, clause.body, words!["with|for", "by"]) {
            Some(next)
                if clause.tense != Tense::Future
                    || tokens.any(clause.body, words!["with"]).is_some() =>
            {
                next
            }
            _ => return false,
        },
        "settle" | "decide" | "stick" | "opt" => {
            match after(tokens, clause.body, words!["on|upon|for|with"]) {
                Some(next) => next,
                None => return false,
            }
        }
        // Verbs that say little unless they name what the thing is for.
        "do" | "make" | "try" | "build" | "take" | "install" | "hire" | "serve" => return false,
        _ => clause.body,
    };
    let end = phrase::object_end(tokens, at, clause.end, true);
    // `use X to do Y`: the purpose is no part of the choice.
    let end = (at..end)
        .find(|i| {
            *i > at
                && tokens.fold(*i) == "to"
                && tokens.at(*i + 1).forms() & lexicon::form::BASE != 0
        })
        .unwrap_or(end);
    let Some((object, topic)) = object_and_topic(tokens, clause, at, end) else {
        return false;
    };
    let words = scene.content(object);
    let vague = phrase::head(tokens, object).is_none_or(|i| tokens.has(i, Class::VAGUE))
        || tokens.has(
            at,
            Class::VAGUE
                .with(Class::IT)
                .with(Class::THEIR)
                .with(Class::OTHER),
        )
        || tokens
            .any(
                at,
                words!["up|out|off|over|to", "the following", "the same"],
            )
            .is_some()
        || (at..end).any(|i| matches!(tokens.fold(i), "this" | "that" | "these" | "those"));
    if words.is_empty() || vague {
        return false;
    }
    let told = matches!(
        clause.tense,
        Tense::Past | Tense::Perfect | Tense::Progressive | Tense::Order | Tense::Future
    );
    let uses = lemma == "use" && clause.tense == Tense::Present;
    let named = topic.is_some();
    // A decision names what it is about, or uses words that can only be a choice.
    let plain = matches!(
        lemma,
        "go" | "settle" | "decide" | "opt" | "choose" | "pick" | "select" | "use"
    ) || travels;
    let booked = matches!(lemma, "book" | "reserve")
        && matches!(clause.tense, Tense::Past | Tense::Perfect)
        && (object.0..object.1).any(|i| tokens.at(i).capital);
    if !(told || uses) || !(named || plain || booked) || object.1 - object.0 > 8 {
        return false;
    }
    let named_thing = uses && (object.0..object.1.min(object.0 + 3)).any(|i| tokens.at(i).capital);
    let proper = (tokens.at(object.0).capital || named_thing) && tokens.cased;
    let lasting = matches!(
        clause.tense,
        Tense::Present | Tense::Progressive | Tense::Order
    ) || clause.tense == Tense::Future && lemma == "go";
    if !named
        && (matches!(lemma, "use" | "see") && !(proper && lasting)
            || clause.tense == Tense::Future && lemma != "go")
    {
        return false;
    }
    let text = scene.statement(clause, end);
    // `Let's go with 250 euros for gifts`
    if let Some(value) =
        value::read(tokens, object.0, object.1).filter(|value| value.sort == Sort::Money)
        && let Some(mut topic) = topic.clone()
    {
        "budget".clone_into(&mut topic.attribute);
        super::replace(scene, &topic, (value.start, value.end), &text, true, true);
        return true;
    }
    // A journey with a date is a plan that may shift.
    if travels && !value::all(tokens, object.0, object.1).is_empty() {
        return false;
    }
    let Some(topic) = topic else {
        scene.state_multi(&format!("project/{lemma}"), &text);
        return true;
    };
    let facts = topic.find(scene, false);
    let added = scene.state_multi(&topic.subject(), &text);
    for old in facts {
        let known = scene.book.text(old).to_owned();
        let replaces = speaks_of_change(clause.marks) || same_kind(&known, &words);
        // `SQLite 3.39` after `SQLite` says more of the same.
        let shared = words
            .iter()
            .any(|word| mentions(&known, std::slice::from_ref(word)));
        if replaces && !shared {
            scene.book.end(old, added);
        }
    }
    scene.topic = added;
    true
}

/// `Let's have the party in the garden`, `we're holding the meeting on Friday`.
fn holds_event(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let told = matches!(
        clause.tense,
        Tense::Order | Tense::Future | Tense::Progressive
    );
    let holds = matches!(
        clause.lemma(tokens),
        "have" | "hold" | "host" | "do" | "celebrate"
    ) && told
        && !clause.marks.negated;
    if !holds
        || !(Scene::is_mine(clause) || clause.tense == Tense::Order)
        || !tokens.has(clause.body, Class::DET.with(Class::MY))
    {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let Some(link) = (clause.body + 1..end).find(|i| tokens.any(*i, words!["in|at|on"]).is_some())
    else {
        return false;
    };
    let Some(mut topic) = Topic::of(tokens, (clause.body, link))
        .filter(|_| (clause.body..link).any(|i| tokens.has(i, Class::EVENT)))
    else {
        return false;
    };
    let at = after(tokens, link + 1, words!["the"]).unwrap_or(link + 1);
    let dated = value::read(tokens, at, end).map(|value| value.sort);
    topic.attribute = match dated {
        Some(Sort::Date) => "date",
        Some(Sort::Time) => "time",
        _ => "venue",
    }
    .to_owned();
    let text = format!(
        "{} is {}",
        wording::slice(tokens, clause.body, link),
        wording::slice(tokens, link, end)
    );
    super::replace(scene, &topic, (at, end), &text, true, true);
    true
}

/// `oak` and the worktop in `oak for the worktop`; the bedroom and `green` in `paint the bedroom green`; the venue and the
/// hotel in `the Grand Hotel as the venue`.
fn object_and_topic(
    tokens: &Tokens<'_>,
    clause: &Clause,
    at: usize,
    end: usize,
) -> Option<(Span, Option<Topic>)> {
    let topic_at = |from: usize| {
        let mut topic = Topic::of(tokens, (from, end))?;
        if topic.attribute.is_empty() {
            topic.attribute = "value".to_owned();
        }
        Some(topic)
    };
    if clause.lemma(tokens) == "paint" {
        let colour = (at + 1..end).find(|i| lexicon::kind_of(tokens.fold(*i)).is_some())?;
        let mut topic = Topic::of(tokens, (at, colour))?;
        topic.attribute = "value".to_owned();
        return Some(((colour, end), Some(topic)));
    }
    let link = (at + 1..end).find(|i| {
        matches!(tokens.fold(*i), "for" | "as" | "to")
            && !tokens.has(*i + 1, Class::NUM.with(Class::UNIT).with(Class::I))
    });
    let Some(link) = link else {
        return (at < end).then_some(((at, end), None));
    };
    let pointing = tokens.has(
        link + 1,
        Class::IT
            .with(Class::THEIR)
            .with(Class::OTHER)
            .with(Class::VAGUE),
    ) || tokens.at(link + 1).forms() & lexicon::form::BASE != 0;
    let definite = !pointing
        && (tokens.has(link + 1, Class::MY.with(Class::DET))
            || tokens.at(link + 1).capital
            || tokens.at(link + 1).is_wordy() && link + 2 >= end);
    let topic = if definite { topic_at(link + 1) } else { None };
    Some(((at, link), topic))
}
