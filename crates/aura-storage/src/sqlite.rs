//! A store in a SQLite file, in write-ahead mode: one connection writes, several read.

mod artifacts;
mod checkpoint;
mod compilations;
mod encoding;
mod facts;
mod failure;
mod log;
mod open;
mod position;
mod query;
mod readers;
mod sessions;
mod snapshots;
mod statements;
mod store;
mod turn_key;
mod turns;
mod write_connection;
mod writer;

pub use open::SqliteOptions;
pub use store::SqliteStorage;
