//! Ranking of what a search brought up.

pub(crate) mod about;
mod dates;
pub(crate) mod find;
mod kin;
pub(crate) mod neighbours;
mod occurrences;
mod related;
mod relevance;
mod signals;
mod surroundings;
