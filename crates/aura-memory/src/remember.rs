//! Durable memory: what may be remembered across sessions.

mod rules;

pub use rules::{LONGEST_STATEMENT, Verdict, check_proposal};
