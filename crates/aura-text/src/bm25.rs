//! BM25: how well a short query fits a text, from how often its words occur in it and how rare they are.
//!
//! The same formulas rank turns, facts and tools, so that their scores can be compared:
//!
//! ```text
//! score(q, d) = Σ over terms t of q:  weight(t) · idf(t) · tf(t, d)
//! idf(t)      = ln(1 + (N − df + 0.5) / (df + 0.5))
//! tf(t, d)    = f · (k1 + 1) / (f + k1 · (1 − b + b · length(d) / average length))
//! ```
//!
//! (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the idf is Lucene's, never
//! negative.) A text of average length that holds every term once scores Σ weight · idf: tf is 1 there.

mod length;
mod set;

pub use length::{byte_to_length, length_to_byte};
pub use set::{Bm25Set, Fit, Ranked};

/// The two constants of BM25, and the formulas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    /// How soon further occurrences of a term stop counting. 0 counts presence only.
    pub k1: f32,
    /// How much long texts are marked down, 0 to 1.
    pub b: f32,
}

impl Default for Bm25 {
    /// `k1` 1.2 and `b` 0.75, the values all ranking weights were measured with.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

impl Bm25 {
    /// How much a term counts that occurs in `containing` of `documents` texts: 0 or more, in nats.
    #[must_use]
    pub fn idf(documents: u64, containing: u64) -> f32 {
        let containing = containing.min(documents);
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of texts stay far below 2^52"
        )]
        let (n, df) = (documents as f64, containing as f64);
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 45")]
        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln() as f32;
        idf
    }

    /// The part of the formula that depends on the text's length only, in the unit of term frequencies.
    ///
    /// `average` is the mean length of the visible texts; where it is 0 every text counts as average.
    #[inline]
    #[must_use]
    pub fn norm(self, length: f32, average: f32) -> f32 {
        let relative = if average > 0.0 { length / average } else { 1.0 };
        self.k1 * (1.0 - self.b + self.b * relative)
    }

    /// The tf component for a frequency and a [`norm`](Self::norm): 0 to [`ceiling`](Self::ceiling), rising with the frequency,
    /// falling with the norm.
    #[inline]
    #[must_use]
    pub fn tf(self, frequency: f32, norm: f32) -> f32 {
        if frequency <= 0.0 {
            return 0.0;
        }
        frequency * (self.k1 + 1.0) / (frequency + norm)
    }

    /// What no tf component exceeds, so Σ weight · idf · ceiling bounds every score of a query.
    #[inline]
    #[must_use]
    pub fn ceiling(self) -> f32 {
        self.k1 + 1.0
    }

    /// The norm of every length byte (see [`length_to_byte`]) for one average length.
    #[must_use]
    pub fn norms(self, average: f32) -> [f32; 256] {
        std::array::from_fn(|byte| {
            let length = byte_to_length(u8::try_from(byte).unwrap_or(u8::MAX));
            #[expect(
                clippy::cast_precision_loss,
                reason = "only the order of magnitude counts for long texts"
            )]
            let length = length as f32;
            self.norm(length, average)
        })
    }

    /// Absolute relevance, 0 to 1: a score as a share of what a text of average length scores that holds every query term once.
    ///
    /// `full_match` is Σ weight · idf over *all* terms of the query, those that occur nowhere included, so a question about
    /// something never spoken of stays low however well its common words fit.
    #[must_use]
    pub fn relevance(score: f32, full_match: f32) -> f32 {
        if score > 0.0 && full_match > 0.0 {
            (score / full_match).min(1.0)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn agrees_with_values_worked_out_by_hand() {
        // ln(1 + (10 - 1 + 0.5) / 1.5) and ln(1 + 0.5 / 10.5)
        assert!((Bm25::idf(10, 1) - 1.992_430_2).abs() < 1e-6);
        assert!((Bm25::idf(10, 10) - 0.046_520).abs() < 1e-6);
        assert_eq!(Bm25::idf(10, 11), Bm25::idf(10, 10));
        let bm25 = Bm25::default();
        assert!((bm25.tf(1.0, bm25.norm(7.0, 7.0)) - 1.0).abs() < 1e-6);
        // 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 2))
        assert!((bm25.tf(2.0, bm25.norm(20.0, 10.0)) - 4.4 / 4.1).abs() < 1e-6);
        assert_eq!(bm25.tf(0.0, 1.0), 0.0);
        assert_eq!(bm25.norm(5.0, 0.0), 1.2);
        assert_eq!(Bm25::relevance(3.0, 2.0), 1.0);
        assert_eq!(Bm25::relevance(1.0, 2.0), 0.5);
        assert_eq!(Bm25::relevance(0.0, 0.0), 0.0);
    }

    proptest! {
        #[test]
        fn rare_words_count_more(n in 1u64..1_000_000, a in 0u64..1_000_000, b in 0u64..1_000_000) {
            let (low, high) = (a.min(b).min(n), a.max(b).min(n));
            prop_assert!(Bm25::idf(n, low) >= Bm25::idf(n, high));
            prop_assert!(Bm25::idf(n, high) > 0.0);
        }

        #[test]
        fn tf_rises_with_frequency_falls_with_length_and_keeps_its_ceiling(
            f in 1u16..1000, more in 1u16..1000, length in 0u16..5000, longer in 1u16..5000, average in 1u16..500,
        ) {
            let bm25 = Bm25::default();
            let norm = |l: f32| bm25.norm(l, f32::from(average));
            let here = bm25.tf(f32::from(f), norm(f32::from(length)));
            prop_assert!(bm25.tf(f32::from(f) + f32::from(more), norm(f32::from(length))) >= here);
            prop_assert!(bm25.tf(f32::from(f), norm(f32::from(length) + f32::from(longer))) <= here);
            prop_assert!(here > 0.0 && here <= bm25.ceiling());
        }
    }
}
