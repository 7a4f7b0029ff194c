//! A compiled context: the messages for one model call.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::id::{CallId, EventId};
use crate::json::RawJson;
use crate::manifest::Manifest;
use crate::message::Role;
use crate::part::{Media, ToolCall};
use crate::tool::ToolDefinition;

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Provider {
    /// Aura's own form, near to what all share.
    #[default]
    Generic,
    /// OpenAI chat completions.
    Openai,
    /// The OpenAI Responses API.
    OpenaiResponses,
    /// The Anthropic Messages API.
    Anthropic,
    /// The Gemini API.
    Gemini,
}

impl Provider {
    /// The name in JSON and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Openai => "openai",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }
}

impl std::str::FromStr for Provider {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "generic" => Ok(Self::Generic),
            "openai" => Ok(Self::Openai),
            "openai-responses" => Ok(Self::OpenaiResponses),
            "anthropic" => Ok(Self::Anthropic),
            "gemini" => Ok(Self::Gemini),
            _ => Err(Error::invalid_field(
                "options",
                "provider",
                "must be generic, openai, openai-responses, anthropic or gemini",
            )),
        }
    }
}

/// Which part of the context a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    /// System prompt and policy.
    System,
    /// Turns shown as they were.
    History,
    /// What was recalled, facts and evidence, as data on the user's side.
    Evidence,
    /// The question.
    Question,
    /// The live tail of the open turn.
    Tail,
}

/// One message of a compiled context, in the order to be sent.
///
/// Its own JSON has every field, bookkeeping too; what a model is sent is leaner and is rendered by `aura_assembly::render`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextMessage {
    /// Who speaks.
    pub role: Role,
    /// The speaker's name, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The text; empty where the message only calls tools.
    pub content: String,
    /// Tool calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<RenderedCall>,
    /// The call that a tool message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<CallId>,
    /// Whether a tool message reports a failure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Media by reference, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<RenderedMedia>,
    /// The message's own JSON in the target provider's form, spliced in place of everything above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<RawJson>,
    /// Which part of the context it is.
    pub section: Section,
    /// The events shown in it, in the order shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventId>,
    /// Its tokens, overhead included.
    pub tokens: u32,
}

/// A tool call as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderedCall {
    /// The call's id.
    pub id: CallId,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub arguments: RawJson,
}

impl From<&ToolCall> for RenderedCall {
    fn from(call: &ToolCall) -> Self {
        Self {
            id: call.call_id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        }
    }
}

/// Media as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderedMedia {
    /// The media type.
    pub mime: String,
    /// A URI; for an artifact its handle.
    pub uri: String,
}

impl From<&Media> for RenderedMedia {
    fn from(media: &Media) -> Self {
        let uri = match &media.source {
            crate::part::MediaSource::Uri(uri) => uri.clone(),
            crate::part::MediaSource::Artifact(handle) => handle.to_string(),
        };
        Self {
            mime: media.mime.clone(),
            uri,
        }
    }
}

/// The messages and tools for one model call, and the manifest that accounts for them.
#[derive(Debug, Clone)]
pub struct CompiledContext {
    /// The form of the output.
    pub provider: Provider,
    /// The messages, in the order to be sent.
    pub messages: Vec<ContextMessage>,
    /// The tools to offer, in a stable order.
    pub tools: Vec<ToolDefinition>,
    /// What went in, what stayed out and why.
    pub manifest: Arc<Manifest>,
}
