//! The verbs of the Aura context engine: record, build a context, flush.
#![forbid(unsafe_code)]
