//! The engine on real stores.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod admission;
mod concurrency;
mod contexts;
mod dense;
mod failures;
mod guarantees;
mod isolation;
mod keeping;
mod layers;
mod manifests;
mod policies;
mod recall;
mod setup;
mod sources;
