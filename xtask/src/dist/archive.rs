//! The static library for the bindings that are linked with it: one object that shows nothing but `aura_*`.
//!
//! What cargo builds holds all of Rust's standard library and SQLite with their symbols, which would clash with another
//! such archive, or another SQLite, in the same program. Here the linker joins the objects, drops what no function of the
//! interface reaches, and every other symbol is made local.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{header, process};

/// What a program that links the archive must link too.
pub(crate) const LINKED: [&str; 3] = ["-lm", "-lpthread", "-ldl"];

/// Builds the archive and gives its file, `libaura.a` in a folder of its own.
pub(crate) fn make() -> Result<PathBuf> {
    let target = process::target_dir()?;
    let whole = cargo(&target)?;
    let folder = target.join("xtask").join("archive");
    std::fs::create_dir_all(&folder)?;
    let archive = folder.join("libaura.a");
    if is_newer(&archive, &whole) {
        return Ok(archive);
    }
    let exported = header::baseline::functions()?;
    let keep = folder.join("exported.txt");
    std::fs::write(&keep, exported.join("\n") + "\n")?;
    let (joined, slim) = (folder.join("joined.o"), folder.join("aura.o"));
    process::run(
        process::command("ld")
            .args(["-r", "--gc-sections"])
            .args(exported.iter().map(|name| format!("--undefined={name}")))
            .arg("-o")
            .arg(&joined)
            .arg(&whole),
    )?;
    process::run(
        process::command("objcopy")
            .arg(format!("--keep-global-symbols={}", keep.display()))
            // Rust's own library carries bitcode, which the linker plugins of older systems cannot read.
            .args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"])
            .arg("--strip-unneeded")
            .arg(&joined)
            .arg(&slim),
    )?;
    if archive.exists() {
        std::fs::remove_file(&archive)?;
    }
    process::run(
        process::command("ar")
            .args(["rcs"])
            .arg(&archive)
            .arg(&slim),
    )?;
    std::fs::remove_file(joined)?;
    std::fs::remove_file(slim)?;
    Ok(archive)
}

fn cargo(target: &Path) -> Result<PathBuf> {
    process::run(process::cargo().args([
        "rustc",
        "--package",
        "aura-ffi",
        "--lib",
        "--crate-type",
        "staticlib",
    ]))?;
    let file = target.join("debug").join("libaura_ffi.a");
    file.metadata()
        .with_context(|| format!("cargo did not build {}", file.display()))?;
    Ok(file)
}

fn is_newer(made: &Path, of: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    matches!((time(made), time(of)), (Some(made), Some(of)) if made > of)
}

/// Why the archive cannot be made here; none when it can.
pub(crate) fn missing() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return Some("its archive is made on Linux only".to_owned());
    }
    let absent: Vec<_> = ["cc", "ld", "objcopy", "ar"]
        .into_iter()
        .filter(|tool| !crate::tools::is_there(tool))
        .collect();
    (!absent.is_empty()).then(|| format!("it needs {} (Debian: gcc, binutils)", absent.join(", ")))
}
