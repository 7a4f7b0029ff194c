//! The flat JSON form of parts.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Media, MediaSource, Opaque, Part, ResultContent, ToolCall, ToolResult};
use crate::artifact::ArtifactHandle;
use crate::id::CallId;
use crate::json::RawJson;
use crate::trust::Trust;

/// The flat JSON form. Raw JSON cannot be read through serde's tagged enums, which buffer their content.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartForm {
    r#type: PartType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_id: Option<CallId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(
        default,
        deserialize_with = "even_null",
        skip_serializing_if = "Option::is_none"
    )]
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
    #[serde(
        default,
        deserialize_with = "even_null",
        skip_serializing_if = "Option::is_none"
    )]
    json: Option<RawJson>,
}

/// JSON that is given, also where it is `null`, which serde would take for absent.
fn even_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawJson>, D::Error> {
    RawJson::deserialize(deserializer).map(Some)
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
