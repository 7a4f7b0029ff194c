//! Which things one can be said to have.

use super::super::singular;
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};

/// The noun of a thing that can be had, if the item speaks of one.
pub(super) fn thing(tokens: &Tokens<'_>, item: Span, lemma: &str) -> Option<usize> {
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
    // `We have a cleaner`
    let employs = lemma == "have"
        && token.has(Class::JOB)
        && counted
        && first.has(Class::DET)
        && !(item.0..item.1).any(|i| tokens.fold(i) == "new")
        && !token.has(Class::ATTR.with(Class::VAGUE))
        && item.1 - item.0 <= 5;
    let fits = token.has(known)
        || employs
        || (owned || product && counted) && !vague
        || counted && is_belonging(tokens.fold(noun));
    let relation = token.has(Class::KIN)
        && matches!(lemma, "get" | "buy" | "rent")
        && !token.has(Class::ANIMAL);
    let long = item.1 - item.0 > 14;
    let bare = token.has(known) && !first.has(Class::DET);
    let condition = matches!(
        tokens.fold(noun),
        "asthma"
            | "diabetes"
            | "arthritis"
            | "epilepsy"
            | "migraines"
            | "eczema"
            | "hypertension"
            | "adhd"
            | "insomnia"
            | "celiac"
    );
    if condition && item.1 - item.0 <= 3 {
        return Some(noun);
    }
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

pub(super) fn attribute(tokens: &Tokens<'_>, noun: usize, lemma: &str) -> String {
    if matches!(lemma, "drive") {
        return "car".to_owned();
    }
    if tokens.has(noun, Class::ANIMAL) {
        return "pets".to_owned();
    }
    if tokens.has(noun, Class::PARTNER) {
        return "partner".to_owned();
    }
    singular(tokens.fold(noun))
}
