//! `cargo xtask eval`: how much of the evidence stands in the contexts.

use std::ffi::OsString;

use anyhow::Result;

use crate::process;

/// Builds the `aura` command with optimisation and runs `aura eval` with the arguments as they are.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "aura-cli",
        "--",
        "eval",
    ]);
    process::run(cargo.args(arguments))
}
