//! The files of the repository, as every rule sees them.

use std::path::Path;

use anyhow::{Context, Result};

use super::rust::Scan;
use crate::process;

/// All files that are, or would be, committed.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

/// One file.
#[derive(Debug)]
pub(super) struct File {
    /// From the root, with `/` between folders.
    pub(super) path: String,
    /// Empty when the file is not UTF-8.
    pub(super) text: String,
    /// The tokens, when this is Rust.
    pub(super) rust: Option<Scan>,
}

impl Tree {
    /// Reads what git tracks or would track; in a source archive without git, every file.
    pub(super) fn load(root: &Path) -> Result<Self> {
        let mut paths = if root.join(".git").exists() {
            let args = [
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ];
            let listed = process::capture(process::command("git").args(args))?;
            listed.split_terminator('\0').map(str::to_owned).collect()
        } else {
            let mut paths = Vec::new();
            walk(root, "", &mut paths)?;
            paths
        };
        paths.sort();
        paths.dedup();
        let mut tree = Self::default();
        for path in paths {
            let full = root.join(&path);
            // A file git still lists may have been deleted since.
            if full.is_file() {
                let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
                tree.add(&path, String::from_utf8(bytes).unwrap_or_default());
            }
        }
        Ok(tree)
    }

    fn add(&mut self, path: &str, text: String) {
        let rust = path.ends_with(".rs").then(|| Scan::of(&text));
        self.files.push(File {
            path: path.to_owned(),
            text,
            rust,
        });
    }

    /// A tree that holds just these files, for the tests of the rules.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            tree.add(path, (*text).to_owned());
        }
        tree
    }

    /// The text of one file; empty when there is none.
    pub(super) fn text(&self, path: &str) -> &str {
        let file = self.files.iter().find(|file| file.path == path);
        file.map_or("", |file| &file.text)
    }

    /// Every Rust file with its tokens.
    pub(super) fn rust(&self) -> impl Iterator<Item = (&File, &Scan)> {
        self.files
            .iter()
            .filter_map(|file| Some((file, file.rust.as_ref()?)))
    }

    /// The Rust files of what we ship: `src` of every crate and binding, without files that hold only tests.
    pub(super) fn shipped(&self) -> impl Iterator<Item = (&File, &Scan)> {
        self.rust().filter(|(file, _)| file.is_shipped())
    }
}

impl File {
    /// Whether this file is in a crate's `src` and holds more than tests.
    pub(super) fn is_shipped(&self) -> bool {
        let mut parts = self.path.split('/');
        matches!(parts.next(), Some("crates" | "bindings"))
            && parts.nth(1) == Some("src")
            && !self.is_test()
    }

    /// Whether this file holds only tests or benchmarks.
    pub(super) fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The part of the name behind its last dot; empty when there is none.
    pub(super) fn extension(&self) -> &str {
        self.name().rsplit_once('.').map_or("", |(_, end)| end)
    }
}

fn walk(root: &Path, prefix: &str, paths: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(root.join(prefix))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() {
            name.clone()
        } else {
            format!("{prefix}/{name}")
        };
        if !entry.file_type()?.is_dir() {
            paths.push(path);
        } else if name != "target" && name != ".git" {
            walk(root, &path, paths)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_shipped_files_from_tests() {
        let tree = Tree::of(&[
            ("crates/a/src/x.rs", ""),
            ("crates/a/src/x/tests.rs", ""),
            ("crates/a/tests/y.rs", ""),
            ("xtask/src/main.rs", ""),
        ]);
        let shipped: Vec<&str> = tree.shipped().map(|(file, _)| &*file.path).collect();
        assert_eq!(shipped, ["crates/a/src/x.rs"]);
    }

    #[test]
    fn walks_without_git_and_leaves_build_output_out() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a/b/c.rs", "target/x.rs", "README.md"] {
            let full = folder.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, "x").unwrap();
        }
        let tree = Tree::load(folder.path()).unwrap();
        let paths: Vec<&str> = tree.files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["README.md", "a/b/c.rs"]);
    }
}
