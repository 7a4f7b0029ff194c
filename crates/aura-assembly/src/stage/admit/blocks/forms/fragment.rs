//! The part of a long text that bears on the question.

use std::ops::Range;

use aura_core::Result;
use aura_text::{Analyzer, Bm25Set, QueryTerms};

use crate::meter::Meter;

/// A line longer than this, in bytes, is cut at the ends of its sentences.
const LONG_LINE: usize = 400;
/// A sentence longer than this is cut between words.
const LONG_SENTENCE: usize = 800;
/// Stands where something was left out.
const GAP: &str = "[…]";

/// The passages that fit the question best, and what stands beside them, within `most` tokens; in the order of the text,
/// with a mark wherever something is left out. `None`, where no passage has to do with the question, or all of them fit.
pub(crate) fn fragment(
    text: &str,
    query: &QueryTerms,
    analyzer: &Analyzer,
    most: u32,
    meter: &Meter,
) -> Result<Option<String>> {
    let passages = passages(text);
    let slice = |at: usize| passages.get(at).and_then(|range| text.get(range.clone()));
    let mut set = Bm25Set::new(analyzer.clone());
    for at in 0..passages.len() {
        set.add(slice(at).unwrap_or_default());
    }
    let ranked = set.rank(query);
    let gap = meter.recurring(GAP)?.saturating_add(2);
    let mut left = most.saturating_sub(gap);
    let mut kept = vec![false; passages.len()];
    // A passage first, then its neighbours: the one after it explains more often than the one before.
    let near = |at: usize| [Some(at), at.checked_add(1), at.checked_sub(1)];
    for at in ranked.iter().flat_map(|found| near(found.index)).flatten() {
        let (Some(passage), Some(false)) = (slice(at), kept.get(at)) else {
            continue;
        };
        let cost = meter.count(passage)?.saturating_add(gap);
        if cost <= left {
            left -= cost;
            if let Some(slot) = kept.get_mut(at) {
                *slot = true;
            }
        }
    }
    let whole = kept.iter().all(|kept| *kept);
    if whole || ranked.is_empty() || !kept.iter().any(|kept| *kept) {
        return Ok(None);
    }
    Ok(Some(joined(text, &passages, &kept)))
}

fn joined(text: &str, passages: &[Range<usize>], kept: &[bool]) -> String {
    let mut out = String::new();
    let mut skipped = false;
    for (range, kept) in passages.iter().zip(kept) {
        if !kept {
            skipped = true;
            continue;
        }
        if std::mem::take(&mut skipped) {
            push_gap(&mut out);
        }
        out.push_str(text.get(range.clone()).unwrap_or_default());
    }
    if skipped {
        push_gap(&mut out);
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}

fn push_gap(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(GAP);
    out.push('\n');
}

/// A text cut into lines, long lines into sentences, long sentences between words: all of it, in order.
fn passages(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.len() <= LONG_LINE {
            out.push(start..start + line.len());
        } else {
            sentences(line, start, &mut out);
        }
        start += line.len();
    }
    out
}

fn sentences(line: &str, offset: usize, out: &mut Vec<Range<usize>>) {
    let (mut start, mut last_space) = (0, None);
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let end = at + c.len_utf8();
        if c.is_whitespace() {
            last_space = Some(end);
        }
        let wide = matches!(c, '。' | '！' | '？');
        let sentence =
            wide || matches!(c, '.' | '!' | '?') && next.is_some_and(char::is_whitespace);
        let cut = if sentence {
            Some(end)
        } else if end - start > LONG_SENTENCE {
            // Without a space the text is no prose; then only a character that begins no cluster may follow the cut.
            last_space.filter(|space| *space > start).or_else(|| {
                next.is_none_or(|next| next.is_alphanumeric() && next.is_ascii())
                    .then_some(end)
            })
        } else {
            None
        };
        if let Some(cut) = cut.filter(|cut| *cut < line.len()) {
            out.push(offset + start..offset + cut);
            start = cut;
        }
    }
    out.push(offset + start..offset + line.len());
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use aura_text::BuiltinCounter;

    use super::*;

    fn of(text: &str, query: &str, most: u32) -> Option<String> {
        let analyzer = Analyzer::english();
        let meter = Meter::new(Arc::new(BuiltinCounter::O200kBase));
        fragment(text, &analyzer.query(query), &analyzer, most, &meter).unwrap()
    }

    #[test]
    fn what_bears_on_the_question_stays_with_its_neighbours() {
        let mut lines: Vec<String> = (0..60)
            .map(|n| format!("Clause {n} is about parking."))
            .collect();
        lines[30] = "Refunds are due within 30 days.".into();
        lines[31] = "They are paid by bank transfer.".into();
        let text = lines.join("\n");
        let found = of(&text, "When are refunds due?", 32).unwrap();
        assert_eq!(
            found,
            "[…]\nRefunds are due within 30 days.\nThey are paid by bank transfer.\n[…]"
        );
        assert_eq!(of(&text, "quartz", 40), None);
        assert_eq!(
            of("Refunds are due.", "refunds", 40),
            None,
            "all of it fits"
        );
        assert_eq!(of(&text, "When are refunds due?", 3), None);
        let two = of(&text, "When are refunds due?", 400).unwrap();
        assert!(two.contains("Clause 29"), "the neighbour before: {two}");
    }

    #[test]
    fn passages_cover_the_text() {
        let long = "One sentence here. Another one! And a third? ".repeat(20);
        let blob = "ab".repeat(2_000);
        let chinese = "退款期限为三十天。".repeat(100);
        for text in ["", "a\nb\n\nc", &long, &blob, &chinese, "x\n"] {
            let passages = passages(text);
            let all: String = passages.iter().map(|range| &text[range.clone()]).collect();
            assert_eq!(all, text);
            assert!(
                passages
                    .iter()
                    .all(|range| range.len() <= LONG_SENTENCE + 8)
            );
        }
        assert!(passages(&long).len() >= 60);
    }
}
