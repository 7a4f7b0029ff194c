//! The embedding model that the environment names.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use aura_core::{Embedder, Result};

/// The variable that names the folder of an embedding model.
pub const MODEL_VARIABLE: &str = "AURA_EMBED_MODEL_DIR";

/// The embedding model in the folder that `AURA_EMBED_MODEL_DIR` names; `None` where it is unset or empty.
///
/// # Errors
/// `Invalid` naming `AURA_EMBED_MODEL_DIR`, when this build has no feature `fastembed`; those of loading the model.
///
/// ```no_run
/// use aura::{EngineOptions, OpenOptions};
///
/// # fn main() -> aura::Result<()> {
/// let embedder = aura::embedder_from_environment()?;
/// let options = OpenOptions { engine: EngineOptions { embedder, ..EngineOptions::default() }, ..OpenOptions::default() };
/// let engine = aura::open_with("agent.db", options)?;
/// # engine.close()
/// # }
/// ```
pub fn embedder_from_environment() -> Result<Option<Arc<dyn Embedder>>> {
    from(std::env::var_os(MODEL_VARIABLE))
}

fn from(folder: Option<OsString>) -> Result<Option<Arc<dyn Embedder>>> {
    match folder.filter(|folder| !folder.is_empty()) {
        Some(folder) => embedder_from_folder(Path::new(&folder)).map(Some),
        None => Ok(None),
    }
}

/// The embedding model in a folder, as `cargo xtask fetch-model` and sentence-transformers lay it out.
///
/// # Errors
/// `Invalid` naming `AURA_EMBED_MODEL_DIR`, when this build has no feature `fastembed`; those of loading the model.
pub fn embedder_from_folder(folder: &Path) -> Result<Arc<dyn Embedder>> {
    load(folder)
}

#[cfg(feature = "fastembed")]
fn load(folder: &Path) -> Result<Arc<dyn Embedder>> {
    let options = aura_retrieval::FastembedOptions::new(folder);
    Ok(Arc::new(aura_retrieval::Fastembed::load(&options)?))
}

#[cfg(not(feature = "fastembed"))]
fn load(_folder: &Path) -> Result<Arc<dyn Embedder>> {
    Err(aura_core::Error::invalid_field(
        "environment",
        MODEL_VARIABLE,
        "names a model, and this build has no feature `fastembed` to load it",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_is_no_embedder_and_a_wrong_one_is_an_error() {
        assert!(from(None).unwrap().is_none());
        assert!(from(Some(OsString::new())).unwrap().is_none());
        let error = from(Some("no-such-folder-7c1f".into())).err().unwrap();
        let expected = if cfg!(feature = "fastembed") {
            "folder"
        } else {
            MODEL_VARIABLE
        };
        assert_eq!(error.field(), Some(expected));
    }
}
