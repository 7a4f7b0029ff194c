//! A stored message as messages of its own role.

use aura_core::{
    ArtifactHandle, ContextMessage, Part, Provider, RenderedCall, RenderedMedia, ResultContent,
    Role, Section, StoredMessage, ToolResult,
};

use crate::provider::repair::names::speaker;

/// What stands in the place of bytes that are kept as an artifact.
pub(crate) fn kept_as(handle: &ArtifactHandle) -> String {
    format!("[kept as {handle}]")
}

/// The messages that a stored message is shown as, their tokens not yet counted: one for each tool result, and one for
/// all the rest, if there is any. Native forms are not among them.
pub(crate) fn messages_of(stored: &StoredMessage, provider: Provider) -> Vec<ContextMessage> {
    let message = &stored.message;
    let results = message.parts.iter().filter_map(|part| match part {
        Part::ToolResult(result) => Some(result),
        _ => None,
    });
    let mut out: Vec<ContextMessage> = results.map(|result| answer(stored, result)).collect();
    match (rest(stored, provider), out.first_mut()) {
        (Some(rest), Some(first)) if message.role == Role::Tool => add(first, rest),
        (Some(rest), _) => out.push(rest),
        (None, _) => {}
    }
    out
}

/// An empty message of a role that shows `stored`.
pub(crate) fn empty(stored: &StoredMessage, role: Role) -> ContextMessage {
    ContextMessage {
        role,
        name: None,
        content: String::new(),
        tool_calls: Vec::new(),
        tool_call_id: None,
        is_error: false,
        media: Vec::new(),
        native: None,
        section: Section::History,
        events: vec![stored.event_id],
        tokens: 0,
    }
}

fn answer(stored: &StoredMessage, result: &ToolResult) -> ContextMessage {
    ContextMessage {
        content: match &result.content {
            ResultContent::Text(text) => text.clone(),
            ResultContent::Artifact(handle) => kept_as(handle),
        },
        tool_call_id: Some(result.call_id.clone()),
        is_error: result.is_error,
        ..empty(stored, Role::Tool)
    }
}

/// Text, calls and media of a message in one; `None` where there are none of them.
fn rest(stored: &StoredMessage, provider: Provider) -> Option<ContextMessage> {
    let message = &stored.message;
    let mut out = empty(stored, message.role);
    let mut texts = 0;
    for part in &message.parts {
        match part {
            Part::Text { text } => push_text(&mut out.content, &mut texts, text),
            Part::TextArtifact { handle } => {
                push_text(&mut out.content, &mut texts, &kept_as(handle));
            }
            Part::ToolCall(call) => out.tool_calls.push(RenderedCall::from(call)),
            Part::Media(media) => out.media.push(RenderedMedia::from(media)),
            Part::ToolResult(_) | Part::Opaque(_) => {}
        }
    }
    if texts == 0 && out.tool_calls.is_empty() && out.media.is_empty() {
        return None;
    }
    out.name = message
        .name
        .as_deref()
        .and_then(|name| wire_name(name, message.role, provider));
    Some(out)
}

/// Adds a tool's other words and media to its first answer: no provider takes a tool message that answers no call.
fn add(answer: &mut ContextMessage, rest: ContextMessage) {
    if !rest.content.is_empty() {
        answer.content = format!("{}\n{}", rest.content, answer.content);
    }
    answer.media = rest.media;
}

fn push_text(content: &mut String, texts: &mut u32, text: &str) {
    if *texts > 0 {
        content.push('\n');
    }
    content.push_str(text);
    *texts += 1;
}

/// A speaker's name as the provider takes it.
fn wire_name(name: &str, role: Role, provider: Provider) -> Option<String> {
    let wire = match provider {
        Provider::Openai => speaker(name),
        Provider::Generic => name.to_owned(),
        // Where there is no field for names, they stand before the user's words, and nowhere else.
        _ if role == Role::User => name.to_owned(),
        _ => String::new(),
    };
    (!wire.is_empty()).then_some(wire)
}
