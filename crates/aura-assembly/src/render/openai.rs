//! OpenAI chat completions, with keys in alphabetical order.

use aura_core::{ContextMessage, Provider, RawJson, Result, Role, ToolDefinition, json};
use serde::Serialize;

use super::{media, quoted};

#[derive(Serialize)]
#[serde(untagged)]
enum Wire<'m> {
    Native(&'m RawJson),
    Message(Message<'m>),
}

#[derive(Serialize)]
struct Message<'m> {
    content: Content<'m>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'m str>,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'m str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'m>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'m> {
    Text(&'m str),
    Parts(Vec<RawJson>),
    /// A message that only calls tools: `null`.
    None,
}

#[derive(Serialize)]
struct Call<'m> {
    function: Function<'m>,
    id: &'m str,
    r#type: &'static str,
}

#[derive(Serialize)]
struct Function<'m> {
    /// JSON as text: the provider wants it so.
    arguments: &'m str,
    name: &'m str,
}

#[derive(Serialize)]
struct Tool<'t> {
    function: Signature<'t>,
    r#type: &'static str,
}

#[derive(Serialize)]
struct Signature<'t> {
    description: &'t str,
    name: &'t str,
    parameters: &'t RawJson,
}

/// The messages as a JSON array; native forms are spliced unparsed.
pub(super) fn messages(messages: &[ContextMessage]) -> Result<String> {
    let mut all = Vec::with_capacity(messages.len());
    for message in messages {
        all.push(match &message.native {
            Some(native) => Wire::Native(native),
            None => Wire::Message(wire(message)?),
        });
    }
    json::to_string(&all)
}

/// The tools as a JSON array.
pub(super) fn tools(tools: &[ToolDefinition]) -> Result<String> {
    let all: Vec<Tool<'_>> = tools
        .iter()
        .map(|tool| Tool {
            function: Signature {
                description: &tool.description,
                name: &tool.name,
                parameters: &tool.parameters,
            },
            r#type: "function",
        })
        .collect();
    json::to_string(&all)
}

fn wire(message: &ContextMessage) -> Result<Message<'_>> {
    let content = if !message.media.is_empty() {
        Content::Parts(parts(message)?)
    } else if message.content.is_empty() && !message.tool_calls.is_empty() {
        Content::None
    } else {
        Content::Text(&message.content)
    };
    Ok(Message {
        content,
        name: message.name.as_deref(),
        role: message.role.as_str(),
        tool_call_id: message.tool_call_id.as_ref().map(|id| id.as_str()),
        tool_calls: message
            .tool_calls
            .iter()
            .map(|call| Call {
                function: Function {
                    arguments: call.arguments.as_str(),
                    name: &call.name,
                },
                id: call.id.as_str(),
                r#type: "function",
            })
            .collect(),
    })
}

fn parts(message: &ContextMessage) -> Result<Vec<RawJson>> {
    let text = |text: &str| format!(r#"{{"text":{},"type":"text"}}"#, quoted(text));
    let words = Some(&message.content).filter(|content| !content.is_empty());
    let media = message.media.iter().map(|one| {
        let part = media::part(one, Provider::Openai).filter(|_| message.role == Role::User);
        part.unwrap_or_else(|| text(&media::mention(one)))
    });
    let parts = words.into_iter().map(|words| text(words)).chain(media);
    parts.map(|part| RawJson::new("message", &part)).collect()
}
