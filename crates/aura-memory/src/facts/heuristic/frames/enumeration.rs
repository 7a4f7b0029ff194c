//! Lists and numbers of things: `shopping list: milk, eggs`, `we need 40 chairs`, `the itinerary is Rome and Bari`.

mod count;

use super::{Scene, after};
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value::{self, Sort};
use crate::facts::heuristic::wording;
use count::{table_for, there_are};

/// Most items of a list that are kept.
const LONGEST: usize = 24;

/// Numbers of things that one wants or must have: `I want to order 50 t-shirts`.
pub(super) fn read_wish(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    needs(scene, clause)
}

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    table_for(scene, clause)
        || added(scene, clause)
        || is_list(scene, clause)
        || needs(scene, clause)
        || there_are(scene, clause)
}

/// `Shopping list: milk, eggs, bread`: a label with a colon, outside any clause.
pub(in super::super) fn labelled(scene: &mut Scene<'_, '_, '_>, start: usize, end: usize) -> bool {
    let tokens = scene.tokens;
    let Some(colon) = (start..end.min(start + 8)).find(|i| tokens.kind(*i) == Kind::Colon) else {
        return false;
    };
    let is_label = colon > start
        && ((start..colon).any(|i| tokens.has(i, Class::LIST))
            || tokens.fold(start) == "to" && colon == start + 2)
        && (start..colon).all(|i| tokens.at(i).is_wordy());
    if !is_label || (start..colon).any(|i| tokens.has(i, Class::THEIR)) {
        return false;
    }
    let from = after(tokens, start, words!["my|our|the|here 's my|our|the"]).unwrap_or(start);
    list(scene, (from, colon), (colon + 1, end), true)
}

/// `My kids are Anna, Ben and Carl`, `the team is Ivy, Noah and Liam`: names and nothing else make any subject a list.
pub(super) fn names(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let definite = clause.subject == Subject::Mine || tokens.fold(clause.np.0) == "the";
    let animal = phrase::head(tokens, clause.np).is_none_or(|i| tokens.has(i, Class::ANIMAL));
    let told = clause.lemma(tokens) == "be" && matches!(clause.tense, Tense::Present);
    if !told || !definite || animal || clause.marks.negated || !clause.is_asserted() {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let items = phrase::items(tokens, clause.body, end);
    let named = items.len() > 1
        && items.iter().all(|item| {
            let name = phrase::name_end(tokens, item.0, item.1);
            // `Kim on bass`
            let placed = name == item.1 || tokens.has(name, Class::PREP) && item.1 - item.0 <= 5;
            tokens.fold(item.0) == "me" && item.1 == item.0 + 1
                || name > item.0 && placed && value::read(tokens, item.0, item.1).is_none()
        });
    let label = if tokens.has(clause.np.0, Class::DET.with(Class::MY)) {
        clause.np.0 + 1
    } else {
        clause.np.0
    };
    let others =
        (clause.np.0..clause.np.1).any(|i| tokens.has(i, Class::THEIR) || tokens.fold(i) == "'s");
    named
        && !others
        && label < clause.np.1
        && list(
            scene,
            (label, clause.np.1),
            (clause.body, end),
            clause.marks.now,
        )
}

/// `The itinerary is Tokyo, Kyoto and Osaka`, `my courses are algebra and physics`.
fn is_list(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let head = phrase::head(tokens, clause.np);
    let lists = matches!(
        clause.lemma(tokens),
        "be" | "include" | "contain" | "consist" | "have"
    ) && (head.is_some_and(|i| tokens.has(i, Class::LIST))
        || clause.lemma(tokens) == "consist");
    let definite = clause.subject == Subject::Mine || tokens.fold(clause.np.0) == "the";
    if !lists || !definite || clause.marks.negated || matches!(clause.tense, Tense::Past) {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let from = after(tokens, clause.body, words!["of"])
        .filter(|_| clause.lemma(tokens) == "consist")
        .unwrap_or(clause.body);
    let several = phrase::items(tokens, from, end).len() > 1;
    if !several || tokens.has(from, Class::PREP) || value::read(tokens, from, end).is_some() {
        return false;
    }
    let label_start = if tokens.has(clause.np.0, Class::DET.with(Class::MY)) {
        clause.np.0 + 1
    } else {
        clause.np.0
    };
    list(
        scene,
        (label_start, clause.np.1),
        (from, end),
        clause.marks.now,
    )
}

fn list(scene: &mut Scene<'_, '_, '_>, label: Span, items: Span, replaces: bool) -> bool {
    let tokens = scene.tokens;
    let texts = texts(tokens, items);
    if texts.is_empty() || texts.iter().any(|text| text.len() > 80) {
        return false;
    }
    let name = tokens.slice(label.0, label.1).to_lowercase();
    let subject = format!("topic:{}/list", wording::clip(&name, 60));
    let before = scene.book.of_subject(&subject);
    let added = scene.book.add(&subject, &wording::list(&name, &texts));
    if replaces {
        for old in before {
            scene.book.end(old, added);
        }
    }
    scene.topic = added;
    true
}

fn texts(tokens: &Tokens<'_>, span: Span) -> Vec<String> {
    phrase::items(tokens, span.0, span.1)
        .iter()
        .take(LONGEST)
        .map(|item| wording::slice(tokens, item.0, item.1))
        .filter(|text| !text.is_empty())
        .collect()
}

/// `Add Bari to the itinerary`, `we added butter to the list`.
fn added(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let told = matches!(clause.tense, Tense::Order | Tense::Past | Tense::Perfect);
    if !matches!(clause.lemma(tokens), "add" | "put")
        || !told
        || clause.marks.negated
        || matches!(clause.subject, Subject::Other | Subject::Name)
    {
        return false;
    }
    let Some(to) = (clause.body..clause.end).find(|i| matches!(tokens.fold(*i), "to" | "on"))
    else {
        return false;
    };
    let label = (
        to + 1,
        phrase::object_end(tokens, to + 1, clause.end, false),
    );
    let listed = phrase::head(tokens, label).is_some_and(|i| tokens.has(i, Class::LIST));
    let words = scene.content(label);
    if !listed
        || to == clause.body
        || tokens.has(label.0, Class::THEIR)
        || tokens.has(clause.body, Class::IT.with(Class::VAGUE))
    {
        return false;
    }
    let known = scene
        .book
        .live()
        .filter(|(_, text, subject)| {
            subject.ends_with("/list")
                && text.contains(": ")
                && words
                    .iter()
                    .all(|word| subject.contains(word.as_str()) || word == "list")
        })
        .map(|(entry, ..)| entry)
        .next_back();
    let items = texts(tokens, (clause.body, to));
    match known {
        Some(known) => {
            let text = scene.book.text(known).to_owned();
            let longer = format!("{text}, {}", items.join(", "));
            scene
                .book
                .revise(known, wording::clip(&longer, 2 * wording::LONGEST));
            scene.topic = Some(known);
        }
        None => {
            let skip = usize::from(tokens.has(label.0, Class::DET.with(Class::MY)));
            let name = tokens.slice(label.0 + skip, label.1).to_lowercase();
            let subject = format!("topic:{}/list", wording::clip(&name, 60));
            scene.topic = scene.book.add(&subject, &wording::list(&name, &items));
        }
    }
    true
}

/// `We need 30 chairs and 5 tables`, `we're visiting Rome, Naples and Bari`, `I'm inviting Paul and Kim`.
fn needs(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let orders = clause.tense == Tense::Order
        && clause.subject == Subject::Nobody
        && matches!(clause.lemma(tokens), "order" | "book" | "reserve" | "buy");
    let wants = clause.verb_is(tokens, Class::NEED)
        && (Scene::is_mine(clause) || orders)
        && !clause.marks.passive;
    let tense = matches!(
        clause.tense,
        Tense::Present | Tense::Progressive | Tense::Future | Tense::Perfect | Tense::Past
    ) || orders;
    if !wants
        || !tense
        || clause.marks.negated
        || !matches!(clause.mood, Mood::Asserted | Mood::Intended)
    {
        return false;
    }
    let over = clause.tense == Tense::Past
        && matches!(
            clause.lemma(tokens),
            "need" | "require" | "expect" | "want" | "serve"
        );
    if over || tokens.fold(clause.body) == "to" {
        return false;
    }
    let lemma = clause.lemma(tokens).to_owned();
    if matches!(lemma.as_str(), "see" | "drive" | "fly" | "travel" | "stay")
        && clause.tense != Tense::Progressive
    {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let items = phrase::items(tokens, clause.body, end);
    let counts = |item: &Span| {
        value::all(tokens, item.0, (item.0 + 2).min(item.1))
            .first()
            .copied()
            .filter(|value| value.sort == Sort::Number)
    };
    let counted = items.iter().filter(|item| counts(item).is_some()).count();
    let wished = matches!(
        lemma.as_str(),
        "visit" | "invite" | "buy" | "bring" | "pack" | "see"
    );
    let listed = (clause.mood == Mood::Asserted || wished) && lemma != "want";
    if listed && (items.len() >= 2 && counted < items.len() || items.len() >= 3) {
        return needs_list(scene, clause, &lemma, (clause.body, end));
    }
    let timely = matches!(
        lemma.as_str(),
        "need" | "require" | "expect" | "order" | "invite" | "reserve" | "book" | "want" | "buy"
    );
    let mut found = false;
    for item in items.iter().filter(|_| timely) {
        let Some(value) = counts(item) else { continue };
        let Some(unit) =
            value::unit(tokens, value, item.1).filter(|i| !tokens.has(*i, Class::UNIT))
        else {
            continue;
        };
        let noun = lexicon::stem(tokens.fold(unit));
        let subject = format!("topic:{noun}/count");
        let verb = scene.statement(clause, clause.body);
        let text = format!("{verb} {}", wording::slice(tokens, item.0, item.1));
        let before = scene.book.of_subject(&subject);
        let Some(added) = scene.book.add(&subject, &text) else {
            continue;
        };
        for old in before {
            if !clause.marks.also {
                scene.book.end(old, Some(added));
            }
        }
        scene.topic = Some(added);
        found = true;
    }
    found
}

/// Verbs whose objects one takes off again: what one needs, visits, invites.
fn needs_list(scene: &mut Scene<'_, '_, '_>, clause: &Clause, lemma: &str, span: Span) -> bool {
    let tokens = scene.tokens;
    let lasting = matches!(
        lemma,
        "need"
            | "require"
            | "visit"
            | "invite"
            | "spend"
            | "bring"
            | "pack"
            | "serve"
            | "buy"
            | "order"
            | "see"
            | "take"
            | "plan"
    );
    let past = matches!(clause.tense, Tense::Past | Tense::Perfect)
        && !matches!(lemma, "invite" | "plan" | "order");
    let texts = texts(tokens, span);
    let vague = phrase::items(tokens, span.0, span.1).iter().any(|item| {
        let verb = tokens.at(item.0).forms() & lexicon::form::BASE != 0
            && !tokens.at(item.0).capital
            || tokens.fold(item.0) == "to";
        verb || item.1 - item.0 > 8
            || tokens.has(item.0, Class::IT.with(Class::WH).with(Class::THEIR))
            || phrase::head(tokens, *item)
                .is_none_or(|i| tokens.has(i, Class::VAGUE) && !tokens.at(i).capital)
    });
    if !lasting
        || past
        || vague
        || matches!(lemma, "take" | "buy") && clause.tense == Tense::Present
    {
        return false;
    }
    let label = scene.statement(clause, clause.body);
    let subject = format!("project/{lemma} list");
    scene.topic = scene.book.add(&subject, &wording::list(&label, &texts));
    true
}
