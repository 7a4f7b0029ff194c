//! The parts of a message.

use serde::Deserialize;

use crate::artifact::ArtifactHandle;
use crate::digest::DigestBuilder;
use crate::id::CallId;
use crate::json::RawJson;
use crate::trust::Trust;

mod form;

use form::PartForm;

/// One part of a message, told apart by `type` in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PartForm")]
pub enum Part {
    /// `text`: words.
    Text {
        /// The words.
        text: String,
    },
    /// `tool_call`: the model asks for a tool.
    ToolCall(ToolCall),
    /// `tool_result`: what the tool gave.
    ToolResult(ToolResult),
    /// `media`: bytes that are not text.
    Media(Media),
    /// `opaque`: what only one provider understands.
    Opaque(Opaque),
    /// `artifact`: a text too large to stand in the log, moved to an artifact by the store.
    TextArtifact {
        /// Where the text is.
        handle: ArtifactHandle,
    },
}

/// A tool call: its id, the tool's name and the arguments as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The call's id, unique in its turn.
    pub call_id: CallId,
    /// The tool's name.
    pub name: String,
    /// The arguments, byte for byte.
    pub arguments: RawJson,
}

/// What a tool gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// The call it answers.
    pub call_id: CallId,
    /// The tool's name, where known.
    pub tool: Option<String>,
    /// The name or version of the output schema the result claims to follow.
    pub output_schema: Option<String>,
    /// How far it may be believed.
    pub trust: Trust,
    /// Whether the call failed.
    pub is_error: bool,
    /// What it gave.
    pub content: ResultContent,
}

/// The content of a tool result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultContent {
    /// Text, which may be JSON.
    Text(String),
    /// Bytes in an artifact.
    Artifact(ArtifactHandle),
}

/// Bytes that are not text, by reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// The media type, for example `image/png`.
    pub mime: String,
    /// Where the bytes are.
    pub source: MediaSource,
}

/// Where the bytes of a media part are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaSource {
    /// An address that the provider opens, or a `data:` URI.
    Uri(String),
    /// An artifact of ours.
    Artifact(ArtifactHandle),
}

/// What only one provider understands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// The provider.
    pub provider: String,
    /// Its JSON, byte for byte.
    pub json: RawJson,
}

impl Part {
    /// A text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The words of the part: a text, or a tool result that is text.
    #[must_use]
    pub fn plain_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::ToolResult(ToolResult {
                content: ResultContent::Text(text),
                ..
            }) => Some(text),
            _ => None,
        }
    }

    /// The artifact that holds the part's bytes.
    #[must_use]
    pub fn handle(&self) -> Option<&ArtifactHandle> {
        match self {
            Self::ToolResult(ToolResult {
                content: ResultContent::Artifact(handle),
                ..
            })
            | Self::Media(Media {
                source: MediaSource::Artifact(handle),
                ..
            })
            | Self::TextArtifact { handle } => Some(handle),
            _ => None,
        }
    }

    /// Adds the part to the digest of its message.
    pub(crate) fn feed(&self, digest: &mut DigestBuilder) {
        match self {
            Self::Text { text } => digest.field(b"text").field(text.as_bytes()),
            Self::ToolCall(call) => digest
                .field(b"tool_call")
                .field(call.call_id.as_str().as_bytes())
                .field(call.name.as_bytes())
                .field(call.arguments.as_str().as_bytes()),
            Self::ToolResult(result) => {
                digest
                    .field(b"tool_result")
                    .field(result.call_id.as_str().as_bytes())
                    .optional(result.tool.as_deref().map(str::as_bytes))
                    .optional(result.output_schema.as_deref().map(str::as_bytes))
                    .field(result.trust.as_str().as_bytes())
                    .field(&[u8::from(result.is_error)]);
                match &result.content {
                    ResultContent::Text(text) => digest.field(b"text").field(text.as_bytes()),
                    ResultContent::Artifact(handle) => digest
                        .field(b"artifact")
                        .field(handle.to_string().as_bytes()),
                }
            }
            Self::Media(media) => {
                digest.field(b"media").field(media.mime.as_bytes());
                match &media.source {
                    MediaSource::Uri(uri) => digest.field(b"uri").field(uri.as_bytes()),
                    MediaSource::Artifact(handle) => digest
                        .field(b"artifact")
                        .field(handle.to_string().as_bytes()),
                }
            }
            Self::Opaque(opaque) => digest
                .field(b"opaque")
                .field(opaque.provider.as_bytes())
                .field(opaque.json.as_str().as_bytes()),
            Self::TextArtifact { handle } => digest
                .field(b"text_artifact")
                .field(handle.to_string().as_bytes()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_survives_a_round_trip() {
        for json in [
            r#"{"type":"text","text":"nul \u0000 \"q\""}"#,
            r#"{"type":"tool_call","call_id":"c1","name":"f","arguments":{"b": 1.0,  "a":1e400}}"#,
            r#"{"type":"tool_result","text":"{}","call_id":"c1","tool":"f","output_schema":"s@1","trust":"verified","is_error":true}"#,
            r#"{"type":"media","mime":"image/png","uri":"https://example.org/x.png"}"#,
            r#"{"type":"opaque","provider":"anthropic","json":[1, 2]}"#,
            r#"{"type":"tool_call","call_id":"c1","name":"f","arguments":null}"#,
        ] {
            let part: Part = serde_json::from_str(json).unwrap();
            let again: Part = serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap();
            assert_eq!(part, again);
        }
    }

    #[test]
    fn a_part_refuses_the_fields_of_another() {
        for json in [
            r#"{"type":"text","text":"x","call_id":"c"}"#,
            r#"{"type":"text"}"#,
            r#"{"type":"media","mime":"a/b"}"#,
            r#"{"type":"tool_result","call_id":"c","text":"a","handle":"artifact://d/n@1#00000000000000000000000000000000"}"#,
            r#"{"type":"picture"}"#,
        ] {
            assert!(serde_json::from_str::<Part>(json).is_err(), "{json}");
        }
    }
}
