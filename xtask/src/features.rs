//! The facade must build with no feature and with each alone: features only ever add.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

const FACADE: &str = "aura";

/// Runs clippy over the facade and what it stands on, without features and then with one at a time.
pub(crate) fn run() -> Result<()> {
    let names = of_facade(&process::metadata()?)?;
    let single = names.iter().map(|name| vec!["--features", name]);
    for arguments in std::iter::once(Vec::new()).chain(single) {
        process::run(
            process::cargo()
                .args(["clippy", "--package", FACADE, "--no-default-features"])
                .args(arguments)
                .args(["--", "-D", "warnings"]),
        )?;
    }
    Ok(())
}

/// The facade's features, `default` apart.
fn of_facade(metadata: &Value) -> Result<Vec<String>> {
    let packages = metadata.get("packages").and_then(Value::as_array);
    let facade = packages
        .into_iter()
        .flatten()
        .find(|package| package.get("name").and_then(Value::as_str) == Some(FACADE));
    let features = facade.and_then(|facade| facade.get("features")?.as_object());
    let features = features.with_context(|| format!("no package `{FACADE}` in the workspace"))?;
    let names = features.keys().filter(|name| *name != "default");
    Ok(names.cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_feature_but_the_default() {
        let metadata = serde_json::json!({ "packages": [
            { "name": "other", "features": { "x": [] } },
            { "name": "aura", "features": { "default": ["a"], "a": [], "b": [] } },
        ]});
        assert_eq!(of_facade(&metadata).unwrap(), ["a", "b"]);
        assert!(of_facade(&serde_json::json!({ "packages": [] })).is_err());
    }
}
