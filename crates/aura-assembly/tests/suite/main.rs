//! The compiler as a whole, on histories held in plain vectors.

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
