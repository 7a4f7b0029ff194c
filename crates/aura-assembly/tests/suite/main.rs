//! The compiler as a whole, on histories held in plain vectors.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod ask;
mod blocks;
mod facts;
mod failures;
mod golden;
mod guarantees;
mod modes;
mod plans;
mod recall;
mod sessions;
mod tools;
mod verify;
mod world;
