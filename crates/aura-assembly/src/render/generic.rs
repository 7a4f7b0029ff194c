//! Aura's own form: what all providers share, with keys in alphabetical order.

use aura_core::{ContextMessage, RawJson, Result, ToolDefinition, json};
use serde::Serialize;

#[derive(Serialize)]
struct Message<'m> {
    content: &'m str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    media: Vec<Media<'m>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'m str>,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'m str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'m>>,
}

#[derive(Serialize)]
struct Media<'m> {
    mime: &'m str,
    uri: &'m str,
}

#[derive(Serialize)]
struct Call<'m> {
    arguments: &'m RawJson,
    id: &'m str,
    name: &'m str,
}

#[derive(Serialize)]
struct Tool<'t> {
    description: &'t str,
    name: &'t str,
    parameters: &'t RawJson,
}

/// The messages as a JSON array.
pub(super) fn messages(messages: &[ContextMessage]) -> Result<String> {
    let all: Vec<Message<'_>> = messages.iter().map(message).collect();
    json::to_string(&all)
}

/// The tools as a JSON array.
pub(super) fn tools(tools: &[ToolDefinition]) -> Result<String> {
    let all: Vec<Tool<'_>> = tools
        .iter()
        .map(|tool| Tool {
            description: &tool.description,
            name: &tool.name,
            parameters: &tool.parameters,
        })
        .collect();
    json::to_string(&all)
}

fn message(message: &ContextMessage) -> Message<'_> {
    Message {
        content: &message.content,
        is_error: message.is_error,
        media: message
            .media
            .iter()
            .map(|media| Media {
                mime: &media.mime,
                uri: &media.uri,
            })
            .collect(),
        name: message.name.as_deref(),
        role: message.role.as_str(),
        tool_call_id: message.tool_call_id.as_ref().map(|id| id.as_str()),
        tool_calls: message
            .tool_calls
            .iter()
            .map(|call| Call {
                arguments: &call.arguments,
                id: call.id.as_str(),
                name: &call.name,
            })
            .collect(),
    }
}
