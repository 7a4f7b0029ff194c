//! Running text on a terminal: wrapped, shortened, and harmless.

use std::borrow::Cow;
use std::io::{self, Write as _};

use aura::EventRange;
use unicode_width::UnicodeWidthStr as _;

use super::{Out, style};

/// Lines of a text that a terminal shows unless all are asked for.
pub(crate) const SHOWN: usize = 8;

/// Writes a text, indented. On a terminal it is wrapped, and shortened to a few lines unless `full`.
///
/// # Errors
/// Those of the output.
pub(crate) fn block(out: &mut Out, text: &str, indent: &str, full: bool) -> io::Result<()> {
    let shown = if full { usize::MAX } else { SHOWN };
    lines(out, text, indent, shown)
}

/// Writes a text, indented. On a terminal it is wrapped, and shortened to `shown` lines.
///
/// # Errors
/// Those of the output.
pub(crate) fn lines(out: &mut Out, text: &str, indent: &str, shown: usize) -> io::Result<()> {
    let text = visible(text);
    let Some(width) = out.width() else {
        for line in text.lines() {
            writeln!(out, "{indent}{line}")?;
        }
        return Ok(());
    };
    let options = textwrap::Options::new(width)
        .initial_indent(indent)
        .subsequent_indent(indent);
    let mut lines = 0;
    let mut hidden = 0;
    for line in text.lines() {
        // What is hidden is counted by its own lines: wrapping all of a long output would be wasted work.
        if lines >= shown {
            hidden += 1;
            continue;
        }
        for piece in textwrap::wrap(line, &options) {
            if lines < shown {
                writeln!(out, "{}", piece.trim_end())?;
            } else if lines == shown {
                hidden += 1;
            }
            lines += 1;
        }
    }
    if hidden > 0 {
        let (dim, lines) = (style::DIM, plural(hidden, "line"));
        writeln!(
            out,
            "{indent}{dim}… at least {lines} more, shown by --full{dim:#}"
        )?;
    }
    Ok(())
}

/// A text on one line of at most `width` columns.
pub(crate) fn one_line(text: &str, width: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().take(width + 1).collect();
    let line = words.join(" ");
    let line = visible(&line);
    if line.width() <= width {
        return line.into_owned();
    }
    let mut short = String::new();
    let mut columns = 0;
    for letter in line.chars() {
        columns += unicode_width::UnicodeWidthChar::width(letter).unwrap_or(0);
        if columns + 1 > width {
            break;
        }
        short.push(letter);
    }
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// Control characters as pictures: stored text must not be able to steer a terminal.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let steers = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let picture = |letter: char| match letter {
        '\u{7f}' => '\u{2421}',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{fffd}'),
        _ => '\u{fffd}',
    };
    // A carriage return before a line feed is only another way to end a line.
    let text = text.replace("\r\n", "\n");
    Cow::Owned(
        text.chars()
            .map(|letter| {
                if steers(letter) {
                    picture(letter)
                } else {
                    letter
                }
            })
            .collect(),
    )
}

/// A number with a separator every three digits.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 line", "2 lines".
pub(crate) fn plural(count: u64, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{} {noun}{end}", number(count))
}

/// "3", "3–5, 9".
pub(crate) fn ranges(ranges: &[EventRange]) -> String {
    let one = |range: &EventRange| {
        if range.first == range.last {
            range.first.to_string()
        } else {
            format!("{}–{}", range.first, range.last)
        }
    };
    ranges.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_gets_the_whole_text() {
        let long = "word ".repeat(100);
        let text = format!("{long}\n{}", "line\n".repeat(30));
        let whole = Out::capture(None, |out| block(out, &text, "  ", false));
        assert_eq!(whole.lines().count(), 31);
        assert!(whole.starts_with(&format!("  {long}\n")));
    }

    #[test]
    fn a_terminal_gets_as_much_as_fits() {
        let text = format!("{}\n{}", "言葉 ".repeat(40), "line\n".repeat(30));
        let short = Out::capture(Some(40), |out| block(out, &text, "  ", false));
        assert!(
            short
                .lines()
                .all(|line| line.width() <= 40 || line.contains('…'))
        );
        assert_eq!(short.lines().count(), SHOWN + 1);
        let full = Out::capture(Some(40), |out| block(out, &text, "  ", true));
        assert!(full.lines().count() > 33);
        assert!(!full.contains("--full"));
    }

    #[test]
    fn text_cannot_steer_the_terminal() {
        assert_eq!(visible("a\u{1b}[2Jb\u{9b}\r\nc\td"), "a␛[2Jb\u{fffd}\nc\td");
        assert_eq!(one_line("a\u{7}\nb", 9), "a␇ b");
    }

    #[test]
    fn one_line_counts_columns() {
        assert_eq!(one_line("a  b\nc", 9), "a b c");
        assert_eq!(one_line("言葉言葉", 8), "言葉言葉");
        assert_eq!(one_line("言葉言葉言葉", 8), "言葉言…");
        assert_eq!(one_line("abcd efgh", 6), "abcd…");
    }

    #[test]
    fn numbers_are_grouped() {
        let of = |value| number(value);
        assert_eq!(
            [of(0), of(999), of(1000), of(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(plural(1, "line"), "1 line");
    }
}
