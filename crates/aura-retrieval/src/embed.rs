//! Embedding models, and what their cosines mean.
//!
//! - `calibrate`: measures a model that says nothing about itself.
//! - `names`: keeps the names of those who speak out of what is embedded.
//! - `passages`: cuts long messages into what a model reads whole.
//! - `fastembed`: models in ONNX files, run by ONNX Runtime (feature `fastembed`).

mod calibrate;
#[cfg(feature = "fastembed")]
mod fastembed;
mod names;
mod passages;

pub use calibrate::calibrate;
#[cfg(feature = "fastembed")]
pub use fastembed::{Fastembed, FastembedOptions, Pooling};
pub use names::SpeakerNames;
pub use passages::passages;
