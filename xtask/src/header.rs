//! The C header, made from the text of `crates/aura-ffi` by cbindgen.

pub(crate) mod baseline;

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process;

/// Where the committed header stands.
pub(crate) fn path() -> PathBuf {
    process::root().join("include/aura.h")
}

/// The text of the header as the sources have it now.
pub(crate) fn generate() -> Result<String> {
    let source = process::root().join("crates/aura-ffi");
    let settings = source.join("cbindgen.toml");
    let config = cbindgen::Config::from_file(&settings)
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("cannot read {}", settings.display()))?;
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_crate(&source)
        .generate()
        .context("cbindgen cannot read crates/aura-ffi")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    fill_in(&String::from_utf8(text)?, env!("CARGO_PKG_VERSION"))
}

/// Puts the version, which all members of the workspace share, where the settings ask for it.
fn fill_in(text: &str, version: &str) -> Result<String> {
    let numbers = version.split(['-', '+']).next().unwrap_or_default();
    let mut parts = numbers.split('.');
    let mut text = text.replace("@VERSION@", version);
    for name in ["MAJOR", "MINOR", "PATCH"] {
        let part = parts
            .next()
            .with_context(|| format!("{version} has no {name}"))?;
        text = text.replace(&format!("@VERSION_{name}@"), part);
    }
    Ok(text)
}

/// `cargo xtask gen`: writes the header, and the copy that the Go module carries.
pub(crate) fn write() -> Result<()> {
    let text = generate()?;
    let copy = process::root().join("bindings/go/include/aura.h");
    for path in [path(), copy] {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("wrote include/aura.h and its copy in bindings/go");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_filled_in() {
        let text = "@VERSION@ @VERSION_MAJOR@ @VERSION_MINOR@ @VERSION_PATCH@";
        assert_eq!(fill_in(text, "1.2.3-rc.4").unwrap(), "1.2.3-rc.4 1 2 3");
        assert!(fill_in(text, "1.2").is_err());
    }
}
