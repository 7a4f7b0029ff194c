//! Lexical index and ranking of the Aura context engine.
//!
//! [`Bm25Backend`] makes and restores indexes; [`SessionIndex`] is the index of one session. Both are used through the
//! traits [`LexicalBackend`](aura_core::LexicalBackend) and [`LexicalIndex`](aura_core::LexicalIndex).
#![forbid(unsafe_code)]

mod lexical;
mod ranking;

pub use lexical::{
    AnalyzerIdentity, Bm25Backend, MAX_DOCUMENTS, MAX_FREQUENCY, MAX_HITS, MAX_TERMS, SessionIndex,
};
