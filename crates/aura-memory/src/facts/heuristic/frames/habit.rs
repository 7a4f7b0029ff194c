//! What somebody likes, does regularly, and has given up.

use super::{Scene, Who, after, same_kind};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span, Words};
use crate::facts::heuristic::token::Tokens;

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    gave_up(scene, clause) || likes(scene, clause) || does(scene, clause)
}

/// `I like jazz`, `I prefer tea`, `I can't stand olives`, `I don't like jazz any more`.
fn likes(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let hates = clause.verb_is(tokens, Class::DISLIKE)
        || clause.after_verb(tokens, words!["go off"]).is_some();
    let likes = clause.verb_is(tokens, Class::LIKE);
    if !likes && !hates
        || !matches!(clause.tense, Tense::Present | Tense::Progressive)
        || tokens.fold(clause.verb).ends_with("ed")
    {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let object = (clause.body, end);
    let words = scene.content(object);
    let relative = matches!(
        tokens.fold(end),
        "that" | "which" | "who" | "where" | "what"
    );
    if !is_likable(tokens, object) || words.is_empty() || relative {
        return true;
    }
    let (positive, negative) = (who.subject("likes"), who.subject("dislikes"));
    let dislikes = hates != clause.marks.negated;
    if clause.marks.ended || clause.marks.negated {
        let facts = matching(scene, if hates { &negative } else { &positive }, &words);
        if !facts.is_empty() || clause.marks.ended {
            let text = scene.statement(clause, clause.end);
            scene.end_with(
                &facts,
                &words,
                if hates { &negative } else { &positive },
                text.trim_end(),
            );
            return true;
        }
    }
    let subject = if dislikes { &negative } else { &positive };
    let opposite = matching(scene, if dislikes { &positive } else { &negative }, &words);
    let text = scene.statement(clause, end);
    let prefers = clause.lemma(tokens) == "prefer";
    let stop = (object.0..object.1)
        .find(|i| tokens.has(*i, Class::PREP))
        .unwrap_or(object.1);
    let bare = scene.content((object.0, stop));
    let added = scene.state_multi(subject, &text);
    for fact in opposite {
        scene.book.end(fact, added);
    }
    if prefers && !clause.marks.also {
        for fact in scene.book.of_subject(subject) {
            let known = scene.book.text(fact).to_owned();
            let replaced = known.contains("prefers")
                && Some(fact) != added
                && same_kind(before_preposition(&known), &bare)
                && !mentions(&known, &bare);
            if replaced {
                scene.book.end(fact, added);
            }
        }
    }
    true
}

/// A statement up to its first preposition: what is preferred, without when and where.
fn before_preposition(text: &str) -> &str {
    let tokens = Tokens::of(text);
    let end = (0..tokens.len())
        .find(|i| tokens.has(*i, Class::PREP))
        .unwrap_or(tokens.len());
    text.get(..tokens.before(end).end as usize).unwrap_or(text)
}

fn matching(scene: &Scene<'_, '_, '_>, subject: &str, words: &[String]) -> Entries {
    let mut facts = scene.book.of_subject(subject);
    facts.retain(|fact| mentions(scene.book.text(*fact), words));
    facts
}

/// Things and activities, not `it`, `the idea`, `how it works`, `your suggestion`.
fn is_likable(tokens: &Tokens<'_>, object: Span) -> bool {
    let first = tokens.at(object.0);
    let pointing = first.has(
        Class::IT
            .with(Class::THEIR)
            .with(Class::OTHER)
            .with(Class::WH),
    ) || matches!(
        tokens.fold(object.0),
        "the"
            | "to"
            | "him"
            | "them"
            | "all"
            | "seeing"
            | "hearing"
            | "how"
            | "that"
            | "this"
            | "some"
    );
    let vague = phrase::head(tokens, object).is_none_or(|i| tokens.has(i, Class::VAGUE));
    let pointing = pointing
        || (object.0..object.1).any(|i| {
            matches!(
                tokens.fold(i),
                "this" | "that" | "these" | "those" | "it" | "them" | "how"
            )
        });
    object.1 - object.0 <= 10 && object.1 > object.0 && !pointing && !vague
}

/// Verbs for what people do regularly, with an object or a rhythm: `I drink coffee every day`, `I speak Spanish`.
fn does(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let habit = clause.verb_is(tokens, Class::HABIT);
    if !habit
        || matches!(
            clause.lemma(tokens),
            "work" | "paint" | "build" | "write" | "draw"
        ) && clause.tense != Tense::Present
    {
        return false;
    }
    let Some(who) = scene.who(clause).filter(|who| !who.stranger) else {
        return false;
    };
    let lemma = clause.lemma(tokens).to_owned();
    let learning = matches!(
        lemma.as_str(),
        "learn" | "study" | "train" | "practise" | "practice" | "teach" | "rent" | "volunteer"
    );
    if !(clause.tense == Tense::Present || clause.tense == Tense::Progressive && learning)
        || clause.marks.passive
    {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let object = (clause.body, end);
    let subject = who.subject(&lemma);
    let object_words: Words = scene.content(object);
    if clause.marks.ended || clause.marks.negated {
        let mut facts = scene.book.of_subject(&subject);
        if !object_words.is_empty() {
            facts.retain(|fact| mentions(scene.book.text(*fact), &object_words));
        }
        if !facts.is_empty() || clause.marks.ended {
            let text = scene.statement(clause, clause.end);
            scene.end_with(&facts, &object_words, &subject, text.trim_end());
        } else if matches!(
            lemma.as_str(),
            "eat" | "drink" | "smoke" | "speak" | "drive"
        ) && clause.tense == Tense::Present
            && !clause.marks.ability
            && (lemma == "smoke" || !object_words.is_empty() && end - object.0 <= 4)
        {
            // `I don't eat pork` is worth knowing all the same.
            let text = scene.statement(clause, end);
            scene.state_multi(&super::ended(&subject), &text);
        }
        return true;
    }
    let rhythm = (clause.body..clause.end).any(|i| {
        tokens
            .any(
                i,
                words![
                    "every|each",
                    "daily|weekly|regularly",
                    "on mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends",
                    "in the morning|mornings|evening|evenings",
                    "a day|week|month"
                ],
            )
            .is_some()
    });
    let first = tokens.at(object.0);
    let vague = phrase::head(tokens, object).is_none_or(|i| tokens.has(i, Class::VAGUE));
    let plain = end > object.0
        && !vague
        && !first.has(Class::PREP.with(Class::ADV))
        && !first.has(
            Class::IT
                .with(Class::OTHER)
                .with(Class::THEIR)
                .with(Class::WH)
                .with(Class::I),
        )
        && !matches!(
            tokens.fold(object.0),
            "this" | "that" | "my" | "our" | "up" | "out" | "them" | "him"
        );
    let alone = matches!(
        lemma.as_str(),
        "smoke" | "vape" | "meditate" | "swim" | "knit" | "jog" | "cycle" | "garden"
    ) && end == object.0;
    let needs_rhythm = matches!(
        lemma.as_str(),
        "run"
            | "write"
            | "use"
            | "wear"
            | "ride"
            | "draw"
            | "cook"
            | "bake"
            | "train"
            | "commute"
            | "work"
            | "eat"
            | "paint"
            | "dance"
            | "sing"
    );
    let plain = plain
        && (tokens.fold(object.0) != "the" || lemma == "play" && object.1 == object.0 + 2)
        || lemma == "commute" && tokens.any(object.0, words!["to"]).is_some()
        || matches!(
            lemma.as_str(),
            "volunteer"
                | "study"
                | "train"
                | "sing"
                | "swim"
                | "bank"
                | "subscribe"
                | "coach"
                | "dance"
                | "play"
        ) && tokens.any(object.0, words!["at|in|with|for|to"]).is_some()
            && (tokens.has(object.0 + 1, Class::MY)
                || tokens.any(object.0 + 1, words!["the|a|an"]).is_some()
                || tokens.at(object.0 + 1).capital)
            && !vague
            && end > object.0 + 1;
    let needs_rhythm = needs_rhythm && lemma != "commute";
    let tells = rhythm || alone || plain && !needs_rhythm && end - object.0 <= 8;
    if !tells
        || lemma == "use" && !rhythm
        || matches!(clause.subject, Subject::Us)
            && !rhythm
            && !matches!(lemma.as_str(), "rent" | "speak")
    {
        return false;
    }
    let stop = if rhythm { clause.end } else { end };
    let stop = if rhythm {
        phrase::object_end(tokens, clause.body, stop, true).max(end)
    } else {
        phrase::undated(tokens, object).1.max(clause.body)
    };
    let text = scene.statement(clause, stop);
    scene.state_multi(&subject, &text);
    true
}

/// `I quit smoking`, `I gave up tennis`, `I've stopped drinking coffee`, `I left the chess club`, `I dropped Latin`.
fn gave_up(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause).filter(|who| !who.stranger) else {
        return false;
    };
    if !clause.is_real()
        || clause.marks.negated
        || clause.marks.passive
        || clause.tense == Tense::Present
    {
        return false;
    }
    let at = clause
        .after_verb(
            tokens,
            words![
                "give up on",
                "give up",
                "go off",
                "fall out of love with",
                "drop out of",
                "pull out of"
            ],
        )
        .or_else(|| clause.verb_is(tokens, Class::QUIT).then_some(clause.body));
    let Some(at) = at else { return false };
    if matches!(
        clause.lemma(tokens),
        "give" | "lose" | "sell" | "finish" | "end"
    ) && at == clause.body
    {
        return false;
    }
    let at = after(tokens, at, words!["from"]).unwrap_or(at);
    let end = phrase::object_end(tokens, at, clause.end, false);
    let mut words = scene.content(phrase::undated(tokens, (at, end)));
    words.retain(|word| {
        !matches!(
            word.as_str(),
            "class" | "cours" | "lesson" | "tak" | "subscription" | "membership" | "member"
        )
    });
    if words.is_empty() {
        return false;
    }
    let gerund = tokens.at(at).forms() & form::ING != 0;
    let mut facts: Entries = scene
        .book
        .live()
        .filter(|(_, text, subject)| is_habit(subject, &who) && mentions(text, &words))
        .map(|(entry, ..)| entry)
        .collect();
    if facts.is_empty() && gerund && words.len() > 1 {
        // `stopped going to the gym` against `goes to the gym`: the verb may differ, the thing not.
        let things: Words = words.iter().skip(1).cloned().collect();
        facts = scene
            .book
            .live()
            .filter(|(_, text, subject)| is_habit(subject, &who) && mentions(text, &things))
            .map(|(entry, ..)| entry)
            .collect();
    }
    if facts.is_empty() {
        facts = scene
            .book
            .live()
            .filter(|(_, text, subject)| in_list(subject, text) && mentions(text, &words))
            .map(|(entry, ..)| entry)
            .collect();
    }
    let text = scene.statement(clause, end);
    if facts.is_empty() {
        if gerund
            && lexicon::look_up(tokens.fold(at)).class.has(Class::HABIT)
            && Scene::is_mine(clause)
        {
            let verb = tokens.lemma(at).to_owned();
            scene.state_multi(&super::ended(&who.subject(&verb)), &text);
            return true;
        }
        return false;
    }
    let subject = facts
        .first()
        .map(|fact| scene.book.subject(*fact).to_owned())
        .unwrap_or_default();
    scene.end_with(&facts, &words, &subject, &text);
    true
}

fn in_list(subject: &str, text: &str) -> bool {
    text.contains(": ") && (subject.starts_with("topic:") || subject.starts_with("project/"))
}

fn is_habit(subject: &str, who: &Who<'_>) -> bool {
    let Some(property) = subject
        .strip_prefix(&*who.entity)
        .and_then(|rest| rest.strip_prefix('/'))
    else {
        return false;
    };
    let entry = lexicon::look_up(property);
    entry.forms & form::BASE != 0
        || matches!(
            property,
            "likes" | "group" | "diet" | "membership" | "subscription" | "eat"
        )
}
