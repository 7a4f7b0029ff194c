//! Versions of approved policies: texts that may stand in the system message.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::block::{Block, BlockKind, Payload};
use crate::digest::{Digest, DigestBuilder};
use crate::error::{Error, ErrorKind, Result};
use crate::id::{AgentId, BlockId, Label, MAX_ID_BYTES, TenantId, UserId};
use crate::json;
use crate::principal::Principal;
use crate::time::Timestamp;
use crate::trust::Trust;

/// A policy as a host proposes it. A version never changes: another text needs another version.
///
/// JSON has the same fields; `subject`, `version` and `text` are required.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyProposal {
    /// What it is about, and its name within the tenant: 1 to 256 bytes.
    pub subject: String,
    /// Its version, 1 to 256 bytes; versions compare numerically part by part (9 < 17).
    pub version: String,
    /// What it says.
    pub text: String,
    /// How much it decides about the subject, 0 to 5; 5 by default.
    #[serde(default = "highest")]
    pub authority: u8,
    /// Where it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Since when it is in force; absent means since ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effective_from: Option<Timestamp>,
    /// When it ceases to count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The labels a principal must hold to see it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
}

const fn highest() -> u8 {
    Block::MAX_AUTHORITY
}

/// Who did something, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The agent that asked for it.
    pub agent: AgentId,
    /// The user on whose behalf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// When.
    pub at: Timestamp,
}

impl Signature {
    /// The signature of a principal.
    #[must_use]
    pub fn of(principal: &Principal, at: Timestamp) -> Self {
        Self {
            agent: principal.agent.clone(),
            user: principal.user.clone(),
            at,
        }
    }
}

/// A stored version of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyVersion {
    /// What was proposed.
    pub policy: PolicyProposal,
    /// Who proposed it.
    pub proposed: Signature,
    /// Who approved it; until then nothing may claim it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<Signature>,
}

/// Names a version of a policy; without a version the newest that is approved and in force.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyRef {
    /// What it is about.
    pub subject: String,
    /// Which version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl PolicyProposal {
    /// A policy of the highest authority that is in force at once.
    #[must_use]
    pub fn new(
        subject: impl Into<String>,
        version: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self {
            subject: subject.into(),
            version: version.into(),
            text: text.into(),
            authority: Block::MAX_AUTHORITY,
            source: None,
            effective_from: None,
            expires_at: None,
            labels: BTreeSet::new(),
        }
    }

    /// Reads and checks a proposal.
    ///
    /// # Errors
    /// `Invalid` with the field's name.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        let proposal: Self = json::parse("policy version", text)?;
        proposal.validate()?;
        Ok(proposal)
    }

    /// Checks what the types cannot.
    ///
    /// # Errors
    /// `Invalid` with the field's name.
    pub fn validate(&self) -> Result<()> {
        let fail = |field: &'static str, problem: &str| {
            Err(Error::invalid_field("policy version", field, problem))
        };
        for (field, text) in [("subject", &self.subject), ("version", &self.version)] {
            if text.is_empty() || text.len() > MAX_ID_BYTES {
                return fail(field, "must have 1 to 256 bytes");
            }
        }
        if self.text.trim().is_empty() {
            return fail("text", "says nothing");
        }
        if self.authority > Block::MAX_AUTHORITY {
            return fail("authority", "must be 0 to 5");
        }
        if let (Some(from), Some(to)) = (self.effective_from, self.expires_at)
            && to <= from
        {
            return fail("expires_at", "must come after effective_from");
        }
        Ok(())
    }

    /// The digest of all it says of itself: equal digests are the same proposal.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut digest = DigestBuilder::new();
        let millis = |time: Option<Timestamp>| time.map(|time| time.as_millis().to_le_bytes());
        digest
            .field(self.subject.as_bytes())
            .field(self.version.as_bytes())
            .field(self.text.as_bytes())
            .field(&[self.authority])
            .optional(self.source.as_deref().map(str::as_bytes))
            .optional(millis(self.effective_from).as_ref().map(|m| &m[..]))
            .optional(millis(self.expires_at).as_ref().map(|m| &m[..]));
        for label in &self.labels {
            digest.field(label.as_str().as_bytes());
        }
        digest.finish()
    }

    /// Whether it counts at a point in time.
    #[must_use]
    pub fn is_in_force(&self, now: Timestamp) -> bool {
        self.effective_from.is_none_or(|from| from <= now)
            && self.expires_at.is_none_or(|at| at > now)
    }
}

impl PolicyVersion {
    /// Whether a block may claim it.
    #[must_use]
    pub const fn is_approved(&self) -> bool {
        self.approved.is_some()
    }

    /// Its address, where it was proposed without a source of its own: `policy://<tenant>/<subject>@<version>`.
    #[must_use]
    pub fn address(&self, tenant: &TenantId) -> String {
        struct Encoded<'a>(&'a str);
        impl fmt::Display for Encoded<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                crate::artifact::encode(self.0, f)
            }
        }
        format!(
            "policy://{}/{}@{}",
            Encoded(tenant.as_str()),
            Encoded(&self.policy.subject),
            Encoded(&self.policy.version)
        )
    }

    /// The block that it is in a context; the caller has checked that it is approved.
    #[must_use]
    pub fn to_block(&self, block_id: BlockId, tenant: &TenantId) -> Block {
        let policy = &self.policy;
        let source = policy.source.clone();
        Block {
            block_id,
            kind: BlockKind::Policy,
            trust: Trust::Policy,
            source: Some(source.unwrap_or_else(|| self.address(tenant))),
            version: Some(policy.version.clone()),
            subject: Some(policy.subject.clone()),
            authority: policy.authority,
            importance: None,
            effective_from: policy.effective_from,
            // When it was approved says nothing about which of two versions holds.
            observed_at: None,
            expires_at: policy.expires_at,
            labels: policy.labels.clone(),
            tokens: None,
            payload: Payload::Text(policy.text.clone()),
        }
    }
}

impl PolicyVersion {
    /// The policy's block in place of one that claims to be this version: text, authority, times and labels are those
    /// that were approved; the claim may only narrow who sees it and how long.
    ///
    /// # Errors
    /// `Denied`, when the version is not approved, or when the claim says anything else.
    pub fn answer(&self, claim: &Block, tenant: &TenantId) -> Result<Block> {
        let denied = |why: &'static str| Error::new(ErrorKind::Denied, why);
        if !self.is_approved() {
            return Err(denied("the policy version is not approved"));
        }
        if claim.text().is_some_and(|text| text != self.policy.text) {
            return Err(denied(
                "its text is not that of the approved policy version",
            ));
        }
        let mut block = self.to_block(claim.block_id.clone(), tenant);
        block.labels.extend(claim.labels.iter().cloned());
        block.expires_at = match (block.expires_at, claim.expires_at) {
            (Some(ours), Some(theirs)) => Some(ours.min(theirs)),
            (ours, theirs) => ours.or(theirs),
        };
        Ok(block)
    }
}

impl PolicyRef {
    /// The version that a block claims to be; `None` where it names no subject.
    #[must_use]
    pub fn of_claim(block: &Block) -> Option<Self> {
        match &block.payload {
            Payload::Policy(named) => Some(named.clone()),
            _ => block.subject.clone().map(|subject| Self {
                subject,
                version: block.version.clone(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_names_what_is_wrong_with_it() {
        let good = r#""subject":"refunds","version":"v17","text":"30 days""#;
        let parsed = PolicyProposal::from_json(format!("{{{good}}}").as_bytes()).unwrap();
        assert_eq!(parsed, PolicyProposal::new("refunds", "v17", "30 days"));
        for (json, field) in [
            (r#"{"version":"1","text":"x"}"#.to_owned(), "subject"),
            (
                r#"{"subject":"","version":"1","text":"x"}"#.to_owned(),
                "subject",
            ),
            (
                r#"{"subject":"s","version":"","text":"x"}"#.to_owned(),
                "version",
            ),
            (
                r#"{"subject":"s","version":"1","text":" "}"#.to_owned(),
                "text",
            ),
            (format!(r#"{{{good},"authority":6}}"#), "authority"),
            (
                format!(
                    r#"{{{good},"effective_from":"2024-05-02T00:00:00Z","expires_at":"2024-05-01T00:00:00Z"}}"#
                ),
                "expires_at",
            ),
            (format!(r#"{{{good},"trust":"policy"}}"#), "trust"),
        ] {
            let error = PolicyProposal::from_json(json.as_bytes()).unwrap_err();
            assert_eq!(error.field(), Some(field), "{json}: {error}");
        }
    }

    #[test]
    fn every_field_is_in_the_digest() {
        let base = PolicyProposal::new("s", "1", "x");
        let time = Timestamp::from_millis_clamped(1);
        let others = [
            PolicyProposal::new("t", "1", "x"),
            PolicyProposal::new("s", "2", "x"),
            PolicyProposal::new("s", "1", "y"),
            PolicyProposal {
                authority: 4,
                ..base.clone()
            },
            PolicyProposal {
                source: Some("https://example.org".into()),
                ..base.clone()
            },
            PolicyProposal {
                effective_from: Some(time),
                ..base.clone()
            },
            PolicyProposal {
                expires_at: Some(time),
                ..base.clone()
            },
            PolicyProposal {
                labels: BTreeSet::from([Label::new("staff").unwrap()]),
                ..base.clone()
            },
        ];
        let mut digests: Vec<Digest> = others.iter().map(PolicyProposal::digest).collect();
        digests.push(base.digest());
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), others.len() + 1);
    }

    #[test]
    fn a_version_is_a_block_of_trust_policy() {
        let at = Timestamp::from_millis_clamped(5);
        let signature = Signature::of(&Principal::default(), at);
        let stored = PolicyVersion {
            policy: PolicyProposal::new("data/retention", "9", "Keep 30 days."),
            proposed: signature.clone(),
            approved: Some(signature),
        };
        let block = stored.to_block(BlockId::new("p").unwrap(), &TenantId::default());
        assert_eq!(
            block.source.as_deref(),
            Some("policy://default/data%2Fretention@9")
        );
        assert_eq!((block.trust, block.authority), (Trust::Policy, 5));
        let mut claim = Block::evidence("mine", "Keep 30 days.").unwrap();
        claim.kind = BlockKind::Policy;
        claim.labels = BTreeSet::from([Label::new("staff").unwrap()]);
        claim.authority = 1;
        let answer = stored.answer(&claim, &TenantId::default()).unwrap();
        assert_eq!((answer.authority, answer.labels), (5, claim.labels.clone()));
        claim.payload = Payload::Text("Keep 90 days.".into());
        let refused = stored.answer(&claim, &TenantId::default()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Denied);
        claim.payload = Payload::Text("Keep 30 days.".into());
        let proposed = PolicyVersion {
            approved: None,
            ..stored
        };
        assert!(proposed.answer(&claim, &TenantId::default()).is_err());
    }
}
