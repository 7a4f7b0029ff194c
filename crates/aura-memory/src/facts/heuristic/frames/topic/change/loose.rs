//! Changes whose new value is not said, or whose property is only pointed at: `pushed back a week`, `raised its price`.

use super::super::super::{Entries, Scene, is_ended};
use super::super::{Topic, replace};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::value;
use crate::facts::heuristic::wording;

/// `They pushed our holiday back a week`: the new date is not said, but the old one is no longer true.
pub(super) fn shifted(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let told = matches!(clause.tense, Tense::Past | Tense::Perfect);
    let moves = matches!(
        clause.lemma(tokens),
        "push"
            | "postpone"
            | "delay"
            | "extend"
            | "move"
            | "shift"
            | "bring"
            | "reschedule"
            | "slip"
    );
    let by = (clause.body..clause.end).any(|i| {
        tokens
            .any(i, words!["back|forward|up|by a|one|two|three|four"])
            .is_some()
    });
    if !told || !moves || !by || clause.subject == Subject::Name {
        return false;
    }
    let mine = tokens.has(clause.body, Class::MY) || tokens.fold(clause.body) == "the";
    let np = if mine {
        let end = (clause.body..clause.end)
            .find(|i| tokens.any(*i, words!["back|forward|up|by"]).is_some())
            .unwrap_or(clause.end);
        (clause.body, end)
    } else {
        clause.np
    };
    let Some(mut topic) = Topic::of(tokens, np) else {
        return false;
    };
    if topic.attribute.is_empty() {
        "date".clone_into(&mut topic.attribute);
    }
    let facts = topic.find(scene, true);
    let [old] = facts.as_slice() else {
        return false;
    };
    let old = *old;
    let text = format!(
        "{} (before: {})",
        scene.statement(clause, clause.end),
        scene.book.text(old)
    );
    let subject = scene.book.subject(old).to_owned();
    let added = scene.book.add(&subject, &text);
    scene.book.end(old, added);
    scene.topic = added;
    true
}

/// `I've switched trainers`, `we changed the venue`: what it is now may follow.
pub(super) fn opens(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let told = Scene::is_mine(clause)
        && matches!(clause.tense, Tense::Past | Tense::Perfect)
        && end > clause.body
        && end - clause.body <= 4;
    let Some(head) = phrase::head(tokens, (clause.body, end)).filter(|_| told) else {
        return false;
    };
    let noun = lexicon::stem(tokens.fold(head));
    let facts: Entries = scene
        .book
        .live()
        .filter(|(_, _, subject)| {
            let property = subject.rsplit('/').next().unwrap_or_default();
            !is_ended(subject)
                && subject
                    .split(['/', ' ', ':', '\''])
                    .any(|word| lexicon::stem(word) == noun)
                && !property.is_empty()
        })
        .map(|(entry, ..)| entry)
        .collect();
    if let [only] = facts.as_slice() {
        scene.topic = Some(*only);
        return true;
    }
    false
}

/// `The hotel raised its price to 140 euros`.
pub(super) fn its_own(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let own = tokens.any(clause.body, words!["its|their"]).is_some()
        && matches!(
            clause.subject,
            Subject::Thing | Subject::Mine | Subject::Name
        );
    let Some(to) =
        (clause.body + 1..clause.end.min(clause.body + 5)).find(|i| own && tokens.fold(*i) == "to")
    else {
        return false;
    };
    let Some(value) = value::read(tokens, to + 1, clause.end) else {
        return false;
    };
    let property = phrase::head(tokens, (clause.body + 1, to)).filter(|i| {
        tokens.has(*i, Class::ATTR)
            || matches!(
                tokens.fold(*i),
                "prices" | "rates" | "fees" | "hours" | "price"
            )
    });
    let (Some(property), Some(mut topic)) = (property, Topic::of(tokens, clause.np)) else {
        return false;
    };
    lexicon::attribute_name(tokens.fold(property).trim_end_matches('s'))
        .clone_into(&mut topic.attribute);
    if topic.find(scene, true).is_empty() {
        return false;
    }
    let text = format!(
        "the {} of {} is {}",
        tokens.fold(property),
        wording::slice(tokens, clause.np.0, clause.np.1).to_lowercase(),
        wording::slice(tokens, value.start, value.end)
    );
    replace(scene, &topic, (value.start, value.end), &text, true, true);
    true
}
