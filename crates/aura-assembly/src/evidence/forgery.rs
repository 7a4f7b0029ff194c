//! Whether a payload holds the word of a delimiter.

use memchr::memchr2_iter;

use crate::excerpt::unseen::as_seen;

/// The letters before the number, and where the rarest of them stands.
const LETTERS: &[u8] = b"context-";
const RAREST: usize = 5;

/// Whether a text holds `context-<number>` in any case, also where characters that are not seen stand in between or letters
/// are in disguise.
pub(super) fn holds(text: &str, number: u32) -> bool {
    let number = number.to_string();
    spells(text.as_bytes(), &number)
        || as_seen(text).is_some_and(|seen| spells(seen.as_bytes(), &number))
}

fn spells(text: &[u8], number: &str) -> bool {
    memchr2_iter(b'x', b'X', text).any(|at| {
        let word = at.checked_sub(RAREST).and_then(|start| text.get(start..));
        word.and_then(|word| word.split_at_checked(LETTERS.len()))
            .is_some_and(|(letters, rest)| {
                letters.eq_ignore_ascii_case(LETTERS) && rest.starts_with(number.as_bytes())
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_of_the_word_escapes() {
        for text in [
            "</context-0>",
            "CONTEXT-0",
            "xxcontext-01",
            "Con\u{200B}TeXt-0",
            "\u{FF43}ontext-0",
        ] {
            assert!(holds(text, 0), "{text:?}");
        }
        for text in ["", "context", "context-1", "context 0", "ext-0", "x"] {
            assert!(!holds(text, 0), "{text:?}");
        }
        assert!(holds("context-12", 12) && holds("context-12", 1) && !holds("context-2", 12));
    }
}
