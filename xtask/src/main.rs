//! The task runner of the workspace.
#![forbid(unsafe_code)]
fn main() {}
