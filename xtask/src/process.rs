//! Starting other programs, always from the root of the workspace.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A command that will run in the root of the workspace.
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that started this program.
///
/// What `cargo run` tells about this package is taken out of the environment: build scripts that
/// watch those variables would otherwise run again each time.
pub(crate) fn cargo() -> Command {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = command(&program);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name.as_ref());
        }
    }
    command
}

/// The folder cargo builds into, which the environment may have moved.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let metadata = metadata()?;
    let dir = metadata
        .get("target_directory")
        .and_then(serde_json::Value::as_str);
    Ok(PathBuf::from(
        dir.context("cargo metadata names no target_directory")?,
    ))
}

/// What `cargo metadata` says of the members of the workspace, without their dependencies.
pub(crate) fn metadata() -> Result<serde_json::Value> {
    let text = capture(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&text).context("cargo metadata did not print JSON")
}

/// Runs a command to its end and fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    announce(command);
    let status = command.status().with_context(|| show(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", show(command));
    }
    Ok(())
}

/// What a command prints on standard output; fails unless it succeeds.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| show(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", show(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| show(command))
}

/// Runs a command, passes its standard output on line by line, and shows each line to `see`.
pub(crate) fn tee(command: &mut Command, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    announce(command);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| show(command))?;
    let stdout = child.stdout.take().context("no standard output to read")?;
    let mut lines = BufReader::new(stdout);
    let mut out = std::io::stdout().lock();
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        out.write_all(&line)?;
        out.flush()?;
        see(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(child.wait()?)
}

fn announce(command: &Command) {
    eprintln!("+ {}", show(command));
}

fn show(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    std::iter::once(name.to_string_lossy())
        .chain(args)
        .collect::<Vec<_>>()
        .join(" ")
}
