//! Sessions: what one consists of, finding and listing.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use aura_core::{
    FactEntry, Result, Session, SessionKey, SessionQuery, Snapshot, StoredMessage, TenantId, Turn,
    TurnId, TurnIndex,
};

use super::store::State;
use super::vectors::Vectors;
use crate::refusal::{check_tenant, no_session};

/// How many sessions a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

/// A session with all that hangs on it.
#[derive(Clone)]
pub(super) struct SessionState {
    pub(super) session: Session,
    /// Its number in the order of creation, by which recovery goes.
    pub(super) number: usize,
    pub(super) turns: Vec<Turn>,
    pub(super) by_id: HashMap<TurnId, TurnIndex>,
    /// The message of event `n` stands at `n - 1`, nothing where it was deleted.
    pub(super) messages: Vec<Option<Arc<StoredMessage>>>,
    pub(super) facts: Vec<FactEntry>,
    pub(super) snapshots: BTreeMap<String, Snapshot>,
    /// In the order they were begun.
    pub(super) vectors: Vec<Vectors>,
}

impl SessionState {
    pub(super) fn new(session: Session, number: usize) -> Self {
        Self {
            session,
            number,
            turns: Vec::new(),
            by_id: HashMap::new(),
            messages: Vec::new(),
            facts: Vec::new(),
            snapshots: BTreeMap::new(),
            vectors: Vec::new(),
        }
    }

    pub(super) fn key(&self) -> SessionKey {
        SessionKey {
            tenant: self.session.tenant.clone(),
            session_id: self.session.session_id.clone(),
        }
    }
}

impl State {
    /// The session of the key, if it exists; `Denied` if it is another tenant's.
    pub(super) fn find(&self, key: &SessionKey) -> Result<Option<&SessionState>> {
        let Some(found) = self.sessions.get(&key.session_id) else {
            return Ok(None);
        };
        check_tenant(&found.session.tenant, key)?;
        Ok(Some(found))
    }

    /// The session of the key, to be changed; `NotFound` without one.
    pub(super) fn need(&mut self, key: &SessionKey) -> Result<&mut SessionState> {
        let found = self
            .sessions
            .get_mut(&key.session_id)
            .ok_or_else(no_session)?;
        check_tenant(&found.session.tenant, key)?;
        Ok(found)
    }

    pub(super) fn list(&self, tenant: &TenantId, query: &SessionQuery) -> Vec<Session> {
        let from = match &query.after {
            Some(after) => Bound::Excluded(after),
            None => Bound::Unbounded,
        };
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        self.sessions
            .range::<aura_core::SessionId, _>((from, Bound::Unbounded))
            .map(|(_, found)| &found.session)
            .filter(|session| session.tenant == *tenant)
            .filter(|session| query.user.is_none() || session.user == query.user)
            .filter(|session| {
                query
                    .agent
                    .as_ref()
                    .is_none_or(|agent| session.agent == *agent)
            })
            .take(limit as usize)
            .cloned()
            .collect()
    }
}
