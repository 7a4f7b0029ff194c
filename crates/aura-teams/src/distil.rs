//! Distilling: the few sentences that a receiver needs.

use crate::slots::slots;

/// The most bytes of a summary: what a packet shows by default is a quarter of that in tokens.
const LONGEST: usize = 1_200;

/// The sentences at each end that always stand.
const ENDS: usize = 2;

/// What a text says in short: its `Handoff:` line where there is one, else itself where it is short, else its first and
/// last sentences and those that name something to keep (see [`slots`]), in their order.
///
/// ```
/// let text = "I looked at many things.\nHandoff: invoice INV-7 is paid, tell Ana.\nThat is all.";
/// assert_eq!(aura_teams::distil(text), "invoice INV-7 is paid, tell Ana.");
/// ```
#[must_use]
pub fn distil(text: &str) -> String {
    if let Some(line) = handoff_line(text) {
        return line.to_owned();
    }
    let text = text.trim();
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let sentences = sentences(text);
    let last = sentences.len().saturating_sub(1);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let telling = |at: usize| {
        sentences
            .get(at)
            .is_some_and(|sentence| !slots(sentence).is_empty())
    };
    order.sort_by_key(|at| {
        let at_end = *at < ENDS || last - at < ENDS;
        (!at_end, !telling(*at), *at)
    });
    let mut kept = Vec::new();
    let mut bytes = 0;
    for at in order {
        let length = sentences.get(at).map_or(0, |sentence| sentence.len() + 1);
        if bytes + length <= LONGEST {
            bytes += length;
            kept.push(at);
        }
    }
    kept.sort_unstable();
    let kept = kept.into_iter().filter_map(|at| sentences.get(at).copied());
    let kept: Vec<&str> = kept.collect();
    if kept.is_empty() {
        // One endless sentence: its beginning.
        return text
            .get(..text.floor_char_boundary(LONGEST))
            .unwrap_or_default()
            .to_owned();
    }
    kept.join(" ")
}

/// The last line that begins with `Handoff:`.
fn handoff_line(text: &str) -> Option<&str> {
    let lines = text.lines().rev();
    let mut found = lines.filter_map(|line| {
        let line = line.trim().trim_start_matches(['*', '#', '>', '-', ' ']);
        let (head, rest) = line.split_at_checked("handoff:".len())?;
        let rest = rest.trim_start_matches('*').trim();
        (head.eq_ignore_ascii_case("handoff:") && !rest.is_empty()).then_some(rest)
    });
    found.next()
}

/// Sentences and lines, trimmed.
fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut before = ' ';
        for (at, c) in line.char_indices() {
            if c.is_whitespace() && matches!(before, '.' | '!' | '?') {
                out.push(line.get(start..at).unwrap_or_default().trim());
                start = at;
            }
            if matches!(before, '。' | '！' | '？') {
                out.push(line.get(start..at).unwrap_or_default().trim());
                start = at;
            }
            before = c;
        }
        out.push(line.get(start..).unwrap_or_default().trim());
    }
    out.retain(|sentence| !sentence.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explicit_line_wins() {
        assert_eq!(distil("Handoff: one\nand\n**Handoff:** two"), "two");
        assert_eq!(distil("Handoff:\nnothing there"), "Handoff:\nnothing there");
    }

    #[test]
    fn a_long_text_keeps_its_ends_and_what_it_names() {
        let mut text = String::from("We began well. It was cold. ");
        for n in 0..60 {
            text.push_str(&format!("Then we talked for a while about topic {n}. "));
        }
        text.push_str("Order ORD-7781 is late. ");
        for n in 0..60 {
            text.push_str(&format!("After that came a long silence of kind {n}. "));
        }
        text.push_str("We agreed in the end. Ana writes the mail.");
        let short = distil(&text);
        assert!(short.len() <= LONGEST);
        for wanted in [
            "We began well.",
            "ORD-7781",
            "We agreed in the end.",
            "Ana writes the mail.",
        ] {
            assert!(short.contains(wanted), "{wanted}: {short}");
        }
        assert!(distil(&"x".repeat(5_000)).len() <= LONGEST);
        assert!(distil(&"字".repeat(5_000)).len() <= LONGEST);
    }
}
