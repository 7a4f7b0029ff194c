//! A model, loaded.

use aura_core::{Calibration, Embedder, Error, ErrorKind, Result};
use fastembed::{InitOptionsUserDefined, TextEmbedding, UserDefinedEmbeddingModel};
use parking_lot::{Mutex, MutexGuard};

use super::folder::Folder;
use super::options::{FastembedOptions, Pooling};
use super::runtime;
use crate::embed::calibrate;

/// How many texts are computed before others may have the model: a question waits no longer than for these.
const TURN: usize = 2;

/// A model in ONNX files.
///
/// One computation runs at a time; a question is computed next, whatever else waits.
pub struct Fastembed {
    id: String,
    dimension: usize,
    words: usize,
    query_prefix: String,
    passage_prefix: String,
    calibration: Option<Calibration>,
    turn: usize,
    model: Mutex<TextEmbedding>,
}

impl Fastembed {
    /// Loads a model from a folder. Nothing is downloaded.
    ///
    /// # Errors
    /// `NotFound` naming `library`, when ONNX Runtime is absent or older than 1.24, or naming `folder`, when no model is in it;
    /// `Invalid` naming `pooling`, when nothing says which; `Corrupt` naming `folder`, when the model cannot be loaded.
    pub fn load(options: &FastembedOptions) -> Result<Self> {
        Self::read(options).map_err(|error| error.during("load_embedder"))
    }

    fn read(options: &FastembedOptions) -> Result<Self> {
        let folder = Folder::read(options)?;
        let environment = runtime::environment(options.library.as_deref(), &options.folder)?;
        let mut model = UserDefinedEmbeddingModel::new(folder.onnx, folder.tokenizer);
        model.pooling = Some(match folder.pooling {
            Pooling::Cls => fastembed::Pooling::Cls,
            Pooling::Mean => fastembed::Pooling::Mean,
        });
        if let Some((name, bytes)) = folder.weights {
            model = model.with_external_initializer(name, bytes);
        }
        let mut init = InitOptionsUserDefined::new()
            .with_max_length(folder.max_tokens)
            .with_intra_threads(options.threads.max(1));
        init.environment = environment;
        let mut model = TextEmbedding::try_new_from_user_defined(model, init).map_err(|error| {
            Error::new(ErrorKind::Corrupt, "folder: the model cannot be loaded")
                .with_field("folder")
                .caused_by(error)
        })?;
        let probe = embed(&mut model, &["dimension".to_owned()])?;
        let mut loaded = Self {
            id: folder.id,
            dimension: probe.first().map_or(0, Vec::len),
            // About three tokens for two words, and room for what does not follow that rule.
            words: folder.max_tokens * 7 / 10,
            query_prefix: folder.query_prefix,
            passage_prefix: folder.passage_prefix,
            calibration: folder.calibration,
            turn: if folder.alone { 1 } else { TURN },
            model: Mutex::new(model),
        };
        if loaded.calibration.is_none() {
            loaded.calibration = Some(calibrate(&loaded)?);
        }
        Ok(loaded)
    }
}

impl std::fmt::Debug for Fastembed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fastembed")
            .field("model", &self.id)
            .field("dimension", &self.dimension)
            .finish_non_exhaustive()
    }
}

impl Embedder for Fastembed {
    fn model(&self) -> &str {
        &self.id
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        // Texts of like length together: a shorter one is filled up to the longest of its batch.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|at| texts.get(*at).map_or(0, |text| text.len()));
        let mut vectors = vec![Vec::new(); texts.len()];
        for batch in order.chunks(self.turn) {
            let prefix = |at: &usize| {
                let text = texts.get(*at).copied().unwrap_or_default();
                format!("{}{text}", self.passage_prefix)
            };
            let batch_texts: Vec<String> = batch.iter().map(prefix).collect();
            let mut model = self.model.lock();
            let computed = embed(&mut model, &batch_texts);
            MutexGuard::unlock_fair(model);
            for (at, vector) in batch.iter().zip(computed?) {
                if let Some(place) = vectors.get_mut(*at) {
                    *place = vector;
                }
            }
        }
        Ok(vectors)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>> {
        let text = format!("{}{text}", self.query_prefix);
        let vectors = embed(&mut self.model.lock(), &[text])?;
        vectors.into_iter().next().ok_or_else(failed)
    }

    fn batch(&self) -> usize {
        32
    }

    fn words(&self) -> usize {
        self.words
    }

    fn calibration(&self) -> Option<Calibration> {
        self.calibration
    }
}

fn embed(model: &mut TextEmbedding, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    let vectors = model
        .embed(texts, None)
        .map_err(|error| failed().caused_by(error))?;
    if vectors.len() == texts.len() {
        Ok(vectors)
    } else {
        Err(failed())
    }
}

fn failed() -> Error {
    Error::new(ErrorKind::Unavailable, "the embedding model failed")
}
