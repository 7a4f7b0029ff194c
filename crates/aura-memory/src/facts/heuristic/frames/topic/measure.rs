//! What things cost, hold and need, and when they take place.

use super::super::{Scene, after, speaks_of_change};
use super::{Topic, is_timetable, replace, topic_of};
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self};
use crate::facts::heuristic::value::{self, Sort};
use crate::facts::heuristic::wording;

/// `The hotel costs $900`, `the report needs 20 pages`, `our team has 6 developers`.
pub(super) fn measured(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let measures = clause.verb_is(tokens, Class::COST)
        || matches!(
            lemma,
            "have"
                | "need"
                | "require"
                | "take"
                | "seat"
                | "hold"
                | "contain"
                | "weigh"
                | "serve"
                | "feed"
                | "fit"
                | "sleep"
                | "last"
        );
    let priced = clause.verb_is(tokens, Class::COST);
    // At the beginning of a sentence `Tickets` looks like a name.
    let it = clause.subject == Subject::It && scene.topic.is_some();
    let subject = matches!(clause.subject, Subject::Mine | Subject::Thing)
        || it
        || priced && clause.subject == Subject::Name;
    if !measures
        || !subject
        || clause.marks.negated
        || !(priced || matches!(clause.tense, Tense::Present | Tense::Future))
    {
        return false;
    }
    let person = phrase::head(tokens, clause.np).is_some_and(|i| tokens.has(i, Class::KIN));
    let definite = clause.subject == Subject::Mine || tokens.fold(clause.np.0) == "the";
    // `Another hotel costs 140 euros`: not the one at hand.
    let other = tokens
        .any(
            clause.np.0,
            words!["another|other|some|any|every|these|those|that|this|most|all"],
        )
        .is_some();
    // `A ticket costs 15 euros`, `tickets cost 18 euros`: a price is of the thing at hand.
    if person || other || !definite && !priced && !it {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let values = value::all(tokens, clause.body, end);
    if values.is_empty() {
        return false;
    }
    let Some(mut topic) = topic_of(scene, clause) else {
        return false;
    };
    let several = values.len() > 1;
    for item in &phrase::items(tokens, clause.body, end) {
        let Some(value) = value::all(tokens, item.0, item.1).first().copied() else {
            continue;
        };
        let counted =
            value::unit(tokens, value, item.1).map(|i| lexicon::stem(tokens.fold(i)).to_owned());
        topic.attribute = match value.sort {
            Sort::Money => "price".to_owned(),
            _ => format!("{} {lemma}", counted.unwrap_or_default())
                .trim_start()
                .to_owned(),
        };
        let text = if it {
            String::new()
        } else if several {
            let verb = scene.statement(clause, clause.body);
            format!("{verb} {}", wording::slice(tokens, item.0, item.1))
        } else {
            scene.statement(clause, end)
        };
        let changes = speaks_of_change(clause.marks);
        replace(
            scene,
            &topic,
            (value.start, value.end),
            &text,
            changes,
            true,
        );
    }
    true
}

/// `We have a budget of 10,000 dollars for the conference`.
pub(super) fn has_property(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let has = matches!(
        clause.lemma(tokens),
        "have" | "set" | "get" | "agree" | "work"
    ) && Scene::is_mine(clause)
        && !clause.marks.negated;
    let Some(of) = (clause.body..clause.end.min(clause.body + 6))
        .find(|i| tokens.fold(*i) == "of")
        .filter(|of| has && tokens.has(of - 1, Class::ATTR))
    else {
        return false;
    };
    let Some(value) = value::read(tokens, of + 1, clause.end) else {
        return false;
    };
    let Some(start) = (clause.body..of).find(|i| tokens.has(*i, Class::DET)) else {
        return false;
    };
    let property = lexicon::attribute_name(tokens.fold(of - 1)).to_owned();
    let end = phrase::object_end(tokens, value.end, clause.end, false).max(value.end);
    let mut topic = match after(tokens, value.end, words!["for"]) {
        Some(target) => Topic::of(tokens, (target, end)).unwrap_or_default(),
        None => Topic::of(tokens, (start, of)).unwrap_or_default(),
    };
    topic.attribute = property;
    let text = scene.statement(clause, end);
    // `a deadline` is one of perhaps several; it replaces none unless it is of the very same thing.
    let changes = speaks_of_change(clause.marks);
    let known = topic.find(scene, false);
    if !changes
        && known.iter().any(|fact| {
            Topic::from_subject(scene.book.subject(*fact))
                .is_none_or(|known| known.subject() != topic.subject())
        })
    {
        scene.topic = scene.state_multi(&topic.subject(), &text);
        return true;
    }
    replace(
        scene,
        &topic,
        (value.start, value.end),
        &text,
        changes,
        true,
    );
    true
}

/// `We set aside $600 for the flights`.
pub(super) fn set_aside(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let aside = clause.after_verb(
        tokens,
        words!["set aside", "put aside", "allocate", "earmark", "budget"],
    );
    // `I can spend up to $1,200 on a laptop`, `we have about 3000 euros for the trip`
    let spends = clause.marks.ability
        && matches!(
            clause.lemma(tokens),
            "spend" | "afford" | "pay" | "go" | "stretch" | "do" | "manage" | "offer"
        )
        || clause.lemma(tokens) == "have" && clause.tense == Tense::Present
        || clause.lemma(tokens) == "spend" && clause.tense == Tense::Progressive;
    let Some(at) = aside.or(spends.then_some(clause.body)) else {
        return false;
    };
    let at = phrase::skip_adverbs(tokens, at, clause.end, &mut clause.marks.clone());
    let at = after(
        tokens,
        at,
        words![
            "up to",
            "to",
            "no more than",
            "at most",
            "a maximum|total of",
            "around|about|only|max|maximum",
            "as much as"
        ],
    )
    .unwrap_or(at);
    let Some(value) = value::read(tokens, at, clause.end).filter(|value| value.sort == Sort::Money)
    else {
        return false;
    };
    if !Scene::is_mine(clause) || !clause.is_real() || clause.marks.negated {
        return false;
    }
    let target = after(tokens, value.end, words!["for|to|on|towards"]);
    let end = target.map_or(value.end, |target| {
        phrase::object_end(tokens, target, clause.end, false)
    });
    let topic = target.and_then(|target| Topic::of(tokens, (target, end)));
    let Some(mut topic) = topic.or_else(|| clause.marks.ability.then(Topic::default)) else {
        return false;
    };
    "budget".clone_into(&mut topic.attribute);
    let text = scene.statement(clause, end);
    replace(
        scene,
        &topic,
        (value.start, value.end),
        &text,
        speaks_of_change(clause.marks),
        true,
    );
    true
}

/// `I have an appointment on Friday`, `we have a call with Ana at 3`.
pub(super) fn has_event(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let has = clause.lemma(tokens) == "have"
        && Scene::is_mine(clause)
        && clause.tense == Tense::Present
        && !clause.marks.negated
        && tokens
            .any(clause.body, words!["a|an|my|our|another"])
            .is_some();
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let Some(value) = value::all(tokens, clause.body, end)
        .into_iter()
        .find(|value| has && matches!(value.sort, Sort::Date | Sort::Time))
    else {
        return false;
    };
    let mut stop = value.start;
    while stop > clause.body && tokens.has(stop - 1, Class::PREP) {
        stop -= 1;
    }
    let event = phrase::head(tokens, (clause.body, stop)).is_some_and(|i| {
        tokens.has(i, Class::EVENT) && !tokens.has(i, Class::VAGUE.with(Class::ATTR))
    });
    let Some(mut topic) = Topic::of(tokens, (clause.body, stop)).filter(|_| event) else {
        return false;
    };
    if topic.attribute.is_empty() {
        let date = value.sort == Sort::Date;
        topic.attribute = if date { "date" } else { "time" }.to_owned();
    }
    let text = scene.statement(clause, end);
    // One may have several: only what is marked as a change takes the place of another.
    if speaks_of_change(clause.marks) {
        replace(scene, &topic, (value.start, value.end), &text, true, true);
    } else {
        scene.topic = scene.state_multi(&topic.subject(), &text);
    }
    true
}

/// `Our flight leaves on April 2`, `the exam takes place on Friday`, `the offsite is planned for June`.
pub(super) fn dated(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let happens = matches!(
        lemma,
        "leave"
            | "depart"
            | "arrive"
            | "start"
            | "begin"
            | "end"
            | "finish"
            | "open"
            | "close"
            | "happen"
            | "take"
            | "schedule"
            | "plan"
            | "set"
            | "book"
            | "fall"
            | "meet"
            | "land"
            | "run"
    );
    let subject = matches!(clause.subject, Subject::Mine | Subject::Thing)
        || clause.subject == Subject::It && scene.topic.is_some()
        || is_timetable(tokens, clause);
    let tense = matches!(
        clause.tense,
        Tense::Present | Tense::Future | Tense::Perfect
    );
    if !happens || !subject || !tense || clause.marks.negated || clause.mood != Mood::Asserted {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let Some(value) = value::all(tokens, clause.body, end)
        .into_iter()
        .find(|value| matches!(value.sort, Sort::Date | Sort::Time))
    else {
        return false;
    };
    let Some(mut topic) = topic_of(scene, clause) else {
        return false;
    };
    if topic.attribute.is_empty() {
        topic.attribute = if value.sort == Sort::Date {
            "date"
        } else {
            "time"
        }
        .to_owned();
    }
    let it = clause.subject == Subject::It;
    let text = if it {
        String::new()
    } else {
        scene.statement(clause, end)
    };
    let changes = speaks_of_change(clause.marks) || it;
    replace(
        scene,
        &topic,
        (value.start, value.end),
        &text,
        changes,
        true,
    );
    true
}
