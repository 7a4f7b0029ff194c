//! What an agent works with, beside what was said: its tools.

pub mod tools;
