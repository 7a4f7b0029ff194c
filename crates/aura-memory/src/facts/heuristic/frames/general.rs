//! Plain statements about the speaker that no other frame understands: `goes to the gym every Monday`, `weighs 82 kg`,
//! `is taking the ferry to Crete`, `is a smoker`.

use super::{Scene, after, speaks_of_change};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value;

/// Longest object, in words: what is longer is a story, not a fact.
const LONGEST: usize = 10;

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    if !Scene::is_mine(clause) || clause.marks.passive || clause.marks.ability {
        return false;
    }
    switched(scene, clause) || identity(scene, clause) || activity(scene, clause)
}

/// `I'm a smoker`, `I'm not a smoker any more`.
fn identity(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(noun_at) = after(tokens, clause.body, words!["a|an"]) else {
        return false;
    };
    if clause.lemma(tokens) != "be"
        || clause.tense != Tense::Present
        || clause.subject != Subject::Me
    {
        return false;
    }
    let end = phrase::object_end(tokens, noun_at, clause.end, false);
    let Some(head) = phrase::head(tokens, (noun_at, end)) else {
        return false;
    };
    let whole = end <= head + 1 && end - noun_at <= 3;
    let vague = tokens.has(
        head,
        Class::VAGUE
            .with(Class::UNIT)
            .with(Class::ADV)
            .with(Class::VERB),
    ) || (noun_at..end).any(|i| {
        matches!(
            tokens.fold(i),
            "bit"
                | "fan"
                | "little"
                | "big"
                | "huge"
                | "better"
                | "good"
                | "great"
                | "bad"
                | "mess"
                | "loss"
                | "person"
                | "guy"
                | "man"
                | "woman"
                | "while"
        )
    });
    if !whole || vague {
        return false;
    }
    let who = scene.me();
    let subject = who.subject("is");
    let words = scene.content((noun_at, end));
    if clause.marks.negated || clause.marks.ended {
        return no_longer(scene, clause, &subject, &words);
    }
    let text = scene.statement(clause, end);
    scene.state_multi(&subject, &text);
    true
}

/// `I switched to LaTeX for my thesis`, where what it replaces was never spoken of.
fn switched(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let told = clause.is_real()
        && !clause.marks.negated
        && matches!(clause.tense, Tense::Past | Tense::Perfect);
    let Some(to) = clause
        .after_verb(
            tokens,
            words!["switch|change|migrate|upgrade|convert|downgrade to"],
        )
        .filter(|_| told)
    else {
        return false;
    };
    let end = phrase::object_end(tokens, to, clause.end, false);
    let proper = tokens.at(to).capital && tokens.cased;
    if !proper || end - to > LONGEST {
        return false;
    }
    let text = scene.statement(clause, end);
    scene.topic = scene.state_multi("project/switch", &text);
    true
}

/// What somebody does, with an object or a rhythm.
fn activity(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens).to_owned();
    let tense = matches!(clause.tense, Tense::Present | Tense::Progressive);
    if !tense || !clause.verb_is(tokens, Class::VERB) || says_little(tokens, clause) {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let object = (clause.body, end);
    let me = scene.me();
    let subject = me.subject(&lemma);
    let words = scene.content(phrase::undated(tokens, object));
    if clause.marks.ended || clause.marks.negated {
        return no_longer(scene, clause, &subject, &words);
    }
    let rhythm = (clause.body..clause.end).any(|i| {
        tokens
            .any(
                i,
                words![
                    "every|each",
                    "daily|weekly|monthly",
                    "on mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends",
                    "a day|week|month",
                    "once|twice|times a|per"
                ],
            )
            .is_some()
    });
    if !(rhythm || tells(tokens, clause, object)) || words.is_empty() {
        return false;
    }
    let stop = if rhythm {
        clause.end.min(clause.body + LONGEST)
    } else {
        let planned = clause.tense == Tense::Progressive;
        let stop = if planned {
            object.1
        } else {
            phrase::undated(tokens, object).1
        };
        stop.max(clause.body + 1)
    };
    let text = scene.statement(clause, stop);
    let before = scene.book.of_subject(&subject);
    let added = scene.state_multi(&subject, &text);
    let number = value::all(tokens, object.0, object.1)
        .first()
        .map(|value| value.sort);
    for old in before {
        let known = scene.book.text(old).to_owned();
        let inner = Tokens::of(&known);
        let same = number.is_some()
            && value::all(&inner, 0, inner.len())
                .first()
                .map(|value| value.sort)
                == number;
        // `I take my coffee with milk these days`
        let thing = !tokens.has(object.0, Class::PREP)
            && words
                .first()
                .is_some_and(|head| mentions(&known, std::slice::from_ref(head)));
        if (same || thing && clause.says_now(tokens))
            && speaks_of_change(clause.marks)
            && !clause.marks.also
            && Some(old) != added
        {
            scene.book.end(old, added);
        }
    }
    true
}

/// Verbs of thinking, feeling, trying and talking, and those whose statements are of the moment.
fn says_little(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    const LITTLE: [&str; 85] = [
        "be",
        "have",
        "do",
        "get",
        "go",
        "come",
        "make",
        "try",
        "look",
        "feel",
        "seem",
        "sound",
        "see",
        "find",
        "keep",
        "let",
        "give",
        "put",
        "want",
        "need",
        "like",
        "love",
        "appreciate",
        "understand",
        "agree",
        "struggle",
        "talk",
        "speak",
        "ask",
        "wait",
        "start",
        "begin",
        "stop",
        "plan",
        "aim",
        "focus",
        "deal",
        "handle",
        "face",
        "run",
        "miss",
        "notice",
        "stand",
        "admire",
        "enjoy",
        "trust",
        "respect",
        "live",
        "laugh",
        "prepare",
        "happen",
        "mess",
        "question",
        "care",
        "matter",
        "turn",
        "worry",
        "lean",
        "bother",
        "doubt",
        "help",
        "consider",
        "work",
        "use",
        "create",
        "stay",
        "cross",
        "relax",
        "discuss",
        "bring",
        "support",
        "hit",
        "explore",
        "express",
        "celebrate",
        "share",
        "implement",
        "fix",
        "test",
        "type",
        "check",
        "write",
        "send",
        "set",
        "call",
    ];
    let lemma = clause.lemma(tokens);
    let little = LITTLE.contains(&lemma)
        || clause.verb_is(
            tokens,
            Class::REPORT
                .with(Class::WISH)
                .with(Class::LIKE)
                .with(Class::DISLIKE)
                .with(Class::REQUEST),
        );
    let goes = lemma == "go"
        && tokens.any(clause.body, words!["to"]).is_some()
        && tokens.has(clause.body + 1, Class::DET.with(Class::MY))
        && clause.tense == Tense::Present;
    let runs = lemma == "run" && clause.tense == Tense::Progressive;
    let wants = lemma == "want" && matches!(tokens.fold(clause.body), "a" | "an");
    little && !goes && !runs && !wants
}

/// Whether the object is a thing one can speak of again.
fn tells(tokens: &Tokens<'_>, clause: &Clause, object: phrase::Span) -> bool {
    let length = object.1.saturating_sub(object.0);
    if length == 0 || length > LONGEST || tokens.fold(object.1) == "that" {
        return false;
    }
    let first = tokens.at(object.0);
    let pointing = (object.0..object.1).any(|i| {
        matches!(
            tokens.fold(i),
            "this" | "that" | "it" | "them" | "these" | "those" | "you" | "your"
        )
    });
    let infinitive = (object.0..object.1)
        .any(|i| tokens.fold(i) == "to" && tokens.at(i + 1).forms() & lexicon::form::BASE != 0);
    let head = phrase::head(tokens, object);
    let vague =
        head.is_none_or(|i| tokens.has(i, Class::VAGUE.with(Class::ADV).with(Class::OTHER)));
    let measured = value::all(tokens, object.0, object.1)
        .first()
        .is_some_and(|value| value.start <= object.0 + 1);
    let nominal = first.has(Class::DET.with(Class::NUM))
        || first.capital
        || measured
        || clause.verb_is(tokens, Class::HABIT.with(Class::CHOOSE));
    // `I drive to work`
    let commutes = clause.verb_is(tokens, Class::HABIT)
        && tokens
            .any(
                object.0,
                words!["to work|school|uni|university|college|campus"],
            )
            .is_some_and(|next| next == object.1);
    if commutes {
        return true;
    }
    let particle =
        first.has(Class::PREP.with(Class::ADV)) && tokens.any(object.0, words!["to"]).is_none();
    nominal && !pointing && !infinitive && !vague && !particle
}

/// What somebody no longer does: the facts that say they do end.
fn no_longer(
    scene: &mut Scene<'_, '_, '_>,
    clause: &Clause,
    subject: &str,
    words: &[String],
) -> bool {
    let mut facts: Entries = scene.book.of_subject(subject);
    facts.retain(|fact| mentions(scene.book.text(*fact), words));
    if facts.is_empty() {
        return false;
    }
    let text = scene.statement(clause, clause.end);
    scene.end_with(&facts, words, subject, text.trim_end());
    true
}
