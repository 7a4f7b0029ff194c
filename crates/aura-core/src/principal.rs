//! Who is asking.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::id::{AgentId, Label, TenantId, UserId};

/// Who is asking: tenant, agent, optional user, labels held. Every read and write carries one.
///
/// JSON: `{"tenant":"default","agent":"default","user":null,"labels":[]}`, every field optional.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Principal {
    /// The isolation boundary.
    pub tenant: TenantId,
    /// The agent that asks.
    pub agent: AgentId,
    /// The user on whose behalf it asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// The labels it holds: a block is visible when all labels on it are held.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
}

impl Principal {
    /// The default agent of a tenant, without a user or labels.
    ///
    /// # Errors
    /// `Invalid`, when the id is empty or longer than 256 bytes.
    pub fn of_tenant(tenant: &str) -> Result<Self> {
        Ok(Self {
            tenant: TenantId::new(tenant)?,
            ..Self::default()
        })
    }

    /// The same principal on behalf of a user.
    ///
    /// # Errors
    /// `Invalid`, when the id is empty or longer than 256 bytes.
    pub fn with_user(mut self, user: &str) -> Result<Self> {
        self.user = Some(UserId::new(user)?);
        Ok(self)
    }

    /// The same principal as another agent.
    ///
    /// # Errors
    /// `Invalid`, when the id is empty or longer than 256 bytes.
    pub fn with_agent(mut self, agent: &str) -> Result<Self> {
        self.agent = AgentId::new(agent)?;
        Ok(self)
    }

    /// Whether all `required` labels are held.
    #[must_use]
    pub fn holds(&self, required: &BTreeSet<Label>) -> bool {
        required.is_subset(&self.labels)
    }
}
