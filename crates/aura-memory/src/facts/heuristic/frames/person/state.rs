//! Allergies, memberships, diets and other lasting states.

use super::super::{Scene, Who, after, speaks_of_change};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Tense};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::wording;

/// `I'm allergic to peanuts and shellfish`, `I'm not allergic to cats after all`.
pub(super) fn allergy(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let Some(at) = after(
        tokens,
        clause.body,
        words!["allergic to", "intolerant to", "afraid of", "scared of"],
    )
    .filter(|_| clause.lemma(tokens) == "be") else {
        return false;
    };
    let adjective = tokens.slice(clause.body, at).to_owned();
    let subject = who.subject(
        if adjective.starts_with("a") && adjective.contains("llerg") {
            "allergy"
        } else {
            "trait"
        },
    );
    if clause.marks.negated || clause.marks.ended {
        return deny(scene, clause, &who, &subject, (at, clause.end));
    }
    if clause.tense == Tense::Past || clause.tense == Tense::Future {
        return true;
    }
    let end = phrase::object_end(tokens, at, clause.end, true);
    for item in phrase::items(tokens, at, end).iter().take(8) {
        let text = who.says(&format!(
            "is {adjective} {}",
            wording::slice(tokens, item.0, item.1)
        ));
        scene.state_multi(&subject, &text);
    }
    true
}

/// `I'm a member of the chess club and the choir`.
pub(super) fn membership(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let member = after(
        tokens,
        clause.body,
        words![
            "a member of",
            "part of",
            "on the board of",
            "a fan of",
            "a big fan of"
        ],
    )
    .filter(|_| clause.lemma(tokens) == "be");
    let joined = (clause.lemma(tokens) == "join" && clause.is_real() && !clause.marks.negated)
        .then_some(clause.body);
    let subject = who.subject("group");
    let Some(at) = member.or(joined) else {
        return false;
    };
    let end = phrase::object_end(tokens, at, clause.end, true);
    if clause.marks.negated || clause.marks.ended {
        return deny(scene, clause, &who, &subject, (at, end));
    }
    let definite = (tokens.has(at, Class::DET.with(Class::MY)) || tokens.at(at).capital)
        && phrase::head(tokens, (at, end)).is_some_and(|i| !tokens.has(i, Class::VAGUE));
    if member.is_some() && !definite {
        return false;
    }
    let held = joined.is_some() || matches!(clause.tense, Tense::Present | Tense::Perfect);
    if !held || end == at || joined.is_some() && !definite {
        return false;
    }
    let label = if member.is_some() {
        format!("is {}", tokens.slice(clause.body, at))
    } else {
        "is a member of".to_owned()
    };
    for item in phrase::items(tokens, at, end).iter().take(6) {
        let text = who.says(&format!(
            "{label} {}",
            wording::slice(tokens, item.0, item.1)
        ));
        scene.state_multi(&subject, &text);
    }
    true
}

/// Properties whose adjectives take each other's place.
fn property(word: &str) -> Option<&'static str> {
    Some(match word {
        "vegetarian" | "vegan" | "pescatarian" | "keto" | "omnivore" | "flexitarian" => "diet",
        "retired" | "unemployed" | "self-employed" | "jobless" | "freelance" => "employment",
        _ => return None,
    })
}

/// `I'm vegetarian`, `I went vegan`, `I'm Norwegian`, `I'm from Peru`, `I eat meat again`.
pub(super) fn state(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let lemma = clause.lemma(tokens);
    if matches!(lemma, "eat") && clause.is_real() && !matches!(clause.tense, Tense::Past) {
        return eats(scene, clause, &who);
    }
    if lemma == "be"
        && tokens.fold(clause.body) == "off"
        && clause.is_real()
        && !clause.marks.negated
    {
        return off(scene, clause, &who);
    }
    let becomes = matches!(lemma, "go" | "become" | "turn" | "get") && clause.is_real();
    let quits = clause.verb_is(tokens, Class::QUIT)
        && clause.is_real()
        && tokens.fold(clause.body) == "being";
    if lemma != "be" && !becomes && !quits {
        return false;
    }
    let at = after(
        tokens,
        clause.body,
        words!["being a|an", "being", "on a|the", "a|an"],
    )
    .unwrap_or(clause.body);
    let at = phrase::skip_adverbs(tokens, at, clause.end, &mut clause.marks.clone());
    if let Some(from) = after(tokens, at, words!["from", "originally from"])
        .filter(|_| lemma == "be" && tokens.at(at + 1).capital)
    {
        let end = phrase::name_end(tokens, from, clause.end);
        let told = !clause.marks.negated && clause.tense == Tense::Present && end > from;
        if told {
            let text = who.says(&format!("is from {}", tokens.slice(from, end)));
            let words = scene.content((from, end));
            scene.state_single(&who.subject("origin"), &text, &words, false);
        }
        return told;
    }
    let intolerant = after(
        tokens,
        at,
        words!["lactose|gluten|fructose|dairy|histamine|wheat intolerant|sensitive"],
    );
    let at = intolerant.map_or(at, |next| next - 1);
    let known = intolerant.is_some()
        || tokens.has(at, Class::STATE)
        || tokens.has(at, Class::NATION) && lemma == "be";
    let ends_there = tokens.fold(at + 1) == "diet"
        || at + 1 >= clause.end
        || !tokens.at(at + 1).is_wordy()
        || !tokens.has(at + 1, Class::VERB.with(Class::ATTR))
            && (tokens.has(
                at + 1,
                Class::AND
                    .with(Class::NOW)
                    .with(Class::ADV)
                    .with(Class::PREP)
                    .with(Class::BECAUSE)
                    .with(Class::DET)
                    .with(Class::UNIT),
            ) || tokens
                .any(at + 1, words!["any", "these", "last", "again"])
                .is_some());
    if !known || !ends_there {
        return false;
    }
    let word = tokens.fold(at);
    let subject = who.subject(property(word).unwrap_or("trait"));
    let stop = at + 1 + usize::from(tokens.fold(at + 1) == "diet");
    let at = at - usize::from(intolerant.is_some());
    if clause.marks.negated || clause.marks.ended || quits {
        return deny(scene, clause, &who, &subject, (at, stop));
    }
    if clause.tense == Tense::Past && !becomes || clause.tense == Tense::Future {
        return true;
    }
    let article = if tokens.has(at.wrapping_sub(1), Class::DET) {
        format!("{} ", tokens.fold(at - 1))
    } else {
        String::new()
    };
    // `on a keto diet`
    let on = if tokens.fold(stop - 1) == "diet" && stop > at + 1 {
        "on "
    } else {
        ""
    };
    let text = who.says(&format!("is {on}{article}{}", tokens.slice(at, stop)));
    if matches!(word, "vegetarian" | "vegan") {
        let eaten: Entries = scene
            .book
            .of_subject(&who.subject("eat"))
            .into_iter()
            .filter(|fact| {
                let text = scene.book.text(*fact);
                ["meat", "beef", "pork", "chicken"]
                    .iter()
                    .any(|food| text.contains(food))
                    || word == "vegan"
                    || text.contains("fish")
            })
            .collect();
        let added = scene.book.add(&subject, &text);
        for fact in eaten {
            scene.book.end(fact, added);
        }
    }
    if property(word).is_some() {
        let words = scene.content((at, at + 1));
        scene.state_single(
            &subject,
            &text,
            &words,
            becomes || speaks_of_change(clause.marks),
        );
    } else {
        scene.state_multi(&subject, &text);
    }
    true
}

/// `I'm off keto`, `she's off the antibiotics`.
fn off(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who<'_>) -> bool {
    let tokens = scene.tokens;
    let end = phrase::object_end(tokens, clause.body + 1, clause.end, false);
    let words = scene.content((clause.body + 1, end));
    if words.is_empty()
        || tokens
            .any(clause.body + 1, words!["to", "work|today|sick"])
            .is_some()
    {
        return false;
    }
    let facts: Entries = scene
        .book
        .live()
        .filter(|(_, text, subject)| {
            let property = subject
                .strip_prefix(&*who.entity)
                .and_then(|rest| rest.strip_prefix('/'));
            property.is_some_and(|property| {
                matches!(
                    property,
                    "diet" | "trait" | "eat" | "drink" | "take" | "use" | "smoke"
                )
            }) && mentions(text, &words)
        })
        .map(|(entry, ..)| entry)
        .collect();
    let Some(first) = facts.first() else {
        return false;
    };
    let subject = scene.book.subject(*first).to_owned();
    let text = who.says(&format!("is {}", wording::slice(tokens, clause.body, end)));
    scene.end_with(&facts, &words, &subject, &text);
    true
}

/// What somebody eats contradicts a diet only if they say so of now: `I eat fish now`.
fn eats(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who<'_>) -> bool {
    let tokens = scene.tokens;
    let again = clause.marks.now || (clause.body..clause.end).any(|i| tokens.fold(i) == "again");
    let animal = (clause.body..clause.end).any(|i| {
        matches!(
            tokens.fold(i),
            "meat" | "fish" | "chicken" | "beef" | "pork" | "everything" | "seafood"
        )
    });
    if !animal || clause.marks.negated {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let text = scene.statement(clause, end);
    if again {
        let words = scene.content((clause.body, end));
        scene.state_single(&who.subject("diet"), &text, &words, true);
    } else {
        scene.state_multi(&who.subject("eat"), &text);
    }
    true
}

/// A state that no longer holds: the facts that say it end. A plain denial of what was never said is worth a fact only if it
/// is marked as a change.
fn deny(
    scene: &mut Scene<'_, '_, '_>,
    clause: &Clause,
    who: &Who<'_>,
    subject: &str,
    span: Span,
) -> bool {
    let tokens = scene.tokens;
    let end = phrase::object_end(tokens, span.0, span.1, false).max(span.0);
    let words = scene.content(phrase::undated(tokens, (span.0, end)));
    let mut facts: Entries = scene.book.of_subject(subject);
    facts.retain(|fact| mentions(scene.book.text(*fact), &words));
    let past = clause.tense == Tense::Past && !clause.verb_is(tokens, Class::QUIT);
    if past || words.is_empty() {
        return true;
    }
    if facts.is_empty() && !clause.marks.ended {
        // `I'm not allergic to nuts` is worth knowing all the same.
        let text = scene.statement(clause, end);
        scene.state_multi(&super::super::ended(subject), &text);
        return true;
    }
    let what = wording::slice(tokens, clause.body, end);
    let quits = tokens.at(clause.verb).forms() & (form::PAST | form::BASE) != 0
        && clause.verb_is(tokens, Class::QUIT);
    let text = if quits {
        scene.statement(clause, end)
    } else {
        who.says(&format!(
            "is no longer {}",
            what.trim_start_matches("no longer ")
        ))
    };
    scene.end_with(&facts, &words, subject, &text);
    true
}
