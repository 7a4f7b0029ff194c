//! What a call sees of its session.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use aura_assembly::{FrozenPlan, Timer};
use aura_core::{
    Error, ErrorKind, Manifest, ManifestQuery, PrefixMode, RequestId, Result, SessionKey, Skipped,
    TurnId, TurnIndex, TurnStatus,
};
use aura_memory::Ledger;

use super::{CallTimer, blind};
use crate::dense::queries::Asked;
use crate::manifests::given::Seen;
use crate::parts::Parts;
use crate::request::ContextRequest;
use crate::session::branch::Branch;
use crate::session::data::SessionData;
use crate::session::entry::SessionEntry;
use crate::session::fact_state::Facts;
use crate::session::history_view::HistoryView;

/// How many manifests are looked through for the newest list of the call's kind.
const LOOK_BACK: u32 = 16;

pub(super) type Look<'a> = (HistoryView<'a>, Option<FrozenPlan>, Watermark, Vec<Skipped>);

/// How far facts were distilled: the first turn that was not, and those before it that were not either.
#[derive(Default)]
pub(super) struct Watermark {
    pub(super) next: u32,
    waiting: Vec<TurnIndex>,
}

/// Which part of the session the call sees.
pub(super) fn seen(view: &HistoryView<'_>, distilled: &Watermark) -> Seen {
    let data = view.data;
    let messages = |turn: TurnIndex| {
        let events = data.turns.get(turn.0 as usize);
        let count = events.map_or(0, |meta| meta.events.ids().count());
        (turn, u32::try_from(count).unwrap_or(u32::MAX))
    };
    Seen {
        head: view.branch.head,
        open: data.open.iter().copied().collect(),
        tail: view.open.map(messages),
        undistilled: distilled.waiting.clone(),
        covered: Vec::new(),
    }
}

/// What the call sees: the branch, the open turn with its plan, and the facts.
pub(super) fn look<'a>(
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
    let mut skipped = Vec::new();
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
        plan = stored_plan(parts, key, turn_id).or_else(|error| {
            skipped.push(unread("plan", error)?);
            Ok(None)
        })?;
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
    let (facts, distilled) = current_facts(data, entry, parts, &branch, timer, &mut skipped)?;
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

/// The plans of earlier turns that an append-only list may continue, the newest first: those in mind, else the newest that
/// is stored. Where it cannot be read, the list is selected anew.
pub(super) fn earlier(
    entry: &SessionEntry,
    parts: &Parts,
    request: &ContextRequest,
) -> Vec<Arc<FrozenPlan>> {
    if request.policy.prefix_mode != PrefixMode::AppendOnly {
        return Vec::new();
    }
    if let Some(plans) = entry.sent.plans(request) {
        return plans;
    }
    let stored = newest_stored(entry, parts, request).unwrap_or_default();
    stored.into_iter().map(Arc::new).collect()
}

fn newest_stored(
    entry: &SessionEntry,
    parts: &Parts,
    request: &ContextRequest,
) -> Result<Option<FrozenPlan>> {
    let query = ManifestQuery {
        session_id: Some(entry.key.session_id.clone()),
        limit: LOOK_BACK,
        ..ManifestQuery::default()
    };
    let is_own = |manifest: &Manifest| {
        manifest.cache.prefix_mode == PrefixMode::AppendOnly
            && manifest.agent_version == request.agent_version
            && manifest.workflow_stage == request.workflow_stage
            && !manifest.plan.reused
            && manifest.failure.is_none()
    };
    let found = parts.storage.manifests(&entry.key.tenant, &query)?;
    let Some(newest) = found.into_iter().find(is_own) else {
        return Ok(None);
    };
    let Some(bytes) = parts.storage.plan(&entry.key, &newest.turn_id)? else {
        return Ok(None);
    };
    let request_id = newest.request_id.clone();
    let newest = Arc::new(newest);
    let manifest = |asked: &RequestId| Ok((*asked == request_id).then_some(newest));
    FrozenPlan::from_bytes(&bytes, manifest).map(Some)
}

/// What could not be read and can be done without.
///
/// # Errors
/// The error itself, where it is no failure of the engine.
fn unread(work: &str, error: Error) -> Result<Skipped> {
    if !blind::is_fault(error.kind()) {
        return Err(error);
    }
    Ok(Skipped {
        work: work.to_owned(),
        reason: error.kind().as_str().to_owned(),
    })
}

/// The facts that the branch sees, after the turns that wait have been distilled. Neither a failure of the extractor
/// nor a lack of time stops the call: it goes on with the facts there are, and the manifest says so. Where they cannot be
/// read there are none, since one that was corrected meanwhile must not be shown.
fn current_facts(
    data: &SessionData,
    entry: &SessionEntry,
    parts: &Parts,
    branch: &Branch,
    timer: &CallTimer<'_>,
    skipped: &mut Vec<Skipped>,
) -> Result<(Facts, Watermark)> {
    let mut facts = entry.facts.lock();
    if let Some(session) = &data.session {
        if let Err(error) = facts.sync(session, &entry.key, &*parts.storage) {
            skipped.push(unread("facts", error)?);
            let none = Facts::of(&Ledger::default(), None, parts);
            return Ok((none, Watermark::default()));
        }
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
            skipped.push(Skipped {
                work: "distillation".to_owned(),
                reason,
            });
            break;
        }
    }
    let watermark = Watermark {
        next: facts.next(),
        waiting: facts.waiting().to_vec(),
    };
    Ok((facts.of(branch, data, parts)?, watermark))
}
