//! Where `unsafe` may stand, and what must stand above it.

use super::Problem;
use super::rust::{Kind, Scan};
use super::tree::{File, Tree};

const RULE: &str = "unsafe";

/// The one crate that may hold hand-written `unsafe`.
const HOME: &str = "crates/aura-ffi/";

/// How many lines of one statement may stand between the note and the block.
const REACH: usize = 8;

/// Every crate but the C interface forbids `unsafe`; there each block says why it is sound.
pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut found = Vec::new();
    for (file, scan) in tree.rust() {
        if file.path.starts_with(HOME) {
            found.extend(notes(file, scan));
        } else if is_root_file(&file.path) && !forbids(scan) {
            let what = "add `#![forbid(unsafe_code)]` below the documentation";
            found.push(Problem::new(&file.path, 1, RULE, what));
        }
    }
    found
}

fn is_root_file(path: &str) -> bool {
    path.ends_with("src/lib.rs") || path.ends_with("src/main.rs")
}

fn forbids(scan: &Scan) -> bool {
    scan.tokens.windows(3).any(|triple| {
        matches!(triple, [forbid, open, word]
            if forbid.in_attribute && forbid.kind.is_word("forbid")
                && open.kind == Kind::Open('(') && word.kind.is_word("unsafe_code"))
    })
}

fn notes(file: &File, scan: &Scan) -> Vec<Problem> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut found = Vec::new();
    for pair in scan.tokens.windows(2) {
        let [word, next] = pair else { continue };
        let block = matches!(next.kind, Kind::Open('{')) || next.kind.is_word("impl");
        if word.kind.is_word("unsafe")
            && block
            && !word.in_attribute
            && !has_note(&lines, word.line)
        {
            let what = "say above the block why it is sound: `// SAFETY: …`";
            found.push(Problem::new(&file.path, word.line, RULE, what));
        }
    }
    found
}

/// Whether a `SAFETY:` comment stands on the line (counted from 1) or above its statement.
fn has_note(lines: &[&str], line: usize) -> bool {
    let line_at = |number: usize| {
        lines
            .get(number.wrapping_sub(1))
            .map_or("", |text| text.trim())
    };
    if line_at(line).contains("SAFETY:") {
        return true;
    }
    let mut code_lines = 0;
    for number in (1..line).rev() {
        let text = line_at(number);
        if text.starts_with("//") {
            if text.contains("SAFETY:") {
                return true;
            }
            continue;
        }
        // Anything but the beginning of the same statement parts the note from its block.
        let parted = text.is_empty() || text.ends_with([';', '{', '}']);
        code_lines += 1;
        if parted || code_lines > REACH {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let found = check(&Tree::of(&[(path, text)]));
        found.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn crate_roots_forbid_it() {
        assert_eq!(found("crates/a/src/lib.rs", "//! A.\n"), [1]);
        assert_eq!(found("xtask/src/main.rs", "//! A.\nfn main() {}\n"), [1]);
        assert_eq!(
            found("crates/a/src/lib.rs", "//! A.\n#![forbid(unsafe_code)]\n"),
            [0; 0]
        );
        assert_eq!(found("crates/aura-ffi/src/lib.rs", "//! A.\n"), [0; 0]);
    }

    #[test]
    fn blocks_carry_a_note() {
        let path = "crates/aura-ffi/src/x.rs";
        assert_eq!(found(path, "fn a() {\n    unsafe { b() }\n}\n"), [2]);
        assert_eq!(
            found(
                path,
                "fn a() {\n    // SAFETY: b is.\n    unsafe { b() }\n}\n"
            ),
            [0; 0]
        );
        assert_eq!(
            found(
                path,
                "fn a() {\n    // SAFETY: b is\n    // always.\n    let c =\n        unsafe { b() };\n}\n"
            ),
            [0; 0]
        );
        let second =
            "fn a() {\n    // SAFETY: b is.\n    let c = unsafe { b() };\n    unsafe { d() }\n}\n";
        assert_eq!(found(path, second), [4]);
        assert_eq!(found(path, "unsafe impl Send for A {}\n"), [1]);
        assert_eq!(
            found(path, "/// Is unsafe { }.\npub unsafe fn a() {}\n"),
            [0; 0]
        );
    }
}
