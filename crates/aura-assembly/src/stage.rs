//! The six stages, one file each.

pub(crate) mod admit;
pub(crate) mod filter;
pub(crate) mod order;
pub(crate) mod resolve;
pub(crate) mod retrieve;
pub(crate) mod serialize;
