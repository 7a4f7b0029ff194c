//! Tests of the index as a whole.

mod corpus;
mod index;
mod ranking;
mod search;
mod segment;
mod signals;
