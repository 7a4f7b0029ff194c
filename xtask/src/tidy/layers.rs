//! Which crate may know which: `xtask/layers.toml` against the manifests.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use super::Problem;
use super::members::{Dependency, Members, Package};

const RULE: &str = "layers";

/// What `xtask/layers.toml` says.
#[derive(Debug, Default)]
pub(super) struct Layers {
    levels: BTreeMap<String, i64>,
    dev: BTreeSet<String>,
    never: BTreeMap<String, BTreeSet<String>>,
    outside: BTreeMap<String, BTreeSet<String>>,
}

impl Layers {
    pub(super) fn from_toml(text: &str) -> Result<Self> {
        let table: toml::Table = text.parse().context("xtask/layers.toml")?;
        let section = |name: &str| {
            let section = table.get(name).and_then(toml::Value::as_table);
            section.cloned().unwrap_or_default()
        };
        let names = |value: &toml::Value| -> BTreeSet<String> {
            let names = value.as_array().into_iter().flatten();
            names
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect()
        };
        let lists = |name: &str| -> BTreeMap<String, BTreeSet<String>> {
            let entries = section(name).into_iter();
            entries.map(|(name, value)| (name, names(&value))).collect()
        };
        let mut levels = BTreeMap::new();
        for (name, value) in section("levels") {
            let level = value.as_integer();
            let level = level.with_context(|| format!("xtask/layers.toml: levels.{name}"))?;
            levels.insert(name, level);
        }
        Ok(Self {
            levels,
            dev: lists("dev").remove("packages").unwrap_or_default(),
            never: lists("never"),
            outside: lists("outside"),
        })
    }

    /// Whether a crate of this name is part of the design.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.levels.contains_key(name) || self.dev.contains(name)
    }

    /// Compares every manifest with this table.
    pub(super) fn check(&self, members: &Members) -> Vec<Problem> {
        let mut found = Vec::new();
        for package in &members.packages {
            if !self.knows(&package.name) {
                let what = format!(
                    "`{}` has no level: enter it in xtask/layers.toml",
                    package.name
                );
                found.push(Problem::new(&package.manifest(), 1, RULE, what));
            }
            for dependency in &package.dependencies {
                if let Some(what) = self.fault(package, dependency) {
                    found.push(Problem::new(&package.manifest(), 1, RULE, what));
                }
            }
        }
        found
    }

    fn fault(&self, package: &Package, dependency: &Dependency) -> Option<String> {
        let (from, to) = (&package.name, &dependency.name);
        if let Some(allowed) = self.outside.get(to) {
            return (!allowed.contains(from)).then(|| {
                format!("`{to}` may be used only by {allowed:?}: go through that crate's interface")
            });
        }
        if dependency.dev || self.dev.contains(from) {
            return None;
        }
        if self.dev.contains(to) {
            return Some(format!(
                "shipped `{from}` uses `{to}`, which is never shipped: make it a dev-dependency"
            ));
        }
        if self.never.get(from).is_some_and(|never| never.contains(to)) {
            return Some(format!(
                "`{from}` must not know `{to}`: use a trait of aura-core"
            ));
        }
        let (own, other) = (self.levels.get(from)?, self.levels.get(to)?);
        (other >= own).then(|| {
            format!("`{from}` (level {own}) looks at `{to}` (level {other}): only lower levels are allowed, so move the shared part down")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "
        [levels]
        core = 0
        left = 2
        right = 2
        engine = 4
        [dev]
        packages = ['kit']
        [never]
        engine = ['left']
        [outside]
        rusqlite = ['left']
    ";

    fn found(from: &str, to: &str, dev: bool) -> Vec<Problem> {
        let members = Members {
            packages: vec![Package {
                name: from.to_owned(),
                folder: format!("crates/{from}"),
                dependencies: vec![Dependency {
                    name: to.to_owned(),
                    dev,
                }],
                ..Package::default()
            }],
        };
        Layers::from_toml(TABLE).unwrap().check(&members)
    }

    #[test]
    fn down_is_allowed_up_and_sideways_are_not() {
        assert_eq!(found("left", "core", false), []);
        assert_eq!(found("left", "serde", false), []);
        assert_eq!(found("core", "left", false).len(), 1);
        assert_eq!(found("left", "right", false).len(), 1);
        assert_eq!(found("left", "right", true), []);
    }

    #[test]
    fn dev_packages_see_all_and_are_seen_by_tests_only() {
        assert_eq!(found("kit", "engine", false), []);
        assert_eq!(found("left", "kit", true), []);
        assert_eq!(found("left", "kit", false).len(), 1);
    }

    #[test]
    fn what_must_not_be_known_is_not() {
        assert_eq!(found("engine", "right", false), []);
        assert_eq!(found("engine", "left", false).len(), 1);
    }

    #[test]
    fn outside_crates_stay_where_they_belong() {
        assert_eq!(found("left", "rusqlite", false), []);
        assert_eq!(found("right", "rusqlite", false).len(), 1);
        assert_eq!(found("right", "rusqlite", true).len(), 1);
    }

    #[test]
    fn a_crate_without_a_level_is_reported() {
        assert_eq!(found("stranger", "serde", false).len(), 1);
    }
}
