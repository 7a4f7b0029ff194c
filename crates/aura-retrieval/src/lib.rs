//! Lexical index, dense index and ranking of the Aura context engine.
//!
//! [`Bm25Backend`] makes and restores indexes; [`SessionIndex`] is the index of one session. Both are used through the
//! traits [`LexicalBackend`](aura_core::LexicalBackend) and [`LexicalIndex`](aura_core::LexicalIndex).
//! [`DenseBackend`] and [`DenseIndex`] do the same for vectors, through [`VectorBackend`](aura_core::VectorBackend) and
//! [`VectorIndex`](aura_core::VectorIndex).
#![forbid(unsafe_code)]

mod dense;
mod embed;
mod lexical;

mod question;
mod ranking;

pub use dense::{DenseBackend, DenseIndex, GraphKind, MAX_DIMENSION};
#[cfg(feature = "fastembed")]
pub use embed::{Fastembed, FastembedOptions, Pooling};
pub use embed::{SpeakerNames, calibrate, passages};
pub use lexical::{
    AnalyzerIdentity, Bm25Backend, MAX_DOCUMENTS, MAX_FREQUENCY, MAX_HITS, MAX_TERMS, SessionIndex,
};
