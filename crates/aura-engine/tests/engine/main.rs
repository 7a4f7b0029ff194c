//! The engine on real stores.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

mod concurrency;
mod contexts;
mod failures;
mod guarantees;
mod reopening;
mod setup;
