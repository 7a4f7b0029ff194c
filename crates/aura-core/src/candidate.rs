//! Candidates for a context: what was considered, with which scores, and what became of it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::block::BlockKind;
use crate::error::{Error, Result};
use crate::id::{BlockId, EventId, EventRange, FactId, PacketId, TurnIndex};

/// Names a block in manifests; text in JSON, for example `event:12`, `turn:3`, `fact:…`, `block:…`, `question`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockRef {
    /// The system prompt.
    System,
    /// The question.
    Question,
    /// The open turn with its live tail.
    Tail,
    /// A message of the session.
    Event(EventId),
    /// A turn of the session.
    Turn(TurnIndex),
    /// A fact.
    Fact(FactId),
    /// A tool definition, by name.
    Tool(String),
    /// A packet.
    Packet(PacketId),
    /// A block of the host.
    Block(BlockId),
}

impl fmt::Display for BlockRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => f.write_str("system"),
            Self::Question => f.write_str("question"),
            Self::Tail => f.write_str("tail"),
            Self::Event(event) => write!(f, "event:{event}"),
            Self::Turn(turn) => write!(f, "turn:{turn}"),
            Self::Fact(fact) => write!(f, "fact:{fact}"),
            Self::Tool(name) => write!(f, "tool:{name}"),
            Self::Packet(packet) => write!(f, "packet:{packet}"),
            Self::Block(block) => write!(f, "block:{block}"),
        }
    }
}

impl FromStr for BlockRef {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad = || {
            Error::invalid_field(
                "block",
                "block",
                "must be system, question, tail, event:<id>, turn:<index>, fact:<id>, tool:<name>, packet:<id> or block:<id>",
            )
        };
        Ok(match text.split_once(':') {
            None => match text {
                "system" => Self::System,
                "question" => Self::Question,
                "tail" => Self::Tail,
                _ => return Err(bad()),
            },
            Some(("event", id)) => Self::Event(EventId(id.parse().map_err(|_| bad())?)),
            Some(("turn", index)) => Self::Turn(TurnIndex(index.parse().map_err(|_| bad())?)),
            Some(("fact", id)) => Self::Fact(FactId::new(id)?),
            Some(("tool", name)) => Self::Tool(name.to_owned()),
            Some(("packet", id)) => Self::Packet(PacketId::new(id)?),
            Some(("block", id)) => Self::Block(BlockId::new(id)?),
            Some(_) => return Err(bad()),
        })
    }
}

impl Serialize for BlockRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BlockRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse()
            .map_err(|error: Error| serde::de::Error::custom(error.message()))
    }
}

/// The admission classes, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Class {
    /// System prompt, policy, constraints, tools, facts, the question, the open turn: never evicted.
    P1,
    /// The most recent complete turns.
    P2,
    /// Packets and the last tool response.
    P3,
    /// Recalled messages, memories, evidence.
    P4,
    /// Everything else.
    P5,
}

impl Class {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::P1 => "P1",
            Self::P2 => "P2",
            Self::P3 => "P3",
            Self::P4 => "P4",
            Self::P5 => "P5",
        }
    }
}

/// The scores of a candidate; what was not computed is absent.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scores {
    /// R, A, F, I, D, C of admission, each 0 to 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admission: Option<[f32; 6]>,
    /// BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical: Option<f32>,
    /// Cosine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense: Option<f32>,
    /// Absolute relevance in [0, 1]; the floor looks at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f32>,
    /// Scaled over the pool; the order looks at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<f32>,
    /// What the rank is the sum of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
}

/// What each signal gives to a rank; a signal that says nothing gives 0 and is left out of the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Signals {
    /// BM25 with the neighbours, scaled over the candidates.
    #[serde(skip_serializing_if = "is_zero")]
    pub lexical: f32,
    /// The cosine, scaled over the candidates.
    #[serde(skip_serializing_if = "is_zero")]
    pub dense: f32,
    /// Said by whom the question is about.
    #[serde(skip_serializing_if = "is_zero")]
    pub speaker: f32,
    /// Said when the question is about.
    #[serde(skip_serializing_if = "is_zero")]
    pub date: f32,
    /// Says when, as the question asks.
    #[serde(skip_serializing_if = "is_zero")]
    pub when: f32,
    /// A question itself: 0 or less.
    #[serde(skip_serializing_if = "is_zero")]
    pub question: f32,
    /// What it costs to show: 0 or less.
    #[serde(skip_serializing_if = "is_zero")]
    pub cost: f32,
}

impl Signals {
    /// The rank.
    #[must_use]
    pub fn sum(&self) -> f32 {
        let words = self.lexical + self.dense;
        words + self.speaker + self.date + self.when + self.question + self.cost
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

/// The six stages of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Who may see what.
    Filter,
    /// What might be needed.
    Retrieve,
    /// Which of several sources counts.
    Resolve,
    /// What the budget holds.
    Admit,
    /// In which order.
    Order,
    /// As which bytes.
    Serialize,
}

impl Stage {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Filter => "filter",
            Self::Retrieve => "retrieve",
            Self::Resolve => "resolve",
            Self::Admit => "admit",
            Self::Order => "order",
            Self::Serialize => "serialize",
        }
    }
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It stands in the context.
    Selected,
    /// Its handle stands in the context.
    ReplacedByHandle,
    /// It does not; stage and reason say why.
    Rejected,
}

/// Why a candidate was selected or rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Every context has it.
    Mandatory,
    /// One of the newest turns.
    Recent,
    /// Recalled for the question.
    Relevant,
    /// A current fact.
    CurrentFact,
    /// A fact that corrects something shown.
    Correction,
    /// Mode `full-history` shows all.
    FullHistory,
    /// P5, in what was left of the budget.
    Surplus,
    /// Given by the host.
    Given,
    /// Given by the host; the part of it that bears on the question.
    Fragment,
    /// Given by the host; the error of a failed call, its cause, and whether to try again.
    ErrorAndCause,
    /// Too long for what it is worth.
    Verbose,
    /// Worth nothing beside what it costs.
    LowValue,
    /// No room under `token_budget`.
    OverBudget,
    /// No room under `max_recall_tokens`.
    OverRecallBudget,
    /// Below the floor of relevance.
    BelowFloor,
    /// Beyond `top_k`.
    BeyondTopK,
    /// Beyond `max_facts`.
    BeyondMaxFacts,
    /// Its sources are all shown verbatim.
    ShownVerbatim,
    /// It is part of something shown already.
    AlreadyShown,
    /// Nearly the same as something shown.
    NearDuplicate,
    /// It is no longer true.
    Superseded,
    /// It has expired.
    Expired,
    /// A label on it is not held.
    LabelNotHeld,
    /// Its bytes belong to another tenant.
    ForeignTenant,
    /// It claims to be more than it may be: policy without an approved version, or an order that came from a source.
    Denied,
    /// It is an order whose time has not come.
    NotInForce,
    /// Its output schema is not approved.
    UnapprovedSchema,
    /// A stronger source of the same subject stands.
    Outranked,
    /// It is on another branch, or its turn is not complete.
    NotVisible,
    /// The policy switched its kind off.
    Disabled,
    /// The deadline left no time.
    Deadline,
    /// It carries nothing to show.
    Empty,
}

impl Reason {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mandatory => "mandatory",
            Self::Recent => "recent",
            Self::Relevant => "relevant",
            Self::CurrentFact => "current-fact",
            Self::Correction => "correction",
            Self::FullHistory => "full-history",
            Self::Surplus => "surplus",
            Self::Given => "given",
            Self::Fragment => "fragment",
            Self::ErrorAndCause => "error-and-cause",
            Self::Verbose => "verbose",
            Self::LowValue => "low-value",
            Self::OverBudget => "over-budget",
            Self::OverRecallBudget => "over-recall-budget",
            Self::BelowFloor => "below-floor",
            Self::BeyondTopK => "beyond-top-k",
            Self::BeyondMaxFacts => "beyond-max-facts",
            Self::ShownVerbatim => "shown-verbatim",
            Self::AlreadyShown => "already-shown",
            Self::NearDuplicate => "near-duplicate",
            Self::Superseded => "superseded",
            Self::Expired => "expired",
            Self::LabelNotHeld => "label-not-held",
            Self::ForeignTenant => "foreign-tenant",
            Self::Denied => "denied",
            Self::NotInForce => "not-in-force",
            Self::UnapprovedSchema => "unapproved-schema",
            Self::Outranked => "outranked",
            Self::NotVisible => "not-visible",
            Self::Disabled => "disabled",
            Self::Deadline => "deadline",
            Self::Empty => "empty",
        }
    }
}

/// A candidate as the manifest lists it: by id, without payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateRecord {
    /// Which block.
    pub block: BlockRef,
    /// What it is.
    pub kind: BlockKind,
    /// The events it shows, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventRange>,
    /// Its class.
    pub class: Class,
    /// Its scores.
    pub scores: Scores,
    /// Its tokens as it is (or would be) shown, overhead included.
    pub tokens: u32,
    /// What became of it.
    pub fate: Fate,
    /// The stage that decided.
    pub stage: Stage,
    /// Why.
    pub reason: Reason,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_survive_their_text() {
        for text in [
            "system",
            "question",
            "tail",
            "event:12",
            "turn:0",
            "fact:a:b",
            "tool:f",
            "packet:p",
            "block:x y",
        ] {
            assert_eq!(text.parse::<BlockRef>().unwrap().to_string(), text);
        }
        for text in ["", "event:", "event:x", "memory:1", "question:1"] {
            assert!(text.parse::<BlockRef>().is_err(), "{text}");
        }
    }
}
