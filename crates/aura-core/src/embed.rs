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

/// What the cosines of a model mean: how near unrelated texts come to each other, and how near related ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// The mean cosine of a question with a message that has nothing to do with it.
    pub mean: f32,
    /// The standard deviation of those cosines.
    pub deviation: f32,
    /// What a question and its answer in nearly the same words reach.
    pub related: f32,
}

/// How many deviations above the mean a message has something to do with a question that its session is about. With
/// all-MiniLM-L6-v2 this costs 0.4 of 71.3 questions with all evidence in 1,024 tokens.
const UNRELATED: f32 = 1.8;

/// How far below the expected greatest of many unrelated cosines a session may stay and still be about a question. On
/// chats of about 550 messages 2 % of the questions they answer stay below, and 4 % of those about something else
/// altogether come above.
const CHANCE: f32 = 0.25;

impl Calibration {
    /// A message that stays below this has nothing to do with the question.
    #[must_use]
    pub fn unrelated(self) -> f32 {
        self.mean + UNRELATED * self.deviation
    }

    /// Where not even the nearest of so many messages reaches this, the question is about something else altogether:
    /// among many messages some come near to any question by chance.
    #[must_use]
    pub fn about(self, messages: u64) -> f32 {
        // The expected greatest of n normal numbers is about sqrt(2 ln n) deviations above their mean.
        let greatest = (2.0 * (messages.max(1) as f32).ln()).sqrt();
        self.mean + (greatest - CHANCE).max(UNRELATED) * self.deviation
    }

    /// The absolute relevance of a cosine, in [0, 1]: 0 up to [`Calibration::unrelated`], 1 from `related` on, in proportion
    /// between.
    ///
    /// ```
    /// let calibration = aura_core::Calibration { mean: 0.02, deviation: 0.1, related: 0.8 };
    /// assert_eq!(calibration.relevance(0.1), 0.0);
    /// assert!((calibration.relevance(0.5) - 0.5).abs() < 1e-6);
    /// assert_eq!(calibration.relevance(0.9), 1.0);
    /// assert!(calibration.about(10) < calibration.about(10_000));
    /// ```
    #[must_use]
    pub fn relevance(self, cosine: f32) -> f32 {
        let unrelated = self.unrelated();
        let span = self.related - unrelated;
        if span > 0.0 {
            ((cosine - unrelated) / span).clamp(0.0, 1.0)
        } else if cosine > unrelated {
            1.0
        } else {
            0.0
        }
    }
}
