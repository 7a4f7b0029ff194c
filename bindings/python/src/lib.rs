//! The Python binding: the engine as the extension module `context_engine._native`.
//!
//! It stands on the facade and knows nothing of the C interface. Here are handles, calls and conversions only; the face
//! that Python shows to its users is written in Python, in the package `context_engine` beside this crate.
#![forbid(unsafe_code)]

mod cancel;
mod context;
mod embedder;
mod engine;
mod error;
mod guard;
mod inbound;
mod live;
mod module;
mod policy;
mod principal;
mod request;
mod turn;
