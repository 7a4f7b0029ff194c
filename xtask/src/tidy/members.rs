//! The packages of the workspace, as cargo tells them.

use anyhow::{Context, Result};
use serde_json::Value;

/// The members of the workspace.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) packages: Vec<Package>,
}

/// One member.
#[derive(Debug, Default, Clone)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// The folder of its manifest, from the root.
    pub(super) folder: String,
    pub(super) dependencies: Vec<Dependency>,
    /// Without `default`.
    pub(super) features: Vec<String>,
}

/// One entry of a manifest.
#[derive(Debug, Default, Clone)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) dev: bool,
}

impl Members {
    /// Reads what `cargo metadata --no-deps` printed.
    pub(super) fn from_metadata(metadata: &Value) -> Result<Self> {
        let list = |value: &Value, name: &str| -> Vec<Value> {
            let list = value.get(name).and_then(Value::as_array);
            list.cloned().unwrap_or_default()
        };
        let text = |value: &Value, name: &str| -> Result<String> {
            let text = value.get(name).and_then(Value::as_str);
            Ok(text
                .with_context(|| format!("cargo metadata has no `{name}`"))?
                .to_owned())
        };
        let root = text(metadata, "workspace_root")?;
        let mut members = Self::default();
        for package in list(metadata, "packages") {
            let manifest = text(&package, "manifest_path")?;
            let folder = manifest.strip_prefix(&root).unwrap_or(&manifest);
            let folder = folder.trim_end_matches("Cargo.toml").replace('\\', "/");
            let mut dependencies = Vec::new();
            for dependency in list(&package, "dependencies") {
                dependencies.push(Dependency {
                    name: text(&dependency, "name")?,
                    dev: dependency.get("kind").and_then(Value::as_str) == Some("dev"),
                });
            }
            let features = package.get("features").and_then(Value::as_object);
            members.packages.push(Package {
                name: text(&package, "name")?,
                version: text(&package, "version")?,
                folder: folder.trim_matches('/').to_owned(),
                dependencies,
                features: features
                    .into_iter()
                    .flat_map(|map| map.keys())
                    .filter(|name| *name != "default")
                    .cloned()
                    .collect(),
            });
        }
        Ok(members)
    }
}

impl Package {
    /// The path of its manifest, from the root.
    pub(super) fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_cargo_prints() {
        let metadata = serde_json::json!({
            "workspace_root": "/r",
            "packages": [{
                "name": "a", "version": "0.1.0", "manifest_path": "/r/crates/a/Cargo.toml",
                "features": { "default": [], "x": [] },
                "dependencies": [
                    { "name": "b", "kind": null }, { "name": "c", "kind": "dev" },
                    { "name": "d", "kind": "build" },
                ],
            }],
        });
        let members = Members::from_metadata(&metadata).unwrap();
        let a = &members.packages[0];
        assert_eq!(
            (a.manifest().as_str(), a.features.as_slice()),
            ("crates/a/Cargo.toml", &["x".to_owned()][..])
        );
        let dev: Vec<bool> = a
            .dependencies
            .iter()
            .map(|dependency| dependency.dev)
            .collect();
        assert_eq!(dev, [false, true, false]);
    }
}
