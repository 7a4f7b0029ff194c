//! How many files may stand side by side.

use std::collections::BTreeMap;

use crate::tidy::Problem;
use crate::tidy::tree::Tree;

const RULE: &str = "folder";

/// Rust files directly in one folder.
const LIMIT: usize = 15;

/// Folders that may hold more, and why.
const EXCEPTIONS: [(&str, &str); 1] = [(
    "crates/aura-core/src",
    "one file per noun of the glossary, and the glossary is flat",
)];

/// A crowded folder is split by noun.
pub(in crate::tidy) fn check(tree: &Tree) -> Vec<Problem> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, _) in tree.rust() {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        *counts.entry(folder).or_default() += 1;
    }
    let crowded = counts.into_iter().filter(|(folder, count)| {
        *count > LIMIT && !EXCEPTIONS.iter().any(|(name, _)| name == folder)
    });
    crowded
        .map(|(folder, count)| {
            let what = format!("{count} Rust files side by side, over {LIMIT}: group them by noun");
            Problem::new(folder, 1, RULE, what)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(folder: &str, count: usize) -> usize {
        let paths: Vec<String> = (0..count).map(|n| format!("{folder}/f{n}.rs")).collect();
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
        check(&Tree::of(&files)).len()
    }

    #[test]
    fn a_crowded_folder_is_found() {
        assert_eq!(found("crates/a/src", LIMIT), 0);
        assert_eq!(found("crates/a/src", LIMIT + 1), 1);
        assert_eq!(found("crates/aura-core/src", LIMIT + 1), 0);
    }
}
