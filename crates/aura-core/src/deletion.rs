//! Deletions: what is to go, and the receipt that says what went.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::id::{
    AgentId, DeletionId, EventRange, HoldId, MemoryId, SessionId, TenantId, UserId, check_id,
};
use crate::time::Timestamp;

/// What a deletion, or a legal hold, is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DeletionSubject {
    /// A user: all its sessions, memories and artifacts, and the contexts compiled for it.
    User {
        /// Which user.
        user: UserId,
    },
    /// A session with all that was derived from it.
    Session {
        /// Which session.
        session_id: SessionId,
    },
    /// A memory, or a candidate for one.
    Memory {
        /// Which memory.
        memory_id: MemoryId,
    },
    /// Versions of an artifact that a caller named.
    Artifact {
        /// Its name.
        name: String,
        /// The version; `None` is every version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<u32>,
    },
    /// Some events of a session: tombstones without content keep their ids.
    Events {
        /// Which session.
        session_id: SessionId,
        /// Which events.
        range: EventRange,
    },
}

impl DeletionSubject {
    /// Checks what the types cannot.
    ///
    /// # Errors
    /// `Invalid` naming the field.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Artifact { name, .. } => {
                check_id("name", name)?;
                if name.starts_with("part:") {
                    return Err(Error::invalid_field(
                        "deletion",
                        "name",
                        "must not begin with `part:`: large parts go with their messages",
                    ));
                }
                Ok(())
            }
            Self::Events { range, .. } if range.is_empty() || range.first.0 == 0 => {
                Err(Error::invalid_field(
                    "deletion",
                    "range",
                    "must name events from 1 on, the last not before the first",
                ))
            }
            _ => Ok(()),
        }
    }

    /// The session it lies in, if it is one or lies in one.
    #[must_use]
    pub const fn session_id(&self) -> Option<&SessionId> {
        match self {
            Self::Session { session_id } | Self::Events { session_id, .. } => Some(session_id),
            _ => None,
        }
    }
}

/// Who asked for something, as a receipt keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requester {
    /// The agent.
    pub agent: AgentId,
    /// The user on whose behalf it asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

/// A deletion that is to be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletionOrder {
    /// Its id; an order of an id that is known gives the receipt it has.
    pub deletion_id: DeletionId,
    /// The tenant whose things go.
    pub tenant: TenantId,
    /// What is to go, one after the other.
    pub subjects: Vec<DeletionSubject>,
    /// Who asked.
    pub by: Requester,
    /// Why, for example `retention`; no stored text.
    pub reason: Option<String>,
    /// When.
    pub requested_at: Timestamp,
}

/// How far a deletion has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeletionState {
    /// Nothing was touched: the receipt says what would go.
    DryRun,
    /// Rows are still to be removed; goes on by itself after a restart.
    #[default]
    Erasing,
    /// All rows are gone, and their bytes may still stand in the file or its write-ahead log.
    Pending,
    /// The bytes are gone too, and the proof search found nothing.
    Complete,
}

/// Where copies of what was said are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Sessions as a whole.
    Sessions,
    /// Messages with their parts and native forms, as `session:first-last`.
    Events,
    /// Facts, by id.
    Facts,
    /// Vectors, as `session/model`, counted by message.
    Vectors,
    /// Index segments and other derived things, as `session/name`.
    Snapshots,
    /// Manifests, by request.
    Manifests,
    /// What compilations were made from, by request.
    Inputs,
    /// Frozen plans, as `session/turn`.
    Plans,
    /// What requests led to, by request.
    Links,
    /// Checkpoints, by id.
    Checkpoints,
    /// Memories and candidates for them, by id.
    Memories,
    /// Packets between agents, by id.
    Packets,
    /// Artifacts, as `name@version`.
    Artifacts,
}

/// What went from one layer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerReceipt {
    /// Which layer.
    pub layer: Layer,
    /// How many rows of it.
    pub count: u64,
    /// Which, in a short form; no stored text.
    pub ids: Vec<String>,
}

/// A copy that stays, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remaining {
    /// Where it stands: a table of the store, or `policy`.
    pub place: String,
    /// How many rows of that place hold words that were deleted.
    pub rows: u64,
    /// What is to be done: `owner-action` where only the owner may change it, `other-source` where somebody else
    /// said the same.
    pub reason: RemainingReason,
}

/// Why a copy stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemainingReason {
    /// It stands in something that never changes, such as an approved policy: the owner must act.
    OwnerAction,
    /// The same words came from a source that was not deleted.
    OtherSource,
}

/// A search of the raw bytes of the store for what was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofSearch {
    /// How many pieces of the deleted texts were searched for.
    pub pieces: u64,
    /// How many bytes were searched, over all files.
    pub bytes: u64,
    /// How many places hold a piece and belong to nothing that is still stored; 0 once complete.
    pub found: u64,
    /// Whether the file had to be written anew to get rid of the last of them.
    pub rewritten: bool,
    /// When it ended.
    pub searched_at: Option<Timestamp>,
}

/// What a deletion did, layer by layer; no stored text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeletionReceipt {
    /// Its id.
    pub deletion_id: DeletionId,
    /// The tenant.
    pub tenant: TenantId,
    /// What was to go.
    pub subjects: Vec<DeletionSubject>,
    /// Who asked.
    pub by: Requester,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How far it has come.
    pub state: DeletionState,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// When it was complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// What went.
    pub layers: Vec<LayerReceipt>,
    /// What stays that holds the same words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remaining: Vec<Remaining>,
    /// The search for what might be left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofSearch>,
}

impl DeletionReceipt {
    /// The receipt of an order of which nothing is done yet.
    #[must_use]
    pub fn of(order: DeletionOrder) -> Self {
        Self {
            deletion_id: order.deletion_id,
            tenant: order.tenant,
            subjects: order.subjects,
            by: order.by,
            reason: order.reason,
            state: DeletionState::Erasing,
            requested_at: order.requested_at,
            completed_at: None,
            layers: Vec::new(),
            remaining: Vec::new(),
            proof: None,
        }
    }

    /// Notes that something went: `count` rows of a layer under one id.
    pub fn note(&mut self, layer: Layer, id: impl Into<String>, count: u64) {
        let at = self
            .layers
            .binary_search_by_key(&layer, |found| found.layer);
        let at = at.unwrap_or_else(|at| {
            let fresh = LayerReceipt {
                layer,
                count: 0,
                ids: Vec::new(),
            };
            self.layers.insert(at, fresh);
            at
        });
        if let Some(found) = self.layers.get_mut(at) {
            found.count += count;
            found.ids.push(id.into());
        }
    }

    /// How many rows of a layer went.
    #[must_use]
    pub fn count(&self, layer: Layer) -> u64 {
        let found = self.layers.iter().find(|found| found.layer == layer);
        found.map_or(0, |found| found.count)
    }
}

/// Keeps something from being deleted, by request or by retention, until it is released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegalHold {
    /// Its id.
    pub hold_id: HoldId,
    /// What it keeps.
    pub subject: DeletionSubject,
    /// Why; no stored text.
    pub reason: String,
    /// Who placed it.
    pub by: Requester,
    /// When.
    pub placed_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::EventId;

    #[test]
    fn layers_are_counted_and_sorted() {
        let mut receipt = DeletionReceipt::of(DeletionOrder {
            deletion_id: DeletionId::new("d").unwrap(),
            tenant: TenantId::default(),
            subjects: Vec::new(),
            by: Requester {
                agent: AgentId::default(),
                user: None,
            },
            reason: None,
            requested_at: Timestamp::MIN,
        });
        receipt.note(Layer::Facts, "f1", 1);
        receipt.note(Layer::Events, "s:1-9", 9);
        receipt.note(Layer::Events, "s:12-12", 1);
        assert_eq!(receipt.count(Layer::Events), 10);
        assert_eq!(receipt.count(Layer::Plans), 0);
        let layers: Vec<Layer> = receipt.layers.iter().map(|found| found.layer).collect();
        assert_eq!(layers, [Layer::Events, Layer::Facts]);
    }

    #[test]
    fn a_subject_that_names_nothing_is_refused() {
        let session_id = SessionId::new("s").unwrap();
        let events = |first, last| DeletionSubject::Events {
            session_id: session_id.clone(),
            range: EventRange::new(EventId(first), EventId(last)),
        };
        assert!(events(1, 1).validate().is_ok());
        for bad in [events(0, 3), events(3, 2)] {
            assert_eq!(bad.validate().unwrap_err().field(), Some("range"));
        }
        let artifact = |name: &str| DeletionSubject::Artifact {
            name: name.to_owned(),
            version: None,
        };
        assert!(artifact("log.txt").validate().is_ok());
        assert_eq!(
            artifact("part:00").validate().unwrap_err().field(),
            Some("name")
        );
    }

    #[test]
    fn subjects_survive_json() {
        let text = r#"{"kind":"events","session_id":"s","range":{"first":2,"last":5}}"#;
        let subject: DeletionSubject = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&subject).unwrap(), text);
    }
}
