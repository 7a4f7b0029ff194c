//! Names and ids that a provider takes, in the place of those it does not. The same input gives the same output.

use std::collections::HashSet;

use aura_core::Digest;

/// How many bytes a tool's name may have.
const NAME_BYTES: usize = 64;

/// A name of `A-Z a-z 0-9 _ -`, beginning with a letter or `_` where that is asked for, at most 64 bytes.
pub(crate) fn tool_name(name: &str, begins: bool) -> String {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut out: String = name
        .chars()
        .map(|c| if legal(c) { c } else { '_' })
        .collect();
    let first = out.bytes().next();
    let good = first.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if out.is_empty() || (begins && !good) {
        out.insert(0, '_');
    }
    out.truncate(NAME_BYTES);
    out
}

/// A speaker's name for chat completions; empty where nothing is left of it.
pub(crate) fn speaker(name: &str) -> String {
    let refused = |c: char| c.is_whitespace() || c.is_control() || "<|\\/>".contains(c);
    let name = name.trim().chars().take(64);
    name.map(|c| if refused(c) { '_' } else { c }).collect()
}

/// An id of `call_` and 24 hexadecimal digits that depends on the given texts alone.
pub(crate) fn call_id(id: &str, beside: &str) -> String {
    let digest = Digest::of(format!("{id}\0{beside}").as_bytes());
    format!("call_{}", digest.prefix(24))
}

/// An id that was not seen before.
pub(crate) fn fresh_id(id: &str, seen: &HashSet<String>) -> String {
    let mut number = 0_u32;
    loop {
        let fresh = call_id(id, &number.to_string());
        if !seen.contains(&fresh) {
            return fresh;
        }
        number = number.wrapping_add(1);
    }
}
