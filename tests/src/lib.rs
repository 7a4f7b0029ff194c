//! Shared tests of the workspace.
#![forbid(unsafe_code)]

pub mod audit;
pub mod c;
pub mod dice;
pub mod script;
#[cfg(target_os = "linux")]
pub mod unsynced;
