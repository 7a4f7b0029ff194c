//! Absolute relevance: whether a message has to do with a question at all, whatever else there is to choose from.
//!
//! The share of the question's maximum that a message reaches says little by itself: in a long chat the evidence often
//! shares one word of five with the question, as an unrelated message does. More is known from the best message: where
//! the history has one that fits, the chat was about this, and what fits less is relevant in its measure; where even
//! the best shares one common word, nothing is.

use aura_core::DensePool;

/// What stands near something relevant without a word of the question, as a share of the best.
const NEAR: f32 = 1.0 / 64.0;

/// What relevance is measured by for one question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relevance {
    /// The score with neighbours that no message exceeds, and what a date asked for is worth beside it.
    maximum: f32,
    date: f32,
    /// The share of the maximum that the best message reaches.
    best: f32,
}

impl Relevance {
    /// For a question whose words score `maximum` at most, and a date in it `date` (0 without one); the best message
    /// alone reaches the share `best` of its own maximum, and some message was said at the date, if `dated`.
    pub(crate) fn new(maximum: f32, date: f32, best: f32, dated: bool) -> Self {
        let total = maximum + date;
        let reached = best * maximum + if dated { date } else { 0.0 };
        Self {
            maximum,
            date,
            best: if total > 0.0 {
                (reached / total).clamp(0.0, 1.0)
            } else {
                0.0
            },
        }
    }

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

    /// The best message's share times the fourth root of what this one reaches of it.
    fn lexical(&self, window: f32, nearness: f32) -> f32 {
        if self.best <= 0.0 {
            return 0.0;
        }
        let share = (window + self.date * nearness.min(1.0)) / (self.maximum + self.date);
        self.best * (share / self.best).clamp(NEAR, 1.0).sqrt().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_lies_between_the_best_and_a_third_of_it() {
        let relevance = Relevance::new(10.0, 0.0, 0.5, false);
        assert_eq!(relevance.of(5.0, 0.0, None, None), 0.5);
        assert_eq!(relevance.of(9.0, 0.0, None, None), 0.5);
        let (some, none) = (
            relevance.of(1.0, 0.0, None, None),
            relevance.of(0.0, 0.0, None, None),
        );
        assert!(0.5 > some && some > none && none > 0.17, "{some} {none}");
    }

    #[test]
    fn nothing_is_relevant_where_nothing_fits() {
        for (maximum, date) in [(10.0, 0.0), (10.0, 3.0), (0.0, 0.0)] {
            assert_eq!(
                Relevance::new(maximum, date, 0.0, false).of(2.0, 0.0, None, None),
                0.0
            );
        }
    }

    #[test]
    fn a_date_counts_like_a_word() {
        let relevance = Relevance::new(6.0, 6.0, 0.0, true);
        assert_eq!(relevance.of(0.0, 1.5, None, None), 0.5);
        assert!(relevance.of(0.0, 0.0, None, None) < 0.25);
    }
}
