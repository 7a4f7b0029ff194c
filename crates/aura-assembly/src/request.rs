//! What a compilation is asked for, and what it gives.

use aura_core::{
    ArtifactHandle, Block, BlockRef, CandidateRecord, CompiledContext, ContextPolicy,
    CorrelationId, Error, ErrorKind, FailureReceipt, Principal, Provider, RecallCandidate, Replan,
    RequestId, Result, SessionId, Skipped, SourceReceipt, Stage, Timestamp, ToolDefinition, TurnId,
};

use std::sync::Arc;

use aura_text::Analyzer;

use crate::facts::FactIndex;
use crate::plan::FrozenPlan;
use crate::stage::serialize::cache::SentList;

/// The version of this compiler, recorded in every manifest.
pub const COMPILER_VERSION: &str = concat!("aura-", env!("CARGO_PKG_VERSION"));

/// How many candidates recall is asked for: on chats of about 550 messages the pool and its neighbours hold 97.6 % of
/// the messages that questions need.
pub const POOL: usize = 200;

/// The time, as the host measures it; the compiler has no clock of its own and its output does not depend on it,
/// but for the stage times and for what [`Timer::is_late`] skips.
pub trait Timer {
    /// Microseconds since any fixed point; never decreases.
    fn micros(&self) -> u64;

    /// Whether the deadline has passed: remaining optional work is then skipped.
    fn is_late(&self) -> bool {
        false
    }

    /// Whether there is no time left for a certain optional work, named as the manifest names it when it is skipped.
    fn is_late_for(&self, work: &str) -> bool {
        let _ = work;
        self.is_late()
    }

    /// Is told that a stage begins.
    ///
    /// # Errors
    /// Whatever the stage shall fail with.
    fn begins(&self, stage: Stage) -> Result<()> {
        let _ = stage;
        Ok(())
    }

    /// Whether the caller no longer wants the context: the compilation ends with `Cancelled`.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// All inputs of one compilation but the history and the token counter.
#[derive(Clone, Copy)]
pub struct CompileRequest<'a> {
    /// Who asks.
    pub principal: &'a Principal,
    /// The session.
    pub session_id: &'a SessionId,
    /// The turn the context is for.
    pub turn_id: &'a TurnId,
    /// This compilation.
    pub request_id: &'a RequestId,
    /// What joins it with the host's logs.
    pub correlation_id: Option<&'a CorrelationId>,
    /// The host's agent version.
    pub agent_version: Option<&'a str>,
    /// The host's workflow stage.
    pub workflow_stage: Option<&'a str>,
    /// How to compile; validated by the caller.
    pub policy: &'a ContextPolicy,
    /// The question; the retrieval query alone when the turn is open and has a user message of its own.
    pub question: &'a str,
    /// The host's system prompt.
    pub system: Option<&'a str>,
    /// The tools to offer; validated by the caller.
    pub tools: &'a [ToolDefinition],
    /// What became of the tools there were, as [`offer`](crate::tools::offer) decided; empty where all are offered.
    pub tool_records: &'a [CandidateRecord],
    /// What the host adds; validated by the caller, which has put the approved version in the place of every block that
    /// claims to be policy.
    pub blocks: &'a [Block],
    /// What the host's sources left beside their blocks, which stand among the others.
    pub gathered: Option<&'a Gathered>,
    /// The form of the output.
    pub provider: Provider,
    /// The present.
    pub now: Timestamp,
    /// The session's `change_seq` that the history is of.
    pub change_seq: u64,
    /// The index of the first turn whose facts are not distilled.
    pub distilled: u32,
    /// The analyzer of the session's language, by which blocks, tools and facts are compared with the question.
    pub analyzer: &'a Analyzer,
    /// The index over `History::facts`, kept by the caller; made for the call where absent or out of step.
    pub facts: Option<&'a FactIndex>,
    /// Why the plan of the turn did not hold, where that is known already.
    pub replanned: Option<Replan>,
    /// Plans of earlier turns of the session, the newest first: an append-only list continues the first that it can.
    pub earlier: &'a [Arc<FrozenPlan>],
    /// What the call before this one sent, where that is known.
    pub previous: Option<&'a SentList>,
    /// The frozen plan of the turn, if it has one.
    pub plan: Option<&'a FrozenPlan>,
    /// Where stage times, deadline and cancellation come from.
    pub timer: &'a dyn Timer,
}

/// What came of asking the host's sources.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// What each gave.
    pub receipts: Vec<SourceReceipt>,
    /// Blocks that were refused.
    pub refused: Vec<CandidateRecord>,
    /// Sources that gave nothing, and why.
    pub skipped: Vec<Skipped>,
}

/// A compiled context and, when it was compiled afresh, the plan to keep for the turn.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The context.
    pub context: CompiledContext,
    /// The plan that later calls of the turn append to; `None` when the given one was used, and in a fallback.
    pub plan: Option<FrozenPlan>,
    /// What it sends, for the call after it.
    pub sent: SentList,
    /// The pool that recall gave, best first; empty when the given plan was used.
    pub pool: Vec<RecallCandidate>,
    /// Texts of blocks that the context names by a handle: the caller keeps them as artifacts.
    pub kept: Vec<Kept>,
}

/// A text that a handle stands for in a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The handle: name, version and digest follow from the text.
    pub handle: ArtifactHandle,
    /// The text.
    pub text: String,
}

/// What a receipt says of a callback that failed.
const CALLBACK_FAILED: &str = "a callback of the host failed";

/// A failed stage.
#[derive(Debug)]
pub struct Failure {
    /// The stage that failed.
    pub stage: Stage,
    /// Why.
    pub error: Error,
    /// Blocks that were rejected before it.
    pub rejected: Vec<BlockRef>,
}

impl Failure {
    /// The receipt to keep: no payload. What a callback of the host says of its failure may hold anything, so the receipt
    /// leaves it out.
    #[must_use]
    pub fn receipt(&self, request: &CompileRequest<'_>) -> FailureReceipt {
        FailureReceipt {
            stage: self.stage,
            kind: self.error.kind().as_str().to_owned(),
            message: match self.error.kind() {
                ErrorKind::Callback => CALLBACK_FAILED.to_owned(),
                _ => self.error.message().to_owned(),
            },
            rejected: self.rejected.clone(),
            policy_version: request.policy.policy_version.clone(),
            correlation_id: request.correlation_id.cloned(),
        }
    }
}
