//! OpenAI chat completions, with keys in alphabetical order.

use aura_core::{ContextMessage, RawJson, RenderedMedia, Result, Role, ToolDefinition, json};
use serde::Serialize;

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
    Parts(Vec<Part<'m>>),
    /// A message that only calls tools: `null`.
    None,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Part<'m> {
    Text {
        text: String,
        r#type: &'static str,
    },
    Image {
        image_url: Url<'m>,
        r#type: &'static str,
    },
}

#[derive(Serialize)]
struct Url<'m> {
    url: &'m str,
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
    let all: Vec<Wire<'_>> = messages
        .iter()
        .map(|message| match &message.native {
            Some(native) => Wire::Native(native),
            None => Wire::Message(wire(message)),
        })
        .collect();
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

fn wire(message: &ContextMessage) -> Message<'_> {
    let content = if !message.media.is_empty() {
        Content::Parts(parts(message))
    } else if message.content.is_empty() && !message.tool_calls.is_empty() {
        Content::None
    } else {
        Content::Text(&message.content)
    };
    Message {
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
    }
}

fn parts(message: &ContextMessage) -> Vec<Part<'_>> {
    let text = |text: String| Part::Text {
        text,
        r#type: "text",
    };
    let words = Some(&message.content).filter(|content| !content.is_empty());
    let media = message.media.iter().map(|media| {
        if message.role == Role::User && can_open(media) {
            Part::Image {
                image_url: Url { url: &media.uri },
                r#type: "image_url",
            }
        } else {
            text(mention(media))
        }
    });
    words.into_iter().cloned().map(text).chain(media).collect()
}

/// Whether the provider fetches it: images by address or as data; on the user's side alone.
fn can_open(media: &RenderedMedia) -> bool {
    let schemes = ["https://", "http://", "data:"];
    media.mime.starts_with("image/") && schemes.iter().any(|scheme| media.uri.starts_with(scheme))
}

fn mention(media: &RenderedMedia) -> String {
    if media.uri.starts_with("data:") {
        format!("[{}]", media.mime)
    } else {
        format!("[{} {}]", media.mime, media.uri)
    }
}
