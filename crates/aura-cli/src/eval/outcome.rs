//! What an answer to a question is worth.

use super::data::{Conversation, Question};

/// Where the choice of messages ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Cut {
    /// After this many tokens.
    Tokens(u32),
    /// After this many messages.
    Messages(u32),
}

/// The messages that a method chose for a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Places of the messages that are shown whole, in the order of the conversation.
    pub(crate) chosen: Vec<usize>,
    /// What the method itself says they cost.
    pub(crate) tokens: u32,
    /// Messages said to be shown that do not stand whole in the context; they are not in `chosen`.
    pub(crate) cut_short: usize,
    /// How long it took, in microseconds; 0 where that was not measured.
    pub(crate) micros: u64,
}

/// An answer against the labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outcome {
    /// Every labelled message was chosen.
    pub(crate) all: bool,
    /// The share of them that was.
    pub(crate) share: f64,
    /// At least one was.
    pub(crate) any: bool,
    /// The share of labelled messages in the choice.
    pub(crate) precision: f64,
    /// What the choice costs, by the data or by the method itself, whichever is more.
    pub(crate) tokens: u32,
    /// It costs more than it may; then nothing counts as chosen.
    pub(crate) over: bool,
}

impl Outcome {
    /// Judges an answer; `None` for a question without labels.
    #[expect(clippy::cast_precision_loss, reason = "counts of messages")]
    pub(crate) fn of(
        conversation: &Conversation,
        question: &Question,
        answer: &Answer,
        cut: Cut,
    ) -> Option<Self> {
        if question.gold.is_empty() {
            return None;
        }
        let costs = answer
            .chosen
            .iter()
            .filter_map(|&place| conversation.messages.get(place));
        let tokens = costs
            .map(|said| said.tokens)
            .fold(0, u32::saturating_add)
            .max(answer.tokens);
        let over = match cut {
            Cut::Tokens(budget) => tokens > budget,
            Cut::Messages(most) => answer.chosen.len() > most as usize,
        };
        let chosen: &[usize] = if over { &[] } else { &answer.chosen };
        let found = question
            .gold
            .iter()
            .filter(|place| chosen.contains(place))
            .count();
        Some(Self {
            all: found == question.gold.len(),
            share: found as f64 / question.gold.len() as f64,
            any: found > 0,
            precision: if chosen.is_empty() {
                0.0
            } else {
                found as f64 / chosen.len() as f64
            },
            tokens,
            over,
        })
    }
}
