//! `cargo xtask check`: is the committed header what the sources say, and is every change of it announced?

use anyhow::{Context, Result};

use crate::header::{self, baseline};
use crate::process;

/// Compares `include/aura.h` with what `cargo xtask gen` would write and shows the difference.
pub(crate) fn run() -> Result<bool> {
    let committed = header::path();
    let wanted = header::generate()?;
    let found = std::fs::read_to_string(&committed).unwrap_or_default();
    if found == wanted {
        println!("include/aura.h agrees with crates/aura-ffi");
        return baseline::check(&wanted);
    }
    let fresh = process::target_dir()?.join("xtask").join("aura.h");
    if let Some(folder) = fresh.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&fresh, wanted).with_context(|| format!("cannot write {}", fresh.display()))?;
    if committed.exists() {
        // Exit status 1 only says that the files differ, which is known.
        process::command("git")
            .args(["--no-pager", "diff", "--no-index", "--"])
            .arg("include/aura.h")
            .arg(&fresh)
            .status()
            .context("cannot run git diff")?;
    }
    println!(
        "include/aura.h is not what crates/aura-ffi says: run `cargo xtask gen` and commit it"
    );
    Ok(false)
}
