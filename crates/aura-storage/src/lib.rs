//! Storage backends of the Aura context engine: in memory and SQLite.
//!
//! Each backend implements [`aura_core::Storage`] in a folder of its own with the same file names. What does not depend
//! on the medium stands beside them: `answer` says what a turn answered, `append` decides what a write of a turn means,
//! `large` takes large parts out of messages.
#![forbid(unsafe_code)]

mod answer;
mod append;
mod erasure;
mod large;
mod memory;
#[cfg(feature = "sqlite")]
mod needles;
mod ranges;
mod refusal;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use memory::MemoryStorage;
#[cfg(feature = "sqlite")]
pub use sqlite::{Fsck, Problem, SqliteOptions, SqliteStorage};
