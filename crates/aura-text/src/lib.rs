//! Analyzer, BM25 scorer and token counting of the Aura context engine.
#![forbid(unsafe_code)]

mod analyzer;

pub use analyzer::{
    Analyzer, AnalyzerOptions, Language, MAX_TERM_BYTES, QueryTerm, QueryTerms, Scratch, Term,
    TermKind,
};
