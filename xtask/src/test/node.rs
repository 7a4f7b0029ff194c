//! The Node.js binding: the addon is linked, packed, installed into an empty project, and tested there.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::dist::archive;
use crate::tally::Tally;
use crate::{process, tools};

const BINDING: &str = "bindings/node";

/// The first version of Node.js that is supported.
const OLDEST: u32 = 20;

/// Why the tests cannot run here; none when they can.
pub(super) fn missing() -> Option<String> {
    let version = process::command("node").arg("--version").output().ok();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let major = version.as_deref().and_then(major);
    if major.is_none_or(|major| major < OLDEST) {
        return Some(format!("it needs node of version {OLDEST} or later"));
    }
    if !tools::is_there("npm") {
        return Some("it needs npm".to_owned());
    }
    archive::missing()
}

fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Builds both packages and runs their tests.
///
/// # Errors
/// A package that cannot be built or installed. A test that fails is only counted.
pub(super) fn run(tally: &mut Tally) -> Result<()> {
    let folder = process::target_dir()?.join("xtask").join("node");
    let tools = tools_of(&folder)?;
    let addon = link(&folder, &tools, &archive::make()?)?;
    let packages = pack(&folder, &addon)?;
    let project = install(&folder, &packages)?;
    types(&tools, &project)?;
    sample(&project)?;
    tally.add(2, 0, 0);
    let mut counts = Counts::default();
    let status = process::tee(
        process::command("node")
            .args(["--expose-gc", "--test", "--test-reporter=tap"])
            .args(
                ["recording", "contexts", "lifecycle", "text"]
                    .map(|name| format!("test/{name}.test.mjs")),
            )
            .current_dir(&project),
        |line| counts.see(line),
    )?;
    tally.add_run(status, counts.passed, counts.failed, counts.skipped);
    Ok(())
}

/// The folder with the headers of Node-API and the compiler of TypeScript.
fn tools_of(folder: &Path) -> Result<PathBuf> {
    let home = folder.join("tools");
    std::fs::create_dir_all(&home)?;
    let wanted = std::fs::read(root("test/package.json"))?;
    let file = home.join("package.json");
    let is_there = home
        .join("node_modules")
        .join(".package-lock.json")
        .exists();
    if !is_there || std::fs::read(&file).ok().as_ref() != Some(&wanted) {
        std::fs::write(&file, wanted)?;
        process::run(npm(&home).args(["install", "--no-package-lock", "--ignore-scripts"]))?;
    }
    Ok(home.join("node_modules"))
}

/// Compiles the addon and links the engine into it.
fn link(folder: &Path, tools: &Path, engine: &Path) -> Result<PathBuf> {
    let addon = folder.join("aura.node");
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(root("native"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "c") {
            sources.push(path);
        }
    }
    sources.sort();
    process::run(
        process::command("cc")
            .args(["-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-shared"])
            .args(["-Wall", "-Wextra", "-Wconversion", "-Werror"])
            .arg("-I")
            .arg(tools.join("node-api-headers").join("include"))
            .arg("-I")
            .arg(process::root().join("include"))
            .args(sources)
            .arg(engine)
            .args(archive::LINKED)
            .args(["-static-libgcc", "-Wl,--gc-sections", "-Wl,-s", "-o"])
            .arg(&addon),
    )?;
    Ok(addon)
}

/// Packs the package and that of this platform.
fn pack(folder: &Path, addon: &Path) -> Result<Vec<PathBuf>> {
    let packages = folder.join("packages");
    fresh(&packages)?;
    let version = version()?;
    let name = platform()?;
    let native = folder.join("platform");
    fresh(&native)?;
    std::fs::copy(addon, native.join("aura.node"))?;
    let manifest = serde_json::json!({
        "name": format!("@libaura/{name}"),
        "version": version,
        "description": format!("The native part of libaura for {name}."),
        "license": "MIT",
        "repository": { "type": "git", "url": "git+https://github.com/libaura/aura.git" },
        "main": "aura.node",
        "files": ["aura.node"],
        "os": [std::env::consts::OS],
        "cpu": [cpu()?],
        "libc": ["glibc"],
    });
    std::fs::write(
        native.join("package.json"),
        serde_json::to_string_pretty(&manifest)?,
    )?;
    for source in [native, root("")] {
        process::run(npm(&packages).arg("pack").arg(source))?;
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&packages)? {
        files.push(entry?.path());
    }
    if files.len() != 2 {
        bail!("npm packed {} packages, not 2", files.len());
    }
    Ok(files)
}

/// Installs the packages into an empty project, without a network, and puts the tests beside them.
fn install(folder: &Path, packages: &[PathBuf]) -> Result<PathBuf> {
    let project = folder.join("project");
    fresh(&project)?;
    std::fs::write(project.join("package.json"), "{ \"private\": true }\n")?;
    process::run(
        npm(&project)
            .args(["install", "--offline", "--ignore-scripts"])
            .args(packages),
    )?;
    let tests = project.join("test");
    std::fs::create_dir(&tests)?;
    for entry in std::fs::read_dir(root("test"))? {
        let entry = entry?;
        if entry.file_name() != "package.json" {
            std::fs::copy(entry.path(), tests.join(entry.file_name()))?;
        }
    }
    Ok(project)
}

/// Compiles a program against the published types.
fn types(tools: &Path, project: &Path) -> Result<()> {
    process::run(
        process::command("node")
            .arg(tools.join("typescript/bin/tsc"))
            .args([
                "--noEmit",
                "--strict",
                "--target",
                "es2022",
                "--lib",
                "es2022,dom",
            ])
            .args(["--module", "nodenext", "--moduleResolution", "nodenext"])
            .arg("test/types.mts")
            .current_dir(project),
    )
}

/// Runs the sample of the README.
fn sample(project: &Path) -> Result<()> {
    let readme = std::fs::read_to_string(root("README.md"))?;
    let program = readme
        .split_once("```js\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .context("the README has no program")?
        .0;
    std::fs::write(project.join("sample.mjs"), program)?;
    let printed = process::capture(
        process::command("node")
            .arg("sample.mjs")
            .current_dir(project),
    )?;
    let wanted = ["Berlin", "Miso", "Nori", "tokens of a budget of 600"];
    if let Some(wanted) = wanted.iter().find(|wanted| !printed.contains(**wanted)) {
        bail!("the sample of {BINDING}/README.md does not say `{wanted}`:\n{printed}");
    }
    println!("the sample of {BINDING}/README.md runs where only the package is installed");
    Ok(())
}

fn npm(folder: &Path) -> Command {
    let mut npm = process::command("npm");
    npm.current_dir(folder);
    npm.args([
        "--silent",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
    ]);
    npm
}

fn root(path: &str) -> PathBuf {
    process::root().join(BINDING).join(path)
}

fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn version() -> Result<String> {
    let text = std::fs::read_to_string(root("package.json"))?;
    let manifest: serde_json::Value = serde_json::from_str(&text)?;
    let version = manifest.get("version").and_then(serde_json::Value::as_str);
    Ok(version.context("the package has no version")?.to_owned())
}

/// What Node.js calls this machine's processor.
fn cpu() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("x64"),
        "aarch64" => Ok("arm64"),
        other => bail!("there is no package for {other}"),
    }
}

fn platform() -> Result<String> {
    Ok(format!("{}-{}-gnu", std::env::consts::OS, cpu()?))
}

/// What Node's test runner says at its end: `# pass 12`.
#[derive(Debug, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Counts {
    fn see(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let ["#", what, number] = words.as_slice() else {
            return;
        };
        let Ok(number) = number.parse() else { return };
        match *what {
            "pass" => self.passed = number,
            "fail" | "cancelled" => self.failed += number,
            "skipped" | "todo" => self.skipped += number,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_runner_sums_up() {
        let mut counts = Counts::default();
        let text = "TAP version 13\nok 1 - a\n# a test said 5 words\n1..3\n# tests 6\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 0\n# duration_ms 12.5";
        text.lines().for_each(|line| counts.see(line));
        assert_eq!((counts.passed, counts.failed, counts.skipped), (3, 2, 1));
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("no"), None);
    }
}
