//! Sessions, turns and the messages the log holds.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::artifact::ArtifactHandle;
use crate::error::{Error, Result};
use crate::id::{AgentId, EventId, EventRange, SessionId, TenantId, TurnId, TurnIndex, UserId};
use crate::message::Message;
use crate::principal::Principal;
use crate::time::Timestamp;
use crate::trust::Trust;

/// A session as the store knows it. `change_seq` and its kin let every derived thing see whether it is current.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Its id, unique in the store.
    pub session_id: SessionId,
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// The user it belongs to, if any: other users are denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// The agent that began it.
    pub agent: AgentId,
    /// When its first turn was recorded.
    pub created_at: Timestamp,
    /// How many mutations it has seen: turns, status, facts, deletion, head.
    pub change_seq: u64,
    /// The `change_seq` of the last mutation that changed or removed what earlier reads may have seen of complete
    /// turns (deletion); 0 if there was none.
    pub purge_seq: u64,
    /// The turn a new one follows by default; `None` before the first turn that did not fail.
    pub head: Option<TurnIndex>,
    /// How many turns it has, of any status.
    pub turns: u32,
    /// The last event id given out; 0 if none.
    pub last_event: EventId,
    /// How far facts have been distilled.
    pub distilled: Distilled,
}

impl Session {
    /// Checks that `principal` may use the session.
    ///
    /// # Errors
    /// `Denied` with the field `session_id`, when it belongs to another tenant or another user.
    pub fn check_access(&self, principal: &Principal) -> Result<()> {
        let foreign_user = self.user.is_some() && self.user != principal.user;
        if self.tenant != principal.tenant || foreign_user {
            return Err(denied());
        }
        Ok(())
    }
}

/// The error for a session of another tenant or user; it says nothing about whose it is.
#[must_use]
pub fn denied() -> Error {
    Error::new(
        crate::error::ErrorKind::Denied,
        "session_id: the session belongs to another tenant or user",
    )
    .with_field("session_id")
}

/// How far the facts of a session have been distilled.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Distilled {
    /// All turns below this index have been distilled, but for those in `open`.
    pub next: u32,
    /// Turns below `next` that were open when their neighbours were distilled, ascending.
    pub open: Vec<TurnIndex>,
    /// How many commits of facts there have been: the guard against two processes distilling the same turns.
    pub commits: u64,
}

/// The status of a turn: `open` moves to `complete` or `failed` and never back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnStatus {
    /// More messages may follow; it feeds neither facts nor recall.
    Open,
    /// Ended well; feeds facts and recall.
    #[default]
    Complete,
    /// Ended badly; feeds nothing and does not move the head.
    Failed,
}

impl TurnStatus {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Complete => "complete",
            Self::Failed => "failed",
        }
    }
}

/// A user question and all that follows it up to the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Its id, unique in its session.
    pub turn_id: TurnId,
    /// Its number, gapless from 0 in commit order.
    pub index: TurnIndex,
    /// Where it stands.
    pub status: TurnStatus,
    /// The turn it follows.
    pub parent: Option<TurnIndex>,
    /// Its events, ascending; several ranges when another turn was recorded while it was open.
    pub events: Vec<EventRange>,
    /// When it was first recorded.
    pub recorded_at: Timestamp,
}

impl Turn {
    /// How many messages it has.
    #[must_use]
    pub fn message_count(&self) -> u64 {
        self.events.iter().map(EventRange::len).sum()
    }

    /// Its first event.
    #[must_use]
    pub fn first_event(&self) -> Option<EventId> {
        self.events.first().map(|range| range.first)
    }

    /// Its last event.
    #[must_use]
    pub fn last_event(&self) -> Option<EventId> {
        self.events.last().map(|range| range.last)
    }

    /// All its event ids, ascending.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + '_ {
        self.events
            .iter()
            .flat_map(|range| (range.first.0..=range.last.0).map(EventId))
    }
}

/// A message as the log holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMessage {
    /// Its number in its session.
    pub event_id: EventId,
    /// The turn it belongs to.
    pub turn: TurnIndex,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// The message, whole.
    pub message: Message,
    /// Which of its parts the store keeps as artifacts because they are large.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub large_parts: Vec<LargePart>,
}

/// A part that the store keeps as an artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LargePart {
    /// Its place among the message's parts.
    pub part: u32,
    /// Where its bytes are.
    pub handle: ArtifactHandle,
}

impl StoredMessage {
    /// When it was said: its event time, or when it was recorded.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.message.time.unwrap_or(self.recorded_at)
    }

    /// How far it may be believed.
    #[must_use]
    pub fn trust(&self) -> Trust {
        self.message.role.trust()
    }
}

/// A turn with its messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// The turn.
    pub turn: Turn,
    /// Its messages in event order; a deleted message leaves no entry.
    pub messages: Vec<Arc<StoredMessage>>,
}
