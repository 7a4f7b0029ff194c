//! Words after a comma or `and` that begin no clause of their own.

use super::Reader;
use crate::facts::heuristic::clause::{Subject, Tense};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::token::Kind;

impl Reader<'_, '_> {
    /// Whether a word after a comma or `and` continues an enumeration of nouns.
    pub(super) fn is_item(&self, at: usize) -> bool {
        let token = self.tokens.at(at);
        let comma = self.tokens.kind(at.wrapping_sub(1)) == Kind::Comma;
        let forms = token.forms();
        let ambiguous = forms & (form::BASE | form::THIRD) != 0 && forms & form::PAST == 0;
        // `handed in my notice, starting at Bosch`, `finished Dune, now reading Hyperion`
        let next = self.clauses.last().is_some_and(|clause| {
            matches!(clause.subject, Subject::Me | Subject::Us)
                && matches!(clause.tense, Tense::Past | Tense::Perfect)
        }) && (self.tokens.has(at.wrapping_sub(1), Class::NOW)
            || matches!(
                self.tokens.lemma(at),
                "start" | "move" | "join" | "begin" | "switch" | "work" | "live" | "go"
            ) && self
                .tokens
                .has(at + 1, Class::PREP.with(Class::DET).with(Class::MY)));
        let goes_on = next
            || self
                .clauses
                .last()
                .is_some_and(|clause| clause.tense == Tense::Progressive)
                && self.tokens.before(at).has(Class::AND)
                && self
                    .tokens
                    .has(at + 1, Class::PREP.with(Class::DET).with(Class::MY));
        comma && ambiguous || forms & form::ING != 0 && forms & form::BASE == 0 && !goes_on
    }

    /// In `excited to meet people and learn` the second verb hangs on the same `to`.
    pub(super) fn continues_infinitive(&self, at: usize) -> bool {
        let Some(clause) = self.clauses.last() else {
            return false;
        };
        let tokens = self.tokens;
        let nominal = Class::DET
            .with(Class::MY)
            .with(Class::PREP)
            .with(Class::NUM)
            .with(Class::THEIR)
            .with(Class::I);
        (clause.verb.saturating_sub(1)..at).any(|i| {
            let next = tokens.at(i + 1);
            let verb = next.forms() & form::BASE != 0
                || next.forms() == 0
                    && next.kind == Kind::Word
                    && !next.capital
                    && !next.has(nominal);
            tokens.fold(i) == "to" && verb
        })
    }
}
