//! Compiling a context.

mod blind;
mod claims;
mod look;
pub(crate) mod screening;
pub(crate) mod skills;
pub(crate) mod sources;
pub(crate) mod teams;
pub(crate) mod tools;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use aura_assembly::results::Screen;
use aura_assembly::{CompileRequest, Compiled, Timer, compile, fallback};
use aura_core::{
    CompiledContext, History, Manifest, Outcome, Principal, Probe, RequestId, Result, Role,
    SessionId, Skipped, Stage, Timestamp, TurnId,
};

use crate::background::waiting::Waiting;
use crate::build_context::look::{look, seen};
use crate::build_context::sources::Inquiry;
use crate::cancel::{self, Cancel, Deadline};
use crate::dense::search::Limits;
use crate::engine::{Engine, key_of, metrics};
use crate::layers::checkpoint::stand::Stand;
use crate::layers::memory::recall::recall;
use crate::manifests::given::Given;
use crate::parts::Parts;
use crate::request::ContextRequest;
use crate::session::history_view::HistoryView;
use crate::session::map::SessionMap;

impl Engine {
    /// Compiles the messages for one model call: a small, budgeted list that holds what the question needs, and the
    /// manifest that accounts for it. No model is called.
    ///
    /// A session without turns gives the question alone. Where reading fails, the policy's `on_failure` decides what
    /// is given instead; the manifest then says so and is read-only. Where the session cannot be read at all, so that
    /// nobody knows who may see it, that is nothing of it.
    ///
    /// # Errors
    /// `Invalid` naming the field; `Denied` naming `session_id`, or the block that claims to be policy without an approved
    /// version; `NotFound` naming `head`; `Conflict` naming `turn_id`
    /// when that turn is closed; `Cancelled`; the failure itself where `on_failure` is `error`.
    pub fn build_context(
        &self,
        principal: &Principal,
        session: &SessionId,
        request: &ContextRequest,
    ) -> Result<CompiledContext> {
        let start = Instant::now();
        let (_pass, parts, sessions) = self.enter("build_context")?;
        let result = build(start, parts, sessions, principal, session, request)
            .or_else(|error| blind::recover(start, parts, principal, session, request, error))
            .map_err(|error| error.during("build_context"));
        metrics::compiled(&result, start.elapsed());
        result
    }
}

/// Time since the call began, its deadline and its cancellation, as the compiler asks for them.
struct CallTimer<'a> {
    start: Instant,
    deadline: Deadline,
    cancel: Option<&'a Cancel>,
    probe: Option<&'a dyn Probe>,
}

impl<'a> CallTimer<'a> {
    fn of(start: Instant, request: &'a ContextRequest, parts: &'a Parts) -> Self {
        Self {
            start,
            deadline: Deadline::after(start, request.deadline),
            cancel: request.cancel.as_ref(),
            probe: parts.probe.as_deref(),
        }
    }

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

    fn begins(&self, stage: Stage) -> Result<()> {
        self.probe.map_or(Ok(()), |probe| probe.begins(stage))
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
    let timer = CallTimer::of(start, request, parts);
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
    let stand = Stand::of(
        parts,
        principal,
        session,
        &request.checkpoints,
        &request.question,
    )?;
    if !stand.is_empty() {
        blocks.to_mut().extend(stand.blocks.iter().cloned());
    }
    let (mut view, plan, distilled, skipped) =
        look(&data, &entry, parts, &key, request, &timer, asked)?;
    let mut seen = seen(&view, &distilled);
    if !stand.is_empty() {
        seen.covered = stand.cover(view.branch.to_mut(), &data);
    }
    let screen = screening::screen(&view, screening::rules(request, principal, session, parts))?;
    let plan = match &screen {
        Some(screen) => screening::still_shown(plan, Some(screen))?,
        None => plan,
    };
    let history: &dyn History = match &screen {
        Some(screen) => screen,
        None => &view,
    };
    let offered = tools::offered(request, &view, parts, plan.as_ref())?;
    let turn_id = match &request.turn_id {
        Some(turn_id) => turn_id.clone(),
        None => TurnId::new(parts.ids.next_id(now))?,
    };
    let request_id = RequestId::new(parts.ids.next_id(now))?;
    let facts = Arc::clone(&view.facts.index);
    if plan.is_none() && !parts.sources.is_empty() {
        inquiry.begin(&asked_text(request, &view)?);
    }
    let skills = skills::shown(request, &view, parts)?;
    if !skills.is_empty() {
        blocks.to_mut().extend(skills);
    }
    let gathered = inquiry.collect(&mut blocks)?;
    let previous = entry.sent.before(request);
    let earlier = look::earlier(&entry, parts, request);
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
        tools: &offered.tools,
        tool_records: &offered.records,
        blocks: &blocks,
        gathered: gathered.as_ref(),
        provider: request.provider,
        now,
        change_seq: data.seen,
        distilled: distilled.next,
        analyzer: &parts.analyzer,
        facts: Some(&facts),
        replanned: None,
        earlier: &earlier,
        previous: previous.as_deref(),
        plan: plan.as_ref(),
        timer: &timer,
    };
    let mut compiled = compile_or_recover(&inputs, history, parts)?;
    let mut gathered_later = None;
    if plan.is_some() && compiled.plan.is_some() && !parts.sources.is_empty() {
        // The plan did not hold, so what the sources have to say is needed after all.
        inquiry.begin(&asked_text(request, &view)?);
        let mut more = blocks.clone();
        let gathered = inquiry.collect(&mut more)?;
        let inputs = CompileRequest {
            blocks: &more,
            gathered: gathered.as_ref(),
            ..inputs
        };
        compiled = compile_or_recover(&inputs, history, parts)?;
        gathered_later = Some(more);
    }
    let blocks = gathered_later.unwrap_or(blocks).into_owned();
    let refusals = screen.as_ref().map(Screen::refusals).unwrap_or_default();
    screening::note(&mut compiled, refusals);
    drop(screen);
    for skipped in skipped.into_iter().chain(forgotten).chain(offered.skipped) {
        note_skipped(&mut compiled, skipped);
    }
    drop(view);
    drop(data);
    entry
        .sent
        .put(request, compiled.sent, compiled.plan.as_ref());
    let standing = parts.standings.of(request, &offered.tools);
    let waiting = Waiting {
        key,
        turn_id,
        manifest: Arc::clone(&compiled.context.manifest),
        plan: compiled.plan,
        kept: compiled.kept,
        given: Arc::new(Given::new(standing, request, blocks, seen, compiled.pool)),
    };
    keep(parts, waiting)?;
    if entry.facts.lock().has_changes() {
        parts.queue.push_session(&entry);
    }
    Ok(compiled.context)
}

fn compile_or_recover(
    inputs: &CompileRequest<'_>,
    history: &dyn History,
    parts: &Parts,
) -> Result<Compiled> {
    compile(inputs, history, &parts.meter)
        .or_else(|failure| fallback::recover(inputs, history, &parts.meter, failure))
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

/// Leaves manifest, plan, inputs and texts named by handles to the background thread; where too much waits already, the
/// caller stores its own.
fn keep(parts: &Parts, waiting: Waiting) -> Result<()> {
    match parts.queue.push_compilation(Arc::new(waiting)) {
        Ok(()) => Ok(()),
        Err(waiting) => {
            waiting.store_kept(&*parts.storage)?;
            parts.storage.put_compilations(vec![waiting.record()?])
        }
    }
}
