//! Models in ONNX files, run by ONNX Runtime through `fastembed`.
//!
//! - `folder`: what a folder says of the model in it; `runtime`: finding ONNX Runtime; `model`: the embedder.

mod folder;
mod model;
mod options;
mod runtime;

pub use model::Fastembed;
pub use options::{FastembedOptions, Pooling};
