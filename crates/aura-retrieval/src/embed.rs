//! Embedding models, and what their cosines mean.
//!
//! - `calibrate`: measures a model that says nothing about itself.
//! - `fastembed`: models in ONNX files, run by ONNX Runtime (feature `fastembed`).

mod calibrate;
#[cfg(feature = "fastembed")]
mod fastembed;

pub use calibrate::calibrate;
#[cfg(feature = "fastembed")]
pub use fastembed::{Fastembed, FastembedOptions, Pooling};
