//! Finding and loading ONNX Runtime, a library that is no part of this build.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use aura_core::{Error, ErrorKind, Result};
use ort::environment::Environment;

/// Where the library is, by the custom of its Rust binding.
const VARIABLE: &str = "ORT_DYLIB_PATH";

#[cfg(windows)]
const SYSTEM: &str = "onnxruntime.dll";
#[cfg(target_vendor = "apple")]
const SYSTEM: &str = "libonnxruntime.dylib";
#[cfg(not(any(windows, target_vendor = "apple")))]
const SYSTEM: &str = "libonnxruntime.so";

/// A process can have one; it is never taken down, since the library cannot do that while the process ends.
static ENVIRONMENT: OnceLock<Option<Environment>> = OnceLock::new();

/// Loads the library unless that was done before; `None` where somebody else in this process set it up.
///
/// # Errors
/// `NotFound` naming `library`, when there is none or it is older than 1.24.
pub(super) fn environment(library: Option<&Path>, folder: &Path) -> Result<Option<Environment>> {
    if let Some(environment) = ENVIRONMENT.get() {
        return Ok(environment.clone());
    }
    let library = library.map_or_else(|| locate(folder), Path::to_path_buf);
    // Anything else of this crate would panic where the library is absent or too old.
    let builder = ort::init_from(&library).map_err(|error| {
        Error::new(
            ErrorKind::NotFound,
            "library: ONNX Runtime 1.24 or newer was not found; name its file, or set ORT_DYLIB_PATH",
        )
        .with_field("library")
        .with("path", library.display())
        .caused_by(error)
    })?;
    let environment = ENVIRONMENT.get_or_init(|| builder.with_telemetry(false).build().ok());
    Ok(environment.clone())
}

fn locate(folder: &Path) -> PathBuf {
    if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return path.into();
    }
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = SYSTEM.split('.').next().unwrap_or(SYSTEM);
        let kind = SYSTEM.rsplit('.').next().unwrap_or(SYSTEM);
        name.split('.').next() == Some(stem) && name.split('.').any(|part| part == kind)
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut found: Vec<PathBuf> = paths.filter(is_library).collect();
    found.sort();
    found.pop().unwrap_or_else(|| PathBuf::from(SYSTEM))
}
