//! `cargo xtask c-install`: puts headers, libraries, `aura.pc` and the CMake package where programs find them.

use std::path::Path;

use anyhow::Result;

use crate::{process, tools};

/// Builds the release library and installs it below `prefix`.
pub(crate) fn run(prefix: &Path) -> Result<()> {
    tools::require(&tools::OF_TESTS)?;
    let prefix = std::path::absolute(prefix)?;
    process::run(process::cargo().args(["build", "--release", "--package", "aura-ffi"]))?;
    let target = process::target_dir()?;
    let build = target.join("xtask").join("c-install");
    process::run(
        process::command("cmake")
            .args(["-S", "bindings/c", "-B"])
            .arg(&build)
            .args(["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"])
            .arg(format!(
                "-DAURA_LIBRARY_DIR={}",
                target.join("release").display()
            )),
    )?;
    process::run(process::command("cmake").arg("--build").arg(&build))?;
    process::run(
        process::command("cmake")
            .arg("--install")
            .arg(&build)
            .arg("--prefix")
            .arg(&prefix),
    )?;
    println!("installed below {}", prefix.display());
    Ok(())
}
