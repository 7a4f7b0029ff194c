//! Lexical.
#![allow(unused, clippy::indexing_slicing, reason = "prototype")]
mod bounds; mod chunks; mod dictionary; mod documents; mod growth; mod long_list; mod norms; mod posting; mod postings; mod ranges; mod search; mod top;
pub mod proto;
