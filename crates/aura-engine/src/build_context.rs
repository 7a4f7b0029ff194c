//! Compiling a context.

mod claims;
pub(crate) mod sources;

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

use aura_assembly::{CompileRequest, Compiled, FrozenPlan, Timer, compile, fallback};
use aura_core::{
    CompiledContext, Error, ErrorKind, History, Manifest, Outcome, Principal, RequestId, Result,
    Role, SessionId, SessionKey, Skipped, Timestamp, TurnId, TurnIndex, TurnStatus,
};

use crate::background::waiting::Waiting;
use crate::build_context::sources::Inquiry;
use crate::cancel::{self, Cancel, Deadline};
use crate::dense::queries::Asked;
use crate::dense::search::Limits;
use crate::engine::{Engine, key_of};
use crate::layers::memory::recall::recall;
use crate::parts::Parts;
use crate::request::ContextRequest;
use crate::session::branch::Branch;
use crate::session::data::SessionData;
use crate::session::entry::SessionEntry;
use crate::session::fact_state::Facts;
use crate::session::history_view::HistoryView;
use crate::session::map::SessionMap;

impl Engine {
    /// Compiles the messages for one model call: a small, budgeted list that holds what the question needs, and the
    /// manifest that accounts for it. No model is called.
    ///
    /// A session without turns gives the question alone. Where reading fails, the policy's `on_failure` decides what
    /// is given instead; the manifest then says so and is read-only.
    ///
    /// # Errors
    /// `Invalid` naming the field; `Denied` naming `session_id`, or the block that claims to be policy without an approved
    /// version; `NotFound` naming `head`; `Conflict` naming `turn_id`
    /// when that turn is closed; `Cancelled`; the failure itself where `on_failure` is `error` or nothing can be read.
    pub fn build_context(
        &self,
        principal: &Principal,
        session: &SessionId,
        request: &ContextRequest,
    ) -> Result<CompiledContext> {
        let start = Instant::now();
        let (_pass, parts, sessions) = self.enter("build_context")?;
        build(start, parts, sessions, principal, session, request)
            .map_err(|error| error.during("build_context"))
    }
}

/// Time since the call began, its deadline and its cancellation, as the compiler asks for them.
struct CallTimer<'a> {
    start: Instant,
    deadline: Deadline,
    cancel: Option<&'a Cancel>,
}

impl CallTimer<'_> {
    /// How long the call waits for the vector of its question.
    fn limits(&self, parts: &Parts) -> Limits {
        let patience = parts.dense.as_ref().map(|dense| dense.queries.patience);
        let patient = self.start + patience.unwrap_or_default();
        let wished = self
            .deadline
            .three_quarters(self.start)
            .filter(|at| *at < patient);
        Limits {
            until: wished.unwrap_or(patient),
            by_deadline: wished.is_some(),
        }
    }
}

impl Timer for CallTimer<'_> {
    fn micros(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn is_late(&self) -> bool {
        self.deadline.has_passed()
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled)
    }
}

fn build(
    start: Instant,
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    session: &SessionId,
    request: &ContextRequest,
) -> Result<CompiledContext> {
    request.validate()?;
    cancel::check(request.cancel.as_ref())?;
    let timer = CallTimer {
        start,
        deadline: Deadline::after(start, request.deadline),
        cancel: request.cancel.as_ref(),
    };
    let key = key_of(principal, session);
    // Before this session is held: nobody may wait for one session while others wait for another that he holds.
    let beyond = recall(parts, sessions, principal, session, request);
    let entry = sessions.get(&key, parts)?;
    let data = entry.current(parts)?;
    if let Some(session) = &data.session {
        session.check_access(principal)?;
    }
    // The vector of the question is made while the rest goes on.
    let asked = entry.ask(request, &data, parts);
    let now = parts.clock.now();
    let mut blocks = claims::settle(&request.blocks, &*parts.storage, &principal.tenant, now)?;
    let forgotten = beyond.as_ref().err().map(|error| Skipped {
        work: "memories".to_owned(),
        reason: error.kind().as_str().to_owned(),
    });
    if let Ok(beyond) = beyond
        && !beyond.is_empty()
    {
        blocks.to_mut().extend(beyond);
    }
    let mut inquiry = inquiry(parts, principal, session, request, start, now);
    if request.turn_id.is_none() && !request.question.is_empty() {
        // They answer while the rest goes on; a turn that is known may have a plan already, which needs no answers.
        inquiry.begin(&request.question);
    }
    let (view, plan, distilled, skipped) =
        look(&data, &entry, parts, &key, request, &timer, asked)?;
    let turn_id = match &request.turn_id {
        Some(turn_id) => turn_id.clone(),
        None => TurnId::new(parts.ids.next_id(now))?,
    };
    let request_id = RequestId::new(parts.ids.next_id(now))?;
    let facts = Arc::clone(&view.facts.index);
    if plan.is_none() && !parts.sources.is_empty() {
        inquiry.begin(&asked_text(request, &view)?);
    }
    let gathered = inquiry.collect(&mut blocks)?;
    let inputs = CompileRequest {
        principal,
        session_id: session,
        turn_id: &turn_id,
        request_id: &request_id,
        correlation_id: request.correlation_id.as_ref(),
        agent_version: request.agent_version.as_deref(),
        workflow_stage: request.workflow_stage.as_deref(),
        policy: &request.policy,
        question: &request.question,
        system: request.system.as_deref(),
        tools: &request.tools,
        blocks: &blocks,
        gathered: gathered.as_ref(),
        provider: request.provider,
        now,
        change_seq: data.seen,
        distilled,
        analyzer: &parts.analyzer,
        facts: Some(&facts),
        plan: plan.as_ref(),
        timer: &timer,
    };
    let mut compiled = compile_or_recover(&inputs, &view, parts)?;
    if plan.is_some() && compiled.plan.is_some() && !parts.sources.is_empty() {
        // The plan did not hold, so what the sources have to say is needed after all.
        inquiry.begin(&asked_text(request, &view)?);
        let mut blocks = blocks.clone();
        let gathered = inquiry.collect(&mut blocks)?;
        let inputs = CompileRequest {
            blocks: &blocks,
            gathered: gathered.as_ref(),
            ..inputs
        };
        compiled = compile_or_recover(&inputs, &view, parts)?;
    }
    for skipped in skipped.into_iter().chain(forgotten) {
        note_skipped(&mut compiled, skipped);
    }
    drop(view);
    drop(data);
    keep(
        parts,
        Waiting {
            key,
            turn_id,
            manifest: Arc::clone(&compiled.context.manifest),
            plan: compiled.plan,
            kept: compiled.kept,
        },
    )?;
    if entry.facts.lock().has_changes() {
        parts.queue.push_session(&entry);
    }
    Ok(compiled.context)
}

fn compile_or_recover(
    inputs: &CompileRequest<'_>,
    view: &HistoryView<'_>,
    parts: &Parts,
) -> Result<Compiled> {
    compile(inputs, view, &parts.meter)
        .or_else(|failure| fallback::recover(inputs, view, &parts.meter, failure))
}

/// What may be asked of the host's sources: they have half of the time that the call has.
fn inquiry<'a>(
    parts: &'a Parts,
    principal: &'a Principal,
    session: &'a SessionId,
    request: &'a ContextRequest,
    begin: Instant,
    now: Timestamp,
) -> Inquiry<'a> {
    Inquiry {
        sources: &parts.sources,
        storage: &*parts.storage,
        principal,
        session,
        now,
        begin,
        most: request.deadline.map(|deadline| deadline / 2),
        cancel: request.cancel.as_ref(),
        asked: None,
    }
}

/// What the sources are asked: the question of the call, or that of the open turn.
fn asked_text<'q>(request: &'q ContextRequest, view: &HistoryView<'_>) -> Result<Cow<'q, str>> {
    if !request.question.is_empty() {
        return Ok(Cow::Borrowed(&request.question));
    }
    let open = view.open_turn()?;
    let messages = open.iter().flat_map(|turn| &turn.messages);
    let mut messages = messages.map(|view| &view.stored.message);
    let question = messages.find(|message| message.role == Role::User);
    Ok(question.map_or(Cow::Borrowed(""), |message| {
        Cow::Owned(message.plain_text())
    }))
}

type Look<'a> = (HistoryView<'a>, Option<FrozenPlan>, u32, Option<Skipped>);

/// What the call sees: the branch, the open turn with its plan, and the facts.
fn look<'a>(
    data: &'a SessionData,
    entry: &'a SessionEntry,
    parts: &'a Parts,
    key: &'a SessionKey,
    request: &ContextRequest,
    timer: &CallTimer<'_>,
    asked: Option<Asked>,
) -> Result<Look<'a>> {
    let mut open = None;
    let mut plan = None;
    if let Some(turn_id) = &request.turn_id {
        if let Some(turn) = parts.storage.turn(key, turn_id)? {
            if turn.status != TurnStatus::Open {
                return Err(Error::new(
                    ErrorKind::Conflict,
                    format!(
                        "turn_id: the turn is {} and takes no more contexts",
                        turn.status.as_str()
                    ),
                )
                .with_field("turn_id"));
            }
            open = Some(turn.index);
        }
        plan = stored_plan(parts, key, turn_id)?;
    }
    let branch = match (&request.head, open) {
        (Some(head), _) => {
            let turn = parts.storage.turn(key, head)?.ok_or_else(|| {
                Error::new(
                    ErrorKind::NotFound,
                    "head: there is no such turn in the session",
                )
                .with_field("head")
            })?;
            Cow::Owned(Branch::of(Some(turn.index), &data.turns))
        }
        // The head is the open turn itself, which is seen as the tail and not as history.
        (None, Some(open)) if data.branch.head == Some(open) => Cow::Borrowed(&data.branch),
        (None, Some(open)) => Cow::Owned(Branch::of(parent_of(open, data), &data.turns)),
        (None, None) => Cow::Borrowed(&data.branch),
    };
    let (facts, distilled, skipped) = current_facts(data, entry, parts, &branch, timer)?;
    let view = HistoryView {
        data,
        entry,
        parts,
        branch,
        facts,
        open,
        ranges: RefCell::default(),
        asked: RefCell::new(asked),
        limits: timer.limits(parts),
        reader: key,
    };
    Ok((view, plan, distilled, skipped))
}

fn parent_of(turn: TurnIndex, data: &SessionData) -> Option<TurnIndex> {
    data.turns.get(turn.0 as usize).and_then(|turn| turn.parent)
}

fn stored_plan(parts: &Parts, key: &SessionKey, turn_id: &TurnId) -> Result<Option<FrozenPlan>> {
    let waiting = parts.queue.plan(key, turn_id);
    if let Some(plan) = waiting.and_then(|waiting| waiting.plan.clone()) {
        return Ok(Some(plan));
    }
    let Some(bytes) = parts.storage.plan(key, turn_id)? else {
        return Ok(None);
    };
    let manifest = |request: &RequestId| {
        let found = parts.storage.manifest(&key.tenant, request)?;
        Ok(found.map(Arc::new))
    };
    match FrozenPlan::from_bytes(&bytes, manifest) {
        Ok(plan) => Ok(Some(plan)),
        // A plan of another version of the compiler is as good as none: the turn is planned afresh.
        Err(error) if error.kind() == ErrorKind::Invalid => Ok(None),
        Err(error) => Err(error),
    }
}

/// The facts that the branch sees, after the turns that wait have been distilled. Neither a failure of the extractor
/// nor a lack of time stops the call: it goes on with the facts there are, and the manifest says so.
fn current_facts(
    data: &SessionData,
    entry: &SessionEntry,
    parts: &Parts,
    branch: &Branch,
    timer: &CallTimer<'_>,
) -> Result<(Facts, u32, Option<Skipped>)> {
    let mut facts = entry.facts.lock();
    let mut skipped = None;
    if let Some(session) = &data.session {
        facts.sync(session, &entry.key, &*parts.storage)?;
        while facts.is_behind(data) {
            let reason = if timer.is_cancelled() {
                return Err(Error::new(ErrorKind::Cancelled, "cancelled by the caller"));
            } else if timer.is_late() {
                "deadline".to_owned()
            } else {
                match facts.distil_one(data, entry, parts) {
                    Ok(_) => continue,
                    Err(error) => error.kind().as_str().to_owned(),
                }
            };
            skipped = Some(Skipped {
                work: "distillation".to_owned(),
                reason,
            });
            break;
        }
    }
    Ok((facts.of(branch, data, parts)?, facts.next(), skipped))
}

fn note_skipped(compiled: &mut Compiled, skipped: Skipped) {
    let manifest: &mut Manifest = Arc::make_mut(&mut compiled.context.manifest);
    if skipped.reason == "deadline" {
        manifest.coverage.skipped_for_deadline += 1;
    }
    if manifest.outcome == Outcome::Complete {
        manifest.outcome = Outcome::Degraded;
    }
    manifest.retrieval.skipped.push(skipped);
}

/// Leaves manifest, plan and texts named by handles to the background thread; where too much waits already, the caller
/// stores its own.
fn keep(parts: &Parts, waiting: Waiting) -> Result<()> {
    match parts.queue.push_compilation(Arc::new(waiting)) {
        Ok(()) => Ok(()),
        Err(waiting) => {
            waiting.store_kept(&*parts.storage)?;
            parts.storage.put_compilations(vec![waiting.record()?])
        }
    }
}
