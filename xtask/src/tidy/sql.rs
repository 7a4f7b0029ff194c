//! SQL stands in `.sql` files and in `statements.rs`.

use super::Problem;
use super::rust::Kind;
use super::tree::Tree;

const RULE: &str = "sql";

const BEGINNINGS: [&str; 10] = [
    "SELECT ",
    "INSERT ",
    "UPDATE ",
    "DELETE FROM ",
    "REPLACE INTO ",
    "CREATE TABLE ",
    "CREATE INDEX ",
    "CREATE UNIQUE INDEX ",
    "ALTER TABLE ",
    "DROP TABLE ",
];

/// No statement in the middle of code, where nobody would look for it.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for (file, scan) in tree.shipped() {
        if file.name() == "statements.rs" {
            continue;
        }
        for token in scan.code() {
            if let Kind::Literal(literal) = &token.kind
                && is_statement(literal)
            {
                let what = "SQL in code: move it to statements.rs or to a .sql file";
                found.push(Problem::new(&file.path, token.line, RULE, what));
            }
        }
    }
    found
}

fn is_statement(literal: &str) -> bool {
    let Some((_, inside)) = literal.split_once('"') else {
        return false;
    };
    // A line break in the source may be written as a backslash, an `n` or a real one.
    let inside = inside.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
    let inside = inside.replace(['\n', '\t'], " ");
    BEGINNINGS
        .iter()
        .any(|beginning| inside.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn statements_stand_in_their_own_file() {
        let text = "fn a() { run(\"SELECT 1\"); run(r#\"\n  INSERT INTO t\"#); run(\"CREATE TABLE t (a)\") }";
        assert_eq!(found("crates/a/src/read.rs", text), 3);
        assert_eq!(found("crates/a/src/sqlite/statements.rs", text), 0);
    }

    #[test]
    fn words_tests_and_documentation_are_no_statements() {
        let text = "/// SELECT 1\nfn a() { say(\"select a file\"); say(\"SELECTED\") }\n\
                    #[cfg(test)]\nmod tests { fn b() { run(\"SELECT 1\") } }\n";
        assert_eq!(found("crates/a/src/read.rs", text), 0);
    }
}
