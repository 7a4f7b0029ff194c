//! An embedder behind a guard: neither a panic nor a broken promise of a host's code gets past it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use aura_core::{Calibration, Embedder, Error, ErrorKind, Result};
use aura_retrieval::calibrate;

/// A model.
pub(crate) struct Model {
    embedder: Arc<dyn Embedder>,
    pub(crate) id: String,
    pub(crate) dimension: usize,
    calibration: OnceLock<Calibration>,
}

impl Model {
    pub(crate) fn new(embedder: Arc<dyn Embedder>) -> Self {
        let calibration = OnceLock::new();
        if let Some(known) = embedder.calibration() {
            let _ = calibration.set(known);
        }
        Self {
            id: embedder.model().to_owned(),
            dimension: embedder.dimension(),
            calibration,
            embedder,
        }
    }

    /// The vectors of messages.
    ///
    /// # Errors
    /// Those of the embedder; `Callback`, when it panics or breaks its contract.
    pub(crate) fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.embedder.batch().max(1)) {
            let made = guarded(|| self.embedder.embed(batch))?;
            if made.len() != batch.len() {
                return Err(broken(
                    "the embedder gave another number of vectors than of texts",
                ));
            }
            vectors.extend(made);
        }
        Ok(vectors)
    }

    /// The vector of a question.
    ///
    /// # Errors
    /// Those of the embedder; `Callback`, when it panics or breaks its contract.
    pub(crate) fn embed_query(&self, text: &str) -> Result<Vec<f32>> {
        let vector = guarded(|| self.embedder.embed_query(text))?;
        let sound = vector.iter().all(|number| number.is_finite())
            && vector.iter().any(|number| *number != 0.0);
        if vector.len() != self.dimension || !sound {
            return Err(broken(
                "the embedder gave a vector that is zero, not finite, or of another dimension",
            ));
        }
        Ok(vector)
    }

    /// About how many words of a text it reads.
    pub(crate) fn words(&self) -> usize {
        self.embedder.words().max(1)
    }

    /// What its cosines mean; unknown until it was measured.
    pub(crate) fn calibration(&self) -> Option<Calibration> {
        self.calibration.get().copied()
    }

    /// Measures what its cosines mean, if that is not known.
    ///
    /// # Errors
    /// Those of the embedder.
    pub(crate) fn calibrate(&self) -> Result<()> {
        if self.calibration.get().is_none() {
            let measured = guarded(|| calibrate(&*self.embedder))?;
            let _ = self.calibration.set(measured);
        }
        Ok(())
    }
}

fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    // What a panic leaves behind is the embedder's own; the engine reads none of it.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(broken("the embedder panicked")))
}

fn broken(problem: &'static str) -> Error {
    Error::new(ErrorKind::Callback, problem)
}
