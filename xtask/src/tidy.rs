//! `cargo xtask tidy`: the house rules that a machine can check, one small file per kind of rule.
//!
//! A rule looks at the files of the repository as text or tokens and reports each breach with its
//! place and what to do about it. Every rule has a test that plants a breach.

mod files;
mod heads;
mod layers;
mod leftovers;
mod lengths;
mod links;
mod members;
mod names;
mod parity;
mod purity;
mod rust;
mod sql;
mod tree;
mod unsafety;
mod versions;

use std::fmt;

use anyhow::Result;

use crate::process;
use members::Members;
use tree::Tree;

/// One breach of one rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    path: String,
    line: usize,
    rule: &'static str,
    /// What is wrong and what to do.
    what: String,
}

impl Problem {
    fn new(path: &str, line: usize, rule: &'static str, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            rule,
            what: what.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            line,
            rule,
            what,
        } = self;
        write!(f, "{path}:{line}: [{rule}] {what}")
    }
}

/// Prints every breach in the repository; true when there is none.
pub(crate) fn run() -> Result<bool> {
    let found = problems()?;
    for problem in &found {
        println!("{problem}");
    }
    match found.len() {
        0 => println!("tidy: nothing to mend"),
        count => println!("tidy: {count} to mend"),
    }
    Ok(found.is_empty())
}

/// Applies every rule to the repository.
fn problems() -> Result<Vec<Problem>> {
    let tree = Tree::load(&process::root())?;
    let members = Members::from_metadata(&process::metadata()?)?;
    let layers = layers::Layers::from_toml(tree.text("xtask/layers.toml"))?;
    let mut found = [
        layers.check(&members),
        files::check(&tree),
        files::folders::check(&tree),
        heads::check(&tree),
        leftovers::check(&tree),
        lengths::check(&tree),
        links::check(&tree, &layers),
        names::check(&tree),
        parity::check(&tree),
        purity::check(&tree),
        sql::check(&tree),
        unsafety::check(&tree),
        versions::check(&tree, &members),
    ]
    .concat();
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    /// `cargo test` is the whole truth: it includes the house rules.
    #[test]
    fn the_repository_is_tidy() {
        let found = super::problems().unwrap();
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
    }
}
