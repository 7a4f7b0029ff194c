//! The `aura` command as its users run it.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what does not hold shall fail the test"
)]

mod context;
mod crash;
mod demo;
mod eval;
mod explain;
mod general;
mod import;
mod lasting;
mod manifest;
mod regrown;
mod requests;
mod show;
mod workshop;
