//! Checkpoints: what a range of a session came to, with its evidence by event.

use serde::{Deserialize, Serialize};

use crate::artifact::ArtifactHandle;
use crate::digest::{Digest, DigestBuilder};
use crate::error::{Error, Result};
use crate::id::{CheckpointId, EventId, EventRange, SessionId, TenantId};
use crate::policy_version::Signature;
use crate::session::StoredMessage;
use crate::trust::Trust;

/// Bytes of one claim at most.
pub const LONGEST_CLAIM: usize = 2_048;

/// A statement of a checkpoint with the events it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The statement.
    pub text: String,
    /// The events, at least one.
    pub events: Vec<EventId>,
}

impl Claim {
    /// A claim that rests on one event.
    #[must_use]
    pub fn of(text: impl Into<String>, event: EventId) -> Self {
        Self {
            text: text.into(),
            events: vec![event],
        }
    }
}

/// The version of something that the work of a range rested on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceVersion {
    /// The source, by address or name.
    pub source: String,
    /// Its version.
    pub version: String,
}

/// What a range came to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointContent {
    /// What the work is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Claim>,
    /// What must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Claim>,
    /// What was done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<Claim>,
    /// What is still to be decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_decisions: Vec<Claim>,
    /// What failed, each with the event that says how.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Claim>,
    /// Artifacts that the work made or used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactHandle>,
    /// Versions of what it rested on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_versions: Vec<SourceVersion>,
}

impl CheckpointContent {
    /// The claims with the names of their lists.
    pub fn claims(&self) -> impl Iterator<Item = (&'static str, &Claim)> {
        let lists = [
            ("constraints", &self.constraints),
            ("completed", &self.completed),
            ("open_decisions", &self.open_decisions),
            ("failed", &self.failed),
        ];
        let goal = self.goal.iter().map(|claim| ("goal", claim));
        let lists = lists.into_iter();
        goal.chain(lists.flat_map(|(name, claims)| claims.iter().map(move |claim| (name, claim))))
    }

    /// Checks it against the events of its range that have a message.
    ///
    /// # Errors
    /// `Invalid` naming the field: a claim without words or without a source event in the range.
    pub fn validate(&self, range: EventRange, exists: impl Fn(EventId) -> bool) -> Result<()> {
        let refuse =
            |field: String, problem: &str| Err(Error::invalid_field("checkpoint", field, problem));
        if self.claims().next().is_none() {
            return refuse("content".to_owned(), "says nothing");
        }
        for (list, claim) in self.claims() {
            if claim.text.trim().is_empty() || claim.text.len() > LONGEST_CLAIM {
                return refuse(format!("{list}.text"), "must have 1 to 2,048 bytes");
            }
            if claim.events.is_empty() {
                return refuse(format!("{list}.events"), "a claim needs a source event");
            }
            for event in &claim.events {
                if !range.contains(*event) || !exists(*event) {
                    return refuse(
                        format!("{list}.events"),
                        "must lie in the range and be stored",
                    );
                }
            }
        }
        Ok(())
    }
}

/// A checkpoint of a session: a context can stand on it instead of the range, and the range stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Its id.
    pub checkpoint_id: CheckpointId,
    /// The tenant.
    pub tenant: TenantId,
    /// The session.
    pub session_id: SessionId,
    /// The events it covers.
    pub range: EventRange,
    /// What they came to.
    pub content: CheckpointContent,
    /// The digest of what the range held when it was made.
    pub digest: Digest,
    /// The lowest trust of its sources.
    pub trust: Trust,
    /// Who made it.
    pub made: Signature,
}

impl Checkpoint {
    /// Its words, as a context shows them; events are named so that they can be asked for.
    #[must_use]
    pub fn text(&self) -> String {
        let range = self.range;
        let mut out = format!("Checkpoint over events {}–{}.", range.first, range.last);
        let mut last = "";
        for (list, claim) in self.content.claims() {
            if list != last {
                let heading = match list {
                    "goal" => "Goal",
                    "constraints" => "Constraints",
                    "completed" => "Done",
                    "open_decisions" => "To be decided",
                    _ => "Failed",
                };
                out.push_str(&format!("\n{heading}:"));
                last = list;
            }
            let events: Vec<String> = claim.events.iter().map(ToString::to_string).collect();
            out.push_str(&format!("\n- {} [event {}]", claim.text, events.join(", ")));
        }
        for handle in &self.content.artifacts {
            out.push_str(&format!("\nArtifact: {handle}"));
        }
        for source in &self.content.source_versions {
            out.push_str(&format!("\nSource: {} {}", source.source, source.version));
        }
        out
    }
}

/// The digest of a range: of every message that is stored, with its event.
#[must_use]
pub fn range_digest<'a>(messages: impl IntoIterator<Item = &'a StoredMessage>) -> Digest {
    let mut digest = DigestBuilder::new();
    for stored in messages {
        digest.field(&stored.event_id.0.to_le_bytes());
        digest.field(stored.message.digest().as_bytes());
    }
    digest.finish()
}

/// The part of a store that keeps checkpoints.
///
/// Contract, beside that of [`Storage`](crate::Storage): checkpoints of other tenants are neither seen nor touched.
pub trait CheckpointStorage {
    /// Keeps a checkpoint.
    ///
    /// # Errors
    /// `Conflict` naming `checkpoint_id`, when there is one of that id; those of the medium.
    fn put_checkpoint(&self, checkpoint: Checkpoint) -> Result<()>;

    /// A checkpoint.
    ///
    /// # Errors
    /// Those of the medium.
    fn checkpoint(&self, tenant: &TenantId, id: &CheckpointId) -> Result<Option<Checkpoint>>;

    /// The checkpoints of a session, the one made first first.
    ///
    /// # Errors
    /// Those of the medium.
    fn checkpoints(&self, tenant: &TenantId, session_id: &SessionId) -> Result<Vec<Checkpoint>>;
}
