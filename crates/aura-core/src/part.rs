//! The parts of a message.

use serde::{Deserialize, Serialize, Serializer};

use crate::artifact::ArtifactHandle;
use crate::digest::DigestBuilder;
use crate::id::CallId;
use crate::json::RawJson;
use crate::trust::Trust;

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

/// The flat JSON form. Raw JSON cannot be read through serde's tagged enums, which buffer their content.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartForm {
    r#type: PartType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_id: Option<CallId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arguments: Option<RawJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_schema: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trust: Option<Trust>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    handle: Option<ArtifactHandle>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    json: Option<RawJson>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum PartType {
    Text,
    ToolCall,
    ToolResult,
    Media,
    Opaque,
    Artifact,
}

impl PartForm {
    fn empty(r#type: PartType) -> Self {
        Self {
            r#type,
            text: None,
            call_id: None,
            name: None,
            arguments: None,
            tool: None,
            output_schema: None,
            trust: None,
            is_error: None,
            mime: None,
            uri: None,
            handle: None,
            provider: None,
            json: None,
        }
    }

    /// The first field given that this type of part does not have.
    fn foreign_field(&self) -> Option<&'static str> {
        use PartType as T;
        let t = self.r#type;
        let given: [(&'static str, bool, &[T]); 13] = [
            ("text", self.text.is_some(), &[T::Text, T::ToolResult]),
            (
                "call_id",
                self.call_id.is_some(),
                &[T::ToolCall, T::ToolResult],
            ),
            ("name", self.name.is_some(), &[T::ToolCall]),
            ("arguments", self.arguments.is_some(), &[T::ToolCall]),
            ("tool", self.tool.is_some(), &[T::ToolResult]),
            (
                "output_schema",
                self.output_schema.is_some(),
                &[T::ToolResult],
            ),
            ("trust", self.trust.is_some(), &[T::ToolResult]),
            ("is_error", self.is_error.is_some(), &[T::ToolResult]),
            ("mime", self.mime.is_some(), &[T::Media]),
            ("uri", self.uri.is_some(), &[T::Media]),
            (
                "handle",
                self.handle.is_some(),
                &[T::Media, T::ToolResult, T::Artifact],
            ),
            ("provider", self.provider.is_some(), &[T::Opaque]),
            ("json", self.json.is_some(), &[T::Opaque]),
        ];
        given
            .iter()
            .find(|(_, given, types)| *given && !types.contains(&t))
            .map(|(name, ..)| *name)
    }
}

fn need<T>(value: Option<T>, field: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("missing field `{field}`"))
}

fn either<A, B>(
    a: Option<A>,
    a_name: &str,
    b: Option<B>,
    b_name: &str,
) -> Result<Result<A, B>, String> {
    match (a, b) {
        (Some(a), None) => Ok(Ok(a)),
        (None, Some(b)) => Ok(Err(b)),
        (None, None) => Err(format!("missing field `{a_name}` or `{b_name}`")),
        (Some(_), Some(_)) => Err(format!("`{a_name}` and `{b_name}` exclude each other")),
    }
}

impl TryFrom<PartForm> for Part {
    type Error = String;

    fn try_from(form: PartForm) -> Result<Self, String> {
        if let Some(field) = form.foreign_field() {
            return Err(format!("unknown field `{field}` for this type of part"));
        }
        Ok(match form.r#type {
            PartType::Text => Self::Text {
                text: need(form.text, "text")?,
            },
            PartType::ToolCall => Self::ToolCall(ToolCall {
                call_id: need(form.call_id, "call_id")?,
                name: need(form.name, "name")?,
                arguments: need(form.arguments, "arguments")?,
            }),
            PartType::ToolResult => Self::ToolResult(ToolResult {
                call_id: need(form.call_id, "call_id")?,
                tool: form.tool,
                output_schema: form.output_schema,
                trust: form.trust.unwrap_or_default(),
                is_error: form.is_error.unwrap_or_default(),
                content: match either(form.text, "text", form.handle, "handle")? {
                    Ok(text) => ResultContent::Text(text),
                    Err(handle) => ResultContent::Artifact(handle),
                },
            }),
            PartType::Media => Self::Media(Media {
                mime: need(form.mime, "mime")?,
                source: match either(form.uri, "uri", form.handle, "handle")? {
                    Ok(uri) => MediaSource::Uri(uri),
                    Err(handle) => MediaSource::Artifact(handle),
                },
            }),
            PartType::Opaque => Self::Opaque(Opaque {
                provider: need(form.provider, "provider")?,
                json: need(form.json, "json")?,
            }),
            PartType::Artifact => Self::TextArtifact {
                handle: need(form.handle, "handle")?,
            },
        })
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match self.clone() {
            Self::Text { text } => PartForm {
                text: Some(text),
                ..PartForm::empty(PartType::Text)
            },
            Self::ToolCall(call) => PartForm {
                call_id: Some(call.call_id),
                name: Some(call.name),
                arguments: Some(call.arguments),
                ..PartForm::empty(PartType::ToolCall)
            },
            Self::ToolResult(result) => {
                let (text, handle) = match result.content {
                    ResultContent::Text(text) => (Some(text), None),
                    ResultContent::Artifact(handle) => (None, Some(handle)),
                };
                PartForm {
                    call_id: Some(result.call_id),
                    tool: result.tool,
                    output_schema: result.output_schema,
                    trust: (result.trust != Trust::default()).then_some(result.trust),
                    is_error: result.is_error.then_some(true),
                    text,
                    handle,
                    ..PartForm::empty(PartType::ToolResult)
                }
            }
            Self::Media(media) => {
                let (uri, handle) = match media.source {
                    MediaSource::Uri(uri) => (Some(uri), None),
                    MediaSource::Artifact(handle) => (None, Some(handle)),
                };
                PartForm {
                    mime: Some(media.mime),
                    uri,
                    handle,
                    ..PartForm::empty(PartType::Media)
                }
            }
            Self::Opaque(opaque) => PartForm {
                provider: Some(opaque.provider),
                json: Some(opaque.json),
                ..PartForm::empty(PartType::Opaque)
            },
            Self::TextArtifact { handle } => PartForm {
                handle: Some(handle),
                ..PartForm::empty(PartType::Artifact)
            },
        };
        form.serialize(serializer)
    }
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
