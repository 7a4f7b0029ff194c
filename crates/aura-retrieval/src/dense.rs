//! The dense index: the messages of one session by the cosine of their vectors with a query's.
//!
//! Where to look:
//! - `form`: a vector in 16 bits a number, as it is stored and searched; `kernel`: products of such vectors.
//! - `rows`: the vectors of a session in event order; `scan`: the exact search over them, in 8 bits first.
//! - `graph`: approximate search for sessions too large to scan; `index`: which of the two answers, and what joins them.
//! - `backend`: how to get an index.

mod backend;
mod form;
mod graph;
mod index;
mod kernel;
mod rows;
mod scan;
#[cfg(test)]
mod tests;

pub use backend::{DenseBackend, GraphKind};
pub use form::MAX_DIMENSION;
pub use index::DenseIndex;
