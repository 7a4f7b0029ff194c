//! Which facts are shown, and how.

mod index;
mod line;
mod select;

pub use index::FactIndex;
pub(crate) use line::FactLine;
pub(crate) use select::{FactBook, Told};
