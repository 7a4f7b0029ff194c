//! What each signal counts when candidates are ranked.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// What each signal counts when candidates are ranked; `docs/retrieval.md` has what each is worth.
///
/// A rank is the sum of what the signals give. The best lexical score of the candidates gives `lexical`, a signal that
/// is either there or not gives its whole weight. 0 switches a signal off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RankingWeights {
    /// BM25 of a message with its neighbours, scaled over the candidates.
    pub lexical: f32,
    /// The same where dense search takes part.
    pub lexical_beside_dense: f32,
    /// The cosine with the question, scaled over the candidates.
    pub dense: f32,
    /// How much a word counts that is only related to one of the question; a share of the word itself.
    pub related: f32,
    /// The same where dense search takes part, which finds much of what is only related.
    pub related_beside_dense: f32,
    /// Said by the one speaker the question names; in a question in the first person, by the user.
    pub speaker: f32,
    /// Said at a date that the question names.
    pub date: f32,
    /// The question asks when, and the message says when.
    pub when: f32,
    /// Subtracted from a message that is a question itself.
    pub question: f32,
    /// Subtracted for each e-fold of a message's tokens over `free_tokens`.
    pub cost: f32,
    /// How many tokens a message may have without losing rank.
    pub free_tokens: f32,
    /// How relevant the best message must be for any to be, in [0, 1]; below it the question is about nothing here.
    pub min_best: f32,
    /// The same where dense search took part and found nothing near; what it finds near needs no words.
    pub min_best_beside_dense: f32,
}

impl Default for RankingWeights {
    fn default() -> Self {
        Self {
            lexical: 0.6,
            lexical_beside_dense: 0.45,
            dense: 0.5,
            related: 0.2,
            related_beside_dense: 0.1,
            speaker: 0.3,
            date: 0.3,
            when: 0.1,
            question: 0.05,
            cost: 0.2,
            free_tokens: 55.0,
            min_best: 0.0,
            min_best_beside_dense: 0.2,
        }
    }
}

impl RankingWeights {
    /// BM25 with neighbours and nothing else.
    pub const LEXICAL_ALONE: Self = Self {
        lexical: 1.0,
        lexical_beside_dense: 1.0,
        dense: 0.0,
        related: 0.0,
        related_beside_dense: 0.0,
        speaker: 0.0,
        date: 0.0,
        when: 0.0,
        question: 0.0,
        cost: 0.0,
        free_tokens: 60.0,
        min_best: 0.0,
        min_best_beside_dense: 0.0,
    };

    /// Checks every value.
    ///
    /// # Errors
    /// `Invalid` with the field's path in the policy.
    pub(super) fn validate(&self) -> Result<()> {
        let fail = |field: &str, problem: &str| {
            Err(Error::invalid_field(
                "policy",
                format!("ranking.{field}"),
                problem,
            ))
        };
        for (field, weight) in [
            ("lexical", self.lexical),
            ("lexical_beside_dense", self.lexical_beside_dense),
            ("dense", self.dense),
            ("speaker", self.speaker),
            ("date", self.date),
            ("when", self.when),
            ("question", self.question),
            ("cost", self.cost),
        ] {
            if !(0.0..=100.0).contains(&weight) {
                return fail(field, "must be between 0 and 100");
            }
        }
        for (field, share) in [
            ("related", self.related),
            ("related_beside_dense", self.related_beside_dense),
            ("min_best", self.min_best),
            ("min_best_beside_dense", self.min_best_beside_dense),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return fail(field, "must be between 0 and 1");
            }
        }
        if !(1.0..=1e6).contains(&self.free_tokens) {
            return fail("free_tokens", "must be between 1 and 1000000");
        }
        Ok(())
    }
}
