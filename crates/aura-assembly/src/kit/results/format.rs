//! What a result is written in.

use serde::Serialize;

/// The form of a result's text, by which it is made smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultFormat {
    /// A JSON value.
    Json,
    /// Rows of cells, separated by this character.
    Table(char),
    /// XML or HTML.
    Markup,
    /// A unified diff.
    Diff,
    /// Lines that a program logged.
    Log,
    /// Anything else.
    Text,
}

/// How many lines are looked at to tell a form.
const LOOKED_AT: usize = 40;

impl ResultFormat {
    /// The form of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let trimmed = text.trim_start();
        if trimmed.starts_with(['{', '[', '"'])
            && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        {
            return Self::Json;
        }
        if trimmed.starts_with("diff --git ")
            || (trimmed.starts_with("--- ") && text.contains("\n+++ ") && text.contains("\n@@ "))
        {
            return Self::Diff;
        }
        let opens = trimmed.strip_prefix('<');
        if opens.is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_alphabetic() || c == '!' || c == '?')
        }) && trimmed.trim_end().ends_with('>')
        {
            return Self::Markup;
        }
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .take(LOOKED_AT)
            .collect();
        let logged = lines.iter().filter(|line| is_logged(line)).count();
        if lines.len() >= 3 && logged * 2 > lines.len() {
            return Self::Log;
        }
        let table = ['\t', ',', ';']
            .into_iter()
            .find(|delimiter| is_table(&lines, *delimiter));
        table.map_or(Self::Text, Self::Table)
    }
}

/// Whether a line begins as programs log: with a time, or near its beginning a level.
fn is_logged(line: &str) -> bool {
    let head: String = line.chars().take(48).collect();
    let digits = head.chars().take(12).filter(char::is_ascii_digit).count();
    let timed = digits >= 4 && head.chars().take(24).any(|c| c == ':');
    timed || level(&head).is_some()
}

/// The severity that a line names, from 1 (warning) to 2 (error), 0 for other levels.
pub(super) fn level(line: &str) -> Option<u8> {
    let mut words = line.split(|c: char| !c.is_alphanumeric()).take(16);
    words.find_map(|word| match word {
        "ERROR" | "FATAL" | "CRITICAL" | "SEVERE" | "PANIC" | "Error" | "Exception"
        | "Traceback" | "error" | "panicked" | "E" => Some(2),
        "WARN" | "WARNING" | "Warning" | "warning" => Some(1),
        "INFO" | "DEBUG" | "TRACE" | "NOTICE" => Some(0),
        _ => None,
    })
}

/// Whether nearly all lines have as many delimiters as the first, and that at least one.
fn is_table(lines: &[&str], delimiter: char) -> bool {
    let count = |line: &str| line.matches(delimiter).count();
    let Some(first) = lines
        .first()
        .map(|line| count(line))
        .filter(|count| *count > 0)
    else {
        return false;
    };
    // Sentences have commas too, but seldom one more each line than a header has.
    let header_like = lines.first().is_some_and(|line| {
        let cells = line.split(delimiter);
        cells.clone().all(|cell| cell.trim().chars().count() <= 40)
            && !line.trim_end().ends_with('.')
    });
    let same = lines.iter().filter(|line| count(line) == first).count();
    lines.len() >= 3 && header_like && same * 10 >= lines.len() * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        for (text, format) in [
            ("{\"a\": [1, 2]}", ResultFormat::Json),
            ("[not json", ResultFormat::Text),
            ("id,name\n1,Ana\n2,Ben\n", ResultFormat::Table(',')),
            (
                "id\tname\n1\tAna, of Graz\n2\tBen\n",
                ResultFormat::Table('\t'),
            ),
            ("<html><body>Hi</body></html>", ResultFormat::Markup),
            ("<3 you", ResultFormat::Text),
            (
                "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
                ResultFormat::Diff,
            ),
            (
                "2024-05-03 10:00:01 INFO start\n2024-05-03 10:00:02 ERROR bad\n2024-05-03 10:00:03 INFO end",
                ResultFormat::Log,
            ),
            (
                "Well, it rained.\nSo, we left.\nThen, it stopped.",
                ResultFormat::Text,
            ),
            ("", ResultFormat::Text),
        ] {
            assert_eq!(ResultFormat::of(text), format, "{text}");
        }
    }
}
