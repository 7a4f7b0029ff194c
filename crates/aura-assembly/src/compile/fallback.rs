//! What is answered when a stage failed: the transcript, or what can be vouched for. Always read-only.

use std::sync::Arc;

use aura_core::{
    BlockRef, Class, ContextPolicy, Error, ErrorKind, EventId, Fact, FailureReceipt, History,
    MessageView, OnConflict, OnFailure, Outcome, PolicyMode, Reason, Recall, RecallRequest, Result,
    Role, Stage, TokenCounter, Trust, TurnView,
};

use crate::compile::Run;
use crate::manifest::rejected;
use crate::meter::Meter;
use crate::request::{CompileRequest, Compiled, Failure};
use crate::stage::filter::{self, Visible};

/// Answers a failure as the policy's `on_failure` says.
///
/// A failure of the filter itself never yields the transcript, and a transcript that fails too yields what can be
/// vouched for. What the caller did or wants is no failure of the engine: `Cancelled`, `Invalid`, `Denied`, `Closed` and
/// `Conflict` are handed back.
///
/// # Errors
/// The failure's own error, where nothing else may be answered.
pub fn recover(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
    failure: Failure,
) -> Result<Compiled> {
    use ErrorKind::{Cancelled, Closed, Conflict, Denied, Invalid};
    let kind = failure.error.kind();
    let final_answer = matches!(kind, Cancelled | Closed | Conflict | Denied | Invalid);
    if final_answer || request.policy.on_failure == OnFailure::Error {
        return Err(failure.error);
    }
    let estimate;
    let meter = if kind == ErrorKind::Callback {
        estimate = bytes_meter();
        &estimate
    } else {
        meter
    };
    if request.policy.on_failure == OnFailure::FullHistory
        && failure.stage != Stage::Filter
        && let Ok(compiled) = full_history(request, history, meter, failure.receipt(request))
    {
        return Ok(compiled);
    }
    restricted(request, history, meter, &failure).map_err(|_| failure.error)
}

/// The stored transcript under the budget, filter, labels, expiry and fences intact. It asks the history for turns only.
///
/// # Errors
/// A [`Failure`], when the turns cannot be read either.
pub fn full_history(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
    receipt: FailureReceipt,
) -> Result<Compiled, Failure> {
    let policy = bare(request.policy, PolicyMode::FullHistory);
    let request = CompileRequest {
        policy: &policy,
        plan: None,
        ..*request
    };
    let mut run = Run::new(&request);
    let mut visible = run.stage(Stage::Filter, |ledger| {
        filter::run(&request, history, ledger)
    })?;
    keep_verified(&mut visible, &mut run, true);
    run.assemble(history, meter, &visible, Some((Outcome::Fallback, receipt)))
}

/// System prompt, verified blocks, the question, and what else the user said in the open turn.
///
/// # Errors
/// A [`Failure`], when even that cannot be counted.
pub fn restricted(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
    failure: &Failure,
) -> Result<Compiled, Failure> {
    let mode = request.policy.mode;
    let policy = bare(request.policy, mode);
    let receipt = failure.receipt(request);
    let request = CompileRequest {
        policy: &policy,
        plan: None,
        ..*request
    };
    let mut run = Run::new(&request);
    // What failed to decide who may see what is not asked again.
    let open = match failure.stage {
        Stage::Filter => None,
        _ => history.open_turn().ok().flatten(),
    };
    let mut visible = run.stage(Stage::Filter, |ledger| {
        Ok(Visible {
            blocks: filter::permitted(&request, ledger),
            open: open.map(only_the_user),
            turns: 0,
        })
    })?;
    keep_verified(&mut visible, &mut run, false);
    let outcome = Some((Outcome::Restricted, receipt));
    run.assemble(&Nothing, meter, &visible, outcome)
}

/// The policy without anything that may fail again.
fn bare(policy: &ContextPolicy, mode: PolicyMode) -> ContextPolicy {
    ContextPolicy {
        mode,
        facts_enabled: false,
        retrieval_enabled: false,
        include_unselected: false,
        on_conflict: OnConflict::Restrict,
        ..policy.clone()
    }
}

/// Leaves out blocks that nobody vouches for; beside a transcript also those that are mere evidence.
fn keep_verified(visible: &mut Visible<'_>, run: &mut Run<'_, '_>, orders_only: bool) {
    visible.blocks.retain(|block| {
        let kept = block.trust >= Trust::Verified && (block.kind.is_order() || !orders_only);
        if !kept {
            run.ledger.candidates.push(rejected(
                BlockRef::Block(block.block_id.clone()),
                block.kind,
                Class::P4,
                block.tokens.unwrap_or(0),
                Stage::Filter,
                Reason::Disabled,
            ));
        }
        kept
    });
}

fn only_the_user(mut open: TurnView) -> TurnView {
    open.messages.retain(|view| {
        let message = &view.stored.message;
        message.role == Role::User && message.results().next().is_none()
    });
    open
}

/// The name of the counter that stands in for one that fails.
pub const BYTES: &str = "bytes";

/// What counts where the host's counter fails: one token a byte, since no vocabulary needs more.
#[must_use]
pub fn bytes_meter() -> Meter {
    Meter::new(Arc::new(Bytes))
}

struct Bytes;

impl TokenCounter for Bytes {
    fn name(&self) -> &str {
        BYTES
    }

    fn count(&self, text: &str) -> Result<u32> {
        Ok(u32::try_from(text.len()).unwrap_or(u32::MAX))
    }
}

/// A history in which nothing is visible: where the session cannot be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

fn nothing<T>() -> Result<T> {
    Err(Error::new(ErrorKind::NotFound, "nothing is visible"))
}

impl History for Nothing {
    fn turn_count(&self) -> usize {
        0
    }

    fn turn(&self, _position: usize) -> Result<TurnView> {
        nothing()
    }

    fn message(&self, _event: EventId) -> Result<MessageView> {
        nothing()
    }

    fn history_tokens(&self, _overhead: u32) -> Result<u64> {
        Ok(0)
    }

    fn recall(&self, _request: &RecallRequest<'_>) -> Result<Recall> {
        nothing()
    }

    fn facts(&self) -> Result<Arc<Vec<Fact>>> {
        nothing()
    }

    fn open_turn(&self) -> Result<Option<TurnView>> {
        Ok(None)
    }
}
