//! The `aura` command as its users run it.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what does not hold shall fail the test"
)]

mod context;
mod crash;
mod delete;
mod demo;
mod eval;
mod explain;
mod general;
mod import;
mod manifest;
mod memory;
mod regrown;
mod requests;
mod show;
mod workshop;
