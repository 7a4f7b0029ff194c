//! How a Rust file begins, and what a `lib.rs` holds.

use super::Problem;
use super::rust::{Kind, Scan};
use super::tree::{File, Tree};

/// Files begin with their documentation; `lib.rs` holds documentation, modules and re-exports.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for (file, scan) in tree.rust() {
        if let Some(fault) = &scan.fault {
            found.push(Problem::new(
                &file.path,
                1,
                "rust",
                format!("cannot be read: {fault}"),
            ));
        }
    }
    for (file, scan) in tree.shipped() {
        found.extend(documentation(file));
        found.extend(library(file, scan));
    }
    found
}

fn documentation(file: &File) -> Option<Problem> {
    let what = "begin the file with `//!` and one sentence that says what it holds";
    (!file.text.starts_with("//!")).then(|| Problem::new(&file.path, 1, "module-doc", what))
}

fn library(file: &File, scan: &Scan) -> Option<Problem> {
    if !file.path.ends_with("/src/lib.rs") {
        return None;
    }
    let item = scan.code().find(|token| {
        matches!(&token.kind, Kind::Word(word)
            if matches!(word.as_str(), "fn" | "struct" | "enum" | "union" | "trait" | "impl"))
    })?;
    let what =
        "lib.rs holds docs, modules and re-exports only: move this item to a file of its own";
    Some(Problem::new(&file.path, item.line, "lib", what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<&'static str> {
        let found = check(&Tree::of(&[(path, text)]));
        found.iter().map(|problem| problem.rule).collect()
    }

    #[test]
    fn documentation_comes_first() {
        assert_eq!(rules("crates/a/src/x.rs", "use b;\n"), ["module-doc"]);
        assert_eq!(
            rules("crates/a/src/x.rs", "//! Holds x.\nuse b;\n"),
            [""; 0]
        );
        assert_eq!(rules("crates/a/src/x/tests.rs", "use b;\n"), [""; 0]);
    }

    #[test]
    fn a_library_file_holds_no_items() {
        assert_eq!(
            rules("crates/a/src/lib.rs", "//! A.\nmod x;\npub use x::Y;\n"),
            [""; 0]
        );
        assert_eq!(
            rules("crates/a/src/lib.rs", "//! A.\npub fn f() {}\n"),
            ["lib"]
        );
    }

    #[test]
    fn what_is_no_rust_is_reported() {
        assert_eq!(rules("tests/tests/x.rs", "fn a( {"), ["rust"]);
    }
}
