//! Lexical index and ranking of the Aura context engine.
#![forbid(unsafe_code)]

pub mod lexical;
