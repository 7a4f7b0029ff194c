//! Storage backends of the Aura context engine: in memory and SQLite.
#![forbid(unsafe_code)]
