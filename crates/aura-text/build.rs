//! Lays out the data that token counting reads: the vocabularies, taken from the `tiktoken` crate, and the character classes
//! of their splitting rules, taken from the Unicode tables of `regex-syntax`.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a build that cannot lay out its data must stop"
)]

use std::fs;
use std::path::Path;

use regex_syntax::hir::{Class, HirKind};

/// Name of a vocabulary and its number of ordinary tokens; what follows are special ones.
const VOCABULARIES: [(&str, u32); 2] = [("o200k_base", 199_998), ("cl100k_base", 100_256)];

/// The classes in the order of their numbers; characters of none of them have class 0.
const CLASSES: [&str; 7] = [
    r"[\p{Lu}\p{Lt}]",
    r"\p{Ll}",
    r"[\p{Lm}\p{Lo}]",
    r"\p{M}",
    r"\p{N}",
    r"[\s--[\r\n]]",
    r"[\r\n]",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let out = Path::new(&out);
    for (name, tokens) in VOCABULARIES {
        fs::write(out.join(name), vocabulary(name, tokens)).expect("OUT_DIR is writable");
    }
    fs::write(out.join("classes"), classes()).expect("OUT_DIR is writable");
}

/// Lengths of all tokens, one byte each, then their bytes, both in the order of their ranks.
fn vocabulary(name: &str, tokens: u32) -> Vec<u8> {
    let encoding = tiktoken::get_encoding(name).expect("the vocabulary is compiled in");
    let mut lengths = Vec::new();
    let mut bytes = Vec::new();
    for rank in 0..tokens {
        let token = encoding.decode(&[rank]);
        assert!(!token.is_empty(), "{name} has a gap at {rank}");
        lengths.push(u8::try_from(token.len()).expect("tokens are shorter than 256 bytes"));
        bytes.extend(token);
    }
    assert!(
        encoding.decode(&[tokens]).is_empty() || encoding.decode(&[tokens]).starts_with(b"<|"),
        "{name} has more than {tokens} tokens"
    );
    lengths.extend(bytes);
    lengths
}

/// A table of two steps: for each block of 256 characters the number of its row, then the rows.
fn classes() -> Vec<u8> {
    let mut flat = vec![0u8; 0x11_0000];
    for (class, pattern) in (1..).zip(CLASSES) {
        let hir = regex_syntax::parse(pattern).expect("the pattern is valid");
        let HirKind::Class(Class::Unicode(set)) = hir.kind() else {
            panic!("{pattern} is no class of characters");
        };
        for range in set.ranges() {
            for c in range.start()..=range.end() {
                flat[c as usize] = class;
            }
        }
    }
    let mut rows: Vec<&[u8]> = Vec::new();
    let mut table = Vec::new();
    for block in flat.chunks(256) {
        let row = rows.iter().position(|r| *r == block).unwrap_or_else(|| {
            rows.push(block);
            rows.len() - 1
        });
        table.push(u8::try_from(row).expect("fewer than 256 different rows"));
    }
    table.extend(rows.concat());
    table
}
