//! Recording turns.

use std::time::Instant;

use aura_core::{
    Error, ErrorKind, Message, Principal, Recorded, Result, Session, SessionId, TurnId, TurnStatus,
    TurnWrite,
};

use crate::build_context::screening::keep_traces;
use crate::engine::{Engine, key_of, metrics};
use crate::parts::Parts;
use crate::request::{RecordRequest, RecordedTurn};
use crate::session::map::SessionMap;

impl Engine {
    /// Appends messages to a turn, creating turn and session as needed. What has returned is durable, and the next
    /// context sees it.
    ///
    /// With a `turn_id` the call may be repeated: the same messages or fewer change nothing, more extend an open turn.
    ///
    /// # Errors
    /// `Invalid` naming the field below `messages`; `Conflict` when the turn is stored otherwise; `NotFound` naming
    /// `parent`; `Denied` naming `session_id`; those of the store.
    pub fn record_turn(
        &self,
        principal: &Principal,
        session: &SessionId,
        request: RecordRequest,
    ) -> Result<RecordedTurn> {
        let (_pass, parts, sessions) = self.enter("record_turn")?;
        record(parts, sessions, principal, session, request)
            .map_err(|error| error.during("record_turn"))
    }

    /// Records a question and its answer as a complete turn.
    ///
    /// # Errors
    /// Those of [`Engine::record_turn`].
    pub fn record_exchange(
        &self,
        principal: &Principal,
        session: &SessionId,
        user: &str,
        assistant: &str,
    ) -> Result<RecordedTurn> {
        let messages = vec![Message::user(user), Message::assistant(assistant)];
        let (_pass, parts, sessions) = self.enter("record_exchange")?;
        record(
            parts,
            sessions,
            principal,
            session,
            RecordRequest::of(messages),
        )
        .map_err(|error| error.during("record_exchange"))
    }

    /// Moves an open turn to `complete` or `failed`; asking again for the status it has changes nothing.
    ///
    /// # Errors
    /// `NotFound` naming `session_id` or `turn_id`; `Conflict` naming `status` for any other move; `Denied`.
    pub fn finish_turn(
        &self,
        principal: &Principal,
        session: &SessionId,
        turn: &TurnId,
        status: TurnStatus,
    ) -> Result<RecordedTurn> {
        let (_pass, parts, sessions) = self.enter("finish_turn")?;
        let finish = || {
            let key = key_of(principal, session);
            known_session(parts, principal, session)?;
            let recorded = parts.storage.set_status(&key, turn, status)?;
            settle(parts, sessions, recorded)
        };
        finish().map_err(|error| error.during("finish_turn"))
    }

    /// Moves the session's head to a turn: what came after it on other branches is no longer seen.
    ///
    /// # Errors
    /// `NotFound` naming `session_id` or `turn_id`; `Conflict` naming `turn_id` for a failed turn; `Denied`.
    pub fn set_head(
        &self,
        principal: &Principal,
        session: &SessionId,
        turn: &TurnId,
    ) -> Result<Session> {
        let (_pass, parts, _sessions) = self.enter("set_head")?;
        let set = || {
            known_session(parts, principal, session)?;
            parts.storage.set_head(&key_of(principal, session), turn)
        };
        set().map_err(|error| error.during("set_head"))
    }
}

fn record(
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    session: &SessionId,
    request: RecordRequest,
) -> Result<RecordedTurn> {
    let start = Instant::now();
    let result = write(parts, sessions, principal, session, request);
    metrics::recorded(&result, start.elapsed());
    result
}

fn write(
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    session: &SessionId,
    request: RecordRequest,
) -> Result<RecordedTurn> {
    for (at, message) in request.messages.iter().enumerate() {
        message.validate(format_args!("messages[{at}]"))?;
    }
    let now = parts.clock.now();
    let fresh_id = request.turn_id.is_none();
    let turn_id = match request.turn_id {
        Some(turn_id) => turn_id,
        None => TurnId::new(parts.ids.next_id(now))?,
    };
    keep_traces(&request.messages, principal, session, parts, now)?;
    let recorded = parts.storage.record(TurnWrite {
        key: key_of(principal, session),
        user: principal.user.clone(),
        agent: principal.agent.clone(),
        turn_id,
        fresh_id,
        parent: request.parent,
        status: request.status,
        messages: request.messages,
        recorded_at: now,
        requests: request.requests,
    })?;
    settle(parts, sessions, recorded)
}

/// Takes a write into the session's state in memory, and leaves the rest to the background.
fn settle(parts: &Parts, sessions: &SessionMap, recorded: Recorded) -> Result<RecordedTurn> {
    let answer = RecordedTurn {
        turn: recorded.turn.clone(),
        effect: recorded.effect,
        change_seq: recorded.session.change_seq,
    };
    if recorded.effect != aura_core::WriteEffect::Unchanged {
        let key = aura_core::SessionKey {
            tenant: recorded.session.tenant.clone(),
            session_id: recorded.session.session_id.clone(),
        };
        // What is written is written: a failure to index it shows up at the next read, which tries again.
        if let Ok(entry) = sessions.get(&key, parts) {
            let _ = entry.apply(recorded, parts);
            parts.queue.push_session(&entry);
            if let Some(dense) = &parts.dense {
                dense.queue.push(&entry.key, Vec::new());
            }
        }
    }
    Ok(answer)
}

/// The session, if it exists and the principal may use it.
///
/// # Errors
/// `NotFound` and `Denied` naming `session_id`; those of the store.
pub(crate) fn known_session(
    parts: &Parts,
    principal: &Principal,
    session: &SessionId,
) -> Result<Session> {
    let found = parts.storage.session(&key_of(principal, session))?;
    let found = found.ok_or_else(|| {
        Error::new(ErrorKind::NotFound, "session_id: there is no such session")
            .with_field("session_id")
    })?;
    found.check_access(principal)?;
    Ok(found)
}
