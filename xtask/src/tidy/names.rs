//! Names that say nothing.

use super::Problem;
use super::tree::Tree;

const RULE: &str = "names";

const EMPTY: [&str; 6] = ["utils", "util", "helpers", "helper", "common", "misc"];

/// No `mod.rs`, and no file, folder or module whose name would fit anything.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for (file, scan) in tree.rust() {
        if file.name() == "mod.rs" {
            let what = "no mod.rs: name the file after the module, beside its folder";
            found.push(Problem::new(&file.path, 1, RULE, what));
        }
        let parts = file.path.trim_end_matches(".rs").split('/');
        for part in parts.filter(|part| EMPTY.contains(part)) {
            let what = format!("`{part}` says nothing: name it after the noun or verb it holds");
            found.push(Problem::new(&file.path, 1, RULE, what));
        }
        for pair in scan.tokens.windows(2) {
            if let [word, name] = pair
                && word.kind.is_word("mod")
                && let Some(empty) = EMPTY.iter().find(|empty| name.kind.is_word(empty))
            {
                let what = format!("module `{empty}` says nothing: name it after what it holds");
                found.push(Problem::new(&file.path, name.line, RULE, what));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn empty_names_are_found_wherever_they_stand() {
        assert_eq!(found("crates/a/src/x/mod.rs", ""), 1);
        assert_eq!(found("crates/a/src/utils.rs", ""), 1);
        assert_eq!(found("tests/tests/common/open.rs", ""), 1);
        assert_eq!(found("crates/a/src/x.rs", "mod helpers { fn a() {} }"), 1);
        assert_eq!(found("crates/a/src/common_prefix.rs", "mod session;"), 0);
    }
}
