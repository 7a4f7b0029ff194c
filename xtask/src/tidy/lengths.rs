//! How long a file may grow.

use super::Problem;
use super::rust::Scan;
use super::tree::{File, Tree};

const RULE: &str = "length";

/// Lines of a Rust file, its tests apart.
const FILE: usize = 400;
/// Lines of a `lib.rs`.
const LIB: usize = 120;
/// Lines of tests inside the file they test.
const TESTS: usize = 150;

/// Long files are split, and long tests moved out.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    tree.rust()
        .flat_map(|(file, scan)| of_file(file, scan))
        .collect()
}

fn of_file(file: &File, scan: &Scan) -> Vec<Problem> {
    if file.is_test() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut tests = 0;
    for lines in &scan.test_items {
        let count = lines.end() - lines.start() + 1;
        tests += count;
        if count > TESTS {
            let stem = file.path.trim_end_matches(".rs");
            let what =
                format!("{count} lines of tests, over {TESTS}: move them to {stem}/tests.rs");
            found.push(Problem::new(&file.path, *lines.start(), RULE, what));
        }
    }
    let lines = file.text.lines().count().saturating_sub(tests);
    let limit = if file.name() == "lib.rs" { LIB } else { FILE };
    if lines > limit {
        let what = format!("{lines} lines without tests, over {limit}: split by noun or verb");
        found.push(Problem::new(&file.path, limit + 1, RULE, what));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, code: usize, tests: usize) -> usize {
        let mut text = "fn a() {}\n".repeat(code);
        if tests > 0 {
            text += "#[cfg(test)]\nmod tests {\n";
            text += &"fn t() {}\n".repeat(tests - 3);
            text += "}\n";
        }
        check(&Tree::of(&[(path, &text)])).len()
    }

    #[test]
    fn code_is_counted_without_its_tests() {
        assert_eq!(found("crates/a/src/x.rs", 400, 0), 0);
        assert_eq!(found("crates/a/src/x.rs", 401, 0), 1);
        assert_eq!(found("crates/a/src/x.rs", 400, 150), 0);
        assert_eq!(found("crates/a/src/x.rs", 10, 151), 1);
    }

    #[test]
    fn lib_is_shorter_and_test_files_are_free() {
        assert_eq!(found("crates/a/src/lib.rs", 120, 0), 0);
        assert_eq!(found("crates/a/src/lib.rs", 121, 0), 1);
        assert_eq!(found("crates/a/src/x/tests.rs", 900, 0), 0);
        assert_eq!(found("tests/tests/crash.rs", 900, 0), 0);
    }
}
