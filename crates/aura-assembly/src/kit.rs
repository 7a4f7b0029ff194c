//! What an agent works with, beside what was said: its tools, what they give, and its skills.

pub mod results;
pub mod skills;
pub mod tools;
