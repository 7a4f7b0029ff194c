//! `cargo xtask deny`: licences, advisories and sources of everything we depend on.

use anyhow::{Result, bail};

use crate::{process, tools};

/// Runs cargo-deny with `deny.toml`; it must be there already unless `install` is asked for.
pub(crate) fn run(install: bool) -> Result<()> {
    if !tools::is_there("cargo-deny") {
        if !install {
            bail!(
                "cargo-deny is not installed; `cargo xtask deny --install` fetches and builds it"
            );
        }
        process::run(process::cargo().args(["install", "cargo-deny", "--locked"]))?;
    }
    process::run(process::cargo().args(["deny", "--workspace", "check"]))
}
