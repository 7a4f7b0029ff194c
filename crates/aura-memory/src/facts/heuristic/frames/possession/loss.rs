//! What somebody no longer has.

use super::super::{Scene, Who, after};
use super::thing::attribute;
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::wording;

/// `I don't have a car (any more)`.
pub(super) fn lacks(
    scene: &mut Scene<'_, '_, '_>,
    clause: &Clause,
    who: &Who<'_>,
    span: Span,
) -> bool {
    let tokens = scene.tokens;
    let at = after(tokens, span.0, words!["no|a|an|any|the"]).unwrap_or(span.0);
    let lemma = clause.lemma(tokens);
    if at >= span.1 || !matches!(lemma, "have" | "own" | "drive" | "ride" | "keep" | "rent") {
        return false;
    }
    let words = scene.content((at, span.1));
    let Some(noun) = phrase::head(tokens, (at, span.1)) else {
        return false;
    };
    if tokens.has(noun, Class::VAGUE) {
        return true;
    }
    let subject = who.subject(&attribute(tokens, noun, lemma));
    let facts = owned(scene, who, &words, &subject);
    if facts.is_empty()
        && !clause.marks.ended
        && !tokens.has(
            noun,
            Class::ANIMAL
                .with(Class::VEHICLE)
                .with(Class::HOUSE)
                .with(Class::KIN),
        )
    {
        return true;
    }
    let text = scene.statement(clause, span.1);
    scene.end_with(&facts, &words, &subject, &text);
    true
}

/// The facts that say that somebody has something of these words.
fn owned(scene: &Scene<'_, '_, '_>, who: &Who<'_>, words: &[String], subject: &str) -> Entries {
    scene
        .book
        .live()
        .filter(|(_, text, known)| {
            let mine = known
                .strip_prefix(&*who.entity)
                .is_some_and(|rest| rest.starts_with('/'))
                && !super::super::is_ended(known);
            let property = known.rsplit('/').next().unwrap_or_default();
            let possession = !matches!(
                property,
                "home"
                    | "job"
                    | "employer"
                    | "name"
                    | "age"
                    | "origin"
                    | "plan"
                    | "likes"
                    | "dislikes"
                    | "diet"
                    | "trait"
                    | "group"
            ) && !property.ends_with(" role");
            let of_kind = *known == subject && words.len() == 1 && !subject.ends_with("/pets");
            mine && possession && (of_kind || mentions(text, words))
        })
        .map(|(entry, ..)| entry)
        .collect()
}

/// `I sold the Honda`, `got rid of the scooter`, `we gave Luna away`, `I swapped my iPhone for a Pixel`, `I lost my job` is not.
pub(super) fn disposes(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    if !clause.is_real()
        || clause.marks.negated
        || clause.marks.passive
        || clause.tense == Tense::Present
    {
        return false;
    }
    let lemma = clause.lemma(tokens);
    let at = clause
        .after_verb(
            tokens,
            words![
                "get rid of",
                "part with",
                "give away",
                "trade in",
                "give up",
                "find a new home for"
            ],
        )
        .or_else(|| {
            let away = (clause.body..clause.end).any(|i| matches!(tokens.fold(i), "away" | "back"));
            let goes = clause.verb_is(tokens, Class::DISPOSE) && !matches!(lemma, "die")
                || lemma == "give" && away
                || matches!(lemma, "trade" | "swap" | "exchange" | "replace" | "upgrade");
            goes.then_some(clause.body)
        });
    let Some(at) = at else { return false };
    let mine = tokens.has(at, Class::MY)
        || tokens.fold(at) == "the"
        || tokens.at(at).capital
        || tokens.has(at, Class::THEIR) && !Scene::is_mine(clause);
    if !mine {
        return false;
    }
    let stop = (at..clause.end)
        .find(|i| {
            *i > at
                && matches!(
                    tokens.fold(*i),
                    "away" | "back" | "to" | "for" | "with" | "in" | "and"
                )
        })
        .unwrap_or(clause.end);
    let place = tokens.fold(stop) == "in" && matches!(lemma, "sell") && tokens.at(stop + 1).capital;
    let end = phrase::object_end(tokens, at, if place { clause.end } else { stop }, false);
    let words = scene.content(phrase::undated(tokens, (at, end)));
    let Some(noun) = phrase::head(tokens, (at, end)) else {
        return false;
    };
    let subject = who.subject(&attribute(tokens, noun, lemma));
    let facts = owned(scene, &who, &words, &subject);
    let replacement = after(tokens, stop, words!["for", "with", "in for"])
        .filter(|_| !matches!(lemma, "sell" | "give"));
    if facts.is_empty() {
        // Lost keys and returned books change nothing that was known.
        let lasting = matches!(lemma, "sell")
            && tokens.has(noun, Class::VEHICLE.with(Class::HOUSE).with(Class::ANIMAL));
        if lasting {
            let text = scene.statement(clause, end);
            scene.state_multi(&super::super::ended(&subject), &text);
        }
        return lasting;
    }
    if let Some(new) = replacement {
        let new_end = phrase::object_end(tokens, new, clause.end, false);
        let text = who.says(&format!("has {}", wording::slice(tokens, new, new_end)));
        let added = scene.book.add(
            scene
                .book
                .subject(
                    *facts
                        .first()
                        .unwrap_or(&crate::facts::heuristic::book::Entry::New(usize::MAX)),
                )
                .to_owned()
                .as_str(),
            &text,
        );
        for fact in facts {
            scene.end_or_shorten(fact, &words, added);
        }
        return true;
    }
    let text = scene.statement(
        clause,
        if clause.end <= end + 4 {
            clause.end
        } else {
            end
        },
    );
    let known = facts
        .first()
        .map_or(subject, |fact| scene.book.subject(*fact).to_owned());
    scene.end_with(&facts, &words, &known, &text);
    true
}

/// `Bruno passed away`, `my dog died`.
pub(super) fn died(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let gone = clause.after_verb(tokens, words!["die", "pass away", "pass on", "run away"]);
    let fled = gone.is_some_and(|at| {
        clause.lemma(tokens) == "run" && at < clause.end && tokens.has(at, Class::PREP)
    });
    let returned = (clause.verb..tokens.len())
        .take_while(|i| !tokens.at(*i).ends_sentence())
        .any(|i| {
            tokens
                .any(i, words!["once|twice|back|again|found"])
                .is_some()
        });
    if fled
        || returned
        || gone.is_none()
        || !clause.is_real()
        || clause.marks.negated
        || !matches!(clause.subject, Subject::Name | Subject::Mine)
    {
        return false;
    }
    let words = scene.content(clause.np);
    let me = scene.me();
    let facts: Entries = scene
        .book
        .live()
        .filter(|(_, text, subject)| {
            (*subject == me.subject("pets")
                || clause.subject == Subject::Name
                    && subject.starts_with(&*me.entity)
                    && has_noun_of_kin(subject))
                && mentions(text, &words)
        })
        .map(|(entry, ..)| entry)
        .collect();
    let text = wording::slice(
        tokens,
        clause.start,
        phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body),
    );
    if facts.is_empty() {
        return false;
    }
    if facts.len() > 1 && clause.subject == Subject::Mine {
        return true;
    }
    scene.end_with(&facts, &words, &me.subject("pets"), &text);
    true
}

fn has_noun_of_kin(subject: &str) -> bool {
    subject
        .rsplit('/')
        .next()
        .is_some_and(|noun| lexicon::look_up(noun).class.has(Class::KIN))
}
