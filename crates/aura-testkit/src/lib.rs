//! Conformance suites, fault store, model store and generators for testing Aura.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod fault;
pub mod generators;
pub mod model;
pub mod zipf;
