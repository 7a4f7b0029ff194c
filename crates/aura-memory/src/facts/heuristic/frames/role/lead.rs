//! Who is in charge of what.

use super::super::topic::Topic;
use super::super::{Scene, after, speaks_of_change};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;

/// `Ana is leading the migration`, `Pete is responsible for catering`.
pub(super) fn leads(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if led_by(scene, clause) {
        return true;
    }
    if clause.subject != Subject::Name
        || clause.marks.ability
        || !clause.is_asserted()
        || matches!(clause.tense, Tense::Former | Tense::Past)
    {
        return false;
    }
    let lemma = clause.lemma(tokens);
    // `Nadia is writing the proposal`
    let chore = clause.tense == Tense::Present
        && tokens.has(clause.body, Class::DET.with(Class::MY))
        && matches!(
            lemma,
            "drive"
                | "walk"
                | "cook"
                | "clean"
                | "water"
                | "feed"
                | "pick"
                | "mow"
                | "wash"
                | "pay"
                | "book"
                | "bring"
                | "coach"
                | "write"
        );
    let busy = chore
        || clause.tense == Tense::Progressive
            && tokens.has(clause.body, Class::DET.with(Class::MY))
            && matches!(
                lemma,
                "write"
                    | "prepare"
                    | "draft"
                    | "design"
                    | "build"
                    | "bring"
                    | "cook"
                    | "book"
                    | "plan"
                    | "order"
                    | "buy"
                    | "make"
                    | "edit"
                    | "review"
                    | "host"
                    | "cover"
                    | "paint"
                    | "present"
                    | "arrange"
                    | "translate"
                    | "test"
                    | "implement"
                    | "organise"
            );
    let object = if (clause.verb_is(tokens, Class::LEAD) || busy) && !clause.marks.passive {
        clause.body
    } else if let Some(at) = clause.after_verb(
        tokens,
        words![
            "be responsible for",
            "be in charge of",
            "be on",
            "be the owner of",
            "look after",
            "take care of",
            "work on"
        ],
    ) {
        at
    } else {
        return false;
    };
    let end = phrase::object_end(tokens, object, clause.end, false);
    let definite = tokens.has(object, Class::MY)
        || tokens.fold(object) == "the"
        || !tokens.has(object, Class::DET);
    let Some(mut topic) = Topic::of(tokens, (object, end)) else {
        return false;
    };
    // `Italy is on my list`
    if lemma == "be"
        && phrase::head(tokens, (object, end)).is_some_and(|i| tokens.has(i, Class::LIST))
        && !matches!(tokens.fold(end - 1), "party" | "squad")
    {
        return false;
    }
    let thing = definite
        && end > object
        && !tokens.has(
            object,
            Class::NUM
                .with(Class::THEIR)
                .with(Class::ADV)
                .with(Class::IT),
        );
    if !thing || lemma == "do" && tokens.has(end - 1, Class::VAGUE) {
        return false;
    }
    "owner".clone_into(&mut topic.attribute);
    let words = scene.content(clause.np);
    let facts = topic.find(scene, false);
    if clause.marks.negated || clause.marks.ended {
        let gone: Entries = facts
            .into_iter()
            .filter(|fact| mentions(scene.book.text(*fact), &words))
            .collect();
        if !gone.is_empty() {
            let text = scene.statement(clause, end);
            scene.end_with(&gone, &[], &topic.subject(), &text);
        }
        return true;
    }
    let text = scene.statement(clause, end);
    let added = scene.state_multi(&topic.subject(), &text);
    let shared = clause.marks.also || lemma == "work" || busy && !speaks_of_change(clause.marks);
    for fact in facts {
        if !shared && !mentions(scene.book.text(fact), &words) {
            scene.book.end(fact, added);
        }
    }
    scene.topic = added;
    true
}

/// `The catering is handled by Lucia`, `the project belongs to Sara now`, `billing is with Ben now`.
fn led_by(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let by = match lemma {
        "belong" => after(tokens, clause.body, words!["to"]),
        "be" => after(
            tokens,
            clause.body,
            words!["led|run|handled|owned|managed|headed by", "with"],
        )
        .filter(|at| {
            let event = phrase::head(tokens, clause.np).is_some_and(|i| {
                tokens.has(
                    i,
                    Class::EVENT
                        .with(Class::VAGUE)
                        .with(Class::KIN)
                        .with(Class::JOB),
                )
            });
            tokens.fold(clause.body) != "with"
                || clause.marks.now
                || !event && !tokens.has(*at, Class::TOOL)
        }),
        "assign" | "reassign" => {
            after(tokens, clause.body, words!["to"]).filter(|_| clause.marks.passive)
        }
        _ => (clause.body..clause.end)
            .find(|i| tokens.fold(*i) == "by")
            .map(|i| i + 1)
            .filter(|_| clause.marks.passive && clause.verb_is(tokens, Class::LEAD)),
    };
    let thing = matches!(
        clause.subject,
        Subject::Mine | Subject::Thing | Subject::Name
    );
    let Some(by) = by.filter(|_| thing && clause.is_asserted() && !clause.marks.negated) else {
        return false;
    };
    let end = phrase::name_end(tokens, by, clause.end);
    let definite = clause.subject == Subject::Mine
        || tokens.fold(clause.np.0) == "the"
        || clause.subject == Subject::Name;
    let now = lemma == "reassign"
        || matches!(
            clause.tense,
            Tense::Present | Tense::Progressive | Tense::Perfect | Tense::Future
        );
    if end == by || !definite || !now {
        return false;
    }
    let Some(mut topic) = Topic::of(tokens, clause.np) else {
        return false;
    };
    "owner".clone_into(&mut topic.attribute);
    let words = scene.content((by, end));
    let facts = topic.find(scene, false);
    let text = scene.statement(clause, end);
    let added = scene.state_multi(&topic.subject(), &text);
    for fact in facts {
        if !clause.marks.also && !mentions(scene.book.text(fact), &words) {
            scene.book.end(fact, added);
        }
    }
    scene.topic = added;
    true
}
