//! Proposing, approving and listing policies.

use aura_core::{
    Error, ErrorKind, PolicyProposal, PolicyQuery, PolicyVersion, Principal, Result, Signature,
};

use crate::engine::Engine;

impl Engine {
    /// Keeps a version of a policy, signed by the principal. Until it is approved nothing may claim it. Proposing the
    /// same again changes nothing.
    ///
    /// # Errors
    /// `Invalid` naming the field; `Denied` naming `labels` for one that the principal does not hold; `Conflict` naming
    /// `version`, when that version says something else; those of the store.
    pub fn propose_policy(
        &self,
        principal: &Principal,
        proposal: PolicyProposal,
    ) -> Result<PolicyVersion> {
        let (_pass, parts, _) = self.enter("propose_policy")?;
        let propose = || {
            proposal.validate()?;
            check_labels(principal, &proposal)?;
            let policy = PolicyVersion {
                policy: proposal,
                proposed: Signature::of(principal, parts.clock.now()),
                approved: None,
            };
            parts.storage.put_policy(&principal.tenant, policy)
        };
        propose().map_err(|error: Error| error.during("propose_policy"))
    }

    /// Approves a version of a policy, signed by the principal: from now on a block may claim it. Who may approve is the
    /// host's to decide. Approving again changes nothing.
    ///
    /// # Errors
    /// `NotFound` naming `version`; `Denied` naming `labels` for one that the principal does not hold; those of the
    /// store.
    pub fn approve_policy(
        &self,
        principal: &Principal,
        subject: &str,
        version: &str,
    ) -> Result<PolicyVersion> {
        let (_pass, parts, _) = self.enter("approve_policy")?;
        let approve = || {
            let tenant = &principal.tenant;
            if let Some(stored) = parts.storage.policy(tenant, subject, version)? {
                check_labels(principal, &stored.policy)?;
            }
            let approval = Signature::of(principal, parts.clock.now());
            parts
                .storage
                .approve_policy(tenant, subject, version, approval)
        };
        approve().map_err(|error: Error| error.during("approve_policy"))
    }

    /// The versions of the tenant's policies that the principal may see, by subject, then in the order proposed.
    ///
    /// # Errors
    /// Those of the store.
    pub fn policies(
        &self,
        principal: &Principal,
        query: &PolicyQuery,
    ) -> Result<Vec<PolicyVersion>> {
        let (_pass, parts, _) = self.enter("policies")?;
        let listed = parts.storage.policies(&principal.tenant, query);
        let mut listed = listed.map_err(|error| error.during("policies"))?;
        listed.retain(|stored| principal.holds(&stored.policy.labels));
        Ok(listed)
    }
}

fn check_labels(principal: &Principal, policy: &PolicyProposal) -> Result<()> {
    if principal.holds(&policy.labels) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Denied,
        "labels: the policy has a label that the principal does not hold",
    )
    .with_field("labels"))
}
