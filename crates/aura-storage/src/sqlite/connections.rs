//! The connections to the file: one writes, several read, one moves the write-ahead log into the file.

mod checkpoint;
mod open;
mod readers;
mod write_connection;
mod writer;

pub use open::SqliteOptions;

pub(super) use checkpoint::Checkpointer;
pub(super) use open::{absolute, checkpointer, quick_check, writer};
pub(super) use readers::Readers;
pub(super) use write_connection::WriteConnection;
pub(super) use writer::Writer;
