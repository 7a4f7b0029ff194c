//! `aura-core` does no input or output and asks no clock, so that a seed replays a run.

use super::Problem;
use super::rust::{Kind, Token};
use super::tree::Tree;

const RULE: &str = "pure-core";

const HOME: &str = "crates/aura-core/src/";

/// Modules of the standard library that reach outside the process or start threads.
const MODULES: [&str; 5] = ["fs", "net", "process", "thread", "env"];

/// Clocks, asked by `now`.
const CLOCKS: [&str; 4] = ["Instant", "SystemTime", "Timestamp", "Zoned"];

/// The core states traits for time, ids and storage; others implement them.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for (file, scan) in tree
        .shipped()
        .filter(|(file, _)| file.path.starts_with(HOME))
    {
        let code: Vec<&Token> = scan.code().collect();
        for place in 0..code.len() {
            let rest = code.get(place..).unwrap_or_default();
            if let Some(name) = module(rest).or_else(|| clock(rest)) {
                let line = rest.first().map_or(1, |token| token.line);
                let what = format!(
                    "`{name}` in aura-core: state a trait here, implement it in a higher layer"
                );
                found.push(Problem::new(&file.path, line, RULE, what));
            }
        }
    }
    found
}

/// `std::fs`, or `std::{…, fs, …}`.
fn module(code: &[&Token]) -> Option<String> {
    let path = after_path(code, "std")?;
    let banned = |token: &Token| MODULES.into_iter().find(|name| token.kind.is_word(name));
    let first = path.first()?;
    let name = if first.kind == Kind::Open('{') {
        let inside = path
            .iter()
            .take_while(|token| token.kind != Kind::Sign(';'));
        inside.copied().find_map(banned)
    } else {
        banned(first)
    }?;
    Some(format!("std::{name}"))
}

/// `Instant::now` and its like.
fn clock(code: &[&Token]) -> Option<String> {
    CLOCKS.into_iter().find_map(|name| {
        let path = after_path(code, name)?;
        path.first()?
            .kind
            .is_word("now")
            .then(|| format!("{name}::now"))
    })
}

/// What follows `word::` at the beginning of `code`.
fn after_path<'a>(code: &'a [&'a Token], word: &str) -> Option<&'a [&'a Token]> {
    match code {
        [first, a, b, rest @ ..]
            if first.kind.is_word(word)
                && a.kind == Kind::Sign(':')
                && b.kind == Kind::Sign(':') =>
        {
            Some(rest)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn the_core_reaches_for_nothing() {
        let path = "crates/aura-core/src/x.rs";
        assert_eq!(found(path, "use std::fs::File;"), 1);
        assert_eq!(found(path, "use std::{fmt, thread};"), 1);
        assert_eq!(
            found(path, "fn a() { let b = std::time::Instant::now(); }"),
            1
        );
        assert_eq!(found(path, "use std::{fmt, sync::Arc};\nfn now() {}"), 0);
        assert_eq!(
            found("crates/aura-engine/src/x.rs", "use std::fs::File;"),
            0
        );
    }
}
