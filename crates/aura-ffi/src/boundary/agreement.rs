//! The interface is derived twice, by cbindgen from the text and by safer-ffi from the types; here the two must agree.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use regex::Regex;

const HEADER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../include/aura.h");

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// The header that safer-ffi derives from the types, without comments and with the names of `aura.h`.
fn derived() -> String {
    let mut text = Vec::new();
    safer_ffi::headers::builder()
        .to_writer(&mut text)
        .generate()
        .unwrap();
    let text = without_comments(&String::from_utf8(text).unwrap());
    let text =
        regex(r"#ifdef DOXYGEN\s+typedef\s+#endif|#ifndef DOXYGEN|; typedef u?int32_t\s+#endif")
            .replace_all(&text, "")
            .into_owned();
    regex(r"\b(aura_\w+)_t\b")
        .replace_all(&text, "$1")
        .into_owned()
}

fn without_comments(text: &str) -> String {
    regex(r"(?s)/\*.*?\*/|//[^\n]*")
        .replace_all(text, "")
        .into_owned()
}

/// Functions by name, each with the names of its parameters.
fn functions(text: &str) -> BTreeMap<String, Vec<String>> {
    let function = regex(r"(?s)\b(aura_\w+)\s?\(([^(){};]*)\);");
    let found = function.captures_iter(text);
    found
        .map(|found| {
            let parameters = found[2].split(',').filter_map(|parameter| {
                let words = regex(r"\w+");
                let name = words.find_iter(parameter).last()?.as_str().to_owned();
                (name != "void").then_some(name)
            });
            (found[1].to_owned(), parameters.collect())
        })
        .collect()
}

/// Values by the name of their constant.
fn constants(text: &str) -> BTreeMap<String, String> {
    let entry = regex(r"(?m)^\s*(AURA_\w+) = (-?\d+),|^#define (AURA_ABI_\w+) .*?(\d+)\)?$");
    let found = entry.captures_iter(text);
    found
        .map(|found| {
            let part =
                |a: usize, b: usize| found.get(a).or(found.get(b)).unwrap().as_str().to_owned();
            (part(1, 3), part(2, 4))
        })
        .collect()
}

/// Structs by name, each with its body.
fn structs(text: &str) -> BTreeMap<String, String> {
    let definition = regex(r"(?s)typedef struct (\w+) \{(.*?)\} (\w+);");
    let found = definition.captures_iter(text);
    found
        .map(|found| (found[1].to_owned(), found[2].to_owned()))
        .collect()
}

/// A C program that compiles only when every declaration of `derived` is compatible with `aura.h`.
fn program(derived: &str) -> String {
    let mut out = String::from("#include \"aura.h\"\n");
    let prototype = regex(r"(?s)\n([\w \*]+?)\n(aura_\w+) (\([^(){};]*\));");
    for found in prototype.captures_iter(derived) {
        writeln!(out, "extern {} {} {};", &found[1], &found[2], &found[3]).unwrap();
    }
    for (name, body) in structs(derived) {
        writeln!(out, "typedef struct twin_{name} {{{body}}} twin_{name};").unwrap();
        writeln!(
            out,
            "_Static_assert(sizeof({name}) == sizeof(twin_{name}) && _Alignof({name}) == _Alignof(twin_{name}), \"{name}\");"
        )
        .unwrap();
        for field in regex(r"\b(\w+);").captures_iter(&body) {
            let field = &field[1];
            writeln!(
                out,
                "_Static_assert(offsetof({name}, {field}) == offsetof(twin_{name}, {field}) \
                 && __builtin_types_compatible_p(__typeof__((({name} *)0)->{field}), __typeof__(((twin_{name} *)0)->{field})), \
                 \"{name}.{field}\");"
            )
            .unwrap();
        }
    }
    for (name, value) in constants(derived) {
        writeln!(out, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
    }
    out
}

/// Compares the text of `aura.h` with what the types say.
fn compare(header: &str, derived: &str) -> Result<(), String> {
    let plain = without_comments(header);
    let differ = |what: &str, a: String, b: String| Err(format!("{what}\n{a}\n{b}"));
    let (ours, theirs) = (functions(&plain), functions(derived));
    if ours != theirs {
        return differ(
            "functions or their parameters differ",
            format!("{ours:#?}"),
            format!("{theirs:#?}"),
        );
    }
    let (ours, theirs) = (constants(&plain), constants(derived));
    if ours != theirs {
        return differ(
            "constants differ",
            format!("{ours:#?}"),
            format!("{theirs:#?}"),
        );
    }
    let (ours, theirs) = (structs(&plain), structs(derived));
    let names = |structs: &BTreeMap<String, String>| format!("{:#?}", structs.keys());
    if names(&ours) != names(&theirs) {
        return differ("structs differ", names(&ours), names(&theirs));
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("aura.h"), header).unwrap();
    let source = folder.path().join("agree.c");
    std::fs::write(&source, program(derived)).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(compiler)
        .args(["-std=c11", "-Wall", "-Werror", "-fsyntax-only"])
        .arg(&source)
        .output()
        .unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn the_header_and_the_types_agree() {
    let header = std::fs::read_to_string(HEADER).unwrap();
    let derived = derived();
    assert!(functions(&derived).len() > 40 && structs(&derived).len() > 5);
    assert!(constants(&derived).len() > 40);
    if let Err(difference) = compare(&header, &derived) {
        panic!("run `cargo xtask gen`, or a type means two things:\n{difference}");
    }
}

#[test]
fn planted_faults_are_found() {
    let header = std::fs::read_to_string(HEADER).unwrap();
    let derived = derived();
    assert_eq!(compare(&header, &derived), Ok(()));
    let faults = [
        // A constant, a field's type, two fields' order, a parameter's type and constness, a lost function, a name.
        ("AURA_STATUS_CLOSED = 6", "AURA_STATUS_CLOSED = 7"),
        ("uint64_t deadline_ms;", "uint32_t deadline_ms;"),
        ("uint32_t storage;", "uint32_t durability_;"),
        ("uint64_t timeout_ms,", "uint32_t timeout_ms,"),
        (
            "struct aura_error **error",
            "const struct aura_error **error",
        ),
        (
            "const struct aura_engine *engine,",
            "struct aura_engine *engine,",
        ),
        ("size_t question_len,", "size_t length,"),
        ("AURA_API void aura_turn_free(struct aura_turn *turn);", ""),
        ("#define AURA_ABI_VERSION 1", "#define AURA_ABI_VERSION 2"),
        ("size_t events_count;", "size_t events_count; size_t more;"),
    ];
    for (good, bad) in faults {
        let faulty = header.replacen(good, bad, 1);
        assert_ne!(faulty, header, "{good}");
        assert!(compare(&faulty, &derived).is_err(), "{good} -> {bad}");
    }
}
