//! How a model is loaded.

use std::path::PathBuf;

use aura_core::{Error, Result};
use serde::Deserialize;

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pooling {
    /// The vector of the first token.
    Cls,
    /// Their mean.
    Mean,
}

impl std::str::FromStr for Pooling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "cls" => Ok(Self::Cls),
            "mean" => Ok(Self::Mean),
            _ => Err(Error::invalid_field(
                "embedder",
                "pooling",
                "must be cls or mean",
            )),
        }
    }
}

/// How a model is loaded from a folder. What is not set here is read from the folder's own files.
///
/// ```
/// use aura_retrieval::{FastembedOptions, Pooling};
/// let options = FastembedOptions::new("models/e5-small")
///     .pooling(Pooling::Mean)
///     .prefixes("query: ", "passage: ");
/// # drop(options);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FastembedOptions {
    pub(super) folder: PathBuf,
    pub(super) library: Option<PathBuf>,
    pub(super) name: Option<String>,
    pub(super) pooling: Option<Pooling>,
    pub(super) max_tokens: Option<usize>,
    pub(super) prefixes: Option<(String, String)>,
    pub(super) threads: usize,
}

impl FastembedOptions {
    /// The model in a folder: `model.onnx` (also below `onnx/`) and `tokenizer.json`, as `fastembed`, `optimum` and
    /// sentence-transformers lay them out.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            library: None,
            name: None,
            pooling: None,
            max_tokens: None,
            prefixes: None,
            threads: 1,
        }
    }

    /// The file of ONNX Runtime, 1.24 or newer. Without it that of `ORT_DYLIB_PATH`, of the model's folder, or of the
    /// system is taken, in this order. The first model that a process loads decides for all.
    #[must_use]
    pub fn library(mut self, library: impl Into<PathBuf>) -> Self {
        self.library = Some(library.into());
        self
    }

    /// The model's name, from which its id is made.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// How the vectors of a text's tokens become one. There is no default: the wrong one gives vectors that look sound.
    #[must_use]
    pub fn pooling(mut self, pooling: Pooling) -> Self {
        self.pooling = Some(pooling);
        self
    }

    /// How many tokens of a text are read.
    #[must_use]
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// What stands before each question and before each message.
    #[must_use]
    pub fn prefixes(mut self, query: impl Into<String>, passage: impl Into<String>) -> Self {
        self.prefixes = Some((query.into(), passage.into()));
        self
    }

    /// How many threads compute one text, 1 by default: more are slower where others want the processor too.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}
