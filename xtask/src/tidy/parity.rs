//! Every function of the C interface is bound in every language, or `bindings/parity.toml` says why not.

use std::collections::{BTreeMap, BTreeSet};

use super::Problem;
use super::tree::Tree;

const RULE: &str = "parity";

const TABLE: &str = "bindings/parity.toml";

const HEADER: &str = "include/aura.h";

/// The language whose programs call the interface as it is.
const OWN: &str = "c";

/// The language that stands on the facade instead of the interface.
const BY_FACADE: &str = "python";

/// Endings of the sources that call the interface.
const SOURCES: [&str; 3] = ["c", "go", "h"];

/// Compares the table with the header and with what the bindings' sources call.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let functions = functions(tree.text(HEADER));
    let languages = languages(tree);
    if languages.is_empty() {
        return Vec::new();
    }
    let table: toml::Table = match tree.text(TABLE).parse() {
        Ok(table) => table,
        Err(error) => return vec![Problem::new(TABLE, 1, RULE, error.to_string())],
    };
    let calls: BTreeMap<&str, String> = languages
        .iter()
        .map(|language| (*language, sources(tree, language)))
        .collect();
    let mut found = Vec::new();
    let mut report = |name: &str, what: String| {
        let line = tree
            .text(TABLE)
            .lines()
            .position(|line| line.starts_with(name));
        found.push(Problem::new(
            TABLE,
            line.map_or(1, |line| line + 1),
            RULE,
            what,
        ));
    };
    for name in table
        .keys()
        .filter(|name| !functions.contains(name.as_str()))
    {
        report(name, format!("`{name}` is not in the header: delete it"));
    }
    for name in &functions {
        let Some(row) = table.get(*name).and_then(toml::Value::as_table) else {
            let wanted = languages.iter().copied().collect::<Vec<_>>().join(", ");
            report(
                name,
                format!(
                    "`{name}` is missing: say for {wanted} whether it is bound (true) or why not"
                ),
            );
            continue;
        };
        for language in &languages {
            let is_called = calls.get(language).is_some_and(|text| names(text, name));
            if let Some(what) = fault(name, language, row.get(*language), is_called) {
                report(name, what);
            }
        }
    }
    found
}

fn fault(
    name: &str,
    language: &str,
    value: Option<&toml::Value>,
    is_called: bool,
) -> Option<String> {
    match value {
        Some(toml::Value::Boolean(true)) if is_called || language == BY_FACADE => None,
        Some(toml::Value::Boolean(true)) => Some(format!(
            "`{name}` is said to be bound in {language}, but nothing there calls it"
        )),
        Some(toml::Value::String(_)) if is_called => Some(format!(
            "{language} calls `{name}`: write `{language} = true`"
        )),
        Some(toml::Value::String(reason)) if reason.len() >= 10 => None,
        _ => Some(format!(
            "say whether {language} binds `{name}` (true), or in a text why not"
        )),
    }
}

/// Whether a text names a function, and not only one whose name begins alike.
fn names(text: &str, function: &str) -> bool {
    text.match_indices(function).any(|(at, _)| {
        let next = text
            .get(at + function.len()..)
            .and_then(|rest| rest.chars().next());
        next.is_none_or(|next| !next.is_ascii_alphanumeric() && next != '_')
    })
}

/// The functions of the header.
fn functions(header: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for declaration in header.split("AURA_API").skip(1) {
        let head = declaration.split('(').next().unwrap_or_default();
        let name = head.rsplit([' ', '*', '\n']).next().unwrap_or_default();
        if name.starts_with("aura_") {
            found.insert(name);
        }
    }
    found
}

/// The bindings, by their folders.
fn languages(tree: &Tree) -> BTreeSet<&str> {
    let folders = tree.files.iter().filter_map(|file| {
        let (language, _) = file.path.strip_prefix("bindings/")?.split_once('/')?;
        Some(language)
    });
    folders.filter(|language| *language != OWN).collect()
}

/// All that a binding's sources say, their tests apart.
fn sources(tree: &Tree, language: &str) -> String {
    let folder = format!("bindings/{language}/");
    let files = tree.files.iter().filter(|file| {
        file.path.starts_with(&folder)
            && SOURCES.contains(&file.extension())
            && !file.is_test()
            && !file.path.ends_with("_test.go")
            && file.name() != "aura.h"
    });
    files.map(|file| file.text.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER_TEXT: &str = "AURA_API const char *aura_version(void);\n/** Doc. */\nAURA_API\naura_status aura_go(const struct aura_engine *engine,\n    int a);\n";

    fn problems(table: &str, addon: &str) -> Vec<String> {
        let tree = Tree::of(&[
            (HEADER, HEADER_TEXT),
            (TABLE, table),
            ("bindings/c/README.md", ""),
            ("bindings/node/native/a.c", addon),
            ("bindings/python/src/lib.rs", ""),
        ]);
        check(&tree)
            .into_iter()
            .map(|problem| problem.what)
            .collect()
    }

    #[test]
    fn the_functions_are_read() {
        let names: Vec<&str> = functions(HEADER_TEXT).into_iter().collect();
        assert_eq!(names, ["aura_go", "aura_version"]);
    }

    #[test]
    fn the_table_agrees() {
        let table = "aura_version = { node = true, python = \"the crate knows it\" }\n\
                     aura_go = { node = \"nobody needs it\", python = true }\n";
        assert_eq!(problems(table, "aura_version()"), [""; 0]);
    }

    #[test]
    fn breaches_are_found() {
        let found = problems(
            "aura_old = { node = true }\naura_go = { node = true }\n",
            "aura_version()",
        );
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].contains("`aura_old` is not in the header"));
        assert!(found[1].contains("nothing there calls it"));
        assert!(found[2].contains("say whether python binds `aura_go`"));
        assert!(found[3].contains("`aura_version` is missing"));
        let silent = "aura_version = { node = \"too short\", python = \"the crate knows it\" }\naura_go = { node = \"nobody needs it\", python = true }\n";
        assert_eq!(problems(silent, "").len(), 1);
        assert!(
            problems(
                &silent.replace("too short", "for a reason"),
                "aura_version()"
            )[0]
            .contains("write `node = true`")
        );
    }
}
