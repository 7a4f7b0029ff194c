//! What speaks for a message beside its words.

use aura_core::{AskedDate, MessageTraits, RankingWeights, Signals};

use super::about::About;
use super::dates::nearness;
use crate::lexical::documents::{NO_TIME, Traits};

/// What a question asks for, and what each signal counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Whose messages.
    pub(crate) about: About,
    /// It asks for a time.
    pub(crate) when: bool,
    /// Said near these dates.
    pub(crate) dates: &'a [AskedDate],
    /// What each signal counts.
    pub(crate) weights: &'a RankingWeights,
}

impl Wanted<'_> {
    /// What a message of these traits gives, its words apart.
    pub(crate) fn signals(&self, traits: &Traits) -> Signals {
        let weights = self.weights;
        let given = |weight: f32, is: bool| if is { weight } else { 0.0 };
        let by_whom_it_is_about = match self.about {
            About::Anyone => false,
            About::Speaker(speaker) => traits.speaker == speaker,
            About::User => traits.said.has(MessageTraits::BY_USER),
        };
        Signals {
            lexical: 0.0,
            dense: 0.0,
            speaker: given(weights.speaker, by_whom_it_is_about),
            date: weights.date * self.nearness(traits),
            when: given(
                weights.when,
                self.when && traits.said.has(MessageTraits::TEMPORAL),
            ),
            question: -given(weights.question, traits.said.has(MessageTraits::ASKS)),
            cost: -weights.cost * e_folds(traits.tokens as f32 / weights.free_tokens),
        }
    }

    /// How near the message was said to a date asked for.
    pub(crate) fn nearness(&self, traits: &Traits) -> f32 {
        if self.dates.is_empty() || traits.time == NO_TIME {
            0.0
        } else {
            nearness(self.dates, traits.time)
        }
    }
}

/// The natural logarithm of what is above 1.
fn e_folds(ratio: f32) -> f32 {
    if ratio > 1.0 { ratio.ln() } else { 0.0 }
}
