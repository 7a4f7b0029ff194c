//! What is shown of a failed call: its class, its message and how often it was tried; the stack trace is kept elsewhere.

use aura_core::{CallId, Digest, SessionId};

/// Fewer frames are no trace.
const FEWEST: usize = 3;

/// A failure's text, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace<'a> {
    /// The class of the error, where the text names one: `ValueError`, `java.io.IOException`.
    pub class: Option<&'a str>,
    /// What stands around the trace: the message.
    pub message: String,
    /// The trace, as it stands.
    pub trace: &'a str,
}

/// Takes a stack trace out of a failure's text (Python, Java and its like, JavaScript, Rust, Go, C#); `None` where there is none.
///
/// ```
/// use aura_assembly::results::split_trace;
/// let text = "Error: no such user\n    at find (a.js:1:2)\n    at run (a.js:3:4)\n    at main (a.js:5:6)\n";
/// let split = split_trace(text).unwrap();
/// assert_eq!((split.class, split.message.as_str()), (Some("Error"), "Error: no such user"));
/// ```
#[must_use]
pub fn split_trace(text: &str) -> Option<Trace<'_>> {
    let mut first: Option<usize> = None;
    let (mut end, mut at, mut frames, mut follows) = (0, 0, 0, false);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let framed = is_frame(line);
        // Python shows the source line below each frame.
        let within = follows && line.starts_with([' ', '\t']) && !line.trim().is_empty();
        if framed || is_opening(line) {
            first.get_or_insert(start);
        }
        if framed || (within && first.is_some()) {
            end = at;
        }
        frames += usize::from(framed);
        follows = framed || within;
    }
    let first = first.filter(|_| frames >= FEWEST)?;
    let (before, after) = (text.get(..first)?.trim_end(), text.get(end..)?.trim());
    let message = match (before.is_empty(), after.is_empty()) {
        (false, false) => format!("{before}\n{after}"),
        _ => format!("{before}{after}"),
    };
    Some(Trace {
        class: class(after).or_else(|| class(before)),
        message,
        trace: text.get(first..end)?,
    })
}

fn is_opening(line: &str) -> bool {
    let line = line.trim_start();
    [
        "Traceback (most recent call last)",
        "stack backtrace:",
        "goroutine ",
    ]
    .iter()
    .any(|opening| line.starts_with(opening))
}

fn is_frame(line: &str) -> bool {
    let indented = line.starts_with([' ', '\t']);
    let line = line.trim();
    let number = |rest: &str| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0
            && rest
                .get(digits..)
                .is_some_and(|rest| rest.starts_with(": "))
    };
    (indented && line.starts_with("at "))
        || (line.starts_with("File \"") && line.contains(", line "))
        || (indented && number(line))
        || (indented && line.contains(".go:"))
}

/// The class that a line of the message begins with.
fn class(message: &str) -> Option<&str> {
    let named = |line: &'_ str| -> Option<usize> {
        let end = line.find([':', ' ']).unwrap_or(line.len());
        let name = line.get(..end)?;
        let legal = name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'));
        let told = [
            "Error",
            "Exception",
            "Failure",
            "Fault",
            "Timeout",
            "Interrupt",
        ];
        (legal && told.iter().any(|told| name.contains(told))).then_some(end)
    };
    let line = message
        .lines()
        .rev()
        .find(|line| named(line.trim()).is_some())?
        .trim();
    line.get(..named(line)?)
}

/// The name of the artifact that keeps a call's stack trace, another for each trace.
#[must_use]
pub fn trace_name(session: &SessionId, call: &CallId, trace: &str) -> String {
    // Ids may be as long as a name.
    let of = Digest::of(format!("{session}/{call}/{trace}").as_bytes());
    format!("trace/{}", of.prefix(32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_of_many_languages_are_found() {
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    run()\n  File \"a.py\", line 2, in run\n    go()\n  File \"b.py\", line 3, in go\n    raise ValueError(\"bad id 7\")\nValueError: bad id 7\n";
        let java = "java.io.IOException: disk full\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n\tat a.B.e(B.java:3)\n";
        let rust = "thread 'main' panicked at src/main.rs:2:5:\nno luck\nstack backtrace:\n   0: rust_begin_unwind\n   1: core::panicking\n             at /rustc/x.rs:1\n   2: main\n";
        for (text, class, message) in [
            (python, Some("ValueError"), "ValueError: bad id 7"),
            (
                java,
                Some("java.io.IOException"),
                "java.io.IOException: disk full",
            ),
            (
                rust,
                None,
                "thread 'main' panicked at src/main.rs:2:5:\nno luck",
            ),
        ] {
            let split = split_trace(text).unwrap();
            assert_eq!(
                (split.class, split.message.as_str()),
                (class, message),
                "{text}"
            );
            assert!(split.trace.lines().count() >= 3 && text.contains(split.trace));
        }
        for text in [
            "no such file",
            "We met at noon.\n  at the bar\n",
            "1: a\n2: b\n3: c\n",
            "",
        ] {
            assert_eq!(split_trace(text), None, "{text}");
        }
    }
}
