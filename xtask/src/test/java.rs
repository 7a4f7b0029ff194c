//! The Java binding: the native part is linked, the jar built and tested under `-Xcheck:jni`, and used by an outsider.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::dist::archive;
use crate::tally::Tally;
use crate::{process, tools};

const BINDING: &str = "bindings/java";

/// The first version of Java that is supported.
const OLDEST: u32 = 17;

/// Why the tests cannot run here; none when they can.
pub(super) fn missing() -> Option<String> {
    let version = process::command("javac").arg("-version").output().ok();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if version
        .as_deref()
        .and_then(major)
        .is_none_or(|major| major < OLDEST)
        || headers().is_none()
    {
        return Some(format!(
            "it needs a JDK of version {OLDEST} or later (Debian: openjdk-{OLDEST}-jdk-headless)"
        ));
    }
    if !tools::is_there("mvn") {
        return Some("it needs mvn (Debian: maven)".to_owned());
    }
    archive::missing()
}

fn major(version: &str) -> Option<u32> {
    version
        .trim()
        .strip_prefix("javac ")?
        .split(['.', '-'])
        .next()?
        .parse()
        .ok()
}

/// The folder of `jni.h`.
fn headers() -> Option<PathBuf> {
    let compiler = std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join("javac"))
        .find(|file| file.is_file())?;
    let home = compiler
        .canonicalize()
        .ok()?
        .parent()?
        .parent()?
        .to_path_buf();
    let folder = home.join("include");
    folder.join("jni.h").is_file().then_some(folder)
}

/// Builds the jar and runs its tests.
///
/// # Errors
/// A jar that cannot be built. A test that fails is only counted.
pub(super) fn run(tally: &mut Tally) -> Result<()> {
    let folder = process::target_dir()?.join("xtask").join("java");
    link(&folder)?;
    let reports = folder.join("surefire-reports");
    if reports.exists() {
        std::fs::remove_dir_all(reports)?;
    }
    let mut counts = Counts::default();
    let status = process::tee(
        process::command("mvn")
            .args(["--batch-mode", "--no-transfer-progress", "--file"])
            .arg(process::root().join(BINDING).join("pom.xml"))
            .arg(format!("-Daura.target={}", folder.display()))
            .arg("package"),
        |line| counts.see(line),
    )?;
    reported(&folder, &mut counts)?;
    if counts.warnings > 0 {
        println!(
            "== {} WARNINGS OF -Xcheck:jni, see above ==",
            counts.warnings
        );
    }
    tally.add_run(
        status,
        counts.passed,
        counts.failed + counts.warnings,
        counts.skipped,
    );
    if status.success() {
        outsider(&folder)?;
        tally.add(1, 0, 0);
    }
    Ok(())
}

/// What the virtual machine printed past the runner's own channel lies in files of its own.
fn reported(folder: &Path, counts: &mut Counts) -> Result<()> {
    let reports = folder.join("surefire-reports");
    if !reports.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(reports)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "dumpstream") {
            let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
            text.lines().for_each(|line| counts.see_warning(line));
        }
    }
    Ok(())
}

/// Compiles the shim, links the engine into it, and puts it where the jar takes it from.
fn link(folder: &Path) -> Result<()> {
    let headers = headers().context("no jni.h")?;
    let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    let home = folder
        .join("native")
        .join("META-INF")
        .join("native")
        .join(platform);
    std::fs::create_dir_all(&home)?;
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(process::root().join(BINDING).join("native"))? {
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
            .arg(&headers)
            .arg("-I")
            .arg(headers.join(std::env::consts::OS))
            .arg("-I")
            .arg(process::root().join("include"))
            .args(sources)
            .arg(archive::make()?)
            .args(archive::LINKED)
            .args([
                "-static-libgcc",
                "-Wl,--gc-sections",
                "-Wl,-s",
                "-Wl,--no-undefined",
                "-o",
            ])
            .arg(home.join("libaurajni.so")),
    )
}

/// Compiles and runs the sample of the README where there is only the jar.
fn outsider(folder: &Path) -> Result<()> {
    let project = folder.join("project");
    if project.exists() {
        std::fs::remove_dir_all(&project)?;
    }
    std::fs::create_dir_all(&project)?;
    let jar = jar(folder)?;
    std::fs::copy(&jar, project.join("libaura.jar"))?;
    let readme = std::fs::read_to_string(process::root().join(BINDING).join("README.md"))?;
    let program = readme
        .split_once("```java\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .context("the README has no program")?
        .0;
    std::fs::write(project.join("Sample.java"), program)?;
    let inside = |program: &str, arguments: &[&str]| -> Command {
        let mut command = process::command(program);
        command.args(arguments).current_dir(&project);
        command
    };
    process::run(&mut inside("javac", &["-cp", "libaura.jar", "Sample.java"]))?;
    let printed = process::capture(&mut inside("java", &["-cp", "libaura.jar:.", "Sample"]))?;
    let wanted = ["Berlin", "Miso", "Nori", "tokens of a budget of 600"];
    if let Some(wanted) = wanted.iter().find(|wanted| !printed.contains(**wanted)) {
        bail!("the sample of {BINDING}/README.md does not say `{wanted}`:\n{printed}");
    }
    println!("the sample of {BINDING}/README.md runs where there is only the jar");
    Ok(())
}

fn jar(folder: &Path) -> Result<PathBuf> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "jar") {
            return Ok(path);
        }
    }
    bail!("maven built no jar")
}

/// What Maven and the virtual machine say.
#[derive(Debug, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
    warnings: u64,
}

impl Counts {
    fn see_warning(&mut self, line: &str) {
        if line.contains("WARNING in native method")
            || line.contains("FATAL ERROR in native method")
        {
            self.warnings += 1;
        }
    }

    fn see(&mut self, line: &str) {
        if line.contains("WARNING in native method")
            || line.contains("FATAL ERROR in native method")
        {
            self.warnings += 1;
        }
        // The sum over all classes is the one line that names none.
        let Some((_, counts)) = line.split_once("Tests run: ") else {
            return;
        };
        if counts.contains("Time elapsed") {
            return;
        }
        let numbers: Vec<u64> = counts
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect();
        if let [ran, failures, errors, skipped] = numbers.as_slice() {
            self.failed = failures + errors;
            self.skipped = *skipped;
            self.passed = ran.saturating_sub(self.failed + skipped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_maven_sums_up() {
        let mut counts = Counts::default();
        let text = "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1.2 s -- in X\n\
                    WARNING in native method: JNI call made without checking exceptions\n\
                    [ERROR] Tests run: 9, Failures: 1, Errors: 1, Skipped: 1";
        text.lines().for_each(|line| counts.see(line));
        assert_eq!(
            (
                counts.passed,
                counts.failed,
                counts.skipped,
                counts.warnings
            ),
            (6, 2, 1, 1)
        );
        assert_eq!(major("javac 17.0.15\n"), Some(17));
        assert_eq!(major("javac 25-ea\n"), Some(25));
    }
}
