//! Policies in the store: immutable versions, proposed and then approved.

use crate::error::Result;
use crate::id::TenantId;
use crate::policy_version::{PolicyVersion, Signature};

/// Which policy versions to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicyQuery {
    /// Only those about this subject.
    pub subject: Option<String>,
    /// Only those that are approved.
    pub approved_only: bool,
    /// How many to pass over, for the next page.
    pub skip: u32,
    /// How many at most; 0 means 1,000.
    pub limit: u32,
}

/// The part of a store that keeps the versions of policies.
///
/// Contract, beside that of [`Storage`](crate::Storage):
/// - Subject and version name one policy version of a tenant; another tenant neither sees nor touches it.
/// - A stored version never changes but for its approval, which is given once.
pub trait PolicyStorage: Send + Sync {
    /// Keeps a version. The same proposal again changes nothing and gives what is stored, approval included; an approval
    /// in the argument is ignored.
    ///
    /// # Errors
    /// `Conflict` naming `version`, when it is stored otherwise; those of the medium.
    fn put_policy(&self, tenant: &TenantId, policy: PolicyVersion) -> Result<PolicyVersion>;

    /// Approves a version. A second approval changes nothing and gives what is stored.
    ///
    /// # Errors
    /// `NotFound` naming `version`; those of the medium.
    fn approve_policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
        approval: Signature,
    ) -> Result<PolicyVersion>;

    /// A version, approved or not.
    ///
    /// # Errors
    /// Those of the medium.
    fn policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
    ) -> Result<Option<PolicyVersion>>;

    /// The versions of a tenant's policies, by subject (in the order of its bytes), then in the order proposed.
    ///
    /// # Errors
    /// Those of the medium.
    fn policies(&self, tenant: &TenantId, query: &PolicyQuery) -> Result<Vec<PolicyVersion>>;
}
