//! Name, age, origin, diet and other lasting states of a person.

mod state;

use super::{Scene, after, speaks_of_change};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self};
use crate::facts::heuristic::token::Kind;
use state::{allergy, membership, state};

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    name(scene, clause)
        || age(scene, clause)
        || allergy(scene, clause)
        || membership(scene, clause)
        || state(scene, clause)
}

/// `My name is Kat`, `call me Kat`, `I go by Kat`, `I'm Tom`.
fn name(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let me = scene.me();
    let my_name = clause.subject == Subject::Mine
        && clause.np.1 - clause.np.0 == 2
        && tokens.fold(clause.np.1 - 1) == "name"
        && clause.lemma(tokens) == "be";
    let called = clause
        .after_verb(tokens, words!["call me", "change my name to"])
        .filter(|_| matches!(clause.subject, Subject::Nobody | Subject::Me))
        .or_else(|| {
            clause
                .after_verb(tokens, words!["go by", "be called", "be named"])
                .filter(|_| clause.subject == Subject::Me)
        })
        .or_else(|| {
            (clause.subject == Subject::Me
                && clause.marks.passive
                && matches!(clause.lemma(tokens), "call" | "name"))
            .then_some(clause.body)
        });
    let introduces = clause.subject == Subject::Me
        && clause.lemma(tokens) == "be"
        && clause.tense == Tense::Present
        && tokens.fold(clause.verb) == "am";
    let at = if my_name {
        clause.body
    } else {
        called.unwrap_or(clause.body)
    };
    let trusted = my_name || called.is_some();
    if !(trusted || introduces) || clause.marks.negated {
        return false;
    }
    let end = phrase::name_end(tokens, at, clause.end);
    let plain = trusted
        && !tokens.cased
        && end == at
        && tokens.at(at).kind == Kind::Word
        && !tokens.has(at, Class::ADV.with(Class::DET).with(Class::PREP));
    let end = if plain { at + 1 } else { end };
    if end == at
        || end - at > 4
        || tokens.has(
            at,
            Class::NATION
                .with(Class::DAY)
                .with(Class::MONTH)
                .with(Class::STATE)
                .with(Class::TOOL),
        )
    {
        return false;
    }
    let written = tokens.slice(at, end);
    if !trusted {
        let acronym = written.len() > 1 && written.chars().all(|c| !c.is_lowercase());
        let alone = end >= clause.end || !tokens.at(end).is_wordy() || tokens.has(end, Class::AND);
        if acronym
            || !alone
            || !scene.book.of_subject(&me.subject("name")).is_empty()
            || !tokens.cased
        {
            return false;
        }
    }
    let words = scene.content((at, end));
    let text = me.says(&format!("is called {written}"));
    scene.state_single(
        &me.subject("name"),
        &text,
        &words,
        called.is_some() || speaks_of_change(clause.marks),
    );
    true
}

/// `I'm 29`, `I turned 30`.
fn age(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let turned = clause
        .after_verb(tokens, words!["turn"])
        .filter(|_| clause.is_real());
    let is =
        (clause.lemma(tokens) == "be" && clause.tense == Tense::Present).then_some(clause.body);
    let Some(at) = turned.or(is) else {
        return false;
    };
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let digits = tokens.fold(at);
    let number = tokens.kind(at) == Kind::Number
        && digits
            .parse::<u8>()
            .is_ok_and(|age| (1..120).contains(&age));
    let years = after(
        tokens,
        at + 1,
        words!["years old", "year old", "years of age", "yo", "y/o"],
    );
    let alone = at + 1 >= clause.end
        || !tokens.at(at + 1).is_wordy()
        || tokens.has(
            at + 1,
            Class::AND
                .with(Class::NOW)
                .with(Class::DAY)
                .with(Class::ADV),
        )
        || tokens
            .any(at + 1, words!["last|this", "yesterday|today", "in"])
            .is_some();
    if !number
        || !(alone || years.is_some())
        || clause.marks.negated
        || matches!(clause.subject, Subject::Us)
    {
        return false;
    }
    let text = who.says(&format!("is {digits} years old"));
    let words = scene.content((at, at + 1));
    scene.state_single(&who.subject("age"), &text, &words, true);
    true
}
