//! A fact as a line of the context.

use aura_core::{Fact, Result, Trust};

use crate::excerpt::{write_day, write_flat};
use crate::meter::Meter;

/// A fact as it is shown, with its tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FactLine {
    /// The place of the fact.
    pub(crate) at: usize,
    /// The places of past facts that it corrects.
    pub(crate) corrects: Vec<usize>,
    /// The line, with its line feed.
    pub(crate) text: String,
    /// Its tokens.
    pub(crate) tokens: u32,
}

impl FactLine {
    /// The line of the fact at a place, as the correction of others or on its own.
    pub(crate) fn of(
        facts: &[Fact],
        at: usize,
        corrects: Vec<usize>,
        meter: &Meter,
    ) -> Result<Self> {
        let mut text = String::from("- ");
        if let Some(fact) = facts.get(at) {
            if fact.is_current() {
                write_current(&mut text, fact, facts, &corrects);
            } else {
                write_ended(&mut text, fact);
            }
        }
        text.push('\n');
        Ok(Self {
            at,
            corrects,
            tokens: meter.recurring(&text)?,
            text,
        })
    }

    /// Whether it stands for the sake of something else that is shown.
    pub(crate) fn is_correction(&self) -> bool {
        !self.corrects.is_empty()
    }

    /// How far it may be believed.
    pub(crate) fn trust(&self, facts: &[Fact]) -> Trust {
        let all = std::iter::once(&self.at).chain(&self.corrects);
        Trust::lowest(all.filter_map(|at| facts.get(*at)).map(|fact| fact.trust))
    }
}

/// `lives in Berlin (since 2024-05-03; before: lives in Oslo)`.
fn write_current(text: &mut String, fact: &Fact, facts: &[Fact], corrects: &[usize]) {
    write_flat(text, &fact.text);
    text.push_str(" (since ");
    write_day(text, fact.valid_from);
    for (nth, past) in corrects.iter().filter_map(|at| facts.get(*at)).enumerate() {
        text.push_str(if nth == 0 { "; before: " } else { "; " });
        write_flat(text, &past.text);
    }
    text.push(')');
}

/// `no longer true since 2024-05-03: has a car`.
fn write_ended(text: &mut String, fact: &Fact) {
    text.push_str("no longer true");
    if let Some(end) = fact.valid_to.or(fact.invalidated_at) {
        text.push_str(" since ");
        write_day(text, end);
    }
    text.push_str(": ");
    write_flat(text, &fact.text);
}
