//! What of a failed call must not be lost: the error, its cause, and whether to try again. Stack frames go.

use serde_json::{Map, Value};

/// Lines kept at most.
const MAX_LINES: usize = 8;
/// Bytes kept of a line, about.
const MAX_LINE: usize = 300;

/// Words that a line about an error begins with.
const BEGINNINGS: [&str; 16] = [
    "error",
    "fatal",
    "panic",
    "fail",
    "caused by",
    "cause",
    "reason",
    "exception",
    "exit",
    "status",
    "retry",
    "retries",
    "timeout",
    "timed out",
    "denied",
    "thread '",
];
/// Words that the name of an error ends with.
const ENDINGS: [&str; 7] = [
    "Error",
    "Exception",
    "Failure",
    "Fault",
    "Timeout",
    "Panic",
    "Interrupt",
];
/// Keys of JSON that say what went wrong.
const KEYS: [&str; 17] = [
    "error",
    "errors",
    "code",
    "status",
    "message",
    "msg",
    "reason",
    "cause",
    "detail",
    "details",
    "type",
    "class",
    "name",
    "retry",
    "retryable",
    "retry_after",
    "attempts",
];

/// The error and its cause out of what a failed call gave; `None` where nothing can be left out.
pub(crate) fn error_and_cause(text: &str) -> Option<String> {
    let small = match serde_json::from_str::<Value>(text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => from_json(value)?,
        _ => from_lines(text)?,
    };
    (!small.is_empty() && small.len() < text.len()).then_some(small)
}

/// An object with the keys that matter, keys in alphabetical order.
fn from_json(value: Value) -> Option<String> {
    let small = essential(value)?;
    aura_core::json::to_string(&small).ok()
}

fn essential(value: Value) -> Option<Value> {
    match value {
        Value::Object(object) => {
            let mut kept = Map::new();
            for (key, value) in object {
                let known = KEYS.iter().any(|wanted| key.eq_ignore_ascii_case(wanted));
                let value = match value {
                    Value::Object(_) | Value::Array(_) => essential(value),
                    Value::String(text) => known.then(|| Value::String(clipped(&text))),
                    scalar => known.then_some(scalar),
                };
                if let Some(value) = value {
                    kept.insert(key, value);
                }
            }
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::Array(items) => {
            let kept = items.into_iter().filter_map(|item| match item {
                Value::Object(_) => essential(item),
                _ => None,
            });
            let kept: Vec<Value> = kept.take(MAX_LINES).collect();
            (!kept.is_empty()).then_some(Value::Array(kept))
        }
        _ => None,
    }
}

fn from_lines(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let says = |at: &usize| {
        let line = lines.get(*at).copied().unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| lines.get(at));
        let quoted = before.is_some_and(|before| before.trim_start().starts_with("File \""));
        !(line.trim().is_empty() || is_frame(line) || quoted && line.starts_with(' '))
    };
    let spoken: Vec<usize> = (0..lines.len()).filter(says).collect();
    let about = |at: usize| {
        let line = lines.get(at).copied().unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| lines.get(at)).copied();
        is_about_error(line) || before.is_some_and(announces)
    };
    let mut kept: Vec<usize> = Vec::new();
    kept.extend(spoken.first());
    // The last line often holds the error itself, what it was caused by stands nearer to the end than other mentions.
    let heads = spoken.iter().rev().filter(|at| about(**at));
    kept.extend(heads.take(MAX_LINES - 2));
    kept.extend(spoken.last());
    kept.sort_unstable();
    kept.dedup();
    if kept.is_empty() || kept.len() == lines.len() {
        return None;
    }
    let mut out = String::new();
    for at in &kept {
        let line = lines.get(*at).copied().unwrap_or_default();
        out.push_str(&clipped(line.trim_end()));
        out.push('\n');
    }
    out.push_str(&format!("[{} lines left out]", lines.len() - kept.len()));
    Some(out)
}

/// Whether a line says what comes next is the cause.
fn announces(line: &str) -> bool {
    let line = line.trim().to_ascii_lowercase();
    line.ends_with(':') && (line.contains("cause") || line.contains("error"))
}

/// Whether a line is a frame of a stack: `at f (x.js:1)`, `File "x.py", line 1`, `#3 …`, `12: core::…`, source lines.
fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    let indented = text.len() < line.len();
    let numbered = text
        .trim_start_matches('#')
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let frame = text.starts_with("at ")
        || text.starts_with("File \"")
        || text.starts_with("... ")
        || text.starts_with('^')
        || text.starts_with('~')
        || (text.starts_with('#') && numbered.len() + 1 < text.len())
        || (indented
            && numbered.starts_with(": ")
            && numbered.len() < text.len()
            && text.contains("::"))
        || text.starts_with("goroutine ")
        || text.starts_with("Traceback (")
        || text.starts_with("stack backtrace");
    let deep = line.starts_with("    ") && !is_about_error(text);
    frame || deep || line.starts_with('\t') && !is_about_error(text)
}

fn is_about_error(line: &str) -> bool {
    let line = line.trim_start();
    let lower = line.to_ascii_lowercase();
    if BEGINNINGS.iter().any(|word| lower.starts_with(word)) {
        return true;
    }
    let name = line.split([':', ' ', '(']).next().unwrap_or_default();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The beginning of a long line, up to a space.
fn clipped(line: &str) -> String {
    if line.len() <= MAX_LINE {
        return line.to_owned();
    }
    let head = line
        .get(..line.floor_char_boundary(MAX_LINE))
        .unwrap_or_default();
    let end = head
        .rfind(char::is_whitespace)
        .filter(|end| *end > MAX_LINE / 2);
    let head = head.get(..end.unwrap_or(head.len())).unwrap_or_default();
    format!("{head} […]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_python_traceback_keeps_error_and_cause() {
        let text = "Deploying service\nTraceback (most recent call last):\n  File \"/srv/a.py\", line 3, in run\n    connect()\n  File \"/srv/b.py\", line 9, in connect\n    raise E\nConnectionError: no route to host\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"/srv/a.py\", line 5, in run\n    fail()\nDeployError: rollout failed: retry in 30 s";
        assert_eq!(
            error_and_cause(text).unwrap(),
            "Deploying service\nConnectionError: no route to host\nDeployError: rollout failed: retry in 30 s\n[11 lines left out]"
        );
    }

    #[test]
    fn other_stacks_keep_error_and_cause() {
        let java = "java.lang.IllegalStateException: pool is empty\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\nCaused by: java.sql.SQLTimeoutException: 30 s passed\n\tat x.Y.z(Y.java:3)\n\t... 12 more";
        assert_eq!(
            error_and_cause(java).unwrap(),
            "java.lang.IllegalStateException: pool is empty\nCaused by: java.sql.SQLTimeoutException: 30 s passed\n[4 lines left out]"
        );
        let node = "TypeError: x is undefined\n    at f (/srv/x.js:1:2)\n    at g (/srv/x.js:3:4)";
        assert_eq!(
            error_and_cause(node).unwrap(),
            "TypeError: x is undefined\n[2 lines left out]"
        );
        let rust = "Error: cannot read the ledger\n\nCaused by:\n    0: permission denied\n    1: os error 13\n\nStack backtrace:\n   0: anyhow::new\n   1: app::main";
        let kept = error_and_cause(rust).unwrap();
        assert!(
            kept.starts_with("Error: cannot read the ledger\nCaused by:\n"),
            "{kept}"
        );
        assert!(!kept.contains("anyhow::new"), "{kept}");
    }

    #[test]
    fn json_keeps_what_says_what_went_wrong() {
        let json = r#"{"request":{"body":"a long body","code":7},"error":{"message":"quota exceeded","code":429,"stack":["a","b"]},"retry_after":30,"data":[1,2,3]}"#;
        assert_eq!(
            error_and_cause(json).unwrap(),
            r#"{"error":{"code":429,"message":"quota exceeded"},"request":{"code":7},"retry_after":30}"#
        );
        assert_eq!(error_and_cause(r#"{"rows":[1,2]}"#), None);
    }

    #[test]
    fn what_is_short_stays_whole() {
        for text in ["", "Error: no", "permission denied\n"] {
            assert_eq!(error_and_cause(text), None, "{text}");
        }
        let long = format!("Error: {}\nat f (x.js:1)", "word ".repeat(200));
        let kept = error_and_cause(&long).unwrap();
        assert!(kept.len() < 400 && kept.contains("word […]"), "{kept}");
    }
}
