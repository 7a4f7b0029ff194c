//! Absolute relevance: whether a message has to do with a question at all, whatever else there is to choose from.
//!
//! The share of the question's maximum that a message reaches says little by itself: in a long chat the evidence often
//! shares one word of five with the question, as an unrelated message does. More is known from the best message: where
//! the history has one that fits, the chat was about this, and what fits less is relevant in its measure; where even
//! the best shares one common word, nothing is.

use aura_core::DensePool;

/// What stands near something relevant without a word of the question, as a share of the best.
const NEAR: f32 = 1.0 / 64.0;

/// What is known of a question before the messages are looked at; scores are on one grid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grounds {
    /// The score that no message alone exceeds.
    pub(crate) maximum: f32,
    /// The same with neighbours.
    pub(crate) maximum_beside: f32,
    /// What a date in the question is worth beside that; 0 without one.
    pub(crate) date: f32,
    /// Some message was said at the date.
    pub(crate) dated: bool,
}

/// What relevance is measured by for one question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relevance {
    maximum: f32,
    date: f32,
    /// The share of what it could have that the best message has.
    best: f32,
}

impl Grounds {
    /// Where the best message alone scores `best`.
    pub(crate) fn relevance(&self, best: f32) -> Relevance {
        let share = if self.maximum > 0.0 {
            (best / self.maximum).min(1.0)
        } else {
            0.0
        };
        let total = self.maximum_beside + self.date;
        let reached = share * self.maximum_beside + if self.dated { self.date } else { 0.0 };
        Relevance {
            maximum: self.maximum_beside,
            date: self.date,
            best: if total > 0.0 { reached / total } else { 0.0 },
        }
    }
}

impl Relevance {
    /// The relevance of a message by its score with neighbours, how near it was said to a date asked for, and its
    /// cosine: `1 - (1 - l)(1 - d)` of the two kinds.
    pub(crate) fn of(
        &self,
        window: f32,
        nearness: f32,
        cosine: Option<f32>,
        dense: Option<DensePool<'_>>,
    ) -> f32 {
        let lexical = self.lexical(window, nearness);
        match (cosine, dense) {
            (Some(cosine), Some(dense)) => {
                1.0 - (1.0 - lexical) * (1.0 - dense.calibration.relevance(cosine))
            }
            _ => lexical,
        }
    }

    /// The geometric mean of the best message's share and this one's.
    fn lexical(&self, window: f32, nearness: f32) -> f32 {
        if self.best <= 0.0 {
            return 0.0;
        }
        let share = (window + self.date * nearness.min(1.0)) / (self.maximum + self.date);
        self.best * (share / self.best).clamp(NEAR, 1.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(maximum: f32, date: f32, dated: bool, best: f32) -> Relevance {
        let grounds = Grounds {
            maximum,
            maximum_beside: maximum,
            date,
            dated,
        };
        grounds.relevance(best)
    }

    #[test]
    fn relevance_lies_between_the_best_and_an_eighth_of_it() {
        let relevance = of(10.0, 0.0, false, 5.0);
        assert_eq!(relevance.of(5.0, 0.0, None, None), 0.5);
        assert_eq!(relevance.of(9.0, 0.0, None, None), 0.5);
        let (some, none) = (
            relevance.of(1.0, 0.0, None, None),
            relevance.of(0.0, 0.0, None, None),
        );
        assert!(0.5 > some && some > none && none > 0.06, "{some} {none}");
    }

    #[test]
    fn nothing_is_relevant_where_nothing_fits() {
        for (maximum, date) in [(10.0, 0.0), (10.0, 3.0), (0.0, 0.0)] {
            assert_eq!(of(maximum, date, false, 0.0).of(2.0, 0.0, None, None), 0.0);
        }
    }

    #[test]
    fn a_date_counts_like_a_word() {
        let relevance = of(6.0, 6.0, true, 0.0);
        assert_eq!(relevance.of(0.0, 1.5, None, None), 0.5);
        assert!(relevance.of(0.0, 0.0, None, None) < 0.1);
    }
}
