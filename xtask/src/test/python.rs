//! The Python binding: the wheel is built, installed where nothing else is, and tested.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::tally::Tally;
use crate::{process, tools};

const BINDING: &str = "bindings/python";

/// What builds and tests the wheel, and the frameworks that the adapters are for.
const REQUIREMENTS: &str = "bindings/python/tests/requirements.txt";

/// Says that Python is new enough and can make environments.
const CHECK: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/// Why the tests cannot run here; none when they can.
pub(super) fn missing() -> Option<String> {
    let fits = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    (!fits(process::command(tools::PYTHON.program).args(["-c", CHECK]))).then(|| {
        "it needs python3 of version 3.10 or later with venv (Debian: python3-venv)".to_owned()
    })
}

/// Builds the wheel and runs its tests.
///
/// # Errors
/// A wheel that cannot be built or installed. A test that fails is only counted.
pub(super) fn run(tally: &mut Tally) -> Result<()> {
    let folder = process::target_dir()?.join("xtask").join("python");
    std::fs::create_dir_all(&folder)?;
    let python = environment(&folder)?;
    let wheel = build(&folder, &python, &["--profile", "dev"])?;
    tally.add(u64::from(sample(&folder, &wheel)?), 0, 0);
    install(&python, &wheel)?;
    let mut summary = Summary::default();
    let status = process::tee(
        process::command(&python.to_string_lossy())
            .args([
                "-m",
                "pytest",
                "-q",
                "-rs",
                "-p",
                "no:cacheprovider",
                "--color=no",
            ])
            .arg(process::root().join(BINDING))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(&folder),
        |line| summary.see(line),
    )?;
    tally.add_run(status, summary.passed, summary.failed, summary.skipped);
    Ok(())
}

/// The interpreter of an environment with all that the tests need; made anew when the list has changed.
fn environment(folder: &Path) -> Result<PathBuf> {
    let home = folder.join("tools");
    let python = interpreter(&home);
    let wanted = std::fs::read_to_string(process::root().join(REQUIREMENTS))?;
    let mark = home.join("requirements.txt");
    if std::fs::read_to_string(&mark).is_ok_and(|found| found == wanted) && python.exists() {
        return Ok(python);
    }
    venv(&home)?;
    process::run(
        process::command(&python.to_string_lossy())
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args(["--requirement", REQUIREMENTS]),
    )
    .context("the tools of the Python tests cannot be installed")?;
    std::fs::write(mark, wanted)?;
    Ok(python)
}

/// Builds the wheel with maturin and gives its file.
fn build(folder: &Path, python: &Path, profile: &[&str]) -> Result<PathBuf> {
    let wheels = folder.join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    process::run(
        process::command(&python.to_string_lossy())
            .args(["-m", "maturin", "build", "--quiet", "--locked"])
            .args(profile)
            .arg("--manifest-path")
            .arg(process::root().join(BINDING).join("Cargo.toml"))
            .arg("--interpreter")
            .arg(python)
            .arg("--out")
            .arg(&wheels),
    )?;
    let mut files = std::fs::read_dir(&wheels)?;
    let file = files.next().context("maturin built no wheel")??;
    Ok(file.path())
}

/// Installs the wheel into an empty environment without a network, and runs the sample of the README there.
fn sample(folder: &Path, wheel: &Path) -> Result<bool> {
    let home = folder.join("empty");
    venv(&home)?;
    let python = interpreter(&home);
    install(&python, wheel)?;
    let readme = std::fs::read_to_string(process::root().join(BINDING).join("README.md"))?;
    let program = readme
        .split_once("```python\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .context("the README has no program")?
        .0;
    let printed = process::capture(
        process::command(&python.to_string_lossy())
            .args(["-I", "-c", program])
            .current_dir(&home),
    )?;
    if !(printed.contains("Berlin") && printed.contains("Miso") && printed.contains("Nori")) {
        bail!("the sample of {BINDING}/README.md does not answer its question:\n{printed}");
    }
    println!("the sample of {BINDING}/README.md runs where only the wheel is installed");
    Ok(true)
}

fn venv(home: &Path) -> Result<()> {
    process::run(
        process::command(tools::PYTHON.program)
            .args(["-m", "venv", "--clear"])
            .arg(home),
    )
}

fn interpreter(home: &Path) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    home.join(folder).join("python")
}

fn install(python: &Path, wheel: &Path) -> Result<()> {
    process::run(
        process::command(&python.to_string_lossy())
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args(["--no-index", "--no-deps", "--force-reinstall"])
            .arg(wheel),
    )
}

/// What pytest says at its end: `1 failed, 73 passed, 2 skipped, 1 error in 30.21s`.
#[derive(Debug, Default)]
struct Summary {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Summary {
    fn see(&mut self, line: &str) {
        let Some((counts, _)) = line.rsplit_once(" in ") else {
            return;
        };
        let mut found = Self::default();
        for count in counts.trim_matches(['=', ' ']).split(", ") {
            let Some((Ok(number), what)) = count
                .split_once(' ')
                .map(|(number, what)| (number.parse::<u64>(), what))
            else {
                return;
            };
            match what {
                "passed" => found.passed += number,
                "failed" | "error" | "errors" => found.failed += number,
                "skipped" => found.skipped += number,
                _ => {}
            }
        }
        *self = found;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_last_line_of_pytest() {
        let of = |text: &str| {
            let mut summary = Summary::default();
            text.lines().for_each(|line| summary.see(line));
            (summary.passed, summary.failed, summary.skipped)
        };
        assert_eq!(of("....\n12 passed in 3.21s"), (12, 0, 0));
        let mixed = "we were 5 passed in a row\n1 failed, 73 passed, 2 skipped, 1 warning, 2 errors in 30.21s (0:00:30)";
        assert_eq!(of(mixed), (73, 3, 2));
        assert_eq!(of("no tests ran in 0.01s"), (0, 0, 0));
    }
}
