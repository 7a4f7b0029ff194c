//! Links, paths and crate names in Markdown lead somewhere.

use std::collections::BTreeSet;

use super::Problem;
use super::layers::Layers;
use super::tree::{File, Tree};

const RULE: &str = "links";

/// Endings that make a word in back quotes a file even without a folder before it.
const ENDINGS: [&str; 6] = [".md", ".rs", ".toml", ".h", ".hpp", ".sql"];

/// Text that a build writes is named too, though it is never committed.
const BUILT: [&str; 1] = ["target/"];

/// What a document names exists.
pub(super) fn check(tree: &Tree, layers: &Layers) -> Vec<Problem> {
    let known = Known::of(tree);
    let documents = tree.files.iter().filter(|file| file.extension() == "md");
    documents
        .flat_map(|file| of_document(file, &known, layers))
        .collect()
}

/// Every file and folder of the repository.
struct Known<'a> {
    paths: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    fn of(tree: &'a Tree) -> Self {
        let mut paths = BTreeSet::new();
        for file in &tree.files {
            let mut path = file.path.as_str();
            paths.insert(path);
            while let Some((folder, _)) = path.rsplit_once('/') {
                paths.insert(folder);
                path = folder;
            }
        }
        Self { paths }
    }

    fn has(&self, path: &str) -> bool {
        path.is_empty() || self.paths.contains(path)
    }

    /// Whether some path ends with these parts.
    fn has_end(&self, end: &str) -> bool {
        let inner = format!("/{end}");
        self.paths
            .iter()
            .any(|path| *path == end || path.ends_with(&inner))
    }

    fn is_top(&self, name: &str) -> bool {
        !name.is_empty() && self.paths.contains(name)
    }
}

fn of_document(file: &File, known: &Known<'_>, layers: &Layers) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (number, line) in file.text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let mut report = |what: String| {
            found.push(Problem::new(&file.path, number + 1, RULE, what));
        };
        for target in targets(line) {
            if !leads_somewhere(target, &file.path, known) {
                report(format!(
                    "the link `{target}` leads nowhere: mend or delete it"
                ));
            }
        }
        for word in quoted(line) {
            if is_path(word, known) && !names_a_path(word, &file.path, known) {
                report(format!("`{word}` does not exist: mend the path"));
            }
            if is_crate(word) && !layers.knows(word) {
                report(format!("there is no crate `{word}`: mend the name"));
            }
        }
    }
    found
}

/// The targets of `[text](target)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let (target, _) = rest.split_once(')')?;
        target.split_whitespace().next()
    })
}

fn leads_somewhere(target: &str, from: &str, known: &Known<'_>) -> bool {
    let outside = target.contains("://") || target.starts_with("mailto:");
    let path = target.split('#').next().unwrap_or_default();
    outside || path.is_empty() || resolve(path, from).is_some_and(|path| known.has(&path))
}

/// A relative path as seen from the document's folder; none when it leaves the repository.
fn resolve(path: &str, from: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The words in single back quotes.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a quoted word claims to be a path of this repository.
fn is_path(word: &str, known: &Known<'_>) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if word.is_empty()
        || !word.chars().all(plain)
        || BUILT.iter().any(|built| word.starts_with(built))
    {
        return false;
    }
    let top = word.split('/').next().unwrap_or_default();
    let in_folder = word.contains('/') && known.is_top(top);
    let file = ENDINGS
        .iter()
        .any(|end| word.ends_with(end) && word.len() > end.len());
    in_folder || file
}

fn names_a_path(word: &str, from: &str, known: &Known<'_>) -> bool {
    let word = word.trim_end_matches('/');
    known.has(word)
        || resolve(word, from).is_some_and(|path| known.has(&path))
        || known.has_end(word)
}

/// `aura-` and one more word; longer names belong to others.
fn is_crate(word: &str) -> bool {
    word.strip_prefix("aura-")
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let tree = Tree::of(&[
            (path, text),
            ("crates/aura-core/src/turn.rs", ""),
            ("deny.toml", ""),
            ("include/aura.h", ""),
        ]);
        let layers = Layers::from_toml("[levels]\naura-core = 0\n").unwrap();
        let found = check(&tree, &layers);
        found.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn links_lead_somewhere() {
        let text =
            "[a](deny.toml) [b](https://example.org) [c](#part)\n[d](gone.md)\n[e](../../x)\n";
        assert_eq!(found("README.md", text), [2, 3]);
        assert_eq!(
            found("crates/README.md", "[a](../deny.toml#x) [b](aura-core/)\n"),
            [0; 0]
        );
    }

    #[test]
    fn quoted_paths_exist() {
        let good =
            "`crates/aura-core`, `turn.rs`, `include/aura.h`, `src/turn.rs`, `a/b`, `x.y`, `.rs`\n";
        assert_eq!(found("README.md", good), [0; 0]);
        assert_eq!(
            found("README.md", "a\n`crates/aura-gone/x`\n`gone.rs`\n"),
            [2, 3]
        );
        assert_eq!(
            found(
                "README.md",
                "```\n`gone.rs`\n```\n`target/gone.h` `crates/*/src`\n"
            ),
            [0; 0]
        );
    }

    #[test]
    fn quoted_crates_exist() {
        assert_eq!(
            found(
                "README.md",
                "`aura-core`\n`aura-gone`\n`aura-context-engine`\n"
            ),
            [2]
        );
    }
}
