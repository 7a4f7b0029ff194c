//! A team: its members, and what each of them may do and see.

use std::collections::BTreeMap;
use std::sync::Arc;

use aura_core::{
    AgentId, Clock, DeliveryQuery, Error, ErrorKind, IdSource, Packet, PacketId, Principal, Result,
    Scope, SessionId, SessionKey, Storage, TenantId, UserId,
};

/// A team of agents on a store. Cheap to clone; any number of threads and processes may hold one of the same name.
#[derive(Clone)]
pub struct Team {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) tenant: TenantId,
    user: Option<UserId>,
    name: String,
    members: BTreeMap<AgentId, Scope>,
}

impl Team {
    /// A team without members.
    ///
    /// # Errors
    /// `Invalid` naming `team`, when the name is empty, longer than 128 bytes or holds a colon.
    pub fn new(
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        tenant: TenantId,
        name: &str,
    ) -> Result<Self> {
        if name.is_empty() || name.len() > 128 || name.contains(':') {
            let problem = "must have 1 to 128 bytes and no colon";
            return Err(Error::invalid_field("team", "team", problem));
        }
        Ok(Self {
            storage,
            clock,
            ids,
            tenant,
            user: None,
            name: name.to_owned(),
            members: BTreeMap::new(),
        })
    }

    /// The same team on behalf of a user.
    #[must_use]
    pub fn for_user(mut self, user: UserId) -> Self {
        self.user = Some(user);
        self
    }

    /// The same team with a member that may do and see this much at most.
    #[must_use]
    pub fn with_member(mut self, agent: AgentId, scope: Scope) -> Self {
        self.members.insert(agent, scope);
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its members, in alphabetical order.
    pub fn members(&self) -> impl Iterator<Item = &AgentId> {
        self.members.keys()
    }

    /// The session of a member: `<team>:<agent>`.
    ///
    /// # Errors
    /// `NotFound` naming `agent`; `Invalid` when both names together are too long for an id.
    pub fn session(&self, agent: &AgentId) -> Result<SessionId> {
        self.member(agent)?;
        SessionId::new(format!("{}:{agent}", self.name))
    }

    /// What a member may do and see: all that it may as a member, or no more than a packet gave it when it works on that
    /// packet's account.
    ///
    /// # Errors
    /// `NotFound` naming `agent`; `Denied` naming `under`, when no such packet was sent to it.
    pub fn scope(&self, agent: &AgentId, under: Option<&PacketId>) -> Result<Scope> {
        let own = self.member(agent)?;
        match under {
            None => Ok(own.clone()),
            Some(packet) => Ok(own.within(&self.received(agent, packet)?.scope)),
        }
    }

    /// Whom a member is to the engine: with the labels of its scope and no others.
    ///
    /// # Errors
    /// As [`scope`](Self::scope).
    pub fn principal(&self, agent: &AgentId, under: Option<&PacketId>) -> Result<Principal> {
        Ok(Principal {
            tenant: self.tenant.clone(),
            agent: agent.clone(),
            user: self.user.clone(),
            labels: self.scope(agent, under)?.labels,
        })
    }

    pub(crate) fn member(&self, agent: &AgentId) -> Result<&Scope> {
        self.members.get(agent).ok_or_else(|| {
            Error::new(ErrorKind::NotFound, "agent: is no member of the team").with_field("agent")
        })
    }

    /// A packet that was sent to a member, delivered or not.
    pub(crate) fn received(&self, agent: &AgentId, packet: &PacketId) -> Result<Packet> {
        let found = self.storage.deliveries(
            &self.tenant,
            &DeliveryQuery {
                team: self.name.clone(),
                receiver: Some(agent.clone()),
                packet: Some(packet.clone()),
                settled: true,
                limit: 1,
            },
        )?;
        let found = found.into_iter().next().map(|delivery| delivery.packet);
        found.ok_or_else(|| {
            Error::new(
                ErrorKind::Denied,
                "under: no such packet was sent to the agent",
            )
            .with_field("under")
        })
    }

    pub(crate) fn key(&self, agent: &AgentId) -> Result<SessionKey> {
        Ok(SessionKey {
            tenant: self.tenant.clone(),
            session_id: self.session(agent)?,
        })
    }
}

impl std::fmt::Debug for Team {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Team")
            .field("name", &self.name)
            .field("members", &self.members.len())
            .finish_non_exhaustive()
    }
}
