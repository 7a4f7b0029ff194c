//! Analyzer, BM25 scorer and token counting of the Aura context engine.
#![forbid(unsafe_code)]

mod analyzer;
mod bm25;
mod lanes;
mod tokens;

pub use analyzer::{
    Analyzer, AnalyzerOptions, Language, MAX_TERM_BYTES, QueryTerm, QueryTerms, Scratch, Term,
    TermKind,
};
pub use bm25::{Bm25, Bm25Set, Fit, Ranked, byte_to_length, length_to_byte};
pub use tokens::BuiltinCounter;
