//! The manifest, as the stages fill it in.

use std::sync::Arc;

use aura_core::{
    BlockKind, BlockRef, CacheUse, CandidateRecord, Class, Compaction, Coverage, EventId,
    EventRange, FailureReceipt, Fate, Link, MANIFEST_VERSION, Manifest, Notice, Outcome, PlanState,
    Reason, ReasoningState, RequestId, RetrievalReceipt, Scores, Skipped, Stage, StageTime, Totals,
};

use crate::meter::Meter;
use crate::request::{COMPILER_VERSION, CompileRequest, Gathered};
use crate::stage::serialize::cache::Cached;

/// What the stages leave for the manifest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    /// Candidates decided so far.
    pub(crate) candidates: Vec<CandidateRecord>,
    /// Notes for the reader.
    pub(crate) notices: Vec<Notice>,
    /// The time of each stage.
    pub(crate) stages: Vec<StageTime>,
    /// What retrieval looked at.
    pub(crate) retrieval: RetrievalReceipt,
    /// What the deadline left out.
    pub(crate) late: u32,
    /// How many messages could be seen but not searched by their vectors yet.
    pub(crate) not_indexed: u64,
    /// Whether the model should take no action on the context.
    pub(crate) read_only: bool,
    /// The plan of the turn.
    pub(crate) plan: PlanState,
    /// The compilation whose list an append-only one continues.
    pub(crate) continues: Option<RequestId>,
    /// Why an append-only list is selected anew.
    pub(crate) compaction: Option<Compaction>,
}

impl Ledger {
    /// Notes optional work that the deadline left no time for.
    pub(crate) fn skip(&mut self, work: &str) {
        self.late += 1;
        self.retrieval.skipped.push(Skipped {
            work: work.to_owned(),
            reason: "deadline".to_owned(),
        });
    }

    /// Takes over what came of asking the host's sources.
    pub(crate) fn take_gathered(&mut self, gathered: &Gathered) {
        self.candidates.extend(gathered.refused.iter().cloned());
        self.retrieval.sources.clone_from(&gathered.receipts);
        let late = |skipped: &&Skipped| skipped.reason == "deadline";
        let late = gathered.skipped.iter().filter(late).count();
        self.late += u32::try_from(late).unwrap_or(u32::MAX);
        self.retrieval
            .skipped
            .extend(gathered.skipped.iter().cloned());
    }

    /// Adds notices that are not there yet.
    pub(crate) fn add_notices(&mut self, notices: &[Notice]) {
        for notice in notices {
            if !self.notices.contains(notice) {
                self.notices.push(notice.clone());
            }
        }
    }

    /// Notes calls and results that were left out.
    pub(crate) fn note_orphans(&mut self, orphans: &[BlockRef]) {
        let notices = orphans.iter().cloned();
        self.notices
            .extend(notices.map(|block| Notice::OrphanLeftOut { block }));
    }

    /// The blocks rejected so far.
    pub(crate) fn rejected(&self) -> Vec<BlockRef> {
        let rejected = |record: &&CandidateRecord| record.fate == Fate::Rejected;
        let records = self.candidates.iter().filter(rejected);
        records.map(|record| record.block.clone()).collect()
    }
}

/// What the last stage adds.
pub(crate) struct Sums {
    /// Token totals.
    pub(crate) totals: Totals,
    /// What sealed reasoning takes of the list.
    pub(crate) reasoning: u32,
    /// What stays the same from call to call.
    pub(crate) cached: Cached,
}

/// Writes the manifest.
pub(crate) fn write(
    request: &CompileRequest<'_>,
    meter: &Meter,
    ledger: Ledger,
    sums: Sums,
    failed: Option<(Outcome, FailureReceipt)>,
) -> Arc<Manifest> {
    let policy = request.policy;
    let over = sums.totals.tokens.saturating_sub(sums.totals.budget);
    let (outcome, failure) = match failed {
        Some((outcome, receipt)) => (outcome, Some(receipt)),
        None if ledger.late > 0 || !ledger.retrieval.skipped.is_empty() => {
            (Outcome::Degraded, None)
        }
        None => (Outcome::Complete, None),
    };
    Arc::new(Manifest {
        manifest_version: MANIFEST_VERSION,
        request_id: request.request_id.clone(),
        correlation_id: request.correlation_id.cloned(),
        compiler_version: COMPILER_VERSION.to_owned(),
        policy_version: policy.policy_version.clone(),
        tool_schema_version: tool_schema_version(request),
        principal: request.principal.clone(),
        session_id: request.session_id.clone(),
        turn_id: request.turn_id.clone(),
        agent_version: request.agent_version.map(str::to_owned),
        workflow_stage: request.workflow_stage.map(str::to_owned),
        provider: request.provider,
        mode: policy.mode,
        now: request.now,
        change_seq: request.change_seq,
        distilled: request.distilled,
        token_counter: meter.counter().name().to_owned(),
        digest: sums.cached.digest,
        outcome,
        read_only: ledger.read_only || failure.is_some(),
        over_budget: (over > 0).then_some(over),
        stages: ledger.stages,
        totals: sums.totals,
        candidates: ledger.candidates,
        coverage: Coverage {
            searched: ledger.retrieval.searched,
            not_indexed: ledger.not_indexed,
            skipped_for_deadline: ledger.late,
        },
        retrieval: ledger.retrieval,
        segments: sums.cached.segments,
        cache: CacheUse {
            continues: ledger.continues,
            compaction: ledger.compaction,
            ..sums.cached.cache
        },
        plan: ledger.plan,
        reasoning: ReasoningState {
            choice: policy.reasoning,
            tokens: sums.reasoning,
        },
        notices: ledger.notices,
        failure,
        link: Link::default(),
    })
}

/// The digest of the tool definitions that are offered, whatever the spelling of their schemas.
pub(crate) fn tool_schema_version(request: &CompileRequest<'_>) -> Option<String> {
    let tools = Some(request.tools).filter(|tools| !tools.is_empty())?;
    Some(crate::tools::version(tools).to_string())
}

/// A candidate that stands in the context.
pub(crate) fn selected(
    block: BlockRef,
    kind: BlockKind,
    class: Class,
    tokens: u32,
    reason: Reason,
) -> CandidateRecord {
    CandidateRecord {
        block,
        kind,
        events: Vec::new(),
        class,
        scores: Scores::default(),
        tokens,
        fate: Fate::Selected,
        stage: Stage::Admit,
        reason,
    }
}

/// A candidate that does not.
pub(crate) fn rejected(
    block: BlockRef,
    kind: BlockKind,
    class: Class,
    tokens: u32,
    stage: Stage,
    reason: Reason,
) -> CandidateRecord {
    CandidateRecord {
        fate: Fate::Rejected,
        stage,
        ..selected(block, kind, class, tokens, reason)
    }
}

/// Ascending events as ranges.
pub(crate) fn ranges(events: impl IntoIterator<Item = EventId>) -> Vec<EventRange> {
    let mut out: Vec<EventRange> = Vec::with_capacity(1);
    for event in events {
        match out.last_mut() {
            Some(last) if last.last.next() == event => last.last = event,
            Some(last) if last.contains(event) => {}
            _ => out.push(EventRange::new(event, event)),
        }
    }
    out
}
