//! The aura command: record conversations, compile contexts and explain them.
#![forbid(unsafe_code)]
