//! Opening an engine on one of the stores.

use std::sync::Arc;

use aura_core::Result;
use aura_engine::{Engine, EngineOptions};
use aura_storage::MemoryStorage;

/// How a store in a file is opened.
#[cfg(feature = "sqlite")]
#[derive(Clone, Default)]
pub struct OpenOptions {
    /// What the store promises of writes that have returned; `full` by default.
    pub durability: aura_core::Durability,
    /// What the engine is made of.
    pub engine: EngineOptions,
}

/// Opens an engine on a SQLite file, which is created if it does not exist. Several processes may have it open.
///
/// # Errors
/// `Invalid` naming `path`, when the file is no database of Aura's or of a newer version; `Unavailable` naming `path`,
/// when it cannot be opened or created.
#[cfg(feature = "sqlite")]
pub fn open(path: impl AsRef<std::path::Path>) -> Result<Engine> {
    open_with(path, OpenOptions::default())
}

/// Opens an engine on a SQLite file with options.
///
/// # Errors
/// Those of [`open`].
#[cfg(feature = "sqlite")]
pub fn open_with(path: impl AsRef<std::path::Path>, options: OpenOptions) -> Result<Engine> {
    let sqlite = aura_storage::SqliteOptions::new().durability(options.durability);
    let storage = aura_storage::SqliteStorage::open(path.as_ref(), sqlite)?;
    Engine::new(Arc::new(storage), options.engine)
}

/// An engine whose store is gone with it, for tests and experiments.
///
/// # Errors
/// `Unavailable`, when the background thread cannot be started.
pub fn in_memory() -> Result<Engine> {
    in_memory_with(EngineOptions::default())
}

/// The same with options.
///
/// # Errors
/// Those of [`in_memory`].
pub fn in_memory_with(options: EngineOptions) -> Result<Engine> {
    Engine::new(Arc::new(MemoryStorage::new()), options)
}
