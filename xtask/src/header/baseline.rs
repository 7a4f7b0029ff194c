//! The baseline of the C interface: what programs and bindings rely on, one entry an item.
//!
//! `include/aura.abi.json` holds the interface as of the last release. What differs from it must be named under
//! "Unreleased" in the changelog, so that nobody is surprised.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use regex::Regex;

use crate::{header, process};

/// Items by name: a prototype, the fields of a struct, or the value of a constant.
type Items = BTreeMap<String, String>;

fn path() -> PathBuf {
    process::root().join("include/aura.abi.json")
}

/// `cargo xtask gen --baseline`: takes the interface as it is for the baseline, at a release.
pub(crate) fn write() -> Result<()> {
    let items = items(&header::generate()?)?;
    let text = serde_json::to_string_pretty(&items)? + "\n";
    std::fs::write(path(), text).context("cannot write include/aura.abi.json")?;
    println!("wrote include/aura.abi.json");
    Ok(())
}

/// The names of all functions of the committed header.
pub(crate) fn functions() -> Result<Vec<String>> {
    let items = items(&std::fs::read_to_string(header::path())?)?;
    let functions = items.into_iter().filter(|(_, what)| what.contains('('));
    Ok(functions.map(|(name, _)| name).collect())
}

/// Whether everything that differs from the baseline is named in the changelog.
pub(crate) fn check(header: &str) -> Result<bool> {
    let baseline = std::fs::read_to_string(path()).context("cannot read include/aura.abi.json")?;
    let baseline: Items = serde_json::from_str(&baseline).context("include/aura.abi.json")?;
    let changelog = std::fs::read_to_string(process::root().join("CHANGELOG.md"))?;
    let now = items(header)?;
    let silent = silent(&baseline, &now, unreleased(&changelog));
    for (name, what) in &silent {
        println!(
            "{name} was {what} since the last release: say so under Unreleased in CHANGELOG.md"
        );
    }
    Ok(silent.is_empty())
}

/// The items of a header, each on one line with single spaces.
fn items(header: &str) -> Result<Items> {
    let comment = Regex::new(r"(?s)/\*.*?\*/|//[^\n]*")?;
    let text = comment.replace_all(header, "");
    let function = Regex::new(r"AURA_API\s+([\w\s*]*?\b(aura_\w+)\([^)]*\));")?;
    let structure = Regex::new(r"typedef struct (aura_\w+) \{([^}]*)\}")?;
    let opaque = Regex::new(r"typedef struct (aura_\w+) aura_\w+;")?;
    let constant = Regex::new(r"(?m)^\s*(AURA_\w+) = (-?\d+),$|^#define (AURA_ABI_\w+) (\d+)$")?;
    let mut items = Items::new();
    let mut put = |name: Option<regex::Match<'_>>, what: Option<regex::Match<'_>>| {
        let what = what.map_or("", |what| what.as_str());
        let line = what.split_whitespace().collect::<Vec<_>>().join(" ");
        items.extend(name.map(|name| (name.as_str().to_owned(), line)));
    };
    for found in function.captures_iter(&text) {
        put(found.get(2), found.get(1));
    }
    for found in structure.captures_iter(&text) {
        put(found.get(1), found.get(2));
    }
    for found in opaque.captures_iter(&text) {
        put(found.get(1), None);
    }
    for found in constant.captures_iter(&text) {
        put(found.get(1).or(found.get(3)), found.get(2).or(found.get(4)));
    }
    Ok(items)
}

/// The section of the changelog about what is not released yet.
fn unreleased(changelog: &str) -> &str {
    let rest = changelog
        .split_once("\n## [Unreleased]")
        .map_or("", |(_, rest)| rest);
    rest.split("\n## ").next().unwrap_or_default()
}

/// What differs and is not named.
fn silent<'a>(
    baseline: &'a Items,
    now: &'a Items,
    changelog: &str,
) -> Vec<(&'a str, &'static str)> {
    let gone = baseline.keys().filter(|name| !now.contains_key(*name));
    let mut found: Vec<_> = gone.map(|name| (name.as_str(), "taken away")).collect();
    for (name, what) in now {
        match baseline.get(name) {
            None => found.push((name, "added")),
            Some(before) if before != what => found.push((name, "changed")),
            Some(_) => {}
        }
    }
    let words: Vec<&str> = changelog
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    found.retain(|(name, _)| !words.contains(name));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
        #define AURA_ABI_VERSION 1\n\
        enum aura_status {\n  /** Good. */\n  AURA_STATUS_OK = 0,\n};\n\
        typedef struct aura_engine aura_engine;\n\
        typedef struct aura_str {\n  const char *ptr;\n  size_t len;\n} aura_str;\n\
        AURA_API\naura_status aura_engine_flush(const struct aura_engine *engine,\n    uint64_t timeout_ms);\n\
        AURA_API void aura_engine_free(struct aura_engine *engine);\n";

    #[test]
    fn every_kind_of_item_is_found() {
        let items = items(HEADER).unwrap();
        let found: Vec<(&str, &str)> = items
            .iter()
            .map(|(name, what)| (name.as_str(), what.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("AURA_ABI_VERSION", "1"),
                ("AURA_STATUS_OK", "0"),
                ("aura_engine", ""),
                (
                    "aura_engine_flush",
                    "aura_status aura_engine_flush(const struct aura_engine *engine, uint64_t timeout_ms)"
                ),
                (
                    "aura_engine_free",
                    "void aura_engine_free(struct aura_engine *engine)"
                ),
                ("aura_str", "const char *ptr; size_t len;"),
            ]
        );
    }

    #[test]
    fn a_change_must_be_named() {
        let baseline = items(HEADER).unwrap();
        let now = HEADER
            .replace("uint64_t timeout_ms", "uint32_t timeout_ms")
            .replace("void aura_engine_free", "void aura_engine_drop")
            .replace("AURA_STATUS_OK = 0", "AURA_STATUS_OK = 1");
        let now = items(&now).unwrap();
        let names = |changelog: &str| -> Vec<&str> {
            let found = silent(&baseline, &now, unreleased(changelog));
            found.into_iter().map(|(name, _)| name).collect()
        };
        let all = [
            "aura_engine_free",
            "AURA_STATUS_OK",
            "aura_engine_drop",
            "aura_engine_flush",
        ];
        assert_eq!(names("\n## [Unreleased]\n"), all);
        let changelog = "\n## [Unreleased]\n- `aura_engine_drop` takes the place of \
            `aura_engine_free`.\n\n## [0.1.0]\n- AURA_STATUS_OK\n";
        assert_eq!(names(changelog), ["AURA_STATUS_OK", "aura_engine_flush"]);
    }
}
