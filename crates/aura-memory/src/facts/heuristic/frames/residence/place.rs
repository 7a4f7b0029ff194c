//! Places to live in.

use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};

/// A place after one of the prepositions.
pub(super) fn place_after(
    tokens: &Tokens<'_>,
    at: usize,
    end: usize,
    prepositions: &[&str],
) -> Option<Span> {
    // Longest first, so that `outside of` is not read as `outside`.
    let next = prepositions
        .iter()
        .filter_map(|p| tokens.matches(at, p))
        .max()?;
    place_at(tokens, next, end)
}

/// A place that begins at `at`: a proper name, or a dwelling or kind of place, perhaps `in` a proper name.
pub(super) fn place_at(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let first = tokens.at(at);
    if at >= end || !first.is_wordy() {
        return None;
    }
    if first.has(Class::DET.with(Class::MY).with(Class::NUM)) {
        return dwelling(tokens, at, end);
    }
    if first.has(Class::HOUSE) && !first.capital {
        return Some((at, at + 1));
    }
    let unknown = !first.capital && !tokens.cased && is_unknown(tokens, at);
    if !(first.capital || unknown)
        || first.has(
            Class::MONTH
                .with(Class::DAY)
                .with(Class::TOOL)
                .with(Class::I),
        )
        || first.kind == Kind::Number
    {
        return None;
    }
    let mut name = phrase::name_end(tokens, at, end);
    if unknown {
        name = at + 1;
        while name < end
            && name < at + 3
            && is_unknown(tokens, name)
            && !tokens.has(name, Class::ADV)
        {
            name += 1;
        }
    }
    // `Austin, Texas`
    if tokens.kind(name) == Kind::Comma
        && tokens.at(name + 1).capital
        && name + 1 < end
        && !tokens.has(name + 1, Class::I)
    {
        let region = phrase::name_end(tokens, name + 1, end);
        if region == end
            || !tokens.at(region).is_wordy()
            || !tokens.has(region, Class::VERB.with(Class::AND).with(Class::BE))
        {
            name = region;
        }
    }
    Some((at, name))
}

/// A word of no class in a text without capitals may name a place.
fn is_unknown(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let known = Class::DET
        .with(Class::PREP)
        .with(Class::VERB)
        .with(Class::ADV)
        .with(Class::AND)
        .with(Class::NOW)
        .with(Class::UNIT)
        .with(Class::VAGUE)
        .with(Class::TOOL)
        .with(Class::MY)
        .with(Class::THEIR)
        .with(Class::IT)
        .with(Class::OTHER)
        .with(Class::EVENT)
        .with(Class::LIST)
        .with(Class::ATTR)
        .with(Class::JOB)
        .with(Class::BECAUSE)
        .with(Class::WHILE)
        .with(Class::WH)
        .with(Class::GREETING)
        .with(Class::NUM);
    token.kind == Kind::Word && !token.has(known)
}

/// `a bigger flat in Berlin`, `the countryside`, `my own place`: the proper name if there is one.
fn dwelling(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let mut noun = at + 1;
    while noun < end
        && noun < at + 6
        && tokens.at(noun).kind == Kind::Word
        && !tokens.has(noun, Class::HOUSE)
    {
        if tokens.has(noun, Class::PREP.with(Class::VERB).with(Class::AND))
            || tokens.at(noun).capital && !tokens.has(at, Class::DET)
        {
            return None;
        }
        if tokens.fold(noun) == "place" {
            break;
        }
        noun += 1;
    }
    let known = tokens.has(noun, Class::HOUSE) || tokens.fold(noun) == "place";
    if !known || noun >= end {
        // `the Netherlands`
        let name = phrase::name_end(tokens, at + 1, end);
        let named = name > at + 1
            && tokens.fold(at) == "the"
            && !tokens.at(name).is_wordy_noun(tokens, name);
        return named.then_some((at, name));
    }
    let inner = tokens
        .any(noun + 1, words!["in", "near", "outside", "of"])
        .and_then(|next| place_at(tokens, next, end));
    Some((at, inner.map_or(noun + 1, |span| span.1)))
}

impl crate::facts::heuristic::token::Token {
    /// Whether a common noun follows, so that a name before it is no place (`the Berlin office`).
    fn is_wordy_noun(&self, tokens: &Tokens<'_>, at: usize) -> bool {
        self.kind == Kind::Word && is_unknown(tokens, at)
    }
}

/// A move is to the place itself, not to `Berlin time` or `the Berlin team`.
pub(super) fn is_whole(tokens: &Tokens<'_>, place: Span, end: usize) -> bool {
    let next = tokens.at(place.1);
    if place.1 >= end || next.kind != Kind::Word {
        return true;
    }
    let may_follow = Class::PREP
        .with(Class::AND)
        .with(Class::ADV)
        .with(Class::NOW)
        .with(Class::BECAUSE)
        .with(Class::WHILE)
        .with(Class::DET)
        .with(Class::NUM)
        .with(Class::DAY)
        .with(Class::WH)
        .with(Class::GREETING)
        .with(Class::BE);
    next.has(may_follow) && !next.has(Class::VAGUE)
        || tokens
            .any(
                place.1,
                words![
                    "last|this|next",
                    "a",
                    "again",
                    "full-time|permanently",
                    "yesterday|today",
                    "few",
                    "over|with|with"
                ],
            )
            .is_some()
}
