//! What of a context a provider may still have in its cache.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::id::RequestId;
use crate::manifest::Manifest;
use crate::policy::PrefixMode;

/// A run of the rendered list that stays the same as long as its digest does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSegment {
    /// Which run: `stable` is tools and system text, `history` the turns shown as they were, `continued` what an
    /// append-only list took over from the list before it.
    pub name: String,
    /// The digest of its bytes.
    pub digest: Digest,
    /// Its tokens.
    pub tokens: u32,
    /// How many messages of the list stand before its end.
    pub messages: u32,
}

/// Why an append-only list was selected anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compaction {
    /// There is no list to continue.
    First,
    /// The list would leave too little room for what the question needs.
    Overflow,
    /// Something shown was deleted.
    Deletion,
    /// Something shown has expired.
    Expiry,
    /// Something shown may no longer be seen.
    Revoked,
    /// Something shown is no longer what counts of its subject.
    Outranked,
    /// The call brings another policy, system text, tools, provider or counter along, or other words of a block shown.
    Changed,
    /// The session went on otherwise than the list: another branch, another question.
    Branch,
}

impl Compaction {
    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Overflow => "overflow",
            Self::Deletion => "deletion",
            Self::Expiry => "expiry",
            Self::Revoked => "revoked",
            Self::Outranked => "outranked",
            Self::Changed => "changed",
            Self::Branch => "branch",
        }
    }
}

/// What of a context is the same as in the call before it, and where the provider is asked to keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheUse {
    /// How the prefix is treated.
    pub prefix_mode: PrefixMode,
    /// The digest of the policy's version, the version of the tools and each segment.
    pub key: Digest,
    /// The call before it, of the same session, agent version and workflow stage, where the engine remembers one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<RequestId>,
    /// Whether that call had the same key.
    #[serde(default)]
    pub hit: bool,
    /// How many tokens, from the first on, are the same as in that call.
    #[serde(default)]
    pub kept_tokens: u32,
    /// The compilation whose list an append-only one continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<RequestId>,
    /// Why an append-only list was selected anew, where it was: a compaction point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction: Option<Compaction>,
    /// Behind how many messages of the list the provider is asked to keep what stands before; 0 is behind the tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breakpoints: Vec<u32>,
}

/// Sums over contexts of one agent version and workflow stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CacheSums {
    /// Contexts.
    pub contexts: u64,
    /// Those of them that had a call before them.
    pub followed: u64,
    /// Those of these that had the key of the call before.
    pub hits: u64,
    /// Tokens of the contexts.
    pub tokens: u64,
    /// Tokens that were the same as in the call before.
    pub kept_tokens: u64,
    /// Contexts for which the provider's count was reported.
    pub reported: u64,
    /// Input tokens that providers counted.
    pub input_tokens: u64,
    /// Those of them that providers read from their caches.
    pub cached_tokens: u64,
}

/// How well prefixes were kept, by agent version and workflow stage.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CacheReport {
    /// One line each, by agent version, then workflow stage; empty where the host said none.
    pub lines: Vec<CacheLine>,
}

/// A line of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheLine {
    /// The host's agent version.
    pub agent_version: String,
    /// The host's workflow stage.
    pub workflow_stage: String,
    /// The sums.
    pub sums: CacheSums,
}

impl CacheReport {
    /// The report over manifests.
    #[must_use]
    pub fn of<'m>(manifests: impl IntoIterator<Item = &'m Manifest>) -> Self {
        let mut all: BTreeMap<(String, String), CacheSums> = BTreeMap::new();
        for manifest in manifests {
            let agent = manifest.agent_version.clone().unwrap_or_default();
            let stage = manifest.workflow_stage.clone().unwrap_or_default();
            let sums = all.entry((agent, stage)).or_default();
            sums.contexts += 1;
            sums.followed += u64::from(manifest.cache.previous.is_some());
            sums.hits += u64::from(manifest.cache.hit);
            sums.tokens += u64::from(manifest.totals.tokens);
            sums.kept_tokens += u64::from(manifest.cache.kept_tokens);
            if let Some(usage) = manifest.usage() {
                sums.reported += 1;
                sums.input_tokens += usage.input_tokens;
                sums.cached_tokens += usage.cached_tokens;
            }
        }
        let line = |((agent_version, workflow_stage), sums)| CacheLine {
            agent_version,
            workflow_stage,
            sums,
        };
        Self {
            lines: all.into_iter().map(line).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{OutcomeReport, Usage};

    #[test]
    fn sums_go_by_agent_version_and_workflow_stage() {
        let manifest = |stage: &str, hit: bool, kept: u32| {
            let mut manifest = Manifest::sample();
            manifest.agent_version = Some("a1".to_owned());
            manifest.workflow_stage = Some(stage.to_owned());
            manifest.totals.tokens = 100;
            manifest.cache.previous = Some(RequestId::new("r0").unwrap());
            manifest.cache.hit = hit;
            manifest.cache.kept_tokens = kept;
            manifest.link.outcome = Some(OutcomeReport {
                usage: Some(Usage {
                    input_tokens: 110,
                    cached_tokens: 50,
                    ..Usage::default()
                }),
                ..OutcomeReport::default()
            });
            manifest
        };
        let all = [
            manifest("plan", true, 80),
            manifest("act", false, 0),
            manifest("plan", false, 40),
        ];
        let report = CacheReport::of(&all);
        let stages: Vec<&str> = report
            .lines
            .iter()
            .map(|line| line.workflow_stage.as_str())
            .collect();
        assert_eq!(stages, ["act", "plan"]);
        let plan = report.lines[1].sums;
        assert_eq!((plan.contexts, plan.followed, plan.hits), (2, 2, 1));
        assert_eq!((plan.tokens, plan.kept_tokens), (200, 120));
        assert_eq!(
            (plan.reported, plan.input_tokens, plan.cached_tokens),
            (2, 220, 100)
        );
    }
}
