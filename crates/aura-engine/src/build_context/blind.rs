//! What is given where the session cannot be read: nothing of it.

use std::sync::Arc;
use std::time::Instant;

use aura_assembly::{CompileRequest, Failure, fallback};
use aura_core::{
    Block, BlockRef, CompiledContext, Error, ErrorKind, Principal, RequestId, Result, SessionId,
    Stage, TurnId,
};

use super::{CallTimer, keep};
use crate::background::waiting::Waiting;
use crate::engine::key_of;
use crate::manifests::given::{Given, Seen};
use crate::parts::Parts;
use crate::request::ContextRequest;

/// Whether the engine failed, rather than refused or was told to stop.
pub(super) const fn is_fault(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::Busy
            | ErrorKind::Unavailable
            | ErrorKind::Corrupt
            | ErrorKind::Callback
            | ErrorKind::Internal
    )
}

/// Answers a failure before any stage as one of the filter: nobody knows what the principal may see, so system prompt,
/// verified blocks and the question are all that is given.
///
/// # Errors
/// The failure itself, where the policy wants it, where it is no fault, or where not even that can be compiled.
pub(super) fn recover(
    start: Instant,
    parts: &Parts,
    principal: &Principal,
    session: &SessionId,
    request: &ContextRequest,
    error: Error,
) -> Result<CompiledContext> {
    if !is_fault(error.kind()) {
        return Err(error);
    }
    let now = parts.clock.now();
    let turn_id = match &request.turn_id {
        Some(turn_id) => turn_id.clone(),
        None => TurnId::new(parts.ids.next_id(now))?,
    };
    let request_id = RequestId::new(parts.ids.next_id(now))?;
    // A claim to be policy cannot be looked up either.
    let (claims, others): (Vec<&Block>, Vec<&Block>) = request
        .blocks
        .iter()
        .partition(|block| block.claims_policy());
    let blocks: Vec<Block> = others.into_iter().cloned().collect();
    let unsettled = claims
        .into_iter()
        .map(|block| BlockRef::Block(block.block_id.clone()))
        .collect();
    let timer = CallTimer::of(start, request, parts);
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
        tool_records: &[],
        blocks: &blocks,
        gathered: None,
        provider: request.provider,
        now,
        change_seq: 0,
        distilled: 0,
        analyzer: &parts.analyzer,
        facts: None,
        replanned: None,
        earlier: &[],
        previous: None,
        plan: None,
        timer: &timer,
    };
    let failure = Failure {
        stage: Stage::Filter,
        error,
        rejected: unsettled,
    };
    let compiled = fallback::recover(&inputs, &fallback::Nothing, &parts.meter, failure)?;
    let standing = parts.standings.of(request, &request.tools);
    let waiting = Waiting {
        key: key_of(principal, session),
        turn_id: turn_id.clone(),
        manifest: Arc::clone(&compiled.context.manifest),
        plan: None,
        kept: compiled.kept,
        given: Arc::new(Given::new(
            standing,
            request,
            blocks,
            Seen::default(),
            Vec::new(),
        )),
    };
    keep(parts, waiting)?;
    Ok(compiled.context)
}
