//! Reading sessions, turns, messages and facts.

use std::sync::Arc;

use aura_core::{
    EventRange, Fact, Principal, Result, Session, SessionId, SessionQuery, StoredMessage,
    Timestamp, TurnIndex, TurnRecord,
};

use crate::engine::{Engine, key_of};
use crate::record::known_session;

/// How many turns or messages one call reads at most.
const MOST: usize = 10_000;

/// A point on both time axes of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsOf {
    /// What was true then …
    pub valid: Timestamp,
    /// … as far as the engine knew then.
    pub known: Timestamp,
}

impl Engine {
    /// The sessions of the principal's tenant (and of its user, where it has one), by id.
    ///
    /// # Errors
    /// Those of the store.
    pub fn sessions(&self, principal: &Principal, query: &SessionQuery) -> Result<Vec<Session>> {
        let (_pass, parts, _) = self.enter("sessions")?;
        let mut query = query.clone();
        if query.user.is_none() {
            query.user = principal.user.clone();
        }
        let mut sessions = parts
            .storage
            .sessions(&principal.tenant, &query)
            .map_err(|error| error.during("sessions"))?;
        sessions.retain(|session| session.check_access(principal).is_ok());
        Ok(sessions)
    }

    /// A session.
    ///
    /// # Errors
    /// `NotFound` and `Denied` naming `session_id`; those of the store.
    pub fn session(&self, principal: &Principal, session: &SessionId) -> Result<Session> {
        let (_pass, parts, _) = self.enter("session")?;
        known_session(parts, principal, session).map_err(|error| error.during("session"))
    }

    /// At most `limit` (and at most 10,000) turns with their messages from index `from` on, of any status.
    ///
    /// # Errors
    /// `NotFound` and `Denied` naming `session_id`; those of the store.
    pub fn turns(
        &self,
        principal: &Principal,
        session: &SessionId,
        from: TurnIndex,
        limit: usize,
    ) -> Result<Vec<TurnRecord>> {
        let (_pass, parts, _) = self.enter("turns")?;
        let read = || {
            known_session(parts, principal, session)?;
            parts
                .storage
                .turn_records(&key_of(principal, session), from, limit.min(MOST))
        };
        read().map_err(|error| error.during("turns"))
    }

    /// The messages of a range of events, at most the first 10,000 of it.
    ///
    /// # Errors
    /// `NotFound` and `Denied` naming `session_id`; those of the store.
    pub fn messages(
        &self,
        principal: &Principal,
        session: &SessionId,
        range: EventRange,
    ) -> Result<Vec<Arc<StoredMessage>>> {
        let (_pass, parts, _) = self.enter("messages")?;
        let read = || {
            known_session(parts, principal, session)?;
            let last = range
                .last
                .0
                .min(range.first.0.saturating_add(MOST as u64 - 1));
            let range = EventRange::new(range.first, aura_core::EventId(last));
            parts
                .storage
                .messages(&key_of(principal, session), &[range])
        };
        read().map_err(|error| error.during("messages"))
    }

    /// The facts that the session's head sees: those that held at a point in time, or all, past ones too.
    ///
    /// # Errors
    /// `NotFound` and `Denied` naming `session_id`; those of the store and the extractor.
    pub fn facts(
        &self,
        principal: &Principal,
        session: &SessionId,
        as_of: Option<AsOf>,
    ) -> Result<Vec<Fact>> {
        let (_pass, parts, sessions) = self.enter("facts")?;
        let read = || {
            let found = known_session(parts, principal, session)?;
            let entry = sessions.get(&key_of(principal, session), parts)?;
            let data = entry.current(parts)?;
            let mut facts = entry.facts.lock();
            facts.sync(
                data.session.as_ref().unwrap_or(&found),
                &entry.key,
                &*parts.storage,
            )?;
            while facts.is_behind(&data) && facts.distil_one(&data, &entry, parts)? {}
            parts.queue.push_session(&entry);
            let ledger = facts.ledger(&data.branch)?;
            Ok(match as_of {
                Some(at) => ledger.as_of(at.valid, at.known),
                None => ledger.facts().cloned().collect(),
            })
        };
        read().map_err(|error: aura_core::Error| error.during("facts"))
    }
}
