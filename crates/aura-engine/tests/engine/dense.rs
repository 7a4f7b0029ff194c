//! Embedding in the background, dense search in time, and what is given where it fails.

mod background;
mod models;
mod reads;
mod senses;
