//! The engine on real stores.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod concurrency;
mod contexts;
mod failures;
mod guarantees;
mod reopening;
mod setup;
