//! Durable memories: records that outlive a session.

use serde::{Deserialize, Serialize};

use crate::id::{MemoryId, TenantId, UserId};
use crate::time::Timestamp;
use crate::trust::Trust;

/// What a memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryKind {
    /// What a user set.
    Preference,
    /// What is known about the owner.
    Profile,
    /// How something is done.
    Procedure,
    /// What was learnt from an outcome.
    Lesson,
}

/// Where a memory came from; decides what it may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceType {
    /// A setting that the user made and the host verified.
    VerifiedSetting,
    /// What a user said in a session.
    UserMessage,
    /// A model's words.
    AssistantMessage,
    /// A tool's output.
    ToolOutput,
    /// A document or attachment.
    Document,
    /// A summary or checkpoint.
    Summary,
}

/// A durable, cross-session record with an owner, a source and a way to correct it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Its id.
    pub memory_id: MemoryId,
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// The user it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// What it is.
    pub kind: MemoryKind,
    /// The statement.
    pub text: String,
    /// What it is about.
    pub subject: String,
    /// Where it came from.
    pub source_type: SourceType,
    /// The lowest trust of its sources.
    pub trust: Trust,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// When it ceases to count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}
