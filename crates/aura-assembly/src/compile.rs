//! The pipeline: six stages, each timed, each able to fail alone.

mod append;
pub mod fallback;

use aura_core::{
    Compaction, CompiledContext, Error, ErrorKind, EventId, FailureReceipt, Fate, History, Outcome,
    PolicyMode, PrefixMode, Reason, Result, Stage, StageTime,
};

use self::append::{is_squeezed, rest_of, take_over};
use crate::manifest::{self, Ledger};
use crate::meter::Meter;
use crate::plan::continued::Continued;
use crate::plan::{Chain, FrozenPlan, Reuse};
use crate::request::{CompileRequest, Compiled, Failure};
use crate::stage::admit::Admitted;
use crate::stage::filter::Visible;
use crate::stage::serialize::Serialized;
use crate::stage::{admit, filter, order, resolve, retrieve, serialize};

/// Attempts to fit a list whose segments do not add up: a counter without that property, or a delimiter that had to
/// grow. The last one leaves out all that is optional.
const ATTEMPTS: u32 = 4;

/// Compiles the context for one model call.
///
/// Where the turn has a frozen plan that still holds, the live tail is appended to it; else all six stages run.
///
/// # Errors
/// A [`Failure`] with the stage: errors of the history or of a host's counter, `Conflict` where the policy wants one,
/// `Cancelled`.
pub fn compile(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
) -> Result<Compiled, Failure> {
    let mut run = Run::new(request);
    run.ledger.plan.replanned = request.replanned;
    let visible = run.stage(Stage::Filter, |ledger| {
        filter::run(request, history, ledger)
    })?;
    if let Some(plan) = request.plan {
        let ledger = run.ledger.clone();
        let reuse = run.stage(Stage::Serialize, |_| {
            plan.reuse(request, history, meter, &visible, ledger)
        })?;
        match reuse {
            Reuse::Holds(list, mut ledger) => {
                ledger.stages = std::mem::take(&mut run.ledger.stages);
                let sent = list.sums.cached.sent.clone();
                return Ok(Compiled {
                    context: finish(request, meter, *list, *ledger, None),
                    sent,
                    plan: None,
                    kept: Vec::new(),
                    pool: Vec::new(),
                });
            }
            Reuse::Replan(why) => run.ledger.plan.replanned = Some(why),
        }
    }
    if request.policy.prefix_mode == PrefixMode::AppendOnly {
        match run.continue_list(history, meter, &visible)? {
            Ok(compiled) => return Ok(compiled),
            Err(why) => run.ledger.compaction = Some(why),
        }
    }
    run.assemble(history, meter, &visible, None)
}

/// A finished list with what the manifest says of its tokens.
pub(crate) struct Finished {
    /// The list.
    pub(crate) list: Serialized,
    /// Totals and cache segments.
    pub(crate) sums: manifest::Sums,
}

/// Writes the manifest and hands out the context.
fn finish(
    request: &CompileRequest<'_>,
    meter: &Meter,
    finished: Finished,
    ledger: Ledger,
    failed: Option<(Outcome, FailureReceipt)>,
) -> CompiledContext {
    CompiledContext {
        provider: request.provider,
        messages: finished.list.messages,
        tools: request.tools.to_vec(),
        manifest: manifest::write(request, meter, ledger, finished.sums, failed),
    }
}

/// One compilation under way.
pub(crate) struct Run<'r, 'a> {
    request: &'r CompileRequest<'a>,
    /// What it leaves for the manifest.
    pub(crate) ledger: Ledger,
}

impl<'r, 'a> Run<'r, 'a> {
    /// A compilation that has not begun.
    pub(crate) fn new(request: &'r CompileRequest<'a>) -> Self {
        Self {
            request,
            ledger: Ledger::default(),
        }
    }

    /// Runs one stage: times it, and says where it failed.
    pub(crate) fn stage<T>(
        &mut self,
        stage: Stage,
        work: impl FnOnce(&mut Ledger) -> Result<T>,
    ) -> Result<T, Failure> {
        let _span = tracing::debug_span!("aura.stage", stage = stage.as_str()).entered();
        let timer = self.request.timer;
        let begin = timer.micros();
        let result = if timer.is_cancelled() {
            Err(Error::new(
                ErrorKind::Cancelled,
                "the caller no longer wants the context",
            ))
        } else {
            let begun = timer.begins(stage);
            begun.and_then(|()| work(&mut self.ledger))
        };
        let micros = timer.micros().saturating_sub(begin);
        match self
            .ledger
            .stages
            .iter_mut()
            .find(|time| time.stage == stage)
        {
            Some(time) => time.micros = time.micros.saturating_add(micros),
            None => self.ledger.stages.push(StageTime { stage, micros }),
        }
        result.map_err(|error| Failure {
            stage,
            error,
            rejected: self.ledger.rejected(),
        })
    }

    /// Fails the filter, where the counters in the scoring loops saw what the principal may not see.
    fn check_isolation(&mut self, foreign: u64) -> Result<(), Failure> {
        if foreign == 0 {
            return Ok(());
        }
        let error = Error::new(
            ErrorKind::Internal,
            "candidates were scored that the principal may not see",
        );
        Err(Failure {
            stage: Stage::Filter,
            error: error.with("foreign", foreign),
            rejected: self.ledger.rejected(),
        })
    }

    /// Runs the stages after filter.
    pub(crate) fn assemble(
        mut self,
        history: &dyn History,
        meter: &Meter,
        visible: &Visible<'_>,
        failed: Option<(Outcome, FailureReceipt)>,
    ) -> Result<Compiled, Failure> {
        let compiled = self.assemble_onto(history, meter, visible, failed, None)?;
        compiled.map_err(|_| Failure {
            stage: Stage::Serialize,
            error: Error::new(ErrorKind::Internal, "a new list continues none"),
            rejected: Vec::new(),
        })
    }

    /// The same behind a list that is continued; says why that cannot be, where it turns out on the way.
    fn assemble_onto(
        &mut self,
        history: &dyn History,
        meter: &Meter,
        visible: &Visible<'_>,
        failed: Option<(Outcome, FailureReceipt)>,
        onto: Option<Continued>,
    ) -> Result<Result<Compiled, Compaction>, Failure> {
        let whole = self.request;
        let rest = onto.as_ref().map(|onto| rest_of(whole.policy, onto));
        let behind;
        let request = match &rest {
            Some(policy) => {
                behind = CompileRequest {
                    policy,
                    system: None,
                    ..*whole
                };
                &behind
            }
            None => whole,
        };
        // All turns stand in a continued list; in the full history nothing before it is looked at.
        let turns = match (&onto, whole.policy.mode) {
            (Some(_), PolicyMode::FullHistory) => 0,
            _ => visible.turns,
        };
        let seen = Visible {
            turns,
            ..visible.clone()
        };
        let mut retrieved = self.stage(Stage::Retrieve, |ledger| {
            retrieve::run(request, history, meter, &seen, ledger)
        })?;
        if let Some(onto) = &onto {
            retrieved.carried.clone_from(&onto.events);
            retrieved.told.clone_from(&onto.chain.told);
        }
        self.check_isolation(retrieved.recall.receipt.foreign)?;
        let mut resolved = self.stage(Stage::Resolve, |ledger| {
            resolve::run(request, visible, ledger)
        })?;
        if let Some(onto) = &onto {
            let stale = self.stage(Stage::Resolve, |ledger| {
                onto.screen(whole, &mut resolved, ledger, meter)
            })?;
            if let Some(why) = stale {
                return Ok(Err(why));
            }
        }
        let budget = whole.policy.input_budget();
        let appends = whole.policy.prefix_mode == PrefixMode::AppendOnly && failed.is_none();
        // A list that shall be continued leaves half of its budget for that.
        let mut spare = if appends && onto.is_none() {
            budget / 2
        } else {
            0
        };
        let (mut slack, mut attempt) = (spare, 1);
        let (list, admitted, recalled) = loop {
            let mut admitted = self.stage(Stage::Admit, |_| {
                admit::run(request, history, meter, &retrieved, &resolved, slack)
            })?;
            self.check_isolation(admitted.foreign)?;
            if spare > 0 && is_squeezed(&admitted, whole.policy.mode) {
                (spare, slack) = (0, 0);
                continue;
            }
            let ordered = self.stage(Stage::Order, |_| {
                Ok(order::run(request, &retrieved, &admitted))
            })?;
            let recalled = ordered.recalled.clone();
            let bare = admitted.is_bare();
            let list = self.stage(Stage::Serialize, |_| {
                serialize::run(whole, meter, &mut admitted, ordered, onto.as_ref())
            })?;
            let excess = list.tokens.saturating_sub(budget);
            if excess == 0 || attempt >= ATTEMPTS || bare {
                break (list, admitted, recalled);
            }
            attempt += 1;
            slack = match attempt {
                ATTEMPTS => budget,
                _ => slack.saturating_add(excess.saturating_mul(2)),
            };
        };
        if onto.is_some() && (list.tokens > budget || admitted.uncorrected) {
            return Ok(Err(Compaction::Overflow));
        }
        let request = whole;
        let taken = onto.as_ref().map_or(0, |onto| onto.chain.recall_tokens);
        let recall_tokens = admitted.recall_tokens.saturating_add(taken);
        let sums = self.stage(Stage::Serialize, |_| {
            serialize::sums(
                request,
                history,
                meter,
                &list,
                recall_tokens,
                failed.is_some(),
            )
        })?;
        let chain = match appends {
            true => Some(self.stage(Stage::Serialize, |_| {
                let newest = visible.turns.checked_sub(1);
                let newest = newest.map(|at| history.turn(at)).transpose()?;
                Chain::after(
                    onto.as_ref().map(|onto| onto.chain.clone()),
                    newest.map(|view| view.turn.index),
                    request,
                    &retrieved,
                    &admitted.facts,
                    &admitted.records,
                    recall_tokens,
                )
            })?),
            false => None,
        };
        let mut ledger = std::mem::take(&mut self.ledger);
        let kept = admitted.kept.clone();
        note(&mut ledger, &retrieved, admitted, recalled);
        if let Some(onto) = onto {
            take_over(&mut ledger, onto);
        }
        ledger.add_notices(&list.sent.notices);
        let frame = list.sent.frame;
        let sources = plan_sources(&ledger, &retrieved);
        let sent = sums.cached.sent.clone();
        let finished = Finished { list, sums };
        let fresh = failed.is_none();
        let context = finish(request, meter, finished, ledger, failed);
        let tail = retrieved.asked.tail.messages.len();
        let plan =
            fresh.then(|| FrozenPlan::freeze(request, &context, frame, tail, sources, chain));
        Ok(Ok(Compiled {
            context,
            sent,
            plan,
            kept,
            pool: retrieved.recall.candidates,
        }))
    }
}

/// Moves what the stages decided into the ledger.
fn note(
    ledger: &mut Ledger,
    retrieved: &retrieve::Retrieved<'_>,
    admitted: Admitted,
    recalled: Vec<EventId>,
) {
    ledger.plan.tail_messages =
        u32::try_from(retrieved.asked.tail.messages.len()).unwrap_or(u32::MAX);
    let filtered = std::mem::replace(&mut ledger.candidates, admitted.records);
    ledger.candidates.extend(filtered);
    ledger.notices.extend(admitted.notices);
    ledger.read_only |= admitted.read_only;
    for turn in &admitted.history {
        ledger.note_orphans(&turn.orphans);
    }
    let before = std::mem::take(&mut ledger.retrieval);
    ledger.retrieval = retrieved.recall.receipt.clone();
    ledger.retrieval.sources = before.sources;
    ledger.not_indexed = retrieved.recall.not_indexed;
    let late = ledger
        .retrieval
        .skipped
        .iter()
        .filter(|skipped| skipped.reason == "deadline");
    ledger.late += u32::try_from(late.count()).unwrap_or(u32::MAX);
    ledger.retrieval.skipped.extend(before.skipped);
    ledger.retrieval.selected = recalled;
}

/// The events that the shown facts were taken from.
fn plan_sources(ledger: &Ledger, retrieved: &retrieve::Retrieved<'_>) -> Vec<EventId> {
    let facts = &retrieved.facts;
    let shown = ledger
        .candidates
        .iter()
        .filter(|record| record.fate == Fate::Selected || record.reason == Reason::Superseded);
    let places = shown.filter_map(|record| facts.place_of(&record.block));
    let sources = places.filter_map(|at| facts.facts.get(at));
    sources
        .flat_map(|fact| fact.sources.iter().copied())
        .collect()
}

#[cfg(test)]
mod tests;
