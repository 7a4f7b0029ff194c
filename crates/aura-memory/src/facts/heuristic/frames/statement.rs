//! Statements that name a value one may correct later: `we're flying to Lisbon in April`, `the database runs on MySQL`.

use super::revision::{Shape, read_value};
use super::topic::Topic;
use super::{Scene, after, speaks_of_change};
use crate::facts::heuristic::book::Entry;
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value::Sort;

/// Longest object, in words.
const LONGEST: usize = 12;

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if plans(scene, clause) {
        return true;
    }
    let tense = matches!(clause.tense, Tense::Present | Tense::Progressive)
        || clause.tense == Tense::Future && Scene::is_mine(clause)
        || clause.marks.passive && clause.tense == Tense::Perfect
        || clause.lemma(tokens) == "read"
            && (clause.body..clause.end)
                .any(|i| tokens.any(i, words!["a day|week|month|year"]).is_some());
    let doing = clause.lemma(tokens) == "do" && tokens.has(clause.body, Class::DET.with(Class::MY));
    let says = clause.has_verb()
        && !clause.marks.negated
        && !clause.marks.ended
        && !clause.marks.ability
        && (matches!(clause.lemma(tokens), "read" | "write") && !clause.marks.passive
            || !clause.verb_is(
                tokens,
                Class::REPORT
                    .with(Class::WISH)
                    .with(Class::LIKE)
                    .with(Class::DISLIKE)
                    .with(Class::REQUEST),
            ))
        && !matches!(
            clause.lemma(tokens),
            "be" | "have"
                | "look"
                | "try"
                | "need"
                | "seem"
                | "feel"
                | "sound"
                | "talk"
                | "wait"
                | "depend"
                | "work"
                | "mean"
                | "discuss"
                | "keep"
                | "put"
                | "get"
                | "explore"
                | "inspire"
                | "share"
                | "consider"
                | "thank"
                | "let"
                | "help"
                | "agree"
                | "worry"
                | "struggle"
                | "happen"
        );
    if !tense || !says || clause.lemma(tokens) == "do" && !doing {
        return false;
    }
    let Some((subject, several)) = key(scene, clause) else {
        return false;
    };
    let end = object_end(tokens, clause);
    let Some(value) = first_value(tokens, clause, end) else {
        return false;
    };
    let pointing = (clause.body..end).any(|i| {
        tokens.has(i, Class::OTHER)
            || matches!(
                tokens.fold(i),
                "this" | "that" | "it" | "them" | "these" | "those" | "your"
            )
    });
    if pointing || end - clause.body > LONGEST || end <= clause.body {
        return false;
    }
    let text = scene.statement(clause, end);
    let before = scene.book.of_subject(&subject);
    let Some(added) = scene.book.add(&subject, &text) else {
        return false;
    };
    let instead = (clause.start..clause.end).any(|i| tokens.fold(i) == "instead");
    let now = clause.says_now(tokens);
    let replaces = clause.marks.corrects
        || instead
        || now && (!several || matches!(value, Shape::Typed(..) | Shape::Designator(_)));
    let head = phrase::content(tokens, (clause.body, end)).first().cloned();
    for old in before {
        // `I take my coffee with milk these days`
        let same = clause.says_now(tokens)
            && !tokens.has(clause.body, Class::PREP)
            && head.as_ref().is_some_and(|head| {
                super::super::book::mentions(scene.book.text(old), std::slice::from_ref(head))
            });
        if same && old != added && !clause.marks.also {
            scene.book.end(old, Some(added));
            continue;
        }
        if replaces && old != added && !clause.marks.also && holds_shape(scene, old, &value) {
            scene.book.end(old, Some(added));
        }
    }
    if speaks_of_change(clause.marks) || !Scene::is_mine(clause) {
        scene.topic = Some(added);
    }
    true
}

/// `We're planning a trip to Iceland`, `I'm organising a party for Ana`.
fn plans(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let plans = matches!(
        clause.lemma(tokens),
        "plan" | "organise" | "organize" | "prepare" | "host" | "arrange"
    ) && clause.tense == Tense::Progressive
        && Scene::is_mine(clause)
        && clause.is_asserted()
        && !clause.marks.negated
        && !clause.marks.ended
        && tokens.has(clause.body, Class::DET.with(Class::MY));
    let end = object_end(tokens, clause);
    let event = (clause.body..end).any(|i| {
        tokens.has(i, Class::EVENT)
            || matches!(
                tokens.fold(i),
                "trip" | "holiday" | "journey" | "honeymoon" | "tour"
            )
    });
    if !plans || !event || end - clause.body > LONGEST {
        return false;
    }
    let text = scene.statement(clause, end);
    scene.topic = scene.book.add("project/plan", &text);
    true
}

/// `I can't eat gluten`, and that one can after all.
pub(super) fn cannot(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let able = clause.marks.ability
        && matches!(
            lemma,
            "eat"
                | "drink"
                | "drive"
                | "swim"
                | "read"
                | "dance"
                | "cook"
                | "ski"
                | "speak"
                | "tolerate"
                | "have"
        )
        && clause.tense == Tense::Present;
    let Some(who) = scene.who(clause).filter(|who| able && !who.stranger) else {
        return false;
    };
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let words = scene.content((clause.body, end));
    let subject = format!("{}:cannot", who.subject(lemma));
    if clause.marks.negated {
        let vague = phrase::head(tokens, (clause.body, end))
            .is_some_and(|i| tokens.has(i, Class::VAGUE.with(Class::IT).with(Class::OTHER)));
        let lasting = !(clause.start..clause.end).any(|i| {
            tokens
                .any(
                    i,
                    words!["today|tonight|tomorrow|right|this|until|before|after"],
                )
                .is_some()
        });
        if vague
            || !lasting
            || words.len() > 4
            || words.is_empty()
                && !matches!(lemma, "drive" | "swim" | "dance" | "cook" | "ski" | "read")
        {
            return false;
        }
        let text = scene.statement(clause, end);
        return scene.book.add(&subject, &text).is_some();
    }
    let known: Vec<_> = scene
        .book
        .of_subject(&subject)
        .into_iter()
        .filter(|fact| super::super::book::mentions(scene.book.text(*fact), &words))
        .collect();
    let text = scene.statement(clause, end);
    let Some(first) = known.first() else {
        return false;
    };
    let subject = scene.book.subject(*first).replace(":cannot", ":can");
    let added = scene.book.add(&subject, &text);
    for fact in known {
        scene.book.end(fact, added);
    }
    true
}

/// The subject of such facts, and whether there may be several at a time.
fn key(scene: &Scene<'_, '_, '_>, clause: &Clause) -> Option<(String, bool)> {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let plan = matches!(
        lemma,
        "fly"
            | "travel"
            | "go"
            | "stay"
            | "meet"
            | "drive"
            | "stop"
            | "head"
            | "visit"
            | "leave"
            | "arrive"
            | "sleep"
            | "host"
            | "celebrate"
            | "marry"
            | "present"
            | "perform"
    );
    match clause.subject {
        Subject::Me | Subject::Us if plan => {
            if clause.tense == Tense::Present
                && tokens
                    .any(clause.body, words!["to|in|at|with|on", "out|off|back|home"])
                    .is_none()
            {
                return None;
            }
            Some((format!("project/{lemma}"), true))
        }
        Subject::Me | Subject::Us if clause.tense != Tense::Future => {
            let several = !matches!(
                lemma,
                "read" | "drive" | "take" | "rent" | "study" | "watch" | "report" | "commute"
            );
            Some((format!("{}/{lemma}", scene.speaker.entity), several))
        }
        Subject::Mine | Subject::Other | Subject::Name
            if clause.tense != Tense::Future
                && scene.who(clause).is_some_and(|who| !who.stranger) =>
        {
            scene.who(clause).map(|who| (who.subject(lemma), true))
        }
        Subject::Thing | Subject::Mine => {
            let definite = clause.subject == Subject::Mine || tokens.fold(clause.np.0) == "the";
            let person = phrase::head(tokens, clause.np).is_some_and(|i| tokens.has(i, Class::KIN));
            if !definite || person || clause.tense == Tense::Future {
                return None;
            }
            let mut topic = Topic::of(tokens, clause.np)?;
            lemma.clone_into(&mut topic.attribute);
            Some((topic.subject(), false))
        }
        _ => None,
    }
}

fn object_end(tokens: &Tokens<'_>, clause: &Clause) -> usize {
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    (clause.body..end)
        .find(|i| {
            *i > clause.body
                && tokens.fold(*i) == "to"
                && tokens.at(*i + 1).forms() & form::BASE != 0
        })
        .unwrap_or(end)
}

/// The value that the statement is kept for: a name, an amount, a date, right after the verb or its preposition.
fn first_value(tokens: &Tokens<'_>, clause: &Clause, end: usize) -> Option<Shape> {
    let at = after(tokens, clause.body, words!["up|out|back|over|down|off"]).unwrap_or(clause.body);
    let mut at = at;
    while at < end
        && tokens.has(
            at,
            Class::PREP
                .with(Class::DET)
                .with(Class::MY)
                .with(Class::ADV),
        )
        && !tokens.has(at, Class::NUM)
    {
        at += 1;
    }
    let prepositional = tokens.has(clause.body, Class::PREP);
    (at..end.min(at + 5)).find_map(|i| {
        let given = read_value(tokens, i, end)?;
        let near = i == at || matches!(given.shape, Shape::Name);
        let tells = match &given.shape {
            Shape::Name => tokens.cased && !tokens.has(i, Class::NATION),
            Shape::Typed(Sort::Number, unit) => unit.is_some() && !prepositional,
            Shape::Typed(..) => true,
            Shape::Kind(_) => near && !matches!(tokens.fold(i), "call" | "text" | "email"),
            Shape::Mail | Shape::Phone | Shape::Noun | Shape::Designator(_) => true,
        };
        tells.then_some(given.shape)
    })
}

fn holds_shape(scene: &Scene<'_, '_, '_>, old: Entry, shape: &Shape) -> bool {
    let inner = Tokens::of(scene.book.text(old));
    let span: Span = (0, inner.len());
    (span.0..span.1).any(|i| {
        read_value(&inner, i, span.1).is_some_and(|given| {
            i > 0 && std::mem::discriminant(&given.shape) == std::mem::discriminant(shape)
        })
    })
}
