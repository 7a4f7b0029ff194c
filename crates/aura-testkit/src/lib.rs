//! Conformance suites, fault store, model store and generators for testing Aura.
#![forbid(unsafe_code)]

pub mod zipf;
