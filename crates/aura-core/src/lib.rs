//! Types, traits, errors, ids and clock of the Aura context engine; no I/O.
#![forbid(unsafe_code)]
