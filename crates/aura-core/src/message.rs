//! Messages and their parts.

use serde::{Deserialize, Serialize};

use crate::artifact::ArtifactHandle;
use crate::digest::{Digest, DigestBuilder};
use crate::error::{Error, Result};
use crate::id::CallId;
use crate::json::RawJson;
use crate::part::{Part, ResultContent};
use crate::time::Timestamp;
use crate::trust::Trust;

/// Who speaks, in the providers' sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions of the host.
    System,
    /// The person who asks.
    User,
    /// The model.
    Assistant,
    /// A tool's answer.
    Tool,
}

impl Role {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }

    /// The trust of a recorded message of this role: the principal's user messages are verified, all else is not.
    #[must_use]
    pub const fn trust(self) -> Trust {
        match self {
            Self::User => Trust::Verified,
            Self::System | Self::Assistant | Self::Tool => Trust::Untrusted,
        }
    }
}

impl std::str::FromStr for Role {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "system" | "developer" => Ok(Self::System),
            "user" => Ok(Self::User),
            "assistant" => Ok(Self::Assistant),
            "tool" => Ok(Self::Tool),
            _ => Err(Error::invalid_field(
                "message",
                "role",
                "must be system, user, assistant or tool",
            )),
        }
    }
}

/// A message's own JSON from a framework or provider, kept as raw bytes and spliced back unparsed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NativeForm {
    /// Whose form it is, for example `openai`, `anthropic`, `langgraph`.
    pub format: String,
    /// The JSON, byte for byte.
    pub json: RawJson,
}

/// A message: role, optional name and event time, ordered parts, optional native form.
///
/// JSON: `{"role":"user","name":"Ana","time":"2024-05-03T10:00:00.000Z","parts":[{"type":"text","text":"Hi"}]}`;
/// on input `"text":"Hi"` may stand for a single text part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "MessageForm")]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The speaker's name, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When it was said, where that differs from when it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Timestamp>,
    /// What it consists of, in order.
    pub parts: Vec<Part>,
    /// The message's own JSON, if it came from a framework or provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeForm>,
    /// What the host wants to keep beside it; neither shown nor searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<RawJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageForm {
    role: Role,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    time: Option<Timestamp>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    parts: Vec<Part>,
    #[serde(default)]
    native: Option<NativeForm>,
    #[serde(default)]
    metadata: Option<RawJson>,
}

impl TryFrom<MessageForm> for Message {
    type Error = String;

    fn try_from(form: MessageForm) -> std::result::Result<Self, String> {
        let mut parts = form.parts;
        if let Some(text) = form.text {
            if !parts.is_empty() {
                return Err("text and parts exclude each other".to_owned());
            }
            parts.push(Part::Text { text });
        }
        Ok(Self {
            role: form.role,
            name: form.name,
            time: form.time,
            parts,
            native: form.native,
            metadata: form.metadata,
        })
    }
}

impl Message {
    /// A message of one text part.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            name: None,
            time: None,
            parts: vec![Part::Text { text: text.into() }],
            native: None,
            metadata: None,
        }
    }

    /// A user's text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::text(Role::User, text)
    }

    /// An assistant's text.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::text(Role::Assistant, text)
    }

    /// The same message by a named speaker.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same message said at a time.
    #[must_use]
    pub fn with_time(mut self, time: Timestamp) -> Self {
        self.time = Some(time);
        self
    }

    /// Who speaks: the name, or the role's name.
    #[must_use]
    pub fn speaker(&self) -> &str {
        match &self.name {
            Some(name) if !name.is_empty() => name,
            _ => self.role.as_str(),
        }
    }

    /// Whether anything is shown of the message at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.native.is_none()
    }

    /// The text by which the message is searched and quoted: text parts and textual tool results, one a line.
    ///
    /// Tool arguments, media and opaque parts have none.
    #[must_use]
    pub fn plain_text(&self) -> String {
        let mut texts = self.parts.iter().filter_map(Part::plain_text);
        let Some(first) = texts.next() else {
            return String::new();
        };
        let mut out = first.to_owned();
        for text in texts {
            out.push('\n');
            out.push_str(text);
        }
        out
    }

    /// The ids of the tool calls it makes.
    pub fn calls(&self) -> impl Iterator<Item = &CallId> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(&call.call_id),
            _ => None,
        })
    }

    /// The ids of the tool calls it answers.
    pub fn results(&self) -> impl Iterator<Item = &CallId> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolResult(result) => Some(&result.call_id),
            _ => None,
        })
    }

    /// The handles of artifacts that hold its parts' bytes.
    pub fn handles(&self) -> impl Iterator<Item = &ArtifactHandle> {
        self.parts.iter().filter_map(Part::handle)
    }

    /// The digest by which repeated writes are compared: role, name, parts and native bytes.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut digest = DigestBuilder::new();
        digest.field(self.role.as_str().as_bytes());
        digest.optional(self.name.as_deref().map(str::as_bytes));
        for part in &self.parts {
            part.feed(&mut digest);
        }
        match &self.native {
            Some(native) => digest
                .field(native.format.as_bytes())
                .field(native.json.as_str().as_bytes()),
            None => digest.optional(None),
        };
        digest.finish()
    }

    /// Checks what the types cannot: which parts a role may carry.
    ///
    /// # Errors
    /// `Invalid` with the field's path below `prefix` (for example `messages[2]`).
    pub fn validate(&self, prefix: impl std::fmt::Display) -> Result<()> {
        let fail = |field: &str, problem: &str| {
            let path = if field.is_empty() {
                prefix.to_string()
            } else {
                format!("{prefix}.{field}")
            };
            Err(Error::invalid_field("message", path, problem))
        };
        if self.is_empty() {
            return fail("parts", "must hold at least one part");
        }
        if let Some(metadata) = &self.metadata
            && !metadata.is_object()
        {
            return fail("metadata", "must be a JSON object");
        }
        if self
            .native
            .as_ref()
            .is_some_and(|native| native.format.is_empty())
        {
            return fail("native.format", "is empty");
        }
        for (at, part) in self.parts.iter().enumerate() {
            match part {
                Part::ToolCall(call) if self.role != Role::Assistant => {
                    return fail(&format!("parts[{at}]"), "only an assistant calls tools");
                }
                Part::ToolCall(call) if call.name.is_empty() => {
                    return fail(&format!("parts[{at}].name"), "is empty");
                }
                Part::ToolResult(_) if !matches!(self.role, Role::Tool | Role::User) => {
                    return fail(
                        &format!("parts[{at}]"),
                        "a tool result needs the role tool or user",
                    );
                }
                Part::ToolResult(result)
                    if matches!(&result.content, ResultContent::Artifact(_))
                        && result.call_id.as_str().is_empty() =>
                {
                    return fail(&format!("parts[{at}].call_id"), "is empty");
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorthand_and_parts_give_the_same_message() {
        let short: Message = serde_json::from_str(r#"{"role":"user","text":"Hi"}"#).unwrap();
        let long: Message =
            serde_json::from_str(r#"{"role":"user","parts":[{"type":"text","text":"Hi"}]}"#)
                .unwrap();
        assert_eq!(short, long);
        assert_eq!(short.digest(), long.digest());
    }

    #[test]
    fn digest_sees_name_and_not_time() {
        let message = Message::user("Hi");
        assert_ne!(message.digest(), message.clone().with_name("Ana").digest());
        let time = Timestamp::from_millis_clamped(0);
        assert_eq!(message.digest(), message.clone().with_time(time).digest());
    }

    #[test]
    fn roles_restrict_parts() {
        let call = r#"{"role":"user","parts":[{"type":"tool_call","call_id":"c","name":"f","arguments":{}}]}"#;
        let message: Message = serde_json::from_str(call).unwrap();
        let error = message.validate("messages[0]").unwrap_err();
        assert_eq!(error.field(), Some("messages[0].parts[0]"));
    }
}
