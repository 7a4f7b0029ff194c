//! Embeddings: vectors that stand for texts.

use crate::error::Result;

/// Turns texts into vectors.
///
/// Contract: one finite vector of [`Embedder::dimension`] numbers a text, in the order given, not all of them 0; the same
/// text gives the same vector, alone and in a batch. Any number of threads may call it at once.
pub trait Embedder: Send + Sync {
    /// The model's id, stored beside each vector: two models whose vectors cannot be compared never share one.
    fn model(&self) -> &str;

    /// How many numbers a vector has.
    fn dimension(&self) -> usize;

    /// The vectors of `texts`, which are messages or passages of messages.
    ///
    /// # Errors
    /// `Callback` or `Unavailable`, when the model fails: the engine tries again later. `Invalid`, when it can make
    /// nothing of one of the texts, ever.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// The vector of a question; some models want to be told which of the two a text is.
    ///
    /// # Errors
    /// Those of [`Embedder::embed`].
    fn embed_query(&self, text: &str) -> Result<Vec<f32>> {
        let mut vectors = self.embed(&[text])?;
        vectors.pop().ok_or_else(|| {
            crate::error::Error::new(
                crate::error::ErrorKind::Callback,
                "the embedder gave no vector for a text",
            )
        })
    }

    /// How many texts one call of [`Embedder::embed`] is best given.
    fn batch(&self) -> usize {
        16
    }

    /// About how many words of a text the model reads; longer texts are cut into passages.
    fn words(&self) -> usize {
        180
    }

    /// What the cosines of this model mean; `None` has the engine measure it.
    fn calibration(&self) -> Option<Calibration> {
        None
    }
}

/// What the cosine of two vectors of a model means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// Texts that have nothing to do with each other stay below this.
    pub unrelated: f32,
    /// A question and its answer in nearly the same words reach this.
    pub related: f32,
}

impl Calibration {
    /// The absolute relevance of a cosine, in [0, 1]: 0 up to `unrelated`, 1 from `related` on, in proportion between.
    ///
    /// ```
    /// let calibration = aura_core::Calibration { unrelated: 0.2, related: 0.8 };
    /// assert_eq!(calibration.relevance(0.1), 0.0);
    /// assert!((calibration.relevance(0.5) - 0.5).abs() < 1e-6);
    /// assert_eq!(calibration.relevance(0.9), 1.0);
    /// ```
    #[must_use]
    pub fn relevance(self, cosine: f32) -> f32 {
        let span = self.related - self.unrelated;
        if span > 0.0 {
            ((cosine - self.unrelated) / span).clamp(0.0, 1.0)
        } else if cosine > self.unrelated {
            1.0
        } else {
            0.0
        }
    }
}
