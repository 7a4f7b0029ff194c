//! What somebody has, gets and gives away.

mod thing;

mod loss;

use super::{Scene, speaks_of_change};
use crate::facts::heuristic::book::mentions;
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value;
use crate::facts::heuristic::wording;
use loss::{died, disposes, lacks};
use thing::{attribute, thing};

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    died(scene, clause) || disposes(scene, clause) || has(scene, clause)
}

/// `I have two cats, Miso and Nori`, `I bought a boat`, `I don't have a car any more`, `I drive a Honda`.
fn has(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let lemma = clause.lemma(tokens);
    let owns = matches!(
        lemma,
        "have" | "own" | "keep" | "drive" | "ride" | "rent" | "run"
    ) || lemma == "get" && tokens.fold(clause.verb) == "got";
    let acquires = clause.verb_is(tokens, Class::ACQUIRE)
        && clause.is_real()
        && !clause.marks.passive
        && clause.tense != Tense::Present
        || lemma == "get" && clause.is_real() && clause.tense != Tense::Present;
    if !owns && !acquires || clause.marks.passive {
        return false;
    }
    let present =
        matches!(clause.tense, Tense::Present) || lemma == "have" && clause.tense == Tense::Perfect;
    // `We're getting a puppy in March`: a plan, that may come to nothing.
    if lemma == "get" && clause.tense == Tense::Progressive {
        return getting(scene, clause);
    }
    if !present && !acquires {
        return matches!(lemma, "have") && clause.tense == Tense::Past;
    }
    let start = phrase::skip_adverbs(tokens, clause.body, clause.end, &mut clause.marks.clone());
    let end = phrase::object_end(tokens, start, clause.end, true);
    let negative = tokens.fold(start) == "no" || clause.marks.negated || clause.marks.ended;
    if negative {
        return lacks(
            scene,
            clause,
            &who,
            (start, phrase::object_end(tokens, start, clause.end, false)),
        );
    }
    let items = phrase::items(tokens, start, end);
    let mut found = false;
    // Of `three kids, Emma, who's 11, Michelle …` only the number is sure.
    let broken = tokens.kind(end) == Kind::Comma && tokens.has(end + 1, Class::WH);
    for item in items.iter().take(8) {
        let comma = (item.0..item.1)
            .find(|i| broken && tokens.kind(*i) == Kind::Comma && tokens.has(item.0, Class::NUM));
        let item = &(item.0, comma.unwrap_or(item.1));
        let Some(noun) = thing(tokens, *item, lemma) else {
            if lemma == "have" && numbered(scene, clause, *item) {
                found = true;
                continue;
            }
            if found {
                continue;
            }
            return matches!(lemma, "have") && found;
        };
        let verb = match lemma {
            "drive" | "ride" | "rent" | "own" | "keep" | "run" => lexicon::third_person(lemma),
            _ => "has".to_owned(),
        };
        let verb = if clause.subject == Subject::Us && lemma == "own" {
            "owns".to_owned()
        } else {
            verb
        };
        let subject = who.subject(&attribute(tokens, noun, lemma));
        let text = who.says(&format!(
            "{verb} {}",
            wording::slice(tokens, item.0, item.1)
        ));
        counted(scene, clause, &subject, *item, noun, &text);
        found = true;
    }
    found
}

fn getting(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let thing = thing(tokens, (clause.body, end), "get").is_some()
        && tokens.has(clause.body, Class::DET.with(Class::MY))
        && Scene::is_mine(clause)
        && !clause.marks.negated
        && !clause.marks.ended;
    if thing {
        let text = scene.statement(clause, end);
        scene.topic = scene.book.add("project/get", &text);
    }
    thing
}

/// `We have six employees`: how many there are, of what one could not own.
fn numbered(scene: &mut Scene<'_, '_, '_>, clause: &Clause, item: Span) -> bool {
    let tokens = scene.tokens;
    let Some(value) =
        value::read(tokens, item.0, item.1).filter(|value| value.sort == value::Sort::Number)
    else {
        return false;
    };
    let Some(unit) = value::unit(tokens, value, item.1) else {
        return false;
    };
    let passing = Class::VAGUE
        .with(Class::UNIT)
        .with(Class::EVENT)
        .with(Class::DAY)
        .with(Class::VERB)
        .with(Class::LIST);
    let plain = Scene::is_mine(clause)
        && !tokens.has(unit, passing)
        && tokens.fold(unit).ends_with('s')
        && item.1 - item.0 <= 6
        && !matches!(tokens.fold(item.0), "one" | "couple" | "both" | "half");
    if !plain {
        return false;
    }
    let subject = format!("topic:{}/count", lexicon::stem(tokens.fold(unit)));
    let text = scene.statement(clause, item.1);
    let before = scene.book.of_subject(&subject);
    let added = scene.book.add(&subject, &text);
    for old in before {
        if speaks_of_change(clause.marks) {
            scene.book.end(old, added);
        }
    }
    true
}

/// Adds what somebody has; a new number of the same things replaces the old number, and keeps what else was said of them.
fn counted(
    scene: &mut Scene<'_, '_, '_>,
    clause: &Clause,
    subject: &str,
    item: Span,
    noun: usize,
    text: &str,
) {
    let tokens = scene.tokens;
    let number = value::all(tokens, item.0, noun).first().copied();
    if number.is_some() && clause.marks.now {
        let unit = vec![lexicon::stem(tokens.fold(noun)).to_owned()];
        let mut facts = scene.book.of_subject(subject);
        facts.retain(|fact| mentions(scene.book.text(*fact), &unit));
        for fact in facts {
            let known = scene.book.text(fact).to_owned();
            let inner = Tokens::of(&known);
            let old = value::all(&inner, 0, inner.len()).first().copied();
            let named = (0..inner.len()).find(|i| inner.kind(*i) == Kind::Comma);
            let Some(_) = old else { continue };
            let worded = match named {
                Some(comma) if !text.contains(',') => {
                    format!("{text}, among them {}", inner.slice(comma + 1, inner.len()))
                }
                _ => text.to_owned(),
            };
            let added = scene.book.add(subject, &worded);
            scene.book.end(fact, added);
            return;
        }
    }
    scene.state_multi(subject, text);
}
