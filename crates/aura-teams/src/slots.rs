//! Slots: what must survive any shortening to the letter.

use std::sync::LazyLock;

use regex::Regex;

/// How many slots are taken from a text: more is a table, which belongs into an artifact.
const MOST: usize = 64;

/// What a slot looks like, the more telling first: where two overlap the longer of those that begin first stands.
const PATTERNS: &[&str] = &[
    // Addresses and mail.
    r#"\bhttps?://[^\s<>"')\]]*[^\s<>"')\].,;:!?]"#,
    r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b",
    // Handles and paths.
    r"\bartifact://\S*[^\s.,;:!?)]",
    r#"(?:^|[\s"'(=])((?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)*/?)"#,
    r"\b[\w-]+(?:/[\w.-]+)+\.\w{1,6}\b",
    r"\b[\w-]+\.(?:csv|docx?|html?|ini|java|js|json|md|pdf|png|pptx?|py|rs|sql|svg|tar|toml|ts|tsv|txt|xlsx?|xml|ya?ml|zip|go|c|h|cpp|sh|log)\b",
    // Times.
    r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b",
    r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
    r"\b(?:\d{1,2}\.? )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})\b",
    r"\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b",
    r"\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\b",
    // Amounts.
    r"[€$£¥] ?\d+(?:[.,]\d+)*(?: ?(?:k|m|bn|million|billion))?\b",
    r"\b\d+(?:[.,]\d+)* ?(?:€|%|EUR|USD|GBP|CHF|JPY|kg|km|GB|MB|ms)(?:\b|$|[\s.,;])",
    // Numbers of orders, tickets, commits.
    r"\b[A-Z][A-Z0-9]*[-_][A-Z0-9]*\d[\w-]*\b",
    r"\b[A-Z]{1,6}\d{3,}\w*\b",
    r"#\d+\b",
    r"\b[0-9a-f]{7,64}\b",
    r"\b\d{5,}\b",
    // Names of two words or more.
    r"\b\p{Lu}\p{Ll}+(?: (?:van|von|de|der|da|di|la|le|bin|al))*(?: \p{Lu}\p{Ll}+)+\b",
];

static SLOTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    // A test compiles each of them.
    PATTERNS
        .iter()
        .filter_map(|pattern| Regex::new(pattern).ok())
        .collect()
});

/// The order numbers, dates, amounts, names, paths and addresses of a text, each once, in the order in which they stand.
///
/// ```
/// let slots = aura_teams::slots("Order ORD-7781 for Ana Maier costs €49.90, due 2024-05-03: see https://shop.example/o/7781.");
/// assert_eq!(slots, ["ORD-7781", "Ana Maier", "€49.90", "2024-05-03", "https://shop.example/o/7781"]);
/// ```
#[must_use]
pub fn slots(text: &str) -> Vec<String> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for pattern in SLOTS.iter() {
        for captures in pattern.captures_iter(text) {
            if let Some(slot) = captures.get(1).or_else(|| captures.get(0)) {
                found.push((slot.start(), slot.end()));
            }
        }
    }
    found.sort_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    let mut out: Vec<String> = Vec::new();
    let mut past = 0;
    for (start, end) in found {
        if start < past || out.len() >= MOST {
            continue;
        }
        past = end;
        let slot = text.get(start..end).unwrap_or_default();
        let slot = slot.trim().trim_end_matches(['.', ',', ';']);
        // A hexadecimal number without a digit is a word.
        let word = slot.chars().all(|c| c.is_ascii_lowercase());
        if !slot.is_empty() && !word && !out.iter().any(|known| known == slot) {
            out.push(slot.to_owned());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(SLOTS.len(), PATTERNS.len());
    }

    #[test]
    fn what_must_survive_is_found() {
        for (text, wanted) in [
            (
                "fix src/main.rs and ./build/out.log",
                vec!["src/main.rs", "./build/out.log"],
            ),
            ("commit 3f2a9c1d closes #412", vec!["3f2a9c1d", "#412"]),
            ("meet on 3 May 2024 at 10:30", vec!["3 May 2024", "10:30"]),
            ("costs 1,200.50 EUR or 15%", vec!["1,200.50 EUR", "15%"]),
            (
                "write to ana@example.org in /var/log/app",
                vec!["ana@example.org", "/var/log/app"],
            ),
            (
                "invoice INV_2024_0007, customer 9912345",
                vec!["INV_2024_0007", "9912345"],
            ),
            ("nothing of the kind, defaced", vec![]),
        ] {
            assert_eq!(slots(text), wanted, "{text}");
        }
    }
}
