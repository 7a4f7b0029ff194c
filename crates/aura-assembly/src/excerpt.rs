//! A message as a dated, attributed excerpt, and what its forms cost.
//!
//! The text stands verbatim. A line of it that looks like the beginning of another excerpt is set off with `> `, so that
//! nobody can put words into another speaker's mouth.

pub(crate) mod unseen;

use aura_core::{
    MediaSource, MessageTokens, Part, Provider, Result, ResultContent, StoredMessage, Timestamp,
    TokenCounter,
};
use unicode_normalization::UnicodeNormalization;

use crate::excerpt::unseen::{is_trickery, is_unseen};
use crate::meter::{MESSAGE_TOKENS, NAME_TOKENS, message_tokens};
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
    if let Some(tokens) = count_plain(stored, counter)? {
        return Ok(tokens);
    }
    Ok(MessageTokens {
        native: native_tokens(stored, counter)?,
        excerpt: tokens(stored, counter)?,
        recall: recall_tokens(stored, counter)?,
    })
}

/// All three of a message of one text, nearly all there are: the same text each time, in other frames.
fn count_plain(
    stored: &StoredMessage,
    counter: &dyn TokenCounter,
) -> Result<Option<MessageTokens>> {
    let message = &stored.message;
    let ([Part::Text { text }], None) = (message.parts.as_slice(), &message.native) else {
        return Ok(None);
    };
    let line = line(stored);
    let head = line
        .strip_suffix('\n')
        .and_then(|line| line.strip_suffix(text.as_str()));
    let (Some(head), false) = (head, text.is_empty()) else {
        return Ok(None);
    };
    let speaker = format!("{}: ", message.speaker());
    let counts = counter.count_framed(text, &[("", ""), (head, "\n"), (&speaker, "")])?;
    let [native, excerpt, recall] = counts[..] else {
        return Ok(None);
    };
    let name = match message.name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => NAME_TOKENS.saturating_add(counter.count(name)?),
        None => 0,
    };
    Ok(Some(MessageTokens {
        native: native.saturating_add(name),
        excerpt,
        recall: recall.saturating_add(4),
    }))
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

/// Appends a text without line breaks and other control characters, nor what turns the direction or has no width.
pub(crate) fn write_flat(out: &mut String, text: &str) {
    if text
        .bytes()
        .all(|byte| byte.is_ascii() && !byte.is_ascii_control())
    {
        out.push_str(text);
        return;
    }
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let seen = text.chars().filter(|c| c.is_control() || !is_trickery(*c));
    out.extend(seen.map(|c| if breaks(c) { ' ' } else { c }));
}

/// Appends a text verbatim, but for lines that look like the beginning of an excerpt.
fn write_guarded(out: &mut String, text: &str) {
    let mut kept = 0;
    // A bracket, and the first byte of those that are a bracket in disguise.
    for at in memchr::memchr2_iter(b'[', 0xEF, text.as_bytes()) {
        let start = match text.split_at_checked(at) {
            Some((before, rest)) if looks_like_a_head(rest) => line_start(before),
            _ => None,
        };
        if let Some(start) = start {
            out.push_str(text.get(kept..start).unwrap_or_default());
            out.push_str("> ");
            kept = start;
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
}

/// Whether a text begins as `[2024-05-03 10:00]` does, or seems to: characters that are not seen are passed over, digits
/// and brackets in disguise are seen through.
fn looks_like_a_head(text: &str) -> bool {
    const SHAPE: &[u8] = b"[0000-00-00 00:00]";
    if text.starts_with(is_unseen) {
        return false;
    }
    let mut seen = text.chars().filter(|c| !is_unseen(*c)).nfkc();
    SHAPE.iter().all(|shape| {
        seen.next().is_some_and(|c| match shape {
            b'0' => c.is_ascii_digit(),
            other => c == char::from(*other),
        })
    })
}

/// Where the line begins whose end this is, if nothing is seen on it; the first line of a text begins nowhere.
fn line_start(before: &str) -> Option<usize> {
    let breaks = |c: char| matches!(c, '\n'..='\r' | '\u{1C}'..='\u{1E}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut backwards = before.char_indices().rev();
    let (at, last) =
        backwards.find(|(_, c)| breaks(*c) || !(is_unseen(*c) || c.is_whitespace()))?;
    breaks(last).then(|| at + last.len_utf8())
}

/// Appends a time as `YYYY-MM-DD HH:MM`, in UTC.
fn write_minute(out: &mut String, time: Timestamp) {
    write_day(out, time);
    let minutes = time.as_millis().div_euclid(60_000).rem_euclid(24 * 60);
    let minutes = u32::try_from(minutes).unwrap_or(0);
    let (hour, minute) = (minutes / 60, minutes % 60);
    let text = [
        b' ',
        digit(hour / 10),
        digit(hour),
        b':',
        digit(minute / 10),
        digit(minute),
    ];
    out.push_str(std::str::from_utf8(&text).unwrap_or_default());
}

/// Appends a day as `YYYY-MM-DD`, in UTC: the proleptic Gregorian calendar reckoned in eras of 400 years from March.
pub(crate) fn write_day(out: &mut String, time: Timestamp) {
    // Days since 1 March of the year 0, a little more than that for January and February of the year 0.
    let since_epoch = time.as_millis().div_euclid(86_400_000);
    let days = u32::try_from(since_epoch + 719_468 + 146_097).unwrap_or(0);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u32::from(month <= 2) - 400;
    let text = [
        digit(year / 1000),
        digit(year / 100),
        digit(year / 10),
        digit(year),
        b'-',
        digit(month / 10),
        digit(month),
        b'-',
        digit(of_month / 10),
        digit(of_month),
    ];
    out.push_str(std::str::from_utf8(&text).unwrap_or_default());
}

/// The last decimal digit of a number.
fn digit(number: u32) -> u8 {
    b'0' + u8::try_from(number % 10).unwrap_or(0)
}

#[cfg(test)]
mod tests;
