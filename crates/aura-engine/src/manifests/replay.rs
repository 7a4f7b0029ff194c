//! Compiling a context again from what its compilation was given.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

use aura_assembly::results::ScreenRules;
use aura_assembly::{CompileRequest, Compiled, FrozenPlan, Meter, Timer, compile, fallback};
use aura_core::{
    BlockRef, CandidateRecord, CompilationInputs, CompiledContext, Error, ErrorKind, EventId,
    History, Manifest, Outcome, Principal, Reason, RequestId, Result, SessionKey,
};

use super::given::Given;
use super::replayed::Replayed;
use super::{find, gone};
use crate::build_context::screening::screen;
use crate::dense::search::Limits;
use crate::engine::Engine;
use crate::parts::Parts;
use crate::session::branch::Branch;
use crate::session::fact_state::Facts;
use crate::session::history_view::HistoryView;
use crate::session::map::SessionMap;

impl Engine {
    /// The context of an earlier call, byte for byte: compiled again from the candidates and inputs kept beside its
    /// manifest, whatever was recorded since. The manifest is the one kept then.
    ///
    /// # Errors
    /// `NotFound` naming `request_id`, when there is no such manifest, its inputs were not kept, or something it was made
    /// from was deleted: the error's context has the ids under `gone`; `Denied` when it was made for another user or
    /// with labels that the principal does not hold; `Invalid` naming `token_counter`, when the engine counts otherwise
    /// now; `Conflict` naming `compiler_version`, when this version compiles it otherwise; those of the store.
    pub fn replay(&self, principal: &Principal, request: &RequestId) -> Result<CompiledContext> {
        let (_pass, parts, sessions) = self.enter("replay")?;
        replay(parts, sessions, principal, request).map_err(|error| error.during("replay"))
    }
}

fn replay(
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    request: &RequestId,
) -> Result<CompiledContext> {
    let manifest = find(parts, principal, request)?;
    if !principal.labels.is_superset(&manifest.principal.labels) {
        return Err(Error::new(
            ErrorKind::Denied,
            "request_id: the context was made with labels that the principal does not hold",
        )
        .with_field("request_id"));
    }
    let made_by = manifest.plan.made_by.as_ref();
    let plan = made_by
        .map(|made_by| plan_of(parts, sessions, principal, made_by))
        .transpose()?;
    let continues = match plan {
        Some(_) => None,
        None => manifest.cache.continues.as_ref(),
    };
    let earlier = continues
        .map(|base| plan_of(parts, sessions, principal, base))
        .transpose()?;
    let compiled = again(parts, sessions, &manifest, plan.as_deref(), earlier)?;
    Ok(CompiledContext {
        manifest,
        ..compiled.context
    })
}

/// The plan that a compilation made, made again, with those of the lists that it continues: the oldest first.
fn plan_of(
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    made_by: &RequestId,
) -> Result<Arc<FrozenPlan>> {
    let mut makers = Vec::new();
    let mut next = Some(made_by.clone());
    while let Some(request) = next.take() {
        let maker = find(parts, principal, &request).map_err(|error| match error.kind() {
            ErrorKind::NotFound => gone::error(&[format!("request:{request}")]),
            _ => error,
        })?;
        next.clone_from(&maker.cache.continues);
        makers.push(maker);
    }
    let mut plan = None;
    for maker in makers.iter().rev() {
        let compiled = again(parts, sessions, maker, None, plan)?;
        plan = Some(Arc::new(compiled.plan.ok_or_else(|| other(maker))?));
    }
    plan.ok_or_else(|| gone::error(&[format!("request:{made_by}")]))
}

/// Compiles again what a manifest accounts for.
fn again(
    parts: &Parts,
    sessions: &SessionMap,
    manifest: &Manifest,
    plan: Option<&FrozenPlan>,
    continues: Option<Arc<FrozenPlan>>,
) -> Result<Compiled> {
    let earlier: Vec<Arc<FrozenPlan>> = continues.into_iter().collect();
    let stand_in;
    let meter = if manifest.token_counter == parts.meter.counter().name() {
        &parts.meter
    } else if manifest.token_counter == fallback::BYTES {
        stand_in = fallback::bytes_meter();
        &stand_in
    } else {
        return Err(Error::invalid_field(
            "replay",
            "token_counter",
            "the context was counted by another counter",
        ));
    };
    let key = SessionKey {
        tenant: manifest.principal.tenant.clone(),
        session_id: manifest.session_id.clone(),
    };
    let entry = sessions.get(&key, parts)?;
    let data = entry.current(parts)?;
    let Some(inputs) = inputs(parts, manifest)? else {
        // They go with what was said.
        gone::check(manifest, &data, &entry, None, parts)?;
        return Err(Error::new(
            ErrorKind::NotFound,
            "request_id: the inputs of the context were not kept",
        )
        .with_field("request_id"));
    };
    let given = Given::read(&inputs)?;
    let mut branch = Branch::of(given.seen.head, &data.turns);
    branch.turns.retain(|turn| !given.seen.open.contains(turn));
    let facts = {
        let mut state = entry.facts.lock();
        if let Some(session) = &data.session {
            state.sync(session, &entry.key, &*parts.storage)?;
            while state.is_behind(&data) && state.distil_one(&data, &entry, parts)? {}
        }
        let distilled = |turn: aura_core::TurnIndex| {
            turn.0 < manifest.distilled && !given.seen.undistilled.contains(&turn)
        };
        Facts::of(&state.ledger_of(&branch, distilled)?, None, parts)
    };
    gone::check(manifest, &data, &entry, Some(&facts.list), parts)?;
    branch
        .turns
        .retain(|turn| !given.seen.covered.contains(turn));
    let index = Arc::clone(&facts.index);
    let history = Replayed {
        view: HistoryView {
            data: &data,
            entry: &entry,
            parts,
            branch: Cow::Owned(branch),
            facts,
            open: given.seen.tail.map(|(turn, _)| turn),
            ranges: RefCell::default(),
            asked: RefCell::new(None),
            limits: Limits {
                until: Instant::now(),
                by_deadline: false,
            },
            reader: &key,
        },
        given: &given,
        receipt: &manifest.retrieval,
    };
    let candidates = manifest.candidates.iter();
    let refused = candidates.filter(|record| record.reason == Reason::UnapprovedSchema);
    let refused: Vec<EventId> = refused
        .flat_map(|record| record.events.iter().map(|range| range.first))
        .collect();
    let policy = &given.standing.policy;
    let rules = ScreenRules {
        schemas: None,
        refused: &refused,
        newest: policy.max_result_tokens,
        stale: policy.stale_result_tokens,
        recent_turns: usize::try_from(policy.recency_turns).unwrap_or(usize::MAX),
        tenant: &manifest.principal.tenant,
        session: &manifest.session_id,
        counter: meter.counter(),
    };
    let screen = screen(&history, rules)?;
    let history: &dyn History = match &screen {
        Some(screen) => screen,
        None => &history,
    };
    let tools = manifest.candidates.iter();
    let tools = tools.filter(|record| matches!(record.block, BlockRef::Tool(_)));
    let tools: Vec<CandidateRecord> = tools.cloned().collect();
    let request = CompileRequest {
        principal: &manifest.principal,
        session_id: &manifest.session_id,
        turn_id: &manifest.turn_id,
        request_id: &manifest.request_id,
        correlation_id: manifest.correlation_id.as_ref(),
        agent_version: manifest.agent_version.as_deref(),
        workflow_stage: manifest.workflow_stage.as_deref(),
        policy: &given.standing.policy,
        question: &given.question,
        system: given.standing.system.as_deref(),
        tools: &given.standing.tools,
        tool_records: &tools,
        blocks: &given.blocks,
        gathered: None,
        provider: manifest.provider,
        now: manifest.now,
        change_seq: manifest.change_seq,
        distilled: manifest.distilled,
        analyzer: &parts.analyzer,
        facts: Some(&index),
        replanned: manifest.plan.replanned,
        earlier: &earlier,
        previous: None,
        plan,
        timer: &Skips(manifest),
    };
    let compiled = compile_as(&request, history, meter, manifest)?;
    if compiled.context.manifest.digest == manifest.digest {
        Ok(compiled)
    } else {
        Err(other(manifest))
    }
}

/// Compiles as it was done then: all stages, or what the policy gives after a failure.
fn compile_as(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
    manifest: &Manifest,
) -> Result<Compiled> {
    let compiled = match (manifest.outcome, &manifest.failure) {
        (Outcome::Fallback, Some(receipt)) => {
            fallback::full_history(request, history, meter, receipt.clone())
        }
        (Outcome::Restricted, Some(receipt)) => {
            let failure = aura_assembly::Failure {
                stage: receipt.stage,
                error: Error::new(receipt.error_kind(), receipt.message.clone()),
                rejected: receipt.rejected.clone(),
            };
            fallback::restricted(request, history, meter, &failure)
        }
        _ => compile(request, history, meter),
    };
    compiled.map_err(|failure| failure.error)
}

/// The inputs of a compilation, stored or still on their way there.
fn inputs(parts: &Parts, manifest: &Manifest) -> Result<Option<CompilationInputs>> {
    let waiting = parts.queue.compilation(&manifest.request_id);
    let waiting = waiting.map(|waiting| waiting.given.inputs());
    match waiting {
        Some(inputs) => inputs.map(Some),
        None => parts
            .storage
            .inputs(&manifest.principal.tenant, &manifest.request_id),
    }
}

/// The same inputs that give other bytes.
fn other(manifest: &Manifest) -> Error {
    if manifest.compiler_version == aura_assembly::COMPILER_VERSION {
        return Error::new(
            ErrorKind::Corrupt,
            "the context does not come out as it was sent: what it was made from has changed",
        );
    }
    Error::new(
        ErrorKind::Conflict,
        format!(
            "compiler_version: version {} compiled the context, and this one compiles it otherwise",
            manifest.compiler_version
        ),
    )
    .with_field("compiler_version")
}

/// The time as it was: late for what was skipped, and for nothing else.
struct Skips<'a>(&'a Manifest);

impl Timer for Skips<'_> {
    fn micros(&self) -> u64 {
        0
    }

    fn is_late_for(&self, work: &str) -> bool {
        let skipped = self.0.retrieval.skipped.iter();
        skipped
            .filter(|skipped| skipped.reason == "deadline")
            .any(|skipped| skipped.work == work)
    }
}
