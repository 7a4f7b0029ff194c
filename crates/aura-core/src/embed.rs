//! Embeddings: vectors that stand for texts.

use crate::error::Result;

/// Turns texts into vectors.
///
/// Contract: one finite vector of [`Embedder::dimension`] numbers a text, in the order given; the same text gives the
/// same vector, alone and in a batch.
pub trait Embedder: Send + Sync {
    /// The model's id, stored beside each vector.
    fn model(&self) -> &str;

    /// How many numbers a vector has.
    fn dimension(&self) -> usize;

    /// The vectors of `texts`.
    ///
    /// # Errors
    /// `Callback` or `Unavailable`, when the model fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;
}
