//! Blocks: everything that can enter a prompt is a block first.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::artifact::ArtifactHandle;
use crate::error::{Error, Result};
use crate::id::{BlockId, Label};
use crate::policy_version::PolicyRef;
use crate::principal::Principal;
use crate::time::Timestamp;
use crate::trust::Trust;

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockKind {
    /// The host's system prompt.
    System,
    /// An approved policy.
    Policy,
    /// What the user demands of every answer.
    UserConstraint,
    /// A tool definition.
    Tool,
    /// A skill's manifest.
    Skill,
    /// A skill's body.
    SkillBody,
    /// A whole turn of the session.
    Turn,
    /// A single message of the session.
    Message,
    /// A fact of the session.
    Fact,
    /// A durable memory.
    Memory,
    /// A retrieved document or other evidence of the host.
    Evidence,
    /// A tool result given beside the session.
    ToolResult,
    /// An artifact by its handle.
    Artifact,
    /// A handoff packet.
    Packet,
    /// A checkpoint.
    Checkpoint,
    /// The question.
    Question,
    /// The live tail of an open turn.
    Tail,
    /// A note of the compiler (a conflict, say).
    Notice,
}

impl BlockKind {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Policy => "policy",
            Self::UserConstraint => "user-constraint",
            Self::Tool => "tool",
            Self::Skill => "skill",
            Self::SkillBody => "skill-body",
            Self::Turn => "turn",
            Self::Message => "message",
            Self::Fact => "fact",
            Self::Memory => "memory",
            Self::Evidence => "evidence",
            Self::ToolResult => "tool-result",
            Self::Artifact => "artifact",
            Self::Packet => "packet",
            Self::Checkpoint => "checkpoint",
            Self::Question => "question",
            Self::Tail => "tail",
            Self::Notice => "notice",
        }
    }

    /// Whether a host may give blocks of this kind; the others are made by the engine.
    #[must_use]
    pub const fn is_given(self) -> bool {
        !matches!(
            self,
            Self::Tool
                | Self::Turn
                | Self::Message
                | Self::Fact
                | Self::Question
                | Self::Tail
                | Self::Notice
        )
    }

    /// Whether it commands rather than informs: it stands outside the fence once it is vouched for.
    #[must_use]
    pub const fn is_order(self) -> bool {
        matches!(self, Self::System | Self::Policy | Self::UserConstraint)
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a block holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Payload {
    /// Text.
    Text(String),
    /// The bytes of an artifact.
    Artifact(ArtifactHandle),
    /// What a tool gave, with whether the call failed.
    ToolResult(ToolOutput),
    /// The text of an approved policy version, which the engine puts in.
    Policy(PolicyRef),
}

/// What a tool gave, as a block carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolOutput {
    /// The tool's name.
    pub tool: String,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// What it gave: text, which may be JSON.
    pub text: String,
}

/// A candidate for the context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Its id, unique in a compilation.
    pub block_id: BlockId,
    /// What it is.
    pub kind: BlockKind,
    /// How far it may be believed.
    #[serde(default)]
    pub trust: Trust,
    /// Where it came from: an address or a name. A context that shows a block without one is marked read-only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its version; versions compare numerically part by part (9 < 17).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it is about: blocks of one subject contend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// How much its source may decide about the subject, 0 to 5.
    #[serde(default)]
    pub authority: u8,
    /// How much it matters, 0 to 5; absent, its kind decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<u8>,
    /// Since when it is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effective_from: Option<Timestamp>,
    /// When it was seen to be so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// When it ceases to count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The labels a principal must hold to see it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
    /// Its tokens, once counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// What it holds.
    pub payload: Payload,
}

impl Block {
    /// The highest authority.
    pub const MAX_AUTHORITY: u8 = 5;
    /// The highest importance.
    pub const MAX_IMPORTANCE: u8 = 5;

    /// An untrusted evidence block of text.
    ///
    /// # Errors
    /// `Invalid`, when the id is empty or too long.
    pub fn evidence(block_id: &str, text: impl Into<String>) -> Result<Self> {
        Ok(Self {
            block_id: BlockId::new(block_id)?,
            kind: BlockKind::Evidence,
            trust: Trust::Untrusted,
            source: None,
            version: None,
            subject: None,
            authority: 0,
            importance: None,
            effective_from: None,
            observed_at: None,
            expires_at: None,
            labels: BTreeSet::new(),
            tokens: None,
            payload: Payload::Text(text.into()),
        })
    }

    /// Checks what the types cannot, but for a claim to be policy, which only a store can settle.
    ///
    /// # Errors
    /// `Invalid` with the field below `prefix`.
    pub fn validate(&self, prefix: &str) -> Result<()> {
        let fail = |field: &str, problem: &str| {
            let field = format!("{prefix}.{field}");
            Err(Error::invalid_field("block", field, problem))
        };
        if self.authority > Self::MAX_AUTHORITY {
            return fail("authority", "must be 0 to 5");
        }
        if self.importance.is_some_and(|i| i > Self::MAX_IMPORTANCE) {
            return fail("importance", "must be 0 to 5");
        }
        if !self.kind.is_given() {
            return fail("kind", "is a kind that the engine alone makes");
        }
        if matches!(self.payload, Payload::Policy(_)) && self.kind != BlockKind::Policy {
            return fail("payload", "only a block of kind policy stands for a policy");
        }
        Ok(())
    }

    /// Whether it claims to be policy, which only an approved stored version is.
    #[must_use]
    pub fn claims_policy(&self) -> bool {
        self.trust == Trust::Policy || self.kind == BlockKind::Policy
    }

    /// Its words; `None` for an artifact and for a policy that is not put in yet.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.payload {
            Payload::Text(text) => Some(text),
            Payload::ToolResult(output) => Some(&output.text),
            Payload::Artifact(_) | Payload::Policy(_) => None,
        }
    }

    /// Whether a principal may see it: all its labels are held, it has not expired, and no bytes of it belong to another
    /// tenant.
    #[must_use]
    pub fn is_visible_to(&self, principal: &Principal, now: Timestamp) -> bool {
        let foreign =
            matches!(&self.payload, Payload::Artifact(handle) if handle.tenant != principal.tenant);
        !foreign && principal.holds(&self.labels) && !self.is_expired(now)
    }

    /// Whether it is what a failed tool call gave.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(&self.payload, Payload::ToolResult(output) if output.is_error)
    }

    /// Whether it has expired at `now`.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

/// Compares two versions by their numbers and the text between them, so that 9 < 17 and 1.2 < 1.10.
#[must_use]
pub fn compare_versions(a: &str, b: &str) -> std::cmp::Ordering {
    use std::cmp::Ordering;
    fn split(text: &str) -> (&str, &str) {
        let digits = text.starts_with(|c: char| c.is_ascii_digit());
        let end = text
            .find(|c: char| c.is_ascii_digit() != digits)
            .unwrap_or(text.len());
        text.split_at(end)
    }
    let (mut a, mut b) = (a, b);
    while !a.is_empty() && !b.is_empty() {
        let ((a_head, a_rest), (b_head, b_rest)) = (split(a), split(b));
        let both_numbers = [a_head, b_head]
            .iter()
            .all(|head| head.starts_with(|c: char| c.is_ascii_digit()));
        let order = if both_numbers {
            let (a_digits, b_digits) = (
                a_head.trim_start_matches('0'),
                b_head.trim_start_matches('0'),
            );
            a_digits
                .len()
                .cmp(&b_digits.len())
                .then_with(|| a_digits.cmp(b_digits))
        } else {
            a_head.cmp(b_head)
        };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (a_rest, b_rest);
    }
    a.len().cmp(&b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        let mut versions = ["v17", "v9", "v9.10", "v9.2", "v9.2-rc1", "v"];
        versions.sort_by(|a, b| compare_versions(a, b));
        assert_eq!(versions, ["v", "v9", "v9.2", "v9.2-rc1", "v9.10", "v17"]);
        assert!(compare_versions("99999999999999999999999", "100000000000000000000000").is_lt());
    }

    #[test]
    fn what_the_types_allow_and_blocks_may_not_be_is_named() {
        let good = Block::evidence("b", "x").unwrap();
        assert!(good.validate("blocks[0]").is_ok() && !good.claims_policy());
        let refused = |change: &dyn Fn(&mut Block)| {
            let mut block = good.clone();
            change(&mut block);
            let error = block.validate("blocks[0]").unwrap_err();
            error.field().unwrap_or_default().to_owned()
        };
        assert_eq!(refused(&|block| block.authority = 6), "blocks[0].authority");
        assert_eq!(
            refused(&|block| block.importance = Some(6)),
            "blocks[0].importance"
        );
        assert_eq!(
            refused(&|block| block.kind = BlockKind::Fact),
            "blocks[0].kind"
        );
        let claim = PolicyRef {
            subject: "s".into(),
            version: None,
        };
        assert_eq!(
            refused(&|block| block.payload = Payload::Policy(claim.clone())),
            "blocks[0].payload"
        );
        let mut claims = good.clone();
        claims.trust = Trust::Policy;
        assert!(claims.claims_policy());
        claims = good;
        claims.kind = BlockKind::Policy;
        assert!(claims.claims_policy());
    }
}
