//! The store: an append-only log of turns, and what hangs on it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::artifact::{Artifact, ArtifactHandle};
use crate::artifact_store::ArtifactStorage;
use crate::checkpoint::CheckpointStorage;
use crate::compilation::CompilationStorage;
use crate::deletion_store::DeletionStorage;
use crate::error::Result;
use crate::fact::FactEntry;
use crate::id::{AgentId, EventRange, RequestId, SessionId, TenantId, TurnId, TurnIndex, UserId};
use crate::memory::MemoryRecords;
use crate::message::Message;
use crate::packet::PacketStorage;
use crate::policy_store::PolicyStorage;
use crate::session::{Distilled, Session, StoredMessage, Turn, TurnRecord, TurnStatus};
use crate::time::Timestamp;
use crate::vector_store::VectorStorage;

/// Parts with more bytes of text than this are stored as artifacts.
pub const LARGE_PART_BYTES: usize = 16 * 1024;

/// What a store promises of a write that has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// It survives the death of the process and the loss of power.
    #[default]
    Full,
    /// It survives the death of the process.
    Normal,
}

/// Names a session within its tenant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionKey {
    /// The tenant who asks.
    pub tenant: TenantId,
    /// The session.
    pub session_id: SessionId,
}

/// A write of messages to a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnWrite {
    /// The session; it is created by its first turn.
    pub key: SessionKey,
    /// The user it is created for.
    pub user: Option<UserId>,
    /// The agent it is created by.
    pub agent: AgentId,
    /// The turn's id.
    pub turn_id: TurnId,
    /// Whether the id was made just now, so that no stored turn can bear it.
    pub fresh_id: bool,
    /// The turn to follow; `None` is the head at commit. Ignored where the turn exists.
    pub parent: Option<TurnId>,
    /// The status it shall have.
    pub status: TurnStatus,
    /// All its messages from the first on.
    pub messages: Vec<Message>,
    /// When it is recorded.
    pub recorded_at: Timestamp,
    /// The compilations it answers.
    pub requests: Vec<RequestId>,
}

/// What a write of a turn did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WriteEffect {
    /// A new turn was appended.
    Created,
    /// Messages were appended to an open turn, or its status moved.
    Extended,
    /// All of it was stored before.
    Unchanged,
}

/// What a write of a turn gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The turn as stored now.
    pub turn: Turn,
    /// The messages this write appended, in event order.
    pub appended: Vec<Arc<StoredMessage>>,
    /// What the write did.
    pub effect: WriteEffect,
    /// The session after the write.
    pub session: Session,
}

/// Which sessions to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionQuery {
    /// Only those of this user.
    pub user: Option<UserId>,
    /// Only those of this agent.
    pub agent: Option<AgentId>,
    /// Only those whose id is greater, for the next page.
    pub after: Option<SessionId>,
    /// How many at most; 0 means 1,000.
    pub limit: u32,
}

/// A change of a session's facts.
#[derive(Debug, Clone, PartialEq)]
pub struct FactCommit {
    /// The session.
    pub key: SessionKey,
    /// `Distilled::commits` that the changes were made on.
    pub expected: u64,
    /// The changes, in order.
    pub entries: Vec<FactEntry>,
    /// How far facts are distilled with them; its `commits` is ignored, the store counts.
    pub distilled: Distilled,
}

/// Bytes to store as an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactWrite {
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// Its name, 1 to 256 bytes.
    pub name: String,
    /// The media type, where known.
    pub mime: Option<String>,
    /// The user it is stored for; it goes when that user is deleted.
    pub user: Option<UserId>,
    /// The session it was made for, where it is a copy of what was said there; it goes with that session.
    pub session_id: Option<SessionId>,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// When it is recorded.
    pub recorded_at: Timestamp,
}

/// A derived thing kept so that opening is fast; losing it loses no data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The session's `change_seq` that it has seen.
    pub change_seq: u64,
    /// Its bytes; whoever wrote them checks them.
    pub bytes: Vec<u8>,
}

/// A store of sessions. All methods block; any number of threads may call them at once.
///
/// Contract, tested line by line by the conformance suite of `aura-testkit` on every backend:
/// - A session id belongs to one tenant: with a key of another tenant every method gives `Denied` naming `session_id`.
/// - A session that does not exist gives `None` or an empty list from reads and `NotFound` naming `session_id` from
///   writes other than [`Storage::record`].
/// - What a write returned is seen by every later read, of any thread or process.
/// - A failed write leaves nothing behind.
/// - After [`Storage::close`] every method gives `Closed`; closing again is allowed.
pub trait Storage:
    ArtifactStorage
    + CheckpointStorage
    + CompilationStorage
    + DeletionStorage
    + MemoryRecords
    + PacketStorage
    + PolicyStorage
    + VectorStorage
    + Send
    + Sync
{
    /// The backend's name, for example `sqlite`.
    fn name(&self) -> &'static str;

    /// What it promises of writes that have returned.
    fn durability(&self) -> Durability;

    /// Appends messages to a turn, creating turn and session as needed.
    ///
    /// - Event ids are allocated here: gapless from 1 in commit order, also across threads and processes.
    /// - A turn that exists is compared message by message through [`Message::digest`]. The same list or a prefix of
    ///   it changes nothing and returns the stored turn (`Unchanged`), whatever the turn's status; a longer list that
    ///   begins with what is stored extends an open turn. With the whole list given, an open turn also moves to the
    ///   status given (`Extended`); a closed turn stays as it is when asked to be `open` or what it is. Where it
    ///   differs, `Conflict` names `messages` for other messages, `turn_id` for more of a closed turn, `status` for
    ///   another status of it.
    /// - A new turn follows `parent`, or else the head at commit. The head moves to a new turn whose parent is the
    ///   head or was named, unless it is `failed`; a turn that moves from open to failed gives the head back to its
    ///   nearest ancestor that did not fail, if it is the head.
    /// - `change_seq` grows by one with every write that is not `Unchanged`.
    /// - Text parts and textual tool results over [`LARGE_PART_BYTES`] are kept as artifacts; reads put them back.
    /// - The manifests of `requests` that exist in this session are linked to the turn and all its tool calls, also
    ///   those that are put only later; requests of other sessions are ignored.
    ///
    /// # Errors
    /// `Conflict` naming `messages`, `turn_id` or `status` when the turn is stored otherwise; `NotFound` naming
    /// `parent`; `Denied` for a session of another tenant or user; `Invalid` naming `messages` for a new turn without
    /// any; `Busy`, `Unavailable`, `Corrupt` from the medium.
    fn record(&self, write: TurnWrite) -> Result<Recorded>;

    /// Moves an open turn to `complete` or `failed`; a turn that has that status already is `Unchanged`.
    ///
    /// # Errors
    /// `NotFound` naming `turn_id`; `Conflict` naming `status` for any other move.
    fn set_status(
        &self,
        key: &SessionKey,
        turn_id: &TurnId,
        status: TurnStatus,
    ) -> Result<Recorded>;

    /// Moves the head to a turn, so that what came after it on other branches is no longer seen. Nothing changes if it
    /// stands there already.
    ///
    /// # Errors
    /// `NotFound` naming `turn_id`; `Conflict` naming `turn_id` for a failed turn.
    fn set_head(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Session>;

    /// The session.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn session(&self, key: &SessionKey) -> Result<Option<Session>>;

    /// Sessions of a tenant, by id.
    ///
    /// # Errors
    /// Those of the medium.
    fn sessions(&self, tenant: &TenantId, query: &SessionQuery) -> Result<Vec<Session>>;

    /// At most `limit` turns from index `from` on, of any status.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn turns(&self, key: &SessionKey, from: TurnIndex, limit: usize) -> Result<Vec<Turn>>;

    /// The same with their messages.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn turn_records(
        &self,
        key: &SessionKey,
        from: TurnIndex,
        limit: usize,
    ) -> Result<Vec<TurnRecord>>;

    /// A turn by its id.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn turn(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Turn>>;

    /// The messages of the ranges in event order, each once; what does not exist is left out.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn messages(&self, key: &SessionKey, ranges: &[EventRange]) -> Result<Vec<Arc<StoredMessage>>>;

    /// The changes of facts, in the order committed, from the entry number `from` (0 is the first) on.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn facts(&self, key: &SessionKey, from: u64) -> Result<Vec<FactEntry>>;

    /// Commits changes of facts and how far facts are distilled, in one step; `change_seq` grows by one.
    ///
    /// # Errors
    /// `Conflict` naming `expected`, when somebody else committed in between: read anew and try again.
    fn commit_facts(&self, commit: FactCommit) -> Result<Session>;

    /// Sessions with complete turns that are not distilled, oldest session first, for recovery after a restart.
    ///
    /// # Errors
    /// Those of the medium.
    fn undistilled(&self, limit: usize) -> Result<Vec<SessionKey>>;

    /// Keeps a derived thing under a name, replacing an older one of that name.
    ///
    /// # Errors
    /// `NotFound` naming `session_id`; those of the medium.
    fn put_snapshot(&self, key: &SessionKey, name: &str, snapshot: Snapshot) -> Result<()>;

    /// The derived thing under a name.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn snapshot(&self, key: &SessionKey, name: &str) -> Result<Option<Snapshot>>;

    /// The derived things whose names begin with `prefix`, by name, all of one state of the store.
    ///
    /// # Errors
    /// `Denied`; those of the medium.
    fn snapshots(&self, key: &SessionKey, prefix: &str) -> Result<Vec<(String, Snapshot)>>;

    /// Replaces the derived things whose names begin with `prefix`, all or none: those named in `keep` stay as they
    /// are, the others go, and `put` is kept. Nothing else changes, `change_seq` included.
    ///
    /// # Errors
    /// `NotFound` naming `session_id`; `Conflict` naming `keep`, when one of those named does not exist; those of the
    /// medium.
    fn replace_snapshots(
        &self,
        key: &SessionKey,
        prefix: &str,
        keep: &[String],
        put: Vec<(String, Snapshot)>,
    ) -> Result<()>;

    /// Stores bytes under a name. The newest version is returned if its bytes are the same; else a new version is
    /// made. Equal bytes of a tenant are kept once. Names beginning with `part:` are the store's own, for large parts.
    ///
    /// # Errors
    /// `Invalid` naming `name`; those of the medium.
    fn put_artifact(&self, write: ArtifactWrite) -> Result<Artifact>;

    /// What is known of an artifact of this tenant.
    ///
    /// # Errors
    /// `Denied` naming `handle`, when the handle is of another tenant; those of the medium.
    fn artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Option<Artifact>>;

    /// The bytes of an artifact of this tenant, checked against its digest.
    ///
    /// # Errors
    /// `Denied` and `NotFound` naming `handle`; `Corrupt`, when the digest differs; those of the medium.
    fn read_artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Vec<u8>>;

    /// Refuses new calls, waits for those under way, and makes what was written durable.
    ///
    /// # Errors
    /// Those of the medium; the store is closed all the same.
    fn close(&self) -> Result<()>;
}
