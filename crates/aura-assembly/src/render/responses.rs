//! The OpenAI Responses API: a flat list of items.

use aura_core::{CallId, ContextMessage, Provider, RawJson, Role, ToolDefinition};

use super::{array, label, media, quoted};
use crate::provider::native;

/// The messages as a JSON array of items.
pub(super) fn items(list: &[ContextMessage]) -> String {
    let mut out = Vec::with_capacity(list.len());
    for message in list {
        push(message, &mut out);
    }
    array(&out)
}

fn push(message: &ContextMessage, out: &mut Vec<String>) {
    if let Some(native) = &message.native {
        out.extend(native::items(native.as_str()).unwrap_or_default());
        return;
    }
    if let Some(id) = &message.tool_call_id {
        let output = match message.media.is_empty() {
            true => quoted(&message.content),
            false => array(&parts(message)),
        };
        let id = quoted(id.as_str());
        out.push(format!(
            r#"{{"call_id":{id},"output":{output},"type":"function_call_output"}}"#
        ));
        return;
    }
    let silent = message.content.is_empty() && message.media.is_empty();
    if !silent || message.tool_calls.is_empty() {
        let labelled = message.name.is_some() && message.role == Role::User;
        let content = if message.role == Role::Assistant {
            quoted(&spoken(message))
        } else if labelled || !message.media.is_empty() {
            array(&parts(message))
        } else {
            quoted(&message.content)
        };
        out.push(item(message.role, &content));
    }
    let calls = message.tool_calls.iter();
    out.extend(calls.map(|call| call_item(&call.id, &call.name, &call.arguments)));
}

/// The words of the assistant, with a mention of its media.
fn spoken(message: &ContextMessage) -> String {
    let words = Some(message.content.clone()).filter(|content| !content.is_empty());
    let mentions = message.media.iter().map(media::mention);
    words
        .into_iter()
        .chain(mentions)
        .collect::<Vec<_>>()
        .join("\n")
}

fn parts(message: &ContextMessage) -> Vec<String> {
    let text = |text: &str| format!(r#"{{"text":{},"type":"input_text"}}"#, quoted(text));
    let mut out = Vec::new();
    if message.role == Role::User {
        out.extend(label(message).map(|label| text(&label)));
    }
    if !message.content.is_empty() {
        out.push(text(&message.content));
    }
    out.extend(message.media.iter().map(|one| {
        media::part(one, Provider::OpenaiResponses).unwrap_or_else(|| text(&media::mention(one)))
    }));
    out
}

fn item(role: Role, content: &str) -> String {
    let role = role.as_str();
    format!(r#"{{"content":{content},"role":"{role}","type":"message"}}"#)
}

/// A text as an item of its own.
pub(crate) fn text_item(role: Role, text: &str) -> String {
    item(role, &quoted(text))
}

/// A call.
pub(crate) fn call_item(id: &CallId, name: &str, arguments: &RawJson) -> String {
    format!(
        r#"{{"arguments":{},"call_id":{},"name":{},"type":"function_call"}}"#,
        quoted(arguments.as_str()),
        quoted(id.as_str()),
        quoted(name)
    )
}

/// The tools as a JSON array; their schemas are taken as they are, not in strict mode.
pub(super) fn tools(offered: &[ToolDefinition]) -> String {
    let tool = |tool: &ToolDefinition| {
        format!(
            r#"{{"description":{},"name":{},"parameters":{},"strict":false,"type":"function"}}"#,
            quoted(&tool.description),
            quoted(&tool.name),
            tool.parameters.as_str()
        )
    };
    array(&offered.iter().map(tool).collect::<Vec<_>>())
}
