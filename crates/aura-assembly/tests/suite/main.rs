//! The compiler as a whole, on histories held in plain vectors.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test stops at the first surprise, also in what it shares with others"
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
