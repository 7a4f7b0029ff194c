//! What was left for later, and tests that were switched off.

use super::Problem;
use super::rust::{Kind, Scan};
use super::tree::{File, Tree};

/// Marks of unfinished work; written in two halves so that this file does not hold them.
const MARKS: [&str; 3] = [
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("TO", "DO"),
];

/// No unfinished work, and no test ignored without a reason.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for file in tree.files.iter().filter(|file| is_written_by_hand(file)) {
        found.extend(marks(file));
    }
    for (file, scan) in tree.rust() {
        found.extend(macros(file, scan));
        found.extend(ignored(file, scan));
    }
    found
}

fn is_written_by_hand(file: &File) -> bool {
    let kinds = [
        "rs", "md", "toml", "sql", "c", "cpp", "h", "hpp", "txt", "sh",
    ];
    kinds.contains(&file.extension()) || file.path.starts_with(".ci/")
}

fn marks(file: &File) -> Vec<Problem> {
    let mut found = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if let Some(mark) = words.find(|word| MARKS.contains(word)) {
            let what = format!("`{mark}`: finish it, or file an issue and delete the mark");
            found.push(Problem::new(&file.path, number + 1, "unfinished", what));
        }
    }
    found
}

fn macros(file: &File, scan: &Scan) -> Vec<Problem> {
    let pairs = scan.tokens.windows(2);
    let is_mark = |pair: &[super::rust::Token]| {
        matches!(pair, [word, sign]
            if (word.kind.is_word("todo") || word.kind.is_word("unimplemented"))
                && sign.kind == Kind::Sign('!'))
    };
    pairs
        .filter(|pair| is_mark(pair))
        .filter_map(|pair| pair.first())
        .map(|token| {
            Problem::new(
                &file.path,
                token.line,
                "unfinished",
                "write the code, or return an error",
            )
        })
        .collect()
}

fn ignored(file: &File, scan: &Scan) -> Vec<Problem> {
    let mut found = Vec::new();
    for triple in scan.tokens.windows(3) {
        if let [before, word, after] = triple
            && word.in_attribute
            && word.kind.is_word("ignore")
            && matches!(before.kind, Kind::Open('[') | Kind::Sign(','))
            && after.kind != Kind::Sign('=')
        {
            let what = "say why the test is ignored: #[ignore = \"reason\"]";
            found.push(Problem::new(&file.path, word.line, "ignored", what));
        }
    }
    found
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
    fn marks_are_found_as_words() {
        let text = format!("a\n// {}: later\n", MARKS[0]);
        assert_eq!(rules("crates/a/src/x.rs", &text), [("unfinished", 2)]);
        assert_eq!(
            rules("README.md", &format!("# {}\n", MARKS[2])),
            [("unfinished", 1)]
        );
        assert_eq!(
            rules("README.md", &format!("a {}S list\n", MARKS[2])),
            [("", 0); 0]
        );
    }

    #[test]
    fn unfinished_macros_are_found() {
        let text = concat!("fn a() {\n    to", "do!()\n}\n");
        assert_eq!(rules("crates/a/src/x.rs", text), [("unfinished", 2)]);
        assert_eq!(rules("crates/a/src/x.rs", "fn todo() {}\n"), [("", 0); 0]);
    }

    #[test]
    fn ignoring_needs_a_reason() {
        assert_eq!(
            rules("tests/tests/x.rs", "#[test]\n#[ignore]\nfn a() {}\n"),
            [("ignored", 2)]
        );
        assert_eq!(
            rules("tests/tests/x.rs", "#[cfg_attr(a, ignore)]\nfn a() {}\n"),
            [("ignored", 1)]
        );
        assert_eq!(
            rules("tests/tests/x.rs", "#[ignore = \"slow\"]\nfn a() {}\n"),
            [("", 0); 0]
        );
    }
}
