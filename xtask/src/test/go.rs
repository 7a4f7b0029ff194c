//! The Go binding: vetted, tested under the race detector, and installed by an outsider from module archives.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::dist::archive;
use crate::process;
use crate::tally::Tally;

const BINDING: &str = "bindings/go";

const MODULE: &str = "github.com/libaura/aura/bindings/go";

/// The first version of Go that the module can be built with.
const OLDEST: (u32, u32) = (1, 24);

/// The platform that the archive of this machine is for.
const PLATFORM: &str = "linux-amd64";

/// Why the tests cannot run here; none when they can.
pub(super) fn missing() -> Option<String> {
    let output = process::command("go").args(["env", "GOVERSION"]).output();
    let version = output
        .ok()
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if version
        .as_deref()
        .and_then(parse)
        .is_none_or(|version| version < OLDEST)
    {
        let (major, minor) = OLDEST;
        return Some(format!("it needs go of version {major}.{minor} or later"));
    }
    if std::env::consts::ARCH != "x86_64" {
        return Some("its archive is for x86-64 so far".to_owned());
    }
    archive::missing()
}

fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim().strip_prefix("go")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Runs the tests of the module and those of an outsider's program.
///
/// # Errors
/// A module that cannot be built or installed. A test that fails is only counted.
pub(super) fn run(tally: &mut Tally) -> Result<()> {
    let folder = process::target_dir()?.join("xtask").join("go");
    let module = stage(&folder)?;
    formatted(&module)?;
    process::run(go(&module).args(["vet", "."]))?;
    let mut counts = Counts::default();
    let status = process::tee(
        go(&module).args(["test", "-race", "-count=1", "-v", "."]),
        |line| counts.see(line),
    )?;
    tally.add_run(status, counts.passed, counts.failed, counts.skipped);
    outsider(&folder, &module)?;
    tally.add(1, 0, 0);
    Ok(())
}

/// Copies the module beside the archive, so that it has the shape of a release.
fn stage(folder: &Path) -> Result<PathBuf> {
    let module = folder.join("module");
    fresh(&module)?;
    copy(&process::root().join(BINDING), &module)?;
    let library = module.join("lib").join(PLATFORM);
    std::fs::copy(archive::make()?, library.join("libaura.a"))?;
    let work = format!(
        "go {}.{}\n\nuse .\nuse ./lib/{PLATFORM}\n",
        OLDEST.0, OLDEST.1
    );
    std::fs::write(module.join("go.work"), work)?;
    Ok(module)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in
        std::fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?
    {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn formatted(module: &Path) -> Result<()> {
    let unformatted = process::capture(
        process::command("gofmt")
            .args(["-l", "."])
            .current_dir(module),
    )?;
    if !unformatted.is_empty() {
        bail!(
            "run gofmt -w in {BINDING} on {}",
            unformatted.trim().replace('\n', ", ")
        );
    }
    Ok(())
}

/// Installs the modules from archives into an empty project, without a network, and runs the sample of the README.
fn outsider(folder: &Path, module: &Path) -> Result<()> {
    let proxy = folder.join("proxy");
    fresh(&proxy)?;
    let version = version()?;
    process::run(
        go(module)
            .args(["run", "./internal/modproxy"])
            .arg(&proxy)
            .arg(&version)
            .arg(format!("{MODULE}={}", module.display()))
            .arg(format!(
                "{MODULE}/lib/{PLATFORM}={}",
                module.join("lib").join(PLATFORM).display()
            )),
    )?;
    let project = folder.join("project");
    fresh(&project)?;
    let readme = std::fs::read_to_string(process::root().join(BINDING).join("README.md"))?;
    let program = readme
        .split_once("```go\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .context("the README has no program")?
        .0;
    std::fs::write(project.join("main.go"), program)?;
    // The modules are unpacked where nothing of the machine's own cache is touched.
    let alone = |arguments: &[&str]| {
        let mut command = go(&project);
        command.args(arguments);
        command.env("GOPROXY", format!("file://{}", proxy.display()));
        command.env("GOMODCACHE", folder.join("modules"));
        command
            .env("GOFLAGS", "-mod=mod -modcacherw")
            .env("GOSUMDB", "off");
        command.env("GOWORK", "off");
        command
    };
    process::run(&mut alone(&["clean", "-modcache"]))?;
    process::run(&mut alone(&["mod", "init", "example.com/outsider"]))?;
    process::run(&mut alone(&["get", &format!("{MODULE}@{version}")]))?;
    let printed = process::capture(&mut alone(&["run", "."]))?;
    let wanted = ["Berlin", "Miso", "Nori", "tokens of a budget of 600"];
    if let Some(wanted) = wanted.iter().find(|wanted| !printed.contains(**wanted)) {
        bail!("the sample of {BINDING}/README.md does not say `{wanted}`:\n{printed}");
    }
    println!("the sample of {BINDING}/README.md runs where only the modules are installed");
    Ok(())
}

fn go(folder: &Path) -> Command {
    let mut go = process::command("go");
    go.current_dir(folder).env("CGO_ENABLED", "1");
    // What stands in the module is all that is needed; a newer toolchain is not fetched.
    go.env("GOTOOLCHAIN", "local");
    go
}

/// The version of the platform's module that the module asks for.
fn version() -> Result<String> {
    let manifest = std::fs::read_to_string(process::root().join(BINDING).join("go.mod"))?;
    let (_, version) = manifest
        .lines()
        .find_map(|line| line.strip_prefix("require ")?.rsplit_once(' '))
        .context("go.mod asks for no platform")?;
    Ok(version.to_owned())
}

fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// What `go test -v` says of each test: `--- PASS: TestName (0.01s)`.
#[derive(Debug, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Counts {
    fn see(&mut self, line: &str) {
        // Tests inside tests are counted with the one they are in.
        if line.starts_with("--- PASS: ") {
            self.passed += 1;
        } else if line.starts_with("--- FAIL: ") {
            self.failed += 1;
        } else if line.starts_with("--- SKIP: ") {
            self.skipped += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_go_says() {
        let mut counts = Counts::default();
        let text = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- FAIL: TestB (0.1s)\n--- SKIP: TestC (0.0s)\nFAIL";
        text.lines().for_each(|line| counts.see(line));
        assert_eq!((counts.passed, counts.failed, counts.skipped), (1, 1, 1));
        assert_eq!(parse("go1.26.8\n"), Some((1, 26)));
        assert_eq!(parse("devel"), None);
    }
}
