//! What somebody has, gets and gives away.

use super::{Scene, Who, after, singular};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value;
use crate::facts::heuristic::wording;

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
    if let (Some(number), true) = (number, clause.marks.now) {
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
            let _ = number;
            let added = scene.book.add(subject, &worded);
            scene.book.end(fact, added);
            return;
        }
    }
    scene.state_multi(subject, text);
}

/// The noun of a thing that can be had, if the item speaks of one.
fn thing(tokens: &Tokens<'_>, item: Span, lemma: &str) -> Option<usize> {
    let first = tokens.at(item.0);
    let stop = (item.0 + 1..item.1)
        .find(|i| tokens.has(*i, Class::PREP.with(Class::WH)))
        .unwrap_or(item.1);
    let noun = (item.0..stop)
        .find(|i| tokens.has(*i, Class::ANIMAL))
        .or_else(|| {
            let head = phrase::head(tokens, item)?;
            (item.0..=head)
                .rev()
                .find(|i| tokens.kind(*i) == Kind::Word && phrase::is_content(tokens, *i))
        })?;
    let token = tokens.at(noun);
    if matches!(lemma, "drive" | "ride") {
        let vehicle = first.has(Class::DET.with(Class::MY))
            && (item.0..item.1).any(|i| tokens.at(i).capital || tokens.has(i, Class::VEHICLE));
        return vehicle.then_some(noun);
    }
    if lemma == "run" {
        return (is_belonging(tokens.fold(noun)) && first.has(Class::DET.with(Class::MY)))
            .then_some(noun);
    }
    let known = Class::ANIMAL
        .with(Class::VEHICLE)
        .with(Class::HOUSE)
        .with(Class::KIN);
    let owned = lemma == "own";
    let counted = first.has(Class::NUM)
        || first.kind == Kind::Number
        || first.has(Class::DET)
            && !matches!(
                tokens.fold(item.0),
                "this"
                    | "that"
                    | "the"
                    | "some"
                    | "any"
                    | "every"
                    | "no"
                    | "all"
                    | "both"
                    | "which"
            );
    let product = token.capital || noun > item.0 && tokens.at(noun - 1).capital;
    let vague = token.has(
        Class::VAGUE
            .with(Class::EVENT)
            .with(Class::UNIT)
            .with(Class::DAY)
            .with(Class::VERB)
            .with(Class::PREP)
            .with(Class::LIST)
            .with(Class::WISH),
    );
    let adjective =
        (item.0..noun).any(|i| tokens.has(i, Class::VAGUE) && !tokens.has(i, Class::ADV));
    let fits = token.has(known)
        || (owned || product && counted) && !vague
        || counted && is_belonging(tokens.fold(noun));
    let relation = token.has(Class::KIN)
        && matches!(lemma, "get" | "buy" | "rent")
        && !token.has(Class::ANIMAL);
    let long = item.1 - item.0 > 14;
    let bare = token.has(known) && !first.has(Class::DET);
    let begins = counted || first.has(Class::MY) || owned || bare;
    (fits
        && begins
        && !vague_home(tokens, noun, lemma)
        && !adjective
        && !relation
        && !long
        && token.kind == Kind::Word)
        .then_some(noun)
}

/// `I got home`, `I have a room for the night`.
fn vague_home(tokens: &Tokens<'_>, noun: usize, lemma: &str) -> bool {
    matches!(
        tokens.fold(noun),
        "home" | "capital" | "room" | "city" | "town" | "mate"
    ) && lemma != "own"
        || tokens.fold(noun) == "fish" && lemma != "have"
}

fn is_belonging(word: &str) -> bool {
    const THINGS: [&str; 72] = [
        "cafe",
        "café",
        "farm",
        "studio",
        "hotel",
        "school",
        "agency",
        "bookshop",
        "bookstore",
        "gym",
        "salon",
        "brewery",
        "phone",
        "laptop",
        "computer",
        "piano",
        "guitar",
        "violin",
        "drum",
        "camera",
        "watch",
        "garden",
        "balcony",
        "garage",
        "degree",
        "license",
        "licence",
        "passport",
        "visa",
        "allergy",
        "diabetes",
        "asthma",
        "tattoo",
        "telescope",
        "drone",
        "tablet",
        "printer",
        "oven",
        "fridge",
        "washer",
        "dryer",
        "dishwasher",
        "treadmill",
        "kayak",
        "tent",
        "surfboard",
        "skateboard",
        "snowboard",
        "bakery",
        "shop",
        "store",
        "company",
        "business",
        "startup",
        "restaurant",
        "blog",
        "podcast",
        "channel",
        "website",
        "membership",
        "subscription",
        "scholarship",
        "mortgage",
        "loan",
        "tv",
        "television",
        "console",
        "keyboard",
        "sofa",
        "desk",
        "greenhouse",
        "phd",
    ];
    THINGS.contains(&singular(word).as_str())
}

fn attribute(tokens: &Tokens<'_>, noun: usize, lemma: &str) -> String {
    if matches!(lemma, "drive") {
        return "car".to_owned();
    }
    if tokens.has(noun, Class::ANIMAL) {
        return "pets".to_owned();
    }
    singular(tokens.fold(noun))
}

/// `I don't have a car (any more)`.
fn lacks(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who, span: Span) -> bool {
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
fn owned(scene: &Scene<'_, '_, '_>, who: &Who, words: &[String], subject: &str) -> Entries {
    scene
        .book
        .live()
        .filter(|(_, text, known)| {
            let mine = known
                .strip_prefix(who.entity.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
                && !super::is_ended(known);
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
fn disposes(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
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
    let at = after(
        tokens,
        clause.verb,
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
    let mine = tokens.has(at, Class::MY) || tokens.fold(at) == "the" || tokens.at(at).capital;
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
            scene.state_multi(&super::ended(&subject), &text);
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
fn died(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let gone = after(
        tokens,
        clause.verb,
        words!["die", "pass away", "pass on", "run away"],
    );
    let fled = gone.is_some_and(|at| {
        clause.lemma(tokens) == "run" && at < clause.end && tokens.has(at, Class::PREP)
    });
    if fled
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
                    && subject.starts_with(&me.entity)
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
