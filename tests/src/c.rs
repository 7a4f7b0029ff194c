//! Building and running C and C++ programs against the C interface.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot build its program has failed"
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What every C and C++ file must compile with.
pub const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"];

/// What makes a program watch itself.
pub const SANITIZERS: [&str; 3] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-g",
];

/// The folder that holds the workspace's `Cargo.toml`.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The compiler of a file, C or C++ by its ending.
#[must_use]
pub fn compiler(source: &Path) -> Command {
    let (variable, usual) = if source.extension().is_some_and(|ending| ending == "cpp") {
        ("CXX", "c++")
    } else {
        ("CC", "cc")
    };
    Command::new(std::env::var(variable).unwrap_or_else(|_| usual.to_owned()))
}

/// Runs a command that must succeed, and gives what it printed.
///
/// # Panics
/// When it cannot be started (its package is then named) or fails (its output is then shown).
pub fn must(command: &mut Command) -> String {
    let output = run(command);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?} ended with {}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Runs a command to its end.
///
/// # Panics
/// When it cannot be started; its package is then named.
pub fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| {
        panic!(
            "cannot start {}: {error}. The tests of the C interface need gcc, g++, cmake and make; \
             `cargo xtask test` installs them on Debian",
            command.get_program().display()
        )
    })
}

/// The libraries that cargo built beside the running test.
///
/// # Panics
/// When they are not there.
#[must_use]
pub fn built() -> PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    let folder = program.parent().expect("a program lies in a folder");
    for name in [shared(), "libaura_ffi.a"] {
        let file = folder.join(name);
        assert!(file.exists(), "cargo did not build {}", file.display());
    }
    folder.to_path_buf()
}

/// What cargo calls the shared library.
#[must_use]
pub fn shared() -> &'static str {
    if cfg!(target_os = "macos") {
        "libaura_ffi.dylib"
    } else {
        "libaura_ffi.so"
    }
}

/// Links the libraries under the names that programs ask for into a folder, for plain `cc` with `-laura`.
///
/// # Panics
/// When the folder cannot be written to.
#[cfg(unix)]
pub fn lay_out(folder: &Path) {
    use std::os::unix::fs::symlink;
    let built = built();
    let names = if cfg!(target_os = "macos") {
        ["libaura.0.dylib", "libaura.dylib"]
    } else {
        ["libaura.so.0", "libaura.so"]
    };
    for name in names {
        symlink(built.join(shared()), folder.join(name)).expect("a fresh folder takes a link");
    }
}

/// Whether the leak sanitizer can do its work here; it needs the permission to trace, which some sandboxes deny.
///
/// # Panics
/// When the sanitizers are not installed, or do not find a leak and do not say why.
#[must_use]
pub fn leaks_are_seen() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for a program");
        let source = folder.path().join("leak.c");
        let text = "#include <stdlib.h>\nint main(void) { volatile char *a = malloc(7); a = 0; return a != 0; }\n";
        std::fs::write(&source, text).expect("a fresh folder takes a file");
        let program = folder.path().join("leak");
        must(compiler(&source).args(SANITIZERS).arg(&source).arg("-o").arg(&program));
        let output = run(&mut Command::new(&program));
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("detected memory leaks") {
            return true;
        }
        assert!(
            said.contains("LeakSanitizer"),
            "the sanitizer misses a leak without a reason: {said}"
        );
        announce(
            "THE LEAK SANITIZER DOES NOT WORK HERE: leaks are only looked for by counting live objects",
        );
        false
    })
}

/// Says something that nobody should overlook: past the capture of the test harness.
pub fn announce(text: &str) {
    let _ = writeln!(std::io::stderr(), "== {text} ==");
}
