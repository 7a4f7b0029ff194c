//! Ranking of what a search brought up.

pub(crate) mod neighbours;
mod surroundings;
