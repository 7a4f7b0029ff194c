//! Teams on real stores.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

mod chain;
mod crash;
mod machine;
mod packets;
mod setup;
