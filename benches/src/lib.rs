//! Shared benches of the workspace.
#![forbid(unsafe_code)]
