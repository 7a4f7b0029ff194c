//! Durable memories: records that outlive a session, and the candidates for them.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::id::{EventId, MemoryId, SessionId, TenantId, UserId};
use crate::policy_version::Signature;
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
    /// A retrieved document.
    Document,
    /// A file that somebody attached.
    Attachment,
    /// A summary or checkpoint.
    Summary,
}

impl SourceType {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VerifiedSetting => "verified-setting",
            Self::UserMessage => "user-message",
            Self::AssistantMessage => "assistant-message",
            Self::ToolOutput => "tool-output",
            Self::Document => "document",
            Self::Attachment => "attachment",
            Self::Summary => "summary",
        }
    }

    /// How far what it says may be believed.
    #[must_use]
    pub const fn trust(self) -> Trust {
        match self {
            Self::VerifiedSetting | Self::UserMessage => Trust::Verified,
            _ => Trust::Untrusted,
        }
    }
}

/// Where exactly a memory came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MemorySource {
    /// The setting, by the host's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The events of the session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventId>,
    /// The document, attachment or tool, by address or name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

/// How a memory is set right when it is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CorrectionPath {
    /// Its owner corrects it, by saying so or in a setting.
    Owner,
    /// An operator of the tenant, on behalf of nobody in particular.
    Operator,
}

/// What is proposed to be remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryProposal {
    /// What it is.
    pub kind: MemoryKind,
    /// The statement.
    pub text: String,
    /// What it is about, for example `user/language`: a newer memory of one subject and owner takes the older one's
    /// place.
    pub subject: String,
    /// Where it came from.
    pub source_type: SourceType,
    /// Where exactly.
    #[serde(default)]
    pub source: MemorySource,
    /// The user it belongs to; absent, it is every user's of the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// When it ceases to count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// How it is set right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<CorrectionPath>,
}

/// What a memory is at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryState {
    /// Refused, and waiting for somebody who may approve it; it never enters a prompt.
    Candidate,
    /// It counts.
    Active,
    /// A candidate that was turned down.
    Rejected,
    /// Another memory took its place.
    Corrected,
    /// It was ended before its time.
    Expired,
}

/// How often something happened to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MemoryCounters {
    /// It was considered for a context.
    pub recalled: u64,
    /// It stood in a context.
    pub selected: u64,
    /// It had expired when it was considered.
    pub stale: u64,
    /// It contended with another block about its subject and lost, or nobody won.
    pub contradicted: u64,
    /// The principal lacked what it takes to see it.
    pub denied: u64,
    /// It was corrected.
    pub corrected: u64,
    /// A context that showed it was reported to have led to success.
    pub succeeded: u64,
    /// A context that showed it was reported to have led to failure.
    pub failed: u64,
}

impl MemoryCounters {
    /// Adds what happened since.
    pub fn add(&mut self, more: &Self) {
        for (mine, more) in [
            (&mut self.recalled, more.recalled),
            (&mut self.selected, more.selected),
            (&mut self.stale, more.stale),
            (&mut self.contradicted, more.contradicted),
            (&mut self.denied, more.denied),
            (&mut self.corrected, more.corrected),
            (&mut self.succeeded, more.succeeded),
            (&mut self.failed, more.failed),
        ] {
            *mine = mine.saturating_add(more);
        }
    }
}

/// A durable, cross-session record with an owner, a source and a way to correct it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Its id.
    pub memory_id: MemoryId,
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// What was proposed.
    pub proposal: MemoryProposal,
    /// The lowest trust of its sources; an approval verifies it.
    pub trust: Trust,
    /// What it is at present.
    pub state: MemoryState,
    /// The rule that made it a candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<String>,
    /// Who proposed it.
    pub proposed: Signature,
    /// Who approved, rejected, corrected or ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Signature>,
    /// The memory that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<MemoryId>,
    /// What happened to it.
    #[serde(default)]
    pub counters: MemoryCounters,
}

impl Memory {
    /// Whether it counts at `now`.
    #[must_use]
    pub fn counts(&self, now: Timestamp) -> bool {
        let expires = self.proposal.expires_at;
        self.state == MemoryState::Active && expires.is_none_or(|at| at > now)
    }
}

/// Which memories to list, in the order proposed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryQuery {
    /// Only those of this user, and with `shared` those of no user.
    pub user: Option<UserId>,
    /// Whether those of no user are listed beside a user's.
    pub shared: bool,
    /// Only those in one of these states; empty is any.
    pub states: Vec<MemoryState>,
    /// Only those that came from this session.
    pub session_id: Option<SessionId>,
    /// How many at most; 0 means 1,000.
    pub limit: u32,
}

/// The part of a store that keeps memories.
///
/// Contract, beside that of [`Storage`](crate::Storage): a memory's counters change through
/// [`MemoryRecords::count_memories`] alone; memories of other tenants are neither seen nor touched.
pub trait MemoryRecords {
    /// Keeps memories, all or none. Each comes with the state that the stored one must have; without one there must be
    /// none.
    ///
    /// # Errors
    /// `Conflict` naming `memory_id` or `state`; `NotFound` naming `memory_id`; those of the medium.
    fn put_memories(&self, memories: Vec<(Memory, Option<MemoryState>)>) -> Result<()>;

    /// A memory.
    ///
    /// # Errors
    /// Those of the medium.
    fn memory(&self, tenant: &TenantId, memory_id: &MemoryId) -> Result<Option<Memory>>;

    /// Memories of a tenant.
    ///
    /// # Errors
    /// Those of the medium.
    fn memories(&self, tenant: &TenantId, query: &MemoryQuery) -> Result<Vec<Memory>>;

    /// Adds to the counters of memories; those that are gone are passed over.
    ///
    /// # Errors
    /// Those of the medium.
    fn count_memories(
        &self,
        tenant: &TenantId,
        counts: &[(MemoryId, MemoryCounters)],
    ) -> Result<()>;
}

/// A refusal to remember something; `rule` names which rule forbids it.
#[must_use]
pub fn memory_refusal(field: &'static str, rule: &'static str, why: &str) -> Error {
    Error::new(ErrorKind::Denied, format!("{field}: {why} (rule {rule})"))
        .with_field(field)
        .with("rule", rule)
}
