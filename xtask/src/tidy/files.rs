//! Which files belong in the repository, and their white space.

pub(super) mod folders;

use super::Problem;
use super::tree::{File, Tree};

/// Entries of the root that begin with a dot.
const DOTFILES: [&str; 5] = [".cargo", ".ci", ".gitattributes", ".github", ".gitignore"];

/// Endings of files, with what they hold known to everybody.
const KINDS: &[&str] = &[
    "bin", "c", "cjs", "cmake", "cpp", "csv", "db", "go", "gz", "h", "hpp", "in", "java", "json",
    "jsonl", "lock", "md", "mjs", "mod", "mts", "py", "pyi", "rs", "sh", "sql", "svg", "toml",
    "ts", "txt", "typed", "xml", "yml",
];

/// Endings of files whose white space a person looks after.
const WRITTEN: &[&str] = &[
    "c", "cjs", "cmake", "cpp", "go", "h", "hpp", "in", "java", "md", "mjs", "mod", "mts", "py",
    "pyi", "rs", "sh", "sql", "toml", "ts", "xml", "yml",
];

/// Names without an ending that tells.
const NAMES: [&str; 4] = ["LICENSE", ".gitattributes", ".gitignore", "run"];

/// Known kinds of files only, few dotfiles, no stray white space.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let files = tree.files.iter();
    files
        .flat_map(|file| [dotfile(file), kind(file), white_space(file)])
        .flatten()
        .collect()
}

fn dotfile(file: &File) -> Option<Problem> {
    let root = file.path.split('/').next().unwrap_or_default();
    let known = !root.starts_with('.') || DOTFILES.contains(&root);
    let what =
        "dotfiles in the root are few: put the setting where it is read, or allow it in tidy";
    (!known).then(|| Problem::new(&file.path, 1, "dotfile", what))
}

fn kind(file: &File) -> Option<Problem> {
    // What proptest found stays with the test that found it.
    let known = KINDS.contains(&file.extension())
        || NAMES.contains(&file.name())
        || file.name().ends_with(".proptest-regressions");
    let what = "unknown kind of file: it was committed by mistake, or tidy must learn the kind";
    (!known).then(|| Problem::new(&file.path, 1, "file-kind", what))
}

fn white_space(file: &File) -> Option<Problem> {
    let written = WRITTEN.contains(&file.extension()) || NAMES.contains(&file.name());
    if !written || file.text.is_empty() {
        return None;
    }
    let is_stray = |line: &&str| line.ends_with([' ', '\t', '\r']);
    if let Some(number) = file.text.split('\n').position(|line| is_stray(&line)) {
        let what = "white space at the end of the line: delete it";
        return Some(Problem::new(&file.path, number + 1, "white-space", what));
    }
    let lines = file.text.lines().count();
    if !file.text.ends_with('\n') {
        let what = "end the file with a line break";
        return Some(Problem::new(&file.path, lines, "white-space", what));
    }
    let what = "empty lines at the end of the file: delete them";
    let empty = file.text.ends_with("\n\n");
    empty.then(|| Problem::new(&file.path, lines, "white-space", what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<(&'static str, usize)> {
        let found = check(&Tree::of(&[(path, text)]));
        found
            .iter()
            .map(|problem| (problem.rule, problem.line))
            .collect()
    }

    #[test]
    fn strange_files_are_found() {
        assert_eq!(rules(".vscode/settings.json", "{}"), [("dotfile", 1)]);
        assert_eq!(rules("crates/a/src/.x.rs.swp", ""), [("file-kind", 1)]);
        assert_eq!(rules("Makefile", "all:\n"), [("file-kind", 1)]);
        for path in [".ci/run", "LICENSE", "tests/compat/v1.db", "include/aura.h"] {
            assert_eq!(rules(path, "x\n"), [("", 0); 0]);
        }
    }

    #[test]
    fn stray_white_space_is_found() {
        assert_eq!(rules("a.rs", "a\nb \nc\n"), [("white-space", 2)]);
        assert_eq!(rules("a.md", "a\r\n"), [("white-space", 1)]);
        assert_eq!(rules("a.sql", "a\nb"), [("white-space", 2)]);
        assert_eq!(rules("a.toml", "a\n\n"), [("white-space", 2)]);
        assert_eq!(rules("a.jsonl", "a \n"), [("", 0); 0]);
    }
}
