//! Packets: the only way in which state passes from one agent to another.

mod store;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::artifact::ArtifactHandle;
use crate::error::{Error, Result};
use crate::id::{AgentId, Label, PacketId};
use crate::json::RawJson;
use crate::time::Timestamp;
use crate::trust::Trust;

pub use store::{Delivery, DeliveryQuery, PacketLease, PacketStorage, PacketWrite, Settlement};

/// The most bytes of a packet's texts together: what is larger belongs into an artifact.
pub const MAX_PACKET_BYTES: usize = 64 * 1024;

/// What an agent may do and see: permissions by the host's own names, and labels.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scope {
    /// What it may do.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub permissions: BTreeSet<String>,
    /// What it may see: blocks whose labels are all among these.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
}

impl Scope {
    /// A scope of these permissions and labels.
    ///
    /// # Errors
    /// `Invalid`, when a label is empty or too long.
    pub fn of(permissions: &[&str], labels: &[&str]) -> Result<Self> {
        let labels = labels.iter().map(|label| Label::new(*label));
        Ok(Self {
            permissions: permissions.iter().map(|name| (*name).to_owned()).collect(),
            labels: labels.collect::<Result<_>>()?,
        })
    }

    /// What both hold: scopes only ever narrow.
    #[must_use]
    pub fn within(&self, other: &Self) -> Self {
        Self {
            permissions: self
                .permissions
                .intersection(&other.permissions)
                .cloned()
                .collect(),
            labels: self.labels.intersection(&other.labels).cloned().collect(),
        }
    }

    /// Whether all of this is held by another.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.permissions.is_subset(&other.permissions) && self.labels.is_subset(&other.labels)
    }
}

/// A piece of evidence that a packet points to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketSource {
    /// Where it is; the handle holds its digest, so that anybody can check it.
    pub handle: ArtifactHandle,
    /// What one must hold to see it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
}

/// What a packet is for; in JSON `"handoff"`, `{"task": {…}}` or `{"return": {…}}`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PacketBody {
    /// What was done and found.
    #[default]
    Handoff,
    /// Work for another agent.
    Task {
        /// When the work is done.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        acceptance: Vec<String>,
        /// Permissions that the work needs.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        needs: BTreeSet<String>,
        /// Those of `needs` that the chain of senders could not give.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        missing: BTreeSet<String>,
        /// What is not decided yet.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unresolved: Vec<String>,
        /// The JSON Schema that the payload of the return packet must keep.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contract: Option<RawJson>,
    },
    /// The answer to a task.
    Return {
        /// The task it answers.
        task: PacketId,
        /// How sure the callee is, 0 to 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f32>,
        /// What that confidence does not cover.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        limits: Vec<String>,
        /// Changes of state that the callee asks the parent to make.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<String>,
    },
}

/// A packet from one agent to another, or to its whole team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// Its id.
    pub packet_id: PacketId,
    /// Who sent it.
    pub from: AgentId,
    /// Who receives it; `None` is the whole team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<AgentId>,
    /// The distilled summary; of a task its goal.
    pub summary: String,
    /// Order numbers, dates, amounts, names, paths and urls, verbatim; no cap ever cuts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// A typed payload, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<RawJson>,
    /// What it is for.
    #[serde(default)]
    pub body: PacketBody,
    /// What the receiver may do and see on its account, never more than its sender might.
    #[serde(default)]
    pub scope: Scope,
    /// What one must hold to read it: the labels of all it was made from.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
    /// The packet on whose account it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<PacketId>,
    /// Evidence by handle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<PacketSource>,
    /// The lowest trust of its sources.
    #[serde(default)]
    pub trust: Trust,
    /// When it was sent.
    pub recorded_at: Timestamp,
    /// When it ceases to be delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl Packet {
    /// A handoff that holds nothing but a summary.
    pub fn handoff(
        packet_id: PacketId,
        from: AgentId,
        to: Option<AgentId>,
        summary: impl Into<String>,
        recorded_at: Timestamp,
    ) -> Self {
        Self {
            packet_id,
            from,
            to,
            summary: summary.into(),
            slots: Vec::new(),
            payload: None,
            body: PacketBody::Handoff,
            scope: Scope::default(),
            labels: BTreeSet::new(),
            under: None,
            sources: Vec::new(),
            trust: Trust::Untrusted,
            recorded_at,
            expires_at: None,
        }
    }

    /// Whether it is no longer delivered at `now`.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }

    /// Checks what the types cannot.
    ///
    /// # Errors
    /// `Invalid` with the field: `summary` where there is nothing to say or too much, `body.confidence` out of range;
    /// `Denied` naming `trust` when it claims to be policy.
    pub fn validate(&self) -> Result<()> {
        let fail = |field: &str, problem: &str| Err(Error::invalid_field("packet", field, problem));
        let payload = self.payload.as_ref().map_or(0, |json| json.as_str().len());
        let slots: usize = self.slots.iter().map(String::len).sum();
        if self.summary.trim().is_empty() && payload == 0 {
            return fail("summary", "is empty, and so is the payload");
        }
        if self.summary.len() + slots + payload > MAX_PACKET_BYTES {
            return fail(
                "summary",
                "and slots and payload have more than 64 KiB together; keep them as an artifact",
            );
        }
        if let PacketBody::Return {
            confidence: Some(confidence),
            ..
        } = &self.body
            && !(0.0..=1.0).contains(confidence)
        {
            return fail("body.confidence", "must be between 0 and 1");
        }
        if self.trust == Trust::Policy {
            return Err(Error::new(
                crate::error::ErrorKind::Denied,
                "trust: what an agent says is no policy",
            )
            .with_field("trust"));
        }
        Ok(())
    }
}
