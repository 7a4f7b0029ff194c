//! The C header: compiles by every standard, documents every item, and names exactly what the library exports.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

// The library must be built before it is looked at.
use aura_ffi as _;
use aura_tests::c;
use regex::Regex;

fn header() -> String {
    std::fs::read_to_string(c::root().join("include/aura.h")).unwrap()
}

/// Compiles a text against the headers, with nothing but warnings of the strictest kind.
fn compiles(name: &str, text: &str, standard: &str) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(name);
    std::fs::write(&source, text).unwrap();
    c::must(
        c::compiler(&source)
            .arg(format!("-std={standard}"))
            .args(c::WARNINGS)
            .args(["-Wshadow", "-fsyntax-only", "-I"])
            .arg(c::root().join("include"))
            .arg(&source),
    );
}

const TWICE: &str = "#include \"aura.h\"\n#include \"aura.h\"\n\
    int main(void) { return aura_cstr(\"x\").len == SIZE_MAX ? 0 : 1; }\n";

const BARE: &str =
    "#define AURA_NO_INLINE\n#include \"aura.h\"\nint main(void) { return AURA_STATUS_OK; }\n";

const FACE: &str = "#include \"aura.hpp\"\n#include \"aura.hpp\"\n\
    int main() { return aura::Text(\"x\").size() == 1 ? 0 : 1; }\n";

#[test]
fn it_compiles_as_c() {
    for standard in ["c99", "c11", "c17", "c2x"] {
        compiles("twice.c", TWICE, standard);
        compiles("bare.c", BARE, standard);
    }
}

#[test]
fn it_compiles_as_cpp() {
    for standard in ["c++11", "c++14", "c++17", "c++20"] {
        compiles("twice.cpp", TWICE, standard);
        compiles("face.cpp", FACE, standard);
    }
}

/// Mixing up two handles is found by the compiler.
#[test]
fn a_handle_is_not_taken_for_another() {
    let wrong = [
        "void f(aura_policy *p) { aura_engine_free(p); }",
        "void f(aura_engine *e, aura_error *x) { aura_engine_close(x, &x); (void)e; }",
        "void f(aura_context_options *o, aura_cancel *c) { o->policy = c; }",
        "void f(const aura_engine *e) { aura_engine_free(e); }",
        "void f(aura_turn **t, aura_error **e) { aura_policy_new(NULL, 0, t, e); }",
    ];
    for function in wrong {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("wrong.c");
        std::fs::write(&source, format!("#include \"aura.h\"\n{function}\n")).unwrap();
        let output = c::run(
            c::compiler(&source)
                .args(c::WARNINGS)
                .args(["-fsyntax-only", "-I"])
                .arg(c::root().join("include"))
                .arg(&source),
        );
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{function}");
        assert!(
            said.contains("incompatible") || said.contains("discards"),
            "{function}: {said}"
        );
    }
}

/// Lines that begin an item, by their number from 0.
fn items(text: &str) -> Vec<usize> {
    let starts = [
        r"^typedef struct ",
        r"^enum aura_",
        r"^AURA_API ",
        r"^static inline ",
        r"^  AURA_\w+ = ",
        r"^#define AURA_(VERSION|ABI)",
        r"^  (const )?(struct )?\w+ \**\w+;$",
    ];
    let start = Regex::new(&format!("({})", starts.join("|"))).unwrap();
    let mut found = Vec::new();
    let mut in_function = false;
    for (number, line) in text.lines().enumerate() {
        in_function = (in_function || line.starts_with("static inline")) && line != "}";
        let first_of_function = line.starts_with("static inline");
        let bare = line == "AURA_API";
        if bare || start.is_match(line) && (!in_function || first_of_function) {
            found.push(number);
        }
    }
    found
}

#[test]
fn every_item_is_documented() {
    let text = header();
    let lines: Vec<&str> = text.lines().collect();
    let items = items(&text);
    for &at in &items {
        let above = lines[..at].iter().rev().find(|line| !line.is_empty());
        let documented = above.is_some_and(|line| line.ends_with("*/"));
        assert!(documented, "aura.h:{}: no comment: {}", at + 1, lines[at]);
    }
    assert!(items.len() > 200, "only {} items were found", items.len());
}

/// The functions that the header declares.
fn declared() -> BTreeSet<String> {
    let comment = Regex::new(r"(?s)/\*.*?\*/").unwrap();
    let text = header();
    let text = comment.replace_all(&text, "");
    let function = Regex::new(r"AURA_API\s[\w\s*]*?\b(aura_\w+)\(").unwrap();
    let found = function.captures_iter(&text);
    found.map(|found| found[1].to_owned()).collect()
}

/// The global symbols that a library defines.
fn symbols(file: &Path, more: &[&str]) -> BTreeSet<String> {
    let arguments = ["--defined-only", "--extern-only", "-P"];
    let listed = c::must(Command::new("nm").args(arguments).args(more).arg(file));
    let names = listed.lines().filter_map(|line| line.split(' ').next());
    names
        .map(|name| name.trim_start_matches('_').to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn the_library_exports_what_the_header_declares_and_nothing_else() {
    let declared = declared();
    assert!(declared.len() > 40, "{declared:?}");
    let dynamic: &[&str] = if cfg!(target_os = "macos") {
        &[]
    } else {
        &["-D"]
    };
    let exported = symbols(&c::built().join(c::shared()), dynamic);
    assert_eq!(exported, declared);
    let mut archived = symbols(&c::built().join("libaura_ffi.a"), &[]);
    archived.retain(|name| name.starts_with("aura_"));
    assert_eq!(archived, declared);
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_bears_the_major_of_its_version() {
    let library = c::built().join(c::shared());
    let listed = c::must(Command::new("readelf").arg("-d").arg(library));
    let major = env!("CARGO_PKG_VERSION").split('.').next().unwrap();
    assert!(
        listed.contains(&format!("[libaura.so.{major}]")),
        "{listed}"
    );
}
