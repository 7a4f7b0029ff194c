//! Facts: short statements about a session, changed only by add, revise and invalidate.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::id::{EventId, FactId, TurnIndex};
use crate::session::TurnRecord;
use crate::time::Timestamp;
use crate::trust::Trust;

/// A short statement about a session, on two time axes: when it was true, and when the engine knew it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Its id.
    pub fact_id: FactId,
    /// The statement, in the language it was said in.
    pub text: String,
    /// What it is about, in a normalised form, for example `user/home`; corrections meet by it.
    pub subject: String,
    /// The events it was taken from.
    pub sources: Vec<EventId>,
    /// The lowest trust of its sources.
    pub trust: Trust,
    /// When it began to be true.
    pub valid_from: Timestamp,
    /// When it ceased to be true; `None` while it is current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// When the engine learnt it.
    pub recorded_at: Timestamp,
    /// When the engine learnt that it is no longer true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalidated_at: Option<Timestamp>,
    /// The event that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalidated_by: Option<EventId>,
    /// The fact that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<FactId>,
}

impl Fact {
    /// Whether it has not been invalidated.
    #[must_use]
    pub const fn is_current(&self) -> bool {
        self.invalidated_at.is_none()
    }

    /// Whether it was true at `valid` as far as the engine knew at `known`.
    #[must_use]
    pub fn holds(&self, valid: Timestamp, known: Timestamp) -> bool {
        let learnt = self.recorded_at <= known && self.valid_from <= valid;
        let ended = self.invalidated_at.is_some_and(|at| at <= known)
            && self.valid_to.is_none_or(|to| to <= valid);
        learnt && !ended
    }
}

/// One change of the facts of a session, with the event that caused it, so that a branch sees only its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum FactOp {
    /// A new fact.
    Add {
        /// The fact, current.
        fact: Fact,
    },
    /// A fact's words are refined; what it says of the world stays true from its old `valid_from`.
    Revise {
        /// Which fact.
        fact_id: FactId,
        /// The event that refines it; becomes one more source.
        event: EventId,
        /// Its new words.
        text: String,
        /// When the engine learnt it.
        at: Timestamp,
    },
    /// A fact ceases to be true.
    Invalidate {
        /// Which fact.
        fact_id: FactId,
        /// The event that ends it.
        event: EventId,
        /// The fact that takes its place, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaced_by: Option<FactId>,
        /// When it ceased to be true.
        valid_to: Timestamp,
        /// When the engine learnt it.
        at: Timestamp,
    },
}

impl FactOp {
    /// The event that caused the change.
    #[must_use]
    pub fn event(&self) -> Option<EventId> {
        match self {
            Self::Add { fact } => fact.sources.first().copied(),
            Self::Revise { event, .. } | Self::Invalidate { event, .. } => Some(*event),
        }
    }

    /// The fact that it changes or adds.
    #[must_use]
    pub const fn fact_id(&self) -> &FactId {
        match self {
            Self::Add { fact } => &fact.fact_id,
            Self::Revise { fact_id, .. } | Self::Invalidate { fact_id, .. } => fact_id,
        }
    }
}

/// A change of facts with the turn it came from, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactEntry {
    /// The turn that was distilled.
    pub turn: TurnIndex,
    /// The change.
    pub change: FactOp,
}

/// Draws facts from turns.
///
/// Contract: only what a user asserted becomes a fact; the same turn and current facts give the same operations, ids
/// included; an `Invalidate` or `Revise` names a fact in `current`; nothing is read or written outside the arguments.
pub trait FactExtractor: Send + Sync {
    /// The extractor's name and version; a change of it means that sessions may be distilled anew.
    fn name(&self) -> &str;

    /// Gets ready to [`extract`](Self::extract) a turn, if that takes long: it is called in the background, where nobody
    /// waits, and `extract` right after it. Whoever reads before that gets what `extract` makes without it.
    fn prepare(&self, session: &str, turn: &TurnRecord, current: &[Fact]) {
        let _ = (session, turn, current);
    }

    /// Whether [`prepare`](Self::prepare) does anything.
    fn prepares(&self) -> bool {
        false
    }

    /// The changes that `turn` (complete) brings to the facts `current` on its branch.
    ///
    /// # Errors
    /// `Callback` or `Unavailable` from extractors that leave the process; the heuristic one never fails.
    fn extract(&self, session: &str, turn: &TurnRecord, current: &[Fact]) -> Result<Vec<FactOp>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_time_axes_are_asked() {
        let at = Timestamp::from_millis_clamped;
        let fact = Fact {
            fact_id: FactId::new("f").unwrap(),
            text: "Lives in Oslo".into(),
            subject: "user/home".into(),
            sources: vec![EventId(1)],
            trust: Trust::Verified,
            valid_from: at(10),
            valid_to: Some(at(20)),
            recorded_at: at(100),
            invalidated_at: Some(at(200)),
            invalidated_by: Some(EventId(3)),
            replaced_by: None,
        };
        assert!(fact.holds(at(15), at(150)));
        assert!(fact.holds(at(25), at(150)), "not yet known to have ended");
        assert!(!fact.holds(at(25), at(250)));
        assert!(fact.holds(at(15), at(250)), "was true then, seen from now");
        assert!(!fact.holds(at(15), at(50)), "not yet known");
        assert!(!fact.is_current());
    }
}
