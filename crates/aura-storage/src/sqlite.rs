//! A store in a SQLite file, in write-ahead mode: one connection writes, several read.

mod artifacts;
mod compilations;
mod connections;
mod deletion;
mod derived;
mod encoding;
mod facts;
mod log;
mod memories;
mod policies;
mod query;
mod sessions;
mod statements;
mod store;
mod turns;

use query::{failure, position};

pub use connections::SqliteOptions;
pub use store::{Fsck, Problem, SqliteStorage};
