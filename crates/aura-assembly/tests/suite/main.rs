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
mod rules;
mod sessions;
mod tools;
mod verify;
mod world;

/// How many random cases a property is tried on: as many as are asked for, and at least these.
fn cases(least: u32) -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|count| count.parse().ok());
    asked.unwrap_or(0).max(least)
}
