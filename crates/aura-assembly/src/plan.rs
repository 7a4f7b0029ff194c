//! The frozen plan of a turn: what its first compilation showed, to which later calls append the live tail.

use std::collections::BTreeSet;
use std::sync::Arc;

use aura_core::{
    BlockRef, CandidateRecord, CompiledContext, ContextMessage, Digest, Error, ErrorKind, EventId,
    Fate, History, Label, Manifest, Replan, RequestId, Result, Section, Timestamp, json,
};
use serde::{Deserialize, Serialize};

use crate::compile::Finished;
use crate::manifest::{self, Ledger};
use crate::meter::Meter;
use crate::provider::sent::{Frame, Losses};
use crate::request::{COMPILER_VERSION, CompileRequest};
use crate::stage::filter::Visible;
use crate::stage::retrieve::{Asked, asked};
use crate::stage::serialize::{finish, sums};
use crate::tools::Toolbox;

pub(crate) mod continued;

pub(crate) use continued::Chain;

/// The version of the plan's bytes.
const PLAN_VERSION: u32 = 3;

/// What the first compilation of a turn showed, byte for byte, and what must hold for it to be shown again.
#[derive(Debug, Clone, PartialEq)]
pub struct FrozenPlan {
    body: Body,
    manifest: Arc<Manifest>,
}

/// The plan without its manifest, which is kept anyway.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    plan_version: u32,
    request_id: RequestId,
    system: Option<Digest>,
    messages: Vec<ContextMessage>,
    sources: Vec<EventId>,
    guards: Vec<Guard>,
    /// What a later turn needs to continue it; present in prefix mode `append-only`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chain: Option<Chain>,
}

/// What must hold of the principal and the time for a block to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Guard {
    labels: BTreeSet<Label>,
    expires_at: Option<Timestamp>,
}

/// Whether a plan still holds.
pub(crate) enum Reuse {
    /// It does: the list with the tail appended, and what the manifest says of it.
    Holds(Box<Finished>, Box<Ledger>),
    /// It does not.
    Replan(Replan),
}

impl FrozenPlan {
    /// Reads the bytes of a plan; `manifest` gives the manifest of the compilation that made it.
    ///
    /// # Errors
    /// `Invalid`, when they are no plan or one of another version of the compiler, or when its manifest is gone: compile
    /// afresh then. Those of `manifest`.
    pub fn from_bytes(
        bytes: &[u8],
        manifest: impl FnOnce(&RequestId) -> Result<Option<Arc<Manifest>>>,
    ) -> Result<Self> {
        let body: Body = json::parse("plan", bytes)?;
        let refuse = |field: &'static str, why: &str| Err(Error::invalid_field("plan", field, why));
        if body.plan_version != PLAN_VERSION {
            return refuse(
                "plan_version",
                "was written by another version of the compiler",
            );
        }
        match manifest(&body.request_id)? {
            Some(manifest) if manifest.compiler_version == COMPILER_VERSION => {
                Ok(Self { body, manifest })
            }
            Some(_) => refuse(
                "plan_version",
                "was written by another version of the compiler",
            ),
            None => refuse("request_id", "names a manifest that is gone"),
        }
    }

    /// The bytes to keep, beside the manifest of the same compilation.
    ///
    /// # Errors
    /// `Internal`, when a type of ours cannot be written, which is a defect.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        json::to_string(&self.body).map(String::into_bytes)
    }

    /// The events that the plan shows.
    pub fn events(&self) -> impl Iterator<Item = EventId> {
        let shown = self
            .body
            .messages
            .iter()
            .flat_map(|message| &message.events);
        shown.copied()
    }

    /// The places of the tools that the plan's context offers; `None` where one is no longer there.
    pub(crate) fn tools(&self, toolbox: &Toolbox) -> Option<BTreeSet<u32>> {
        let records = self.manifest.candidates.iter();
        let offered = records.filter_map(|record| match &record.block {
            BlockRef::Tool(name) if record.fate == Fate::Selected => Some(name),
            _ => None,
        });
        offered.map(|name| toolbox.place(name)).collect()
    }

    /// Freezes a fresh context but for its frame and its last `tail` messages; `sources` are the events that its facts
    /// rest on.
    pub(crate) fn freeze(
        request: &CompileRequest<'_>,
        context: &CompiledContext,
        frame: Frame,
        tail: usize,
        mut sources: Vec<EventId>,
        chain: Option<Chain>,
    ) -> Self {
        let all = context.messages.len();
        let kept = all
            .saturating_sub(tail)
            .saturating_sub(usize::from(frame.last));
        let planned = context.messages.iter().enumerate().take(kept);
        let planned = planned.filter(|(at, _)| Some(*at) != frame.first);
        let messages: Vec<ContextMessage> = planned.map(|(_, message)| message.clone()).collect();
        for message in &messages {
            if matches!(message.section, Section::History | Section::Evidence) {
                sources.extend(&message.events);
            }
        }
        let mut guards = guards(request, &context.manifest);
        if let Some(chain) = &chain {
            sources.extend(&chain.sources);
            guards.extend(chain.guards.iter().cloned());
        }
        sources.sort_unstable();
        sources.dedup();
        Self {
            body: Body {
                plan_version: PLAN_VERSION,
                request_id: context.manifest.request_id.clone(),
                system: system_digest(request),
                messages,
                sources,
                guards,
                chain,
            },
            manifest: context.manifest.clone(),
        }
    }

    /// Appends the live tail, if the plan still holds and there is room.
    pub(crate) fn reuse(
        &self,
        request: &CompileRequest<'_>,
        history: &dyn History,
        meter: &Meter,
        visible: &Visible<'_>,
        mut ledger: Ledger,
    ) -> Result<Reuse> {
        if let Some(why) = self.broken(request, history, meter)? {
            return Ok(Reuse::Replan(why));
        }
        let asked = asked(request, visible.open.as_ref(), meter, &mut ledger)?;
        if !self.asks(&asked) {
            return Ok(Reuse::Replan(Replan::Changed));
        }
        let mut messages = self.body.messages.clone();
        let open = messages
            .iter_mut()
            .filter(|message| matches!(message.section, Section::Question | Section::Tail));
        for (message, shown) in open.zip(asked.before.iter().chain(&asked.question)) {
            message.events.clone_from(&shown.message.events);
        }
        let tail = asked.tail.messages.iter();
        messages.extend(tail.map(|shown| shown.message.clone()));
        let mut losses = Losses::default();
        for shown in &asked.tail.messages {
            losses.note(shown, request.provider);
        }
        let continued = self.body.chain.as_ref().map_or(0, |chain| chain.continued);
        let list = finish(request, meter, messages, losses, continued)?;
        let grown = !asked.tail.messages.is_empty();
        if grown && list.tokens > request.policy.input_budget() {
            return Ok(Reuse::Replan(Replan::Overflow));
        }
        let recall_tokens = self.manifest.totals.recall_tokens;
        let sums = sums(request, history, meter, &list, recall_tokens, false)?;
        self.account(&mut ledger, &asked);
        ledger.add_notices(&list.sent.notices);
        Ok(Reuse::Holds(
            Box::new(Finished { list, sums }),
            Box::new(ledger),
        ))
    }

    /// Why the plan no longer holds, whatever the open turn has become.
    fn broken(
        &self,
        request: &CompileRequest<'_>,
        history: &dyn History,
        meter: &Meter,
    ) -> Result<Option<Replan>> {
        if !self.is_for(request, meter) || self.manifest.turn_id != *request.turn_id {
            return Ok(Some(Replan::Changed));
        }
        if self.is_expired(request) || self.is_revoked(request) {
            return Ok(Some(Replan::Revoked));
        }
        Ok(self.lacks_sources(history)?.then_some(Replan::Deletion))
    }

    /// Whether a call asks for the form, the policy and the standing inputs that it was made for.
    fn is_for(&self, request: &CompileRequest<'_>, meter: &Meter) -> bool {
        let (made, policy) = (&self.manifest, request.policy);
        made.provider == request.provider
            && made.policy_version == policy.policy_version
            && made.mode == policy.mode
            && made.totals.budget == policy.input_budget()
            && made.token_counter == meter.counter().name()
            && made.session_id == *request.session_id
            && made.tool_schema_version == manifest::tool_schema_version(request)
            && self.body.system == system_digest(request)
    }

    fn is_expired(&self, request: &CompileRequest<'_>) -> bool {
        let mut ends = self.body.guards.iter().filter_map(|guard| guard.expires_at);
        ends.any(|at| at <= request.now)
    }

    fn is_revoked(&self, request: &CompileRequest<'_>) -> bool {
        let (asks, made) = (request.principal, &self.manifest.principal);
        let someone_else = made.tenant != asks.tenant || made.user != asks.user;
        let mut guards = self.body.guards.iter();
        someone_else || guards.any(|guard| !asks.holds(&guard.labels))
    }

    fn lacks_sources(&self, history: &dyn History) -> Result<bool> {
        for event in &self.body.sources {
            match history.message(*event) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Whether the plan asks what the open turn asks.
    fn asks(&self, asked: &Asked) -> bool {
        let planned = self
            .body
            .messages
            .iter()
            .filter(|message| matches!(message.section, Section::Question | Section::Tail));
        let open = asked.before.iter().chain(&asked.question);
        planned.map(said).eq(open.map(|shown| said(&shown.message)))
    }

    /// Writes down what was planned, with the question and the tail as they are now.
    fn account(&self, ledger: &mut Ledger, asked: &Asked) {
        let now = crate::stage::admit::asked_records(asked);
        let is_now =
            |record: &&CandidateRecord| matches!(record.block, BlockRef::Question | BlockRef::Tail);
        let mut fresh = now.into_iter();
        for record in &self.manifest.candidates {
            if is_now(&record) {
                ledger.candidates.extend(fresh.by_ref());
            } else {
                ledger.candidates.push(record.clone());
            }
        }
        ledger.candidates.extend(fresh);
        ledger
            .notices
            .splice(0..0, self.manifest.notices.iter().cloned());
        ledger.retrieval = self.manifest.retrieval.clone();
        ledger.late = self.manifest.coverage.skipped_for_deadline;
        ledger.not_indexed = self.manifest.coverage.not_indexed;
        ledger.read_only = self.manifest.read_only;
        ledger.continues = self.manifest.cache.continues.clone();
        ledger.plan.reused = true;
        ledger.plan.made_by = Some(self.body.request_id.clone());
        ledger.plan.tail_messages = u32::try_from(asked.tail.messages.len()).unwrap_or(u32::MAX);
    }
}

/// What of a message makes it the same question.
fn said(message: &ContextMessage) -> (aura_core::Role, &str, &[aura_core::RenderedMedia]) {
    (message.role, &message.content, &message.media)
}

fn system_digest(request: &CompileRequest<'_>) -> Option<Digest> {
    request.system.map(|system| Digest::of(system.as_bytes()))
}

/// The conditions of the blocks that stand in a context.
fn guards(request: &CompileRequest<'_>, manifest: &Manifest) -> Vec<Guard> {
    let stands = |id: &aura_core::BlockId| {
        let mut records = manifest.candidates.iter();
        records.any(|record| {
            record.fate != Fate::Rejected
                && matches!(&record.block, BlockRef::Block(block) if block == id)
        })
    };
    let bound = request
        .blocks
        .iter()
        .filter(|block| !block.labels.is_empty() || block.expires_at.is_some());
    bound
        .filter(|block| stands(&block.block_id))
        .map(|block| Guard {
            labels: block.labels.clone(),
            expires_at: block.expires_at,
        })
        .collect()
}
