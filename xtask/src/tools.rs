//! Programs the tests need beside cargo, and how to get them.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::process;

/// A program and the Debian package that brings it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    pub(crate) program: &'static str,
    pub(crate) package: &'static str,
}

/// The C compiler that also links Rust.
pub(crate) const CC: Tool = Tool {
    program: "cc",
    package: "gcc",
};

/// The C++ compiler.
pub(crate) const CXX: Tool = Tool {
    program: "c++",
    package: "g++",
};

/// CMake, which brings CTest.
pub(crate) const CMAKE: Tool = Tool {
    program: "cmake",
    package: "cmake",
};

/// The program that carries out CMake's builds.
pub(crate) const MAKE: Tool = Tool {
    program: "make",
    package: "make",
};

/// Python, which unpacks wheels.
pub(crate) const PYTHON: Tool = Tool {
    program: "python3",
    package: "python3",
};

/// The client of the Python package index.
pub(crate) const PIP: Tool = Tool {
    program: "pip3",
    package: "python3-pip",
};

/// What the tests start beside cargo.
pub(crate) const OF_TESTS: [Tool; 4] = [CC, CXX, CMAKE, MAKE];

/// Makes sure that every tool is there. On Debian, as root, an absent one is installed from the
/// distribution's registry; anywhere else its absence is an error that names the package.
pub(crate) fn require(tools: &[Tool]) -> Result<()> {
    let absent: Vec<Tool> = tools
        .iter()
        .copied()
        .filter(|tool| !is_there(tool.program))
        .collect();
    if absent.is_empty() {
        return Ok(());
    }
    let programs = list(&absent, |tool| tool.program);
    let packages = list(&absent, |tool| tool.package);
    if !is_there("apt-get") || !is_root() {
        bail!("not found: {programs}. Install {packages} (Debian's names) and try again");
    }
    println!("== NOT FOUND: {programs}. INSTALLING {packages} with apt-get ==");
    process::run(process::command("apt-get").args(["update", "--quiet"]))?;
    process::run(
        process::command("apt-get")
            .args(["install", "--yes", "--quiet", "--no-install-recommends"])
            .args(absent.iter().map(|tool| tool.package))
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )?;
    if let Some(tool) = absent.iter().find(|tool| !is_there(tool.program)) {
        bail!(
            "{} is still absent after installing {}",
            tool.program,
            tool.package
        );
    }
    println!("== INSTALLED {packages} ==");
    Ok(())
}

/// Whether a program of this name is on the search path.
pub(crate) fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| {
        let file = dir.join(program);
        is_executable(&file) || is_executable(&file.with_extension(std::env::consts::EXE_EXTENSION))
    })
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn list(tools: &[Tool], name: fn(&Tool) -> &'static str) -> String {
    tools.iter().map(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_there_and_only_that() {
        assert!(is_there("cargo"));
        assert!(!is_there("no-such-program-7c1f"));
    }
}
