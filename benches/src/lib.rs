//! What the benches share: the peers that Aura is measured against, each built as its documentation advises, and vectors
//! to search.
#![forbid(unsafe_code)]

mod tantivy_peer;
mod vectors;

pub use tantivy_peer::TantivyPeer;
pub use vectors::{DIMENSION, Vectors};
