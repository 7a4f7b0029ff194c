//! Logs and diffs made smaller, line by line: what matters stays, and in the place of the rest stands how much it was.

use aura_core::{Result, TokenCounter};

use super::fit::{ends, largest};
use super::format::level;

/// The longest part of a line that stands, in characters for each line that is kept, at least.
const WIDTH: usize = 240;

/// A log: its errors, then its warnings, then its ends; lines that repeat but for their numbers stand once.
pub(super) fn log(
    text: &str,
    limit: u32,
    address: &str,
    counter: &dyn TokenCounter,
) -> Result<Option<String>> {
    let lines = folded(text);
    let order = by_weight(&lines);
    largest(limit, lines.len(), counter, |size| {
        let mut kept: Vec<usize> = order.iter().take(size).copied().collect();
        kept.sort_unstable();
        let count = |at: usize| lines.get(at).map_or(0, |line| line.times);
        write(&lines, &kept, address, |from, to| {
            let missing: usize = (from..to).map(count).sum();
            format!("[… {missing} lines left out]")
        })
    })
}

/// A diff: the names of all files and the places of all hunks, then the changed lines, and what surrounds them last.
pub(super) fn diff(
    text: &str,
    limit: u32,
    address: &str,
    counter: &dyn TokenCounter,
) -> Result<Option<String>> {
    let lines: Vec<Line<'_>> = text.lines().map(|text| Line { text, times: 1 }).collect();
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let weight = |at: &usize| match lines.get(*at).map(|line| line.text) {
        Some(line) if is_name(line) => 0,
        Some(line) if line.starts_with("@@") => 1,
        Some(line) if line.starts_with(['+', '-']) => 2,
        _ => 3,
    };
    order.sort_by_key(|at| (weight(at), *at));
    largest(limit, lines.len(), counter, |size| {
        let mut kept: Vec<usize> = order.iter().take(size).copied().collect();
        kept.sort_unstable();
        write(&lines, &kept, address, |from, to| {
            let gone = lines.get(from..to).unwrap_or_default();
            let of = |mark: char| {
                let changed = gone.iter().filter(|line| line.text.starts_with(mark));
                changed.filter(|line| !is_name(line.text)).count()
            };
            format!(
                "[… {} lines left out, +{} -{}]",
                gone.len(),
                of('+'),
                of('-')
            )
        })
    })
}

/// Whether a line of a diff names a file.
fn is_name(line: &str) -> bool {
    let heads = [
        "diff --git ",
        "--- ",
        "+++ ",
        "rename ",
        "new file",
        "deleted file",
    ];
    heads.iter().any(|head| line.starts_with(head))
}

/// A line, and how often it stands in a row but for its numbers.
struct Line<'a> {
    text: &'a str,
    times: usize,
}

/// The lines of a log, runs of the same line folded into their first.
fn folded(text: &str) -> Vec<Line<'_>> {
    let shape = |line: &str| -> String { line.chars().filter(|c| !c.is_ascii_digit()).collect() };
    let mut out: Vec<Line<'_>> = Vec::new();
    let mut last = String::new();
    for text in text.lines() {
        let shape = shape(text);
        match out.last_mut() {
            Some(line) if shape == last => line.times += 1,
            _ => out.push(Line { text, times: 1 }),
        }
        last = shape;
    }
    out
}

/// The lines in the order in which they deserve to stand: ends first, then errors, warnings, and from the ends inwards.
fn by_weight(lines: &[Line<'_>]) -> Vec<usize> {
    let last = lines.len().saturating_sub(1);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let severity = |at: &usize| {
        lines
            .get(*at)
            .and_then(|line| level(line.text))
            .unwrap_or(0)
    };
    let outer = |at: &usize| {
        let (head, tail) = ends(lines.len());
        let from_end = last - at;
        // Two lines of the head for each of the tail.
        match tail.saturating_mul(*at) <= head.saturating_mul(from_end) {
            true => *at,
            false => from_end.saturating_mul(2) + 1,
        }
    };
    order.sort_by_key(|at| {
        let end = *at == 0 || *at == last;
        (!end, std::cmp::Reverse(severity(at)), outer(at))
    });
    order
}

/// Writes the lines at `kept`, ascending, with what `gap` says between them, and where the whole is.
fn write(
    lines: &[Line<'_>],
    kept: &[usize],
    address: &str,
    gap: impl Fn(usize, usize) -> String,
) -> String {
    let mut out = String::new();
    let mut next = 0;
    let mut push = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    for at in kept {
        if next < *at {
            push(&gap(next, *at));
        }
        let Some(line) = lines.get(*at) else {
            continue;
        };
        match super::fit::clip(line.text, WIDTH, 0) {
            Some((head, missing, _)) => push(&format!("{head}[… {missing} characters]")),
            None => push(line.text),
        }
        if line.times > 1 {
            push(&format!("[and {} more like it]", line.times - 1));
        }
        next = at + 1;
    }
    if next < lines.len() {
        push(&gap(next, lines.len()));
    }
    push(&format!("[whole: {address}]"));
    out
}

#[cfg(test)]
mod tests {
    use aura_text::BuiltinCounter;

    use super::super::cap::{Capped, cap};
    use super::*;

    fn capped(text: &str, limit: u32) -> String {
        let counter = BuiltinCounter::O200kBase;
        match cap(text, limit, "event:9", &counter).unwrap() {
            Capped::Shorter(small) => {
                assert!(counter.count(&small).unwrap() <= limit);
                small
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_log_keeps_its_errors_and_its_ends() {
        let mut text = String::from("2024-05-03 10:00:00 INFO service starts\n");
        for n in 0..400 {
            text.push_str(&format!(
                "2024-05-03 10:01:{:02} INFO handled request {n} of {}\n",
                n % 60,
                ["a", "b"][n / 200]
            ));
            if n == 250 {
                text.push_str("2024-05-03 10:01:11 ERROR disk full\n");
            }
        }
        text.push_str("2024-05-03 10:09:00 INFO service ends\n");
        let small = capped(&text, 160);
        for wanted in [
            "service starts",
            "ERROR disk full",
            "service ends",
            "[and 199 more like it]",
            "[whole: event:9]",
        ] {
            assert!(small.contains(wanted), "{wanted} in {small}");
        }
    }

    #[test]
    fn a_diff_keeps_its_files_and_hunks() {
        let mut text = String::new();
        for file in 0..3 {
            text.push_str(&format!(
                "diff --git a/f{file} b/f{file}\n--- a/f{file}\n+++ b/f{file}\n@@ -1,30 +1,30 @@\n"
            ));
            for n in 0..30 {
                text.push_str(&format!(" context {n}\n-old {n}\n+new {n}\n"));
            }
        }
        let small = capped(&text, 260);
        for file in 0..3 {
            assert!(small.contains(&format!("+++ b/f{file}")), "{small}");
        }
        assert_eq!(small.matches("@@ -1,30 +1,30 @@").count(), 3);
        // Every line stands or is counted.
        let missing = |mark: &str| -> usize {
            let marks = small.lines().filter(|line| line.starts_with("[… "));
            let of = |line: &str| {
                let at = line.split(mark).nth(1).unwrap();
                let digits: String = at.chars().take_while(char::is_ascii_digit).collect();
                digits.parse::<usize>().unwrap()
            };
            marks.map(of).sum()
        };
        let shown = |mark: &str| small.lines().filter(|line| line.starts_with(mark)).count();
        assert_eq!(shown("+new") + missing(" +"), 90);
        assert_eq!(shown("-old") + missing(" -"), 90);
    }

    #[test]
    fn text_keeps_its_ends_and_whole_graphemes() {
        let text = "👩‍👩‍👧‍👦e\u{301}".repeat(500);
        let small = capped(&text, 100);
        assert!(small.starts_with("👩‍👩‍👧‍👦e\u{301}"));
        let parts: Vec<&str> = small.split('\n').collect();
        use unicode_segmentation::UnicodeSegmentation as _;
        let graphemes: Vec<&str> = text.graphemes(true).collect();
        let (head, tail) = (
            parts[0].graphemes(true).count(),
            parts[2].graphemes(true).count(),
        );
        assert_eq!(parts[0], graphemes[..head].concat());
        assert_eq!(parts[2], graphemes[graphemes.len() - tail..].concat());
        assert!(
            parts[1].contains(&format!("{} characters", 1000 - head - tail)),
            "{small}"
        );
    }
}
