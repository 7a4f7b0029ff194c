//! What a folder says of the model in it.
//!
//! `aura-model.json` says all of it. Without one, the files are read that sentence-transformers writes.

use std::path::{Path, PathBuf};

use aura_core::{Calibration, DigestBuilder, Error, ErrorKind, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::options::{FastembedOptions, Pooling};

/// Where the model may be, the exact ones first.
const MODELS: [&str; 6] = [
    "model.onnx",
    "onnx/model.onnx",
    "model_optimized.onnx",
    "onnx/model_optimized.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
];
/// How many tokens are read where nothing is said.
const TOKENS: usize = 256;

/// A model as it was found, read whole.
pub(super) struct Folder {
    /// Its id: its name and a digest of all that makes its vectors.
    pub(super) id: String,
    pub(super) onnx: Vec<u8>,
    /// Weights beside the model, under the name the model calls them by.
    pub(super) weights: Option<(String, Vec<u8>)>,
    pub(super) tokenizer: fastembed::TokenizerFiles,
    pub(super) pooling: Pooling,
    pub(super) max_tokens: usize,
    pub(super) query_prefix: String,
    pub(super) passage_prefix: String,
    pub(super) calibration: Option<Calibration>,
    /// Its arithmetic depends on what else is in a batch.
    pub(super) alone: bool,
}

/// `aura-model.json`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct About {
    name: Option<String>,
    pooling: Option<Pooling>,
    max_tokens: Option<usize>,
    query_prefix: Option<String>,
    passage_prefix: Option<String>,
    calibration: Option<Cosines>,
}

/// What the model's cosines mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cosines {
    mean: f32,
    deviation: f32,
    related: f32,
}

/// `1_Pooling/config.json`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolingFile {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
}

/// `sentence_bert_config.json`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LengthFile {
    max_seq_length: Option<usize>,
}

/// `config_sentence_transformers.json`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptsFile {
    prompts: Prompts,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Prompts {
    query: Option<String>,
    #[serde(alias = "document")]
    passage: Option<String>,
}

impl Folder {
    /// Reads a folder.
    ///
    /// # Errors
    /// `NotFound` naming `folder`, when no model is in it; `Invalid` naming `pooling`, when nothing says which; `Corrupt`
    /// naming the file that cannot be understood.
    pub(super) fn read(options: &FastembedOptions) -> Result<Self> {
        let folder = &options.folder;
        let about: About = json(folder, "aura-model.json")?;
        let pooling: PoolingFile = json(folder, "1_Pooling/config.json")?;
        let length: LengthFile = json(folder, "sentence_bert_config.json")?;
        let prompts: PromptsFile = json(folder, "config_sentence_transformers.json")?;
        let model = MODELS
            .iter()
            .map(|name| folder.join(name))
            .find(|path| path.is_file())
            .ok_or_else(|| absent("model.onnx"))?;
        let onnx = bytes(&model, "model.onnx")?;
        let tokenizer =
            find(folder, &model, "tokenizer.json").ok_or_else(|| absent("tokenizer.json"))?;
        let tokenizer = bytes(&tokenizer, "tokenizer.json")?;
        let weights = weights(&model)?;
        let pooling = options.pooling.or(about.pooling).or(match pooling {
            PoolingFile {
                pooling_mode_mean_tokens: true,
                ..
            } => Some(Pooling::Mean),
            PoolingFile {
                pooling_mode_cls_token: true,
                ..
            } => Some(Pooling::Cls),
            PoolingFile { .. } => None,
        });
        let pooling = pooling.ok_or_else(|| {
            Error::invalid_field(
                "embedder",
                "pooling",
                "no file of the model's folder says which: set it",
            )
        })?;
        let max_tokens = options
            .max_tokens
            .or(about.max_tokens)
            .or(length.max_seq_length);
        let max_tokens = max_tokens.unwrap_or(TOKENS).max(8);
        let (query_prefix, passage_prefix) = options.prefixes.clone().unwrap_or_else(|| {
            let query = about.query_prefix.or(prompts.prompts.query);
            let passage = about.passage_prefix.or(prompts.prompts.passage);
            (query.unwrap_or_default(), passage.unwrap_or_default())
        });
        let name = options.name.clone().or(about.name).unwrap_or_else(|| {
            let last = folder.file_name().unwrap_or(folder.as_os_str());
            last.to_string_lossy().into_owned()
        });
        let mut digest = DigestBuilder::new();
        digest
            .field(&onnx)
            .field(&tokenizer)
            .field(&[u8::from(pooling == Pooling::Mean)]);
        digest.field(&max_tokens.to_le_bytes());
        digest
            .field(query_prefix.as_bytes())
            .field(passage_prefix.as_bytes());
        digest.optional(weights.as_ref().map(|(_, bytes)| bytes.as_slice()));
        Ok(Self {
            id: format!("{name}@{}", digest.finish().prefix(12)),
            alone: model.to_string_lossy().contains("quantized"),
            tokenizer: tokenizer_files(folder, &model, tokenizer, max_tokens),
            calibration: about.calibration.map(|cosines| Calibration {
                mean: cosines.mean,
                deviation: cosines.deviation,
                related: cosines.related,
            }),
            onnx,
            weights,
            pooling,
            max_tokens,
            query_prefix,
            passage_prefix,
        })
    }
}

/// A file of the folder, or beside the model below it.
fn find(folder: &Path, model: &Path, name: &str) -> Option<PathBuf> {
    let beside = model.parent().map(|parent| parent.join(name));
    let paths = std::iter::once(folder.join(name)).chain(beside);
    paths.into_iter().find(|path| path.is_file())
}

fn weights(model: &Path) -> Result<Option<(String, Vec<u8>)>> {
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    for suffix in ["_data", ".data"] {
        let file = format!("{name}{suffix}");
        let path = model.with_file_name(&file);
        if path.is_file() {
            return Ok(Some((file, bytes(&path, "model.onnx_data")?)));
        }
    }
    Ok(None)
}

/// The files that `fastembed` wants beside the tokenizer; what the folder lacks is made up from the tokenizer.
fn tokenizer_files(
    folder: &Path,
    model: &Path,
    tokenizer: Vec<u8>,
    max_tokens: usize,
) -> fastembed::TokenizerFiles {
    let read = |name: &str, or: String| {
        let path = find(folder, model, name);
        path.and_then(|path| std::fs::read(path).ok())
            .unwrap_or_else(|| or.into_bytes())
    };
    // As BERT's tokenizer and its kin write it, and as RoBERTa's and its kin do.
    let has = |token: &str| {
        tokenizer
            .windows(token.len())
            .any(|at| at == token.as_bytes())
    };
    let pad = if has("\"[PAD]\"") { "[PAD]" } else { "<pad>" };
    let config = format!(r#"{{"model_max_length": {max_tokens}, "pad_token": "{pad}"}}"#);
    fastembed::TokenizerFiles {
        config_file: read("config.json", "{}".to_owned()),
        special_tokens_map_file: read("special_tokens_map.json", "{}".to_owned()),
        tokenizer_config_file: read("tokenizer_config.json", config),
        tokenizer_file: tokenizer,
    }
}

fn json<T: DeserializeOwned + Default>(folder: &Path, name: &'static str) -> Result<T> {
    let path = folder.join(name);
    if !path.is_file() {
        return Ok(T::default());
    }
    serde_json::from_slice(&bytes(&path, name)?).map_err(|error| {
        let problem = format!("folder: {name} of the model cannot be understood");
        Error::new(ErrorKind::Corrupt, problem)
            .with_field("folder")
            .caused_by(error)
    })
}

fn bytes(path: &Path, name: &str) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| {
        let problem = format!("folder: {name} of the model cannot be read");
        Error::new(ErrorKind::Unavailable, problem)
            .with_field("folder")
            .caused_by(error)
    })
}

fn absent(name: &str) -> Error {
    let problem = format!("folder: there is no {name} in the model's folder");
    Error::new(ErrorKind::NotFound, problem).with_field("folder")
}
