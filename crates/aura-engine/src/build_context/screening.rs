//! Screening tool results before they are compiled: which may be shown, and how much of each.

use std::sync::Arc;

use aura_assembly::results::{Refusal, Screen, ScreenRules, Verdict, split_trace, trace_name};
use aura_assembly::{Compiled, FrozenPlan};
use aura_core::{
    ArtifactWrite, EventId, History, Manifest, Message, Part, Principal, Reason, Result,
    ResultContent, SessionId, Timestamp,
};

use crate::parts::Parts;
use crate::request::ContextRequest;

/// The rules of a call.
pub(super) fn rules<'a>(
    request: &'a ContextRequest,
    principal: &'a Principal,
    session: &'a SessionId,
    parts: &'a Parts,
) -> ScreenRules<'a> {
    let policy = &request.policy;
    ScreenRules {
        schemas: request.schemas.as_deref(),
        refused: &[],
        newest: policy.max_result_tokens,
        stale: policy.stale_result_tokens,
        recent_turns: usize::try_from(policy.recency_turns).unwrap_or(usize::MAX),
        tenant: &principal.tenant,
        session,
        counter: parts.meter.counter(),
    }
}

/// A screen before a history, where the rules want one.
///
/// # Errors
/// Those of the history.
pub(crate) fn screen<'a>(
    history: &'a dyn History,
    rules: ScreenRules<'a>,
) -> Result<Option<Screen<'a>>> {
    let wanted = rules.is_active();
    wanted.then(|| Screen::new(history, rules)).transpose()
}

/// The plan, unless it shows a result that is refused by now.
///
/// # Errors
/// Those of the history.
pub(super) fn still_shown(
    plan: Option<FrozenPlan>,
    screen: Option<&Screen<'_>>,
) -> Result<Option<FrozenPlan>> {
    let (Some(plan), Some(screen)) = (plan, screen) else {
        return Ok(None);
    };
    let events: Vec<EventId> = plan.events().collect();
    for event in &events {
        // What is gone is found out when the plan is used.
        let _ = screen.message(*event);
    }
    let refused = screen.refusals();
    let shows = refused
        .iter()
        .any(|refusal| events.contains(&refusal.event));
    Ok((!shows).then_some(plan))
}

/// Writes down what was refused. A result that breaks the schema it claims makes the context read-only: something has
/// changed that nobody has looked at.
pub(super) fn note(compiled: &mut Compiled, refusals: Vec<Refusal>) {
    if refusals.is_empty() {
        return;
    }
    let manifest: &mut Manifest = Arc::make_mut(&mut compiled.context.manifest);
    for refusal in refusals {
        manifest.read_only |= matches!(refusal.verdict, Verdict::Broken(_));
        let record = refusal.record();
        let known = manifest.candidates.iter_mut();
        let mut known = known.filter(|one| one.block == record.block);
        match known.next() {
            Some(known) => known.reason = Reason::UnapprovedSchema,
            None => manifest.candidates.push(record),
        }
    }
}

/// Keeps the stack traces of failed calls as artifacts, which a capped result names.
///
/// # Errors
/// Those of the store.
pub(crate) fn keep_traces(
    messages: &[Message],
    principal: &Principal,
    session: &SessionId,
    parts: &Parts,
    now: Timestamp,
) -> Result<()> {
    for part in messages.iter().flat_map(|message| &message.parts) {
        let Part::ToolResult(result) = part else {
            continue;
        };
        let ResultContent::Text(text) = &result.content else {
            continue;
        };
        let Some(split) = result.is_error.then(|| split_trace(text)).flatten() else {
            continue;
        };
        parts.storage.put_artifact(ArtifactWrite {
            tenant: principal.tenant.clone(),
            name: trace_name(session, &result.call_id, split.trace),
            mime: Some("text/plain".to_owned()),
            user: principal.user.clone(),
            session_id: Some(session.clone()),
            bytes: split.trace.as_bytes().to_vec(),
            recorded_at: now,
        })?;
    }
    Ok(())
}
