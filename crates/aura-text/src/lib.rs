//! Analyzer, BM25 scorer and token counting of the Aura context engine.
#![forbid(unsafe_code)]
