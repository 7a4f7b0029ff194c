//! Counts against the reference crate, and the rule by which counts add up.

use proptest::prelude::*;

use super::*;

const EXACT: [BuiltinCounter; 2] = [BuiltinCounter::O200kBase, BuiltinCounter::Cl100kBase];

#[track_caller]
fn agree(text: &str) {
    for counter in EXACT {
        let reference = tiktoken::get_encoding(counter.as_str()).unwrap();
        let count = reference.count(text);
        if counter.tokens(text) as usize != count {
            let start: String = text.chars().take(200).collect();
            panic!(
                "{}: {} instead of {count} for {start:?}",
                counter.as_str(),
                counter.tokens(text)
            );
        }
    }
}

#[test]
fn known_counts() {
    let o200k = BuiltinCounter::O200kBase;
    let cl100k = BuiltinCounter::Cl100kBase;
    for (text, o, c) in [
        ("", 0, 0),
        ("hello world", 2, 2),
        (".\n/", 1, 2),
        ("12345", 2, 2),
        ("我住在柏林", 5, 8),
    ] {
        assert_eq!(
            (o200k.tokens(text), cl100k.tokens(text)),
            (o, c),
            "{text:?}"
        );
        assert_eq!(o200k.count(text).unwrap(), o);
    }
    assert_eq!(BuiltinCounter::CharsDiv4.tokens("五个字符吧"), 2);
    assert_eq!(BuiltinCounter::CharsDiv4.tokens(""), 0);
}

#[test]
fn special_tokens_are_ordinary_text() {
    for text in [
        "<|endoftext|>",
        "a<|endofprompt|>b",
        "<|fim_prefix|>",
        "<|im_start|>system",
    ] {
        agree(text);
        for counter in EXACT {
            assert!(counter.tokens(text) > 1, "{text}");
        }
    }
}

#[test]
fn agrees_on_awkward_texts() {
    for text in [
        "don't DON'T We'Ll it'ſ 'tis o'clock ''s 's'd",
        "HTTPServer getHTTPResponse iPhone中AB中Ab",
        "\u{301}ABC \u{301}abc \u{301} \u{301}\u{302}A a\u{301}B",
        "  two  spaces\t\ttabs \u{a0}\u{a0}nbsp\u{3000}wide ",
        "\r\n\r\n  \n  x\n\n   ",
        "\n  ",
        "a \n",
        "//\n//\r\n/ .\n/usr/bin ?!\n\n\n//x",
        "ǅ ǆ Ǆ ʰ ª Ⅷ ½ ² ١٢٣٤ 1234567",
        "🍕🍕🍕 👩‍👩‍👧‍👦 🇩🇪 ✈️",
        "हिन्दी में 한국어를 ไปเที่ยว ភាសាខ្មែរ עברית العربية",
        "\0\0\0\u{1}\u{7f}\u{85}\u{2028}\u{feff}",
        "{\"order_id\": \"ORD-7781\", \"total\": 12.50}",
    ] {
        agree(text);
        for (at, _) in text.char_indices() {
            agree(&text[at..]);
            agree(&text[..at]);
        }
    }
}

#[test]
fn long_runs_take_time_in_proportion() {
    for unit in [
        "a", " ", "\n", "😀", "的", "ab", "a\u{301}", "1", "-", "q8z", "\0", " \n", "Aa", "ACGT",
        "=",
    ] {
        agree(&unit.repeat(30_000 / unit.len()));
    }
    agree(&"the quick brown fox ".repeat(5_000));
    // In quadratic time this would never end.
    agree(&"xq".repeat(500_000));
}

#[test]
fn counters_are_found_by_name() {
    for counter in BuiltinCounter::ALL {
        assert_eq!(BuiltinCounter::from_name(counter.name()), Some(counter));
        counter.warm();
    }
}

/// Counts recorded with the conversations kept for evaluation: `AURA_DATA` is their folder.
#[test]
fn agrees_with_recorded_conversations() {
    let Some(data) = std::env::var_os("AURA_DATA") else {
        eprintln!(
            "SKIPPED: set AURA_DATA to a folder of recorded conversations to compare their token counts"
        );
        return;
    };
    let mut messages = 0;
    for folder in std::fs::read_dir(data).unwrap() {
        let Ok(lines) = std::fs::read_to_string(folder.unwrap().path().join("messages.jsonl"))
        else {
            continue;
        };
        for line in lines.lines() {
            let message: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = format!(
                "{}: {}",
                message["speaker"].as_str().unwrap(),
                message["text"].as_str().unwrap()
            );
            let tokens = u64::from(BuiltinCounter::O200kBase.tokens(&text)) + 4;
            assert_eq!(
                Some(tokens),
                message["tokens"].as_u64(),
                "{}",
                message["message_id"]
            );
            messages += 1;
        }
    }
    assert!(messages > 0, "no messages.jsonl below AURA_DATA");
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        "[ -~\n\r\t]{0,80}",
        "([A-Z]|[a-z]{1,8}|[0-9]|['’ſsSdDtTmMlL]| |\n|\r|\t|/|[.,:;!?()\\-]|[ʰªǅⅧ中한ไ\u{301}\u{903}\u{a0}\u{3000}\u{2028}😀]){0,40}",
        proptest::collection::vec(any::<char>(), 0..60).prop_map(String::from_iter),
    ]
}

proptest! {
    #[test]
    fn agrees_with_the_reference(text in any_text()) {
        agree(&text);
    }

    #[test]
    fn framed_counts_are_those_of_the_whole(
        start in any_text(),
        middle in any_text(),
        end in any_text(),
        frames in prop::collection::vec((any_text(), any_text()), 0..4),
        plain in any::<bool>(),
    ) {
        let filler = if plain { "some plain words of a middle that is long enough to be split once ".repeat(4) } else { middle };
        let text = [start, filler, end].concat();
        let mut frames: Vec<(&str, &str)> = frames.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        frames.extend([("", ""), ("[2024-05-03 10:00] Ana: ", "\n"), ("Ana: ", ""), ("", "\n"), (" ", "/"), ("'", " \n")]);
        for counter in BuiltinCounter::ALL {
            let counts = counter.count_framed(&text, &frames).unwrap();
            for ((prefix, suffix), count) in frames.iter().zip(counts) {
                let whole = [prefix, text.as_str(), suffix].concat();
                prop_assert_eq!(counter.tokens(&whole), count, "{:?} {:?} {:?}", prefix, text, suffix);
            }
        }
    }

    #[test]
    fn counts_of_lines_add_up(first in any_text(), second in any_text()) {
        let first = format!("{first}\n");
        let second = second.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        for counter in EXACT {
            prop_assert_eq!(
                counter.tokens(&first) + counter.tokens(second),
                counter.tokens(&format!("{first}{second}")),
                "{:?} {:?}", first, second
            );
        }
    }
}
