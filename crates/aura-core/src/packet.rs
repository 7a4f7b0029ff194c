//! Packets: the only way in which state passes from one agent to another.

use serde::{Deserialize, Serialize};

use crate::id::{AgentId, PacketId};
use crate::time::Timestamp;
use crate::trust::Trust;

/// A handoff packet from one agent to another, or to its whole team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// Its id.
    pub packet_id: PacketId,
    /// Who sent it.
    pub from: AgentId,
    /// Who receives it; `None` is the whole team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<AgentId>,
    /// The distilled summary.
    pub summary: String,
    /// Order numbers, dates, amounts, names, paths and urls, verbatim; no cap ever cuts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// The lowest trust of its sources.
    #[serde(default)]
    pub trust: Trust,
    /// When it was sent.
    pub recorded_at: Timestamp,
    /// When it ceases to be delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}
