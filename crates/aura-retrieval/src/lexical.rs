//! The lexical index: BM25 over the messages of one session, kept up to date message by message.
//!
//! Where to look:
//! - `index`: what can be done with an index; `backend`: how to get one; `find`: how a request is answered.
//! - `dictionary` → `postings` (`entry` → `chunks` or `long_list` with its `bounds`): from a term to its postings.
//! - `documents`, `speakers`, `norms`: what is known of each message; `ranges`: which of them are visible.
//! - `search` (`window`, `top`): the best few without scoring all.
//! - `segment`: a run of messages as bytes.

mod backend;
mod dictionary;
pub(crate) mod documents;
mod find;
mod identity;
mod index;
pub(crate) mod norms;
pub(crate) mod postings;
pub(crate) mod ranges;
mod search;
mod segment;
pub(crate) mod speakers;
#[cfg(test)]
mod tests;
mod varint;

pub use backend::Bm25Backend;
pub use find::{MAX_HITS, MAX_TERMS};
pub use identity::AnalyzerIdentity;
pub use index::SessionIndex;
pub use postings::posting::{MAX_DOCUMENTS, MAX_FREQUENCY};

pub(crate) use find::{Weighted, beside_weight, count_within};
pub(crate) use postings::List;
pub(crate) use search::top::Top;
pub(crate) use search::{Search, Term};
