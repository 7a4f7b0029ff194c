//! A store that lives and dies with its process; for tests, and for agents that need no file.

mod artifacts;
mod checkpoints;
mod compilations;
mod deletion;
mod facts;
mod memories;
mod packets;
mod policies;
mod sessions;
mod snapshots;
mod store;
mod turns;
mod vectors;

pub use store::MemoryStorage;
