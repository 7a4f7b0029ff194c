//! The value at a place, and the words around it.

use super::super::{Scene, after};
use super::given::Correction;
use super::slot::{self, Shape, read};
use crate::facts::heuristic::clause::{Clause, Subject, is_break};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value::Sort;

/// Skips what stands before a value: prepositions, articles, adverbs. Gives the last preposition.
fn skip_small(tokens: &Tokens<'_>, clause: &Clause, at: usize) -> (usize, Option<usize>) {
    let mut at = at;
    let mut preposition = None;
    while at < clause.end {
        let token = tokens.at(at);
        let skipped = after(
            tokens,
            at,
            words![
                "due",
                "set|scheduled|planned for",
                "make it|that",
                "more like",
                "so",
                "then",
                "it|that 's",
                "party|group|table|team|family of|for",
                "total|grand total of",
                "me at|on"
            ],
        );
        if let Some(next) = skipped {
            at = next;
        } else if token.has(Class::PREP) && !token.has(Class::NUM) {
            preposition = Some(at);
            at += 1;
        } else if token.has(Class::DET.with(Class::ADV)) && !token.has(Class::NUM) {
            at += 1;
        } else {
            break;
        }
    }
    (at, preposition)
}

/// Collects the words after the value.
fn following(tokens: &Tokens<'_>, clause: &Clause, correction: &mut Correction) -> Option<()> {
    let unit = match &correction.given.shape {
        Shape::Typed(Sort::Number, Some(unit)) => Some(unit.clone()),
        _ => None,
    };
    for next in correction.given.span.1..clause.end {
        let token = tokens.at(next);
        let timed = tokens
            .any(
                next,
                words![
                    "last|this|next|past",
                    "yesterday|today|tonight|tomorrow",
                    "after all",
                    "as of"
                ],
            )
            .is_some()
            || token.has(Class::UNIT) && tokens.fold(next + 1) == "ago";
        if is_break(tokens, next) || timed {
            break;
        }
        let word = lexicon::stem(tokens.fold(next));
        if unit.as_deref() == Some(word) {
            continue;
        }
        let noun = Class::PREP
            .with(Class::ADV)
            .with(Class::EVENT)
            .with(Class::ATTR);
        // `for the report`
        let named = tokens
            .before(next)
            .has(Class::DET.with(Class::MY).with(Class::PREP));
        if token.has(Class::VERB) && !token.has(noun) && !named && tokens.fold(next) != "left" {
            return None;
        }
        let says = phrase::is_content(tokens, next)
            && !token.has(Class::ADV.with(Class::GREETING).with(Class::UNIT));
        if says
            && !matches!(
                tokens.fold(next),
                "left" | "total" | "max" | "each" | "exactly"
            )
        {
            correction.context.push(word.to_owned());
        }
    }
    Some(())
}

/// Reads the value at `at` and the words around it; `None` where the clause goes on to say something else.
pub(super) fn around(
    scene: &Scene<'_, '_, '_>,
    clause: &Clause,
    at: usize,
    pointing: bool,
) -> Option<Correction> {
    let tokens = scene.tokens;
    let (at, preposition) = skip_small(tokens, clause, at);
    let given = read(tokens, at, clause.end).or_else(|| {
        let switched = clause.has_verb()
            && Scene::is_mine(clause)
            && matches!(
                clause.lemma(tokens),
                "switch" | "change" | "move" | "transfer" | "convert"
            );
        switched
            .then(|| slot::noun(tokens, at, clause.end))
            .flatten()
    })?;
    let mut correction = Correction {
        preposition,
        ..Correction::bare(given)
    };
    if correction.given.span.1 <= clause.np.1 && clause.has_verb() {
        return Some(correction);
    }
    if clause.has_verb() && !pointing {
        let to = preposition.unwrap_or(at).min(at);
        correction.context.extend(
            phrase::content(tokens, (clause.body, to))
                .into_iter()
                .filter(|word| {
                    !matches!(word.as_str(), "me" | "us" | "them" | "everyth" | "thing")
                }),
        );
        if matches!(
            clause.subject,
            Subject::Mine | Subject::Thing | Subject::Name
        ) {
            correction
                .context
                .extend(phrase::content(tokens, clause.np));
        }
    }
    following(tokens, clause, &mut correction)?;
    Some(correction)
}
