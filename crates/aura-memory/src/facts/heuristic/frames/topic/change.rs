//! `They pushed the deadline to Friday`, `the rent went up to 920`, `extend Tokyo to 7 nights`.

mod item;
mod loose;

use super::super::{Scene, after};
use super::{Topic, replace, same_sort};
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::{Patterns, words};
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value::{self, Sort, Value};
use crate::facts::heuristic::wording;
use item::{counted, item, mentioned};
use loose::{its_own, opens, shifted};

/// Particles that stand between a verb of change and its goal.
const PARTICLES: &Patterns = words![
    "up", "down", "back", "forward", "off", "out", "over", "ahead"
];

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let made = clause.lemma(tokens) == "make"
        && Scene::is_mine(clause)
        && matches!(
            clause.tense,
            Tense::Past | Tense::Perfect | Tense::Future | Tense::Progressive
        );
    let sets =
        made || matches!(clause.lemma(tokens), "make" | "keep") && clause.tense == Tense::Order;
    if !(clause.verb_is(tokens, Class::CHANGE) || sets)
        || clause.marks.negated
        || clause.mood != Mood::Asserted
    {
        return false;
    }
    if matches!(clause.tense, Tense::Present)
        && clause.subject != Subject::Other
        && !clause.marks.passive
    {
        return false;
    }
    if sets {
        return make(scene, clause);
    }
    if tokens.any(clause.body, words!["it|that"]).is_some() {
        return make_it(scene, clause);
    }
    if its_own(scene, clause) {
        return true;
    }
    let Some(parts) = parts(tokens, clause) else {
        return shifted(scene, clause) || opens(scene, clause);
    };
    let Some(goal) = goal(tokens, parts.goal, clause.end) else {
        return false;
    };
    let Some(mut topic) = Topic::of(tokens, parts.topic) else {
        return false;
    };
    let typed = value::read(tokens, goal.0, goal.1);
    if topic.attribute.is_empty() {
        topic.attribute = match typed.map(|value| value.sort) {
            Some(Sort::Money) => "price",
            Some(Sort::Date) => "date",
            Some(Sort::Time) => "time",
            Some(Sort::Percent | Sort::Number) => "number",
            None => "value",
        }
        .to_owned();
    }
    if let Some(value) = typed
        && (item(scene, parts.topic, value, clause.end)
            || topic.find(scene, true).is_empty() && mentioned(scene, parts.topic, value, goal))
    {
        return true;
    }
    let known = !topic.find(scene, true).is_empty();
    if let Some(value) = typed.filter(|_| !known)
        && counted(scene, value, clause.end)
    {
        return true;
    }
    let property = scene.tokens.has(
        phrase::head(tokens, parts.topic).unwrap_or(clause.end),
        Class::ATTR.with(Class::EVENT),
    );
    let speakable = property && definite(tokens, parts.topic);
    if !known && !speakable {
        return false;
    }
    let label = wording::slice(tokens, parts.topic.0, parts.topic.1);
    // `for next Tuesday at 2 PM`
    let stop = after(tokens, goal.1, words!["at"])
        .and_then(|at| value::read(tokens, at, clause.end))
        .filter(|value| value.sort == Sort::Time)
        .map_or(goal.1, |value| value.end);
    let text = format!(
        "{label} is {}{}",
        preposition(typed),
        wording::slice(tokens, goal.0, if known { goal.1 } else { stop })
    );
    replace(scene, &topic, goal, &text, true, true);
    true
}

fn preposition(value: Option<Value>) -> &'static str {
    match value.map(|value| value.sort) {
        Some(Sort::Date) => "on ",
        Some(Sort::Time) => "at ",
        _ => "",
    }
}

fn definite(tokens: &Tokens<'_>, np: Span) -> bool {
    tokens.has(np.0, Class::MY) || tokens.fold(np.0) == "the" || tokens.at(np.0).capital
}

struct Parts {
    topic: Span,
    /// Where the goal begins, after `to`.
    goal: usize,
}

/// What changes, and where its new value stands.
fn parts(tokens: &Tokens<'_>, clause: &Clause) -> Option<Parts> {
    let particle = |at: usize| after(tokens, at, PARTICLES).unwrap_or(at);
    let to = |at: usize| {
        after(tokens, at, words!["to", "until", "till", "at"]).or_else(|| {
            after(tokens, at, words!["for|on"]).filter(|next| {
                matches!(
                    clause.lemma(tokens),
                    "reschedule" | "postpone" | "move" | "set" | "rebook" | "push"
                ) && value::read(tokens, *next, clause.end)
                    .is_some_and(|value| matches!(value.sort, Sort::Date | Sort::Time))
            })
        })
    };
    let intransitive = particle(clause.body);
    let skipped = from_value(tokens, intransitive, clause.end);
    // Nothing between the verb and `to`: the subject changes.
    if let Some(goal) = to(intransitive).or_else(|| to(skipped)) {
        let thing = matches!(
            clause.subject,
            Subject::Mine | Subject::Thing | Subject::Name
        );
        let person = phrase::head(tokens, clause.np).is_some_and(|i| tokens.has(i, Class::KIN));
        return (thing && !person).then_some(Parts {
            topic: clause.np,
            goal,
        });
    }
    if clause.marks.passive {
        return None;
    }
    let theirs = tokens.has(intransitive, Class::THEIR)
        || tokens.has(intransitive, Class::OTHER)
        || matches!(tokens.fold(intransitive), "me" | "us");
    if theirs {
        return None;
    }
    let end = phrase::object_end(tokens, intransitive, clause.end, false);
    let goal = (intransitive..end.max(clause.end)).find(|i| to(*i).is_some())?;
    let mut stop = (intransitive..goal)
        .find(|i| tokens.fold(*i) == "from")
        .unwrap_or(goal);
    while stop > intransitive && tokens.any(stop - 1, PARTICLES).is_some() {
        stop -= 1;
    }
    let object = tokens.has(intransitive, Class::MY.with(Class::DET))
        || tokens.at(intransitive).capital
        || clause.tense == Tense::Order && !tokens.has(intransitive, Class::PREP);
    (stop > intransitive
        && stop - intransitive <= 8
        && object
        && tokens.kind(stop - 1) != Kind::Comma)
        .then_some(Parts {
            topic: (intransitive, stop),
            goal: to(goal)?,
        })
}

/// Skips `from 40k`.
fn from_value(tokens: &Tokens<'_>, at: usize, end: usize) -> usize {
    let Some(next) = tokens.any(at, words!["from"]) else {
        return at;
    };
    (next..end.min(next + 6))
        .find(|i| tokens.fold(*i) == "to")
        .unwrap_or(at)
}

fn goal(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let at = after(
        tokens,
        at,
        words!["the", "about|around|approximately|roughly"],
    )
    .unwrap_or(at);
    if let Some(value) = value::read(tokens, at, end) {
        return Some((value.start, value.end));
    }
    let stop = phrase::object_end(tokens, at, end, false);
    let stop = (at + 1..stop)
        .find(|i| tokens.has(*i, Class::PREP) && !matches!(tokens.fold(*i), "of"))
        .unwrap_or(stop);
    let infinitive =
        tokens.at(at).forms() & lexicon::form::BASE != 0 && !tokens.at(at).capital && stop > at + 1;
    (stop > at && stop - at <= 6 && !infinitive).then_some((at, stop))
}

/// `Make the logo teal`, `make the budget 6k`: the object is the topic, what follows it the value.
fn make(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let at = clause.body;
    if tokens.fold(at) == "it" || tokens.fold(at) == "that" {
        return make_it(scene, clause);
    }
    if !tokens.has(at, Class::MY) && tokens.fold(at) != "the" {
        return false;
    }
    let end = phrase::object_end(tokens, at, clause.end, false);
    for split in at + 2..end {
        let Some(mut topic) = Topic::of(tokens, (at, split)) else {
            continue;
        };
        let value = value::read(tokens, split, end);
        let shade = matches!(
            tokens.fold(split),
            "light" | "dark" | "pale" | "bright" | "deep"
        );
        let kind = lexicon::kind_of(tokens.fold(split + usize::from(shade))).is_some();
        if value.is_none() && !kind {
            continue;
        }
        if topic.attribute.is_empty() {
            topic.attribute = "value".to_owned();
        }
        let label = wording::slice(tokens, at, split);
        let text = format!("{label} is {}", wording::slice(tokens, split, end));
        replace(scene, &topic, (split, end), &text, true, true);
        return true;
    }
    false
}

/// `Make it 12`, `make that Friday`: the last topic, if it has a value of this sort.
fn make_it(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let at = after(
        tokens,
        clause.body + 1,
        words!["up|down|back to", "to|at|on|for|until", "the"],
    )
    .unwrap_or(clause.body + 1);
    let Some(value) = value::read(tokens, at, clause.end) else {
        return false;
    };
    let Some(entry) = scene.topic.or_else(|| scene.latest()) else {
        return false;
    };
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
    let subject = scene.book.subject(entry).to_owned();
    let added = scene.book.add(&subject, &changed);
    scene.book.end(entry, added);
    scene.topic = added;
    true
}
