//! What the benches share: the peers that Aura is measured against, each built as its documentation advises.
#![forbid(unsafe_code)]

mod tantivy_peer;

pub use tantivy_peer::TantivyPeer;
