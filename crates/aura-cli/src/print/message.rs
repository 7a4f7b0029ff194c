//! Messages, compiled and stored.

use std::io::{self, Write as _};

use aura::{ContextMessage, MediaSource, Part, ResultContent, Section, StoredMessage};

use super::text::{SHOWN, block, lines, plural, visible};
use super::{Out, style};

/// Lines of recalled evidence that a terminal shows unless all are asked for: it is what the question is about.
const EVIDENCE_LINES: usize = 80;

/// Writes a message of a compiled context.
///
/// # Errors
/// Those of the output.
pub(crate) fn compiled(out: &mut Out, message: &ContextMessage, full: bool) -> io::Result<()> {
    let (role, dim) = (style::ROLE, style::DIM);
    write!(out, "{role}{}{role:#}", message.role.as_str())?;
    if let Some(name) = &message.name {
        write!(out, " {}", visible(name))?;
    }
    let events: Vec<String> = message.events.iter().map(ToString::to_string).collect();
    let events = match events.as_slice() {
        [] => String::new(),
        [one] => format!(" · event {one}"),
        many => format!(" · events {}", many.join(", ")),
    };
    let tokens = plural(u64::from(message.tokens), "token");
    writeln!(
        out,
        "{dim} · {}{events} · {tokens}{dim:#}",
        section(message.section)
    )?;
    if let Some(call) = &message.tool_call_id {
        let word = if message.is_error {
            "failure of"
        } else {
            "result of"
        };
        writeln!(out, "  {dim}{word} {}{dim:#}", visible(call.as_str()))?;
    }
    let shown = match message.section {
        _ if full => usize::MAX,
        Section::Evidence => EVIDENCE_LINES,
        _ => SHOWN,
    };
    lines(out, &message.content, "  ", shown)?;
    for call in &message.tool_calls {
        tool_call(
            out,
            call.id.as_str(),
            &call.name,
            call.arguments.as_str(),
            full,
        )?;
    }
    for media in &message.media {
        block(out, &format!("[{}] {}", media.mime, media.uri), "  ", full)?;
    }
    if let Some(native) = &message.native {
        block(out, native.as_str(), "  ", full)?;
    }
    Ok(())
}

/// Writes a message of the log.
///
/// # Errors
/// Those of the output.
pub(crate) fn stored_message(out: &mut Out, stored: &StoredMessage, full: bool) -> io::Result<()> {
    let (role, dim) = (style::ROLE, style::DIM);
    let message = &stored.message;
    let event = stored.event_id;
    write!(
        out,
        "  {dim}{event:>5}{dim:#}  {role}{}{role:#}",
        message.role.as_str()
    )?;
    if let Some(name) = &message.name {
        write!(out, " {}", visible(name))?;
    }
    writeln!(out, "{dim} · {}{dim:#}", stored.time().date_minute())?;
    for part in &message.parts {
        stored_part(out, part, full)?;
    }
    if message.parts.is_empty()
        && let Some(native) = &message.native
    {
        block(out, native.json.as_str(), "         ", full)?;
    }
    Ok(())
}

fn stored_part(out: &mut Out, part: &Part, full: bool) -> io::Result<()> {
    let indent = "         ";
    let text = match part {
        Part::Text { text } => text.clone(),
        Part::ToolCall(call) => {
            let arguments = call.arguments.as_str();
            return tool_call(out, call.call_id.as_str(), &call.name, arguments, full);
        }
        Part::ToolResult(result) => {
            let content = match &result.content {
                ResultContent::Text(text) => text.clone(),
                ResultContent::Artifact(handle) => handle.to_string(),
            };
            format!("result of {}: {content}", result.call_id)
        }
        Part::Media(media) => match &media.source {
            MediaSource::Uri(uri) => format!("[{}] {uri}", media.mime),
            MediaSource::Artifact(handle) => format!("[{}] {handle}", media.mime),
        },
        Part::Opaque(opaque) => format!("[{}] {}", opaque.provider, opaque.json.as_str()),
        Part::TextArtifact { handle } => handle.to_string(),
    };
    block(out, &text, indent, full)
}

fn tool_call(out: &mut Out, id: &str, name: &str, arguments: &str, full: bool) -> io::Result<()> {
    block(out, &format!("→ {name} {arguments} [{id}]"), "  ", full)
}

const fn section(section: Section) -> &'static str {
    match section {
        Section::System => "system",
        Section::History => "history",
        Section::Evidence => "evidence",
        Section::Question => "question",
        Section::Tail => "open turn",
    }
}
