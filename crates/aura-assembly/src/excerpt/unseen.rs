//! Characters that are not seen, by which one text can pass for another.

use unicode_normalization::UnicodeNormalization;

/// Bytes looked at together.
const CHUNK: usize = 64;

/// Whether a character shows nothing by itself: what Unicode calls default ignorable, and control characters but for tabs
/// and line ends.
pub(crate) const fn is_unseen(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0'..'\u{20}' | '\u{7F}'..'\u{A0}' => true,
        '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => false,
    }
}

/// Whether a character turns the direction of what follows or has no width: what a name or label has no use for. Joiners
/// stay, which some scripts need.
pub(crate) const fn is_trickery(c: char) -> bool {
    is_unseen(c)
        && !matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{180B}'..='\u{180F}')
}

/// Whether a character stands for a letter or digit of ASCII: full width, or the letters of mathematics.
const fn is_disguised(c: char) -> bool {
    matches!(c, '\u{FF01}'..='\u{FF5E}' | '\u{1D400}'..='\u{1D7FF}' | '\u{24B6}'..='\u{24E9}' | '\u{2100}'..='\u{214F}')
}

/// The text as it is seen, where that differs: without what is not seen, letters in disguise as themselves. `None`, where
/// nothing is hidden, which takes little time to say.
pub(crate) fn as_seen(text: &str) -> Option<String> {
    if !is_suspicious(text) {
        return None;
    }
    let seen = text.chars().filter(|c| !is_unseen(*c));
    Some(seen.nfkc().collect())
}

fn is_suspicious(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut start = 0;
    while let Some(chunk) = bytes.get(start..bytes.len().min(start + CHUNK)) {
        if chunk.is_empty() {
            return false;
        }
        // Written so that a chunk is looked at as a whole.
        let odd = chunk.iter().fold(0_u8, |odd, byte| {
            let control = (*byte < 0x20) & (*byte != b'\n') & (*byte != b'\t') & (*byte != b'\r');
            odd | u8::from(control) | u8::from(*byte >= 0x7F)
        });
        if odd != 0 {
            let begins = chunk.iter().enumerate().filter(|(_, byte)| leads(**byte));
            let mut begun = begins.filter_map(|(at, _)| text.get(start + at..)?.chars().next());
            if begun.any(|c| is_unseen(c) || is_disguised(c)) {
                return true;
            }
        }
        start += CHUNK;
    }
    false
}

/// Whether a byte may begin a character that matters here.
const fn leads(byte: u8) -> bool {
    matches!(byte, 0..0x20 | 0x7F | 0xC2 | 0xCD | 0xD8 | 0xE1..=0xE3 | 0xEF | 0xF0 | 0xF3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn disguises_are_seen_through() {
        for text in [
            "con\u{200B}text-0",
            "con\u{202E}text-0",
            "\u{FF43}\u{FF4F}\u{FF4E}text-0",
            "con\u{AD}te\u{2060}xt-\u{FEFF}0",
            "con\u{E0041}text-0",
            "con\0text-0",
            "\u{1D41C}ontext-\u{FF10}",
            "con\u{34F}text-0",
            "con\u{1BCA0}text-0",
        ] {
            assert_eq!(as_seen(text).as_deref(), Some("context-0"), "{text:?}");
        }
        for text in [
            "",
            "plain\r\n\ttext",
            "naïve – “quoted” 🙂",
            "日本語、テスト。",
            "Ωmega",
        ] {
            assert_eq!(as_seen(text), None, "{text:?}");
        }
        assert!(!is_trickery('\u{200D}') && is_trickery('\u{202E}') && is_trickery('\u{200B}'));
    }

    proptest! {
        #[test]
        fn the_quick_look_misses_nothing(text in "[a-z \n\u{AD}é\u{200B}日\u{FF43}\u{1D41C}\u{E0041}\0]{0,200}") {
            let odd = text.chars().any(|c| is_unseen(c) || is_disguised(c));
            prop_assert_eq!(is_suspicious(&text), odd);
            let seen = as_seen(&text).unwrap_or_default();
            prop_assert!(!seen.chars().any(is_unseen));
        }
    }
}
