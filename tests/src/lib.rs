//! Shared tests of the workspace.
#![forbid(unsafe_code)]
