//! A message as a dated, attributed excerpt, and what its forms cost.
//!
//! The text stands verbatim. A line of it that looks like the beginning of another excerpt is set off with `> `, so that
//! nobody can put words into another speaker's mouth.

use aura_core::{
    MediaSource, MessageTokens, Part, Provider, Result, ResultContent, StoredMessage, Timestamp,
    TokenCounter,
};

use crate::meter::{MESSAGE_TOKENS, message_tokens};
use crate::transcript;

/// The excerpt of a message, `[2024-05-03 10:00] Ana: text` and a line feed; empty when there is nothing to show.
///
/// It begins with `[` and ends in a line feed, so that excerpts may be counted one by one.
#[must_use]
pub fn line(stored: &StoredMessage) -> String {
    let mut out = String::new();
    write(&mut out, stored);
    out
}

/// Appends the excerpt of a message.
pub fn write(out: &mut String, stored: &StoredMessage) {
    let begin = out.len();
    out.push('[');
    write_minute(out, stored.time());
    out.push_str("] ");
    write_flat(out, stored.message.speaker());
    out.push_str(": ");
    let body = out.len();
    for text in stored.message.parts.iter().filter_map(Part::plain_text) {
        if out.len() > body {
            out.push('\n');
        }
        write_guarded(out, text);
    }
    for part in &stored.message.parts {
        write_mention(out, part, body);
    }
    if out.len() == body {
        out.truncate(begin);
    } else if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// What the excerpt of a message costs.
///
/// # Errors
/// Those of the counter.
pub fn tokens(stored: &StoredMessage, counter: &dyn TokenCounter) -> Result<u32> {
    counter.count(&line(stored))
}

/// What the message costs in its own role, without [`MESSAGE_TOKENS`]: name, content, calls and media.
///
/// A message that stands for several (an answer to several calls) includes what surrounds all but one of them.
///
/// # Errors
/// Those of the counter.
pub fn native_tokens(stored: &StoredMessage, counter: &dyn TokenCounter) -> Result<u32> {
    let mut sum = 0_u32;
    for message in transcript::messages_of(stored, Provider::Generic) {
        sum = sum.saturating_add(message_tokens(&message, counter)?);
    }
    Ok(sum.saturating_sub(MESSAGE_TOKENS))
}

/// What the message costs bare, as `max_recall_tokens` counts it: the tokens of `speaker: text` plus 4.
///
/// # Errors
/// Those of the counter.
pub fn recall_tokens(stored: &StoredMessage, counter: &dyn TokenCounter) -> Result<u32> {
    let message = &stored.message;
    let bare = format!("{}: {}", message.speaker(), message.plain_text());
    Ok(counter.count(&bare)?.saturating_add(4))
}

/// All three, as the engine keeps them beside a message.
///
/// # Errors
/// Those of the counter.
pub fn count(stored: &StoredMessage, counter: &dyn TokenCounter) -> Result<MessageTokens> {
    Ok(MessageTokens {
        native: native_tokens(stored, counter)?,
        excerpt: tokens(stored, counter)?,
        recall: recall_tokens(stored, counter)?,
    })
}

/// Appends what a part that is no text is mentioned as.
fn write_mention(out: &mut String, part: &Part, body: usize) {
    let begin = out.len();
    if begin > body {
        out.push('\n');
    }
    let mentioned = out.len();
    match part {
        Part::ToolCall(call) => {
            out.push_str("[calls ");
            write_flat(out, &call.name);
            out.push('(');
            write_flat(out, call.arguments.as_str());
            out.push_str(")]");
        }
        Part::Media(media) => {
            out.push('[');
            write_flat(out, &media.mime);
            match &media.source {
                MediaSource::Uri(uri) if uri.starts_with("data:") => {}
                MediaSource::Uri(uri) => {
                    out.push(' ');
                    write_flat(out, uri);
                }
                MediaSource::Artifact(handle) => {
                    out.push(' ');
                    out.push_str(&handle.to_string());
                }
            }
            out.push(']');
        }
        Part::TextArtifact { handle } => out.push_str(&transcript::kept_as(handle)),
        Part::ToolResult(result) => {
            if let ResultContent::Artifact(handle) = &result.content {
                out.push_str(&transcript::kept_as(handle));
            }
        }
        Part::Text { .. } | Part::Opaque(_) => {}
    }
    if out.len() == mentioned {
        out.truncate(begin);
    }
}

/// Appends a text without line breaks and other control characters.
pub(crate) fn write_flat(out: &mut String, text: &str) {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    out.extend(text.chars().map(|c| if breaks(c) { ' ' } else { c }));
}

/// Appends a text verbatim, but for lines that look like the beginning of an excerpt.
fn write_guarded(out: &mut String, text: &str) {
    let mut kept = 0;
    for (at, _) in text.match_indices(['\n', '\r', '\u{2028}', '\u{2029}']) {
        let after = text.get(at..).unwrap_or_default();
        let start = at + after.chars().next().map_or(1, char::len_utf8);
        let next = text.get(start..).unwrap_or_default();
        if looks_like_a_head(next) {
            out.push_str(text.get(kept..start).unwrap_or_default());
            out.push_str("> ");
            kept = start;
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
}

/// Whether a line begins as `[2024-05-03 10:00]` does.
fn looks_like_a_head(line: &str) -> bool {
    const SHAPE: &[u8] = b"[0000-00-00 00:00]";
    let line = line.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
    let mut bytes = line.bytes();
    SHAPE.iter().all(|shape| {
        bytes.next().is_some_and(|byte| match shape {
            b'0' => byte.is_ascii_digit(),
            other => byte == *other,
        })
    })
}

/// Appends a time as `YYYY-MM-DD HH:MM`, in UTC.
fn write_minute(out: &mut String, time: Timestamp) {
    write_day(out, time);
    let minutes = time.as_millis().div_euclid(60_000).rem_euclid(24 * 60);
    out.push(' ');
    write_number(out, minutes / 60, 2);
    out.push(':');
    write_number(out, minutes % 60, 2);
}

/// Appends a day as `YYYY-MM-DD`, in UTC: the proleptic Gregorian calendar reckoned in eras of 400 years from March.
pub(crate) fn write_day(out: &mut String, time: Timestamp) {
    let days = time.as_millis().div_euclid(86_400_000) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (of_month, month) = (
        of_year - (153 * month + 2) / 5 + 1,
        if month < 10 { month + 3 } else { month - 9 },
    );
    let year = year + era * 400 + i64::from(month <= 2);
    write_number(out, year, 4);
    out.push('-');
    write_number(out, month, 2);
    out.push('-');
    write_number(out, of_month, 2);
}

fn write_number(out: &mut String, number: i64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = number / 10_i64.pow(place) % 10;
        out.push(char::from(
            b'0' + u8::try_from(digit.unsigned_abs()).unwrap_or(0),
        ));
    }
}

#[cfg(test)]
mod tests;
