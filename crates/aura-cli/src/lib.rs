//! The aura command: record conversations, compile contexts and explain them.
//!
//! One file per command under `command`; `import` turns JSON lines into turns, `print` puts the engine's types on a
//! terminal, `eval` measures contexts, and `exit` holds the exit codes.
#![forbid(unsafe_code)]

mod args;
mod command;
mod eval;
pub mod exit;
pub mod import;
mod print;
mod run;
mod sample;
mod store;

pub use run::run;
