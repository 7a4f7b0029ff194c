//! Policies: the versions of each, in the order proposed.

use std::collections::BTreeMap;

use aura_core::{PolicyQuery, PolicyStorage, PolicyVersion, Result, Signature, TenantId};

use super::store::MemoryStorage;
use crate::refusal::{no_policy, policy_differs};

/// How many versions a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

/// The versions of all policies, by tenant and subject.
#[derive(Default, Clone)]
pub(super) struct Policies(BTreeMap<(TenantId, String), Vec<PolicyVersion>>);

impl Policies {
    fn find(&self, tenant: &TenantId, subject: &str, version: &str) -> Option<&PolicyVersion> {
        let versions = self.0.get(&(tenant.clone(), subject.to_owned()))?;
        versions
            .iter()
            .find(|stored| stored.policy.version == version)
    }

    fn put(&mut self, tenant: &TenantId, policy: PolicyVersion) -> Result<PolicyVersion> {
        let named = &policy.policy;
        if let Some(stored) = self.find(tenant, &named.subject, &named.version) {
            return if stored.policy == *named {
                Ok(stored.clone())
            } else {
                Err(policy_differs())
            };
        }
        let stored = PolicyVersion {
            approved: None,
            ..policy
        };
        let named = (tenant.clone(), stored.policy.subject.clone());
        self.0.entry(named).or_default().push(stored.clone());
        Ok(stored)
    }

    fn approve(
        &mut self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
        approval: Signature,
    ) -> Result<PolicyVersion> {
        let versions = self.0.get_mut(&(tenant.clone(), subject.to_owned()));
        let mut versions = versions.into_iter().flatten();
        let stored = versions
            .find(|stored| stored.policy.version == version)
            .ok_or_else(no_policy)?;
        stored.approved.get_or_insert(approval);
        Ok(stored.clone())
    }

    fn list(&self, tenant: &TenantId, query: &PolicyQuery) -> Vec<PolicyVersion> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        let wanted = |subject: &str| query.subject.as_deref().is_none_or(|only| only == subject);
        let of_tenant = self
            .0
            .iter()
            .filter(|((owner, subject), _)| owner == tenant && wanted(subject));
        let versions = of_tenant.flat_map(|(_, versions)| versions);
        versions
            .filter(|stored| stored.is_approved() || !query.approved_only)
            .skip(usize::try_from(query.skip).unwrap_or(usize::MAX))
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .cloned()
            .collect()
    }
}

impl PolicyStorage for MemoryStorage {
    fn put_policy(&self, tenant: &TenantId, policy: PolicyVersion) -> Result<PolicyVersion> {
        self.write("put_policy", |state| state.policies.put(tenant, policy))
    }

    fn approve_policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
        approval: Signature,
    ) -> Result<PolicyVersion> {
        self.write("approve_policy", |state| {
            state.policies.approve(tenant, subject, version, approval)
        })
    }

    fn policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
    ) -> Result<Option<PolicyVersion>> {
        self.read("policy", |state| {
            Ok(state.policies.find(tenant, subject, version).cloned())
        })
    }

    fn policies(&self, tenant: &TenantId, query: &PolicyQuery) -> Result<Vec<PolicyVersion>> {
        self.read("policies", |state| Ok(state.policies.list(tenant, query)))
    }
}
