//! Handing over: `Dalia takes over from Ana`.

use super::super::topic::Topic;
use super::super::{Scene, after};
use super::is_role;
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::{Patterns, words};
use crate::facts::heuristic::phrase::{self, Span, Words};
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::wording;

/// `Dalia takes over (the migration) from Ana`, `Lucy is replacing Pete on catering`, `Ana handed billing over to Priya`.
pub(super) fn takes_over(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let mine = Scene::is_mine(clause);
    let order = clause.tense == Tense::Order;
    let mine = mine || order;
    if !(clause.subject == Subject::Name || mine) || clause.marks.negated || !clause.is_asserted() {
        return false;
    }
    let subject = clause.np;
    let find =
        |patterns: &Patterns| (clause.body..clause.end).find_map(|i| tokens.any(i, patterns));
    let lemma = clause.lemma(tokens);
    let (new, old, topic) = match lemma {
        "take" if find(words!["over"]).is_some() => {
            let over = find(words!["over"]).unwrap_or(clause.end);
            let old = find(words!["from", "for"]).and_then(|at| person(tokens, at, clause.end));
            let before = (clause.body, over - 1);
            let topic = if before.0 < before.1 {
                Some(before)
            } else {
                topic_span(tokens, over, clause.end)
            };
            (subject, old, topic)
        }
        "replace" | "succeed" | "relieve" => {
            let old = person(tokens, clause.body, clause.end);
            let topic = old
                .and_then(|old| after(tokens, old.1, words!["on|for|as|in|at"]))
                .map(|at| (at, clause.end));
            if clause.marks.passive {
                let by = find(words!["by"]).and_then(|at| person(tokens, at, clause.end));
                let Some(by) = by else { return false };
                (by, Some(subject), None)
            } else {
                (subject, old, topic)
            }
        }
        "step" | "fill" | "cover" | "stand" => {
            let Some(at) = find(words!["in for", "for"]) else {
                return false;
            };
            let old = person(tokens, at, clause.end);
            let topic = old
                .and_then(|old| after(tokens, old.1, words!["on|as|in"]))
                .map(|at| (at, clause.end));
            (subject, old, topic)
        }
        "hand" | "pass" | "give" | "transfer" | "assign" | "reassign" => {
            let Some(at) = find(words!["to"]) else {
                return false;
            };
            let Some(new) = person(tokens, at, clause.end) else {
                return false;
            };
            let stop = (clause.body..at)
                .find(|i| matches!(tokens.fold(*i), "over" | "on" | "to"))
                .unwrap_or(at);
            let topic = if stop > clause.body {
                Some((clause.body, stop))
            } else {
                topic_span(tokens, stop, at - 1)
            };
            (new, Some(subject), topic)
        }
        _ => return false,
    };
    // `I gave the keys to Erik`: only where somebody is known to have them.
    if mine
        && (old != Some(subject)
            || !(clause.is_real() || order)
            || roles(scene, None, topic).is_empty())
    {
        return false;
    }
    let old = old.filter(|_| !mine);
    if clause.tense == Tense::Former || tokens.has(new.0, Class::DET) {
        return false;
    }
    let facts = roles(scene, old, topic);
    if facts.is_empty() && topic.is_none() {
        // Nothing known to take over: the statement itself is what we know.
        let text = scene.statement(
            clause,
            phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body),
        );
        scene.state_multi(
            &format!(
                "project/{} owner",
                tokens.slice(new.0, new.1).to_lowercase()
            ),
            &text,
        );
        return true;
    }
    let new_name = tokens.slice(new.0, new.1);
    let mut replaced = false;
    for fact in facts {
        let (text, subject) = (
            scene.book.text(fact).to_owned(),
            scene.book.subject(fact).to_owned(),
        );
        let old_words = match old {
            Some(old) => scene.content(old),
            None => leading_name(&text),
        };
        let worded = wording::substituted(&text, &old_words, new_name);
        let added = scene.book.add(
            &subject,
            &worded.unwrap_or_else(|| scene.statement(clause, clause.end)),
        );
        scene.book.end(fact, added);
        scene.topic = added;
        replaced = true;
    }
    if !replaced {
        let text = scene.statement(
            clause,
            phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body),
        );
        let mut topic = topic
            .and_then(|span| Topic::of(tokens, span))
            .unwrap_or_default();
        "owner".clone_into(&mut topic.attribute);
        scene.topic = scene.state_multi(&topic.subject(), &text);
    }
    true
}

/// The role facts of a person, of a topic, or both.
pub(super) fn roles(scene: &Scene<'_, '_, '_>, old: Option<Span>, topic: Option<Span>) -> Entries {
    let old: Words = old.map(|span| scene.content(span)).unwrap_or_default();
    let topic: Words = topic.map(|span| scene.content(span)).unwrap_or_default();
    let of = |words: &Words| -> Entries {
        scene
            .book
            .live()
            .filter(|(_, text, subject)| {
                is_role(subject) && !super::super::is_ended(subject) && mentions(text, words)
            })
            .map(|(entry, ..)| entry)
            .collect()
    };
    if old.is_empty() && topic.is_empty() {
        return Entries::new();
    }
    let both: Words = old.iter().chain(&topic).cloned().collect();
    let found = of(&both);
    if !found.is_empty() || topic.is_empty() {
        return found;
    }
    if old.is_empty() {
        return Entries::new();
    }
    // The topic may go by another name: then only the one role that the person has.
    let theirs = of(&old);
    if theirs.len() == 1 {
        theirs
    } else {
        Entries::new()
    }
}

fn leading_name(text: &str) -> Words {
    let tokens = Tokens::of(text);
    let end = phrase::name_end(&tokens, 0, tokens.len());
    phrase::content(&tokens, (0, end))
}

fn person(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let stop = phrase::name_end(tokens, at, end);
    if stop > at {
        return Some((at, stop));
    }
    // Names in a text without capitals.
    let plain = !tokens.cased
        && tokens.at(at).is_wordy()
        && !tokens.has(
            at,
            Class::DET
                .with(Class::MY)
                .with(Class::PREP)
                .with(Class::VERB)
                .with(Class::OTHER)
                .with(Class::UNIT),
        );
    (plain && at < end).then_some((at, at + 1))
}

fn topic_span(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let stop = (at..end)
        .find(|i| {
            matches!(
                tokens.fold(*i),
                "from" | "for" | "as" | "starting" | "next" | "on" | "in" | "this"
            )
        })
        .unwrap_or(end);
    let stop = phrase::object_end(tokens, at, stop, false);
    (at < stop && phrase::head(tokens, (at, stop)).is_some()).then_some((at, stop))
}
