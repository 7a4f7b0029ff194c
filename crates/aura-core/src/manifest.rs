//! The manifest: what went into a context, what stayed out, and why.

use serde::{Deserialize, Serialize};

use crate::candidate::{BlockRef, CandidateRecord, Stage};
use crate::context::Provider;
use crate::digest::Digest;
use crate::id::{CorrelationId, EventRange, RequestId, SessionId, TurnId};
use crate::policy::{PolicyMode, Reasoning};
use crate::principal::Principal;
use crate::receipt::{FailureReceipt, RetrievalReceipt};
use crate::time::Timestamp;

mod cache;
mod diff;
mod explain;
mod link;

pub use cache::{CacheLine, CacheReport, CacheSegment, CacheSums, CacheUse, Compaction};
pub use diff::{Change, FieldChange, ManifestDiff, Standing};
pub use explain::{Explanation, Verdict};
pub use link::{Effect, Link, MAX_TOOL_EFFECTS, OutcomeReport, ToolEffect, Usage};

/// The version of the manifest's form.
pub const MANIFEST_VERSION: u32 = 1;

/// How a compilation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// All optional work was done.
    Complete,
    /// Valid, but some optional work was skipped.
    Degraded,
    /// Policy and verified blocks only.
    Restricted,
    /// The transcript, after a failure.
    Fallback,
}

impl Outcome {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Degraded => "degraded",
            Self::Restricted => "restricted",
            Self::Fallback => "fallback",
        }
    }
}

/// How long a stage took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageTime {
    /// Which stage.
    pub stage: Stage,
    /// Its time in µs.
    pub micros: u64,
}

/// Token totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Totals {
    /// What the list may have: `token_budget` less `response_reserve`.
    pub budget: u32,
    /// What it has, overhead included.
    pub tokens: u32,
    /// What tool definitions take of that.
    pub tool_tokens: u32,
    /// The bare recalled content, as `max_recall_tokens` counts it.
    pub recall_tokens: u32,
    /// What the full visible history with the same question would have.
    pub history_tokens: u64,
    /// By how much `tokens` may be wrong; 0 for exact counters.
    pub error_bound: u32,
}

/// What became of sealed reasoning: the choice of the policy and what it costs. What was taken out stands in the notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReasoningState {
    /// What the policy wants.
    pub choice: Reasoning,
    /// What the reasoning that is sent takes of the list, in tokens.
    pub tokens: u32,
}

/// What was searched and what was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Coverage {
    /// Messages that the search could see.
    pub searched: u64,
    /// Messages that were not indexed yet.
    pub not_indexed: u64,
    /// Optional steps skipped for the deadline.
    pub skipped_for_deadline: u32,
}

/// Why a frozen plan was made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replan {
    /// The live tail no longer fits behind the frozen plan.
    Overflow,
    /// Something shown was deleted.
    Deletion,
    /// Something shown may no longer be seen.
    Revoked,
    /// The call asks for another provider, policy version or budget than the plan was made for.
    Changed,
}

impl Replan {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Overflow => "overflow",
            Self::Deletion => "deletion",
            Self::Revoked => "revoked",
            Self::Changed => "changed",
        }
    }
}

/// The plan of the turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlanState {
    /// Whether the stored plan of the turn was used.
    pub reused: bool,
    /// The compilation that made the plan, where it was reused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<RequestId>,
    /// Why it was made anew, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replanned: Option<Replan>,
    /// How many messages of the open turn follow the plan.
    pub tail_messages: u32,
}

/// What a message loses when it is shown to another provider than the one it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Loss {
    /// Sealed reasoning or its signatures.
    Reasoning,
    /// A call that the provider itself executed, and its result.
    ProviderTool,
    /// A summary that the provider made of what came before.
    Compaction,
    /// Parts that only that provider understands.
    Opaque,
    /// A speaker's name that has no place in the other form.
    Name,
}

impl Loss {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning",
            Self::ProviderTool => "provider-tool",
            Self::Compaction => "compaction",
            Self::Opaque => "opaque",
            Self::Name => "name",
        }
    }
}

/// Something the reader of a manifest should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Notice {
    /// Mode `full-history` left out its oldest turns.
    DroppedOldestTurns {
        /// How many.
        turns: u32,
    },
    /// The newest turn stands in its smallest form.
    ShrunkNewestTurn {
        /// How many of its tool results became handles or placeholders.
        results: u32,
    },
    /// Two sources of one subject disagree and neither outranks the other.
    Conflict {
        /// The subject.
        subject: String,
        /// The sources.
        blocks: Vec<BlockRef>,
    },
    /// Blocks are shown that do not say where they come from.
    MissingProvenance {
        /// Which.
        blocks: Vec<BlockRef>,
    },
    /// A tool call or result without its other half was left out.
    OrphanLeftOut {
        /// Which block it stood in.
        block: BlockRef,
    },
    /// Something of messages that are shown is left out, because the provider does not take it.
    Lost {
        /// What.
        what: Loss,
        /// Whose form the messages have: a provider or framework, or `aura`.
        from: String,
        /// Which messages.
        events: Vec<EventRange>,
    },
    /// Native forms broke a rule of their provider and are shown by their parts.
    NativeRefused {
        /// The rule's id.
        rule: String,
        /// Where in the request, as a JSON pointer.
        path: String,
    },
    /// The request breaks a rule of its provider all the same: it will be refused.
    RuleBroken {
        /// The rule's id.
        rule: String,
        /// Where in the request, as a JSON pointer.
        path: String,
    },
}

/// What went into a context, what stayed out, and why; blocks by id, no payloads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`MANIFEST_VERSION`].
    pub manifest_version: u32,
    /// This compilation.
    pub request_id: RequestId,
    /// What joins it with the host's logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<CorrelationId>,
    /// The compiler's version.
    pub compiler_version: String,
    /// The policy's version.
    pub policy_version: String,
    /// The digest of the tool definitions given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_schema_version: Option<String>,
    /// Who asked.
    pub principal: Principal,
    /// Which session.
    pub session_id: SessionId,
    /// The turn the context is for.
    pub turn_id: TurnId,
    /// The host's agent version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_version: Option<String>,
    /// The host's workflow stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_stage: Option<String>,
    /// The form of the output.
    pub provider: Provider,
    /// The mode.
    pub mode: PolicyMode,
    /// When it was compiled.
    pub now: Timestamp,
    /// The session's `change_seq` that it saw.
    pub change_seq: u64,
    /// The index of the first turn whose facts were not distilled.
    pub distilled: u32,
    /// The token counter's name.
    pub token_counter: String,
    /// The digest of all that is sent: messages, tools, and the form they are written in.
    pub digest: Digest,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the model should take no action on it.
    pub read_only: bool,
    /// By how many tokens the list exceeds the budget; absent when it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_budget: Option<u32>,
    /// The time of each stage, in the order run.
    pub stages: Vec<StageTime>,
    /// Token totals.
    pub totals: Totals,
    /// Every candidate, pool and mandatory.
    pub candidates: Vec<CandidateRecord>,
    /// What retrieval looked at.
    pub retrieval: RetrievalReceipt,
    /// The stable runs of the list.
    pub segments: Vec<CacheSegment>,
    /// What of it is the same as before.
    pub cache: CacheUse,
    /// What was searched.
    pub coverage: Coverage,
    /// The plan of the turn.
    pub plan: PlanState,
    /// What became of sealed reasoning.
    #[serde(default)]
    pub reasoning: ReasoningState,
    /// What else the reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// What failed, if the outcome is a fallback or restricted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureReceipt>,
    /// What it led to.
    #[serde(default)]
    pub link: Link,
}

#[cfg(test)]
impl Manifest {
    /// A manifest of an empty context.
    pub(crate) fn sample() -> Self {
        let text = include_str!("../tests/golden/manifest.json");
        let mut sample: Self = serde_json::from_str(text).unwrap();
        sample.candidates.clear();
        sample
    }
}
