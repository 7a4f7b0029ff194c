//! How one manifest differs from another.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::candidate::{BlockRef, CandidateRecord, Class, Fate, Reason, Stage};
use crate::manifest::{Manifest, Totals};

/// What became of a candidate, for comparing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Its class.
    pub class: Class,
    /// What became of it.
    pub fate: Fate,
    /// The stage that decided.
    pub stage: Stage,
    /// Why.
    pub reason: Reason,
    /// Its tokens.
    pub tokens: u32,
}

/// A candidate that the two manifests do not treat alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Which block.
    pub block: BlockRef,
    /// What became of it in the first; absent where it was no candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Standing>,
    /// What became of it in the second; absent where it was no candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Standing>,
}

/// A field of the manifest that differs, by its name in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldChange {
    /// Which field.
    pub field: String,
    /// Its value in the first, in words.
    pub before: String,
    /// Its value in the second, in words.
    pub after: String,
}

/// How one manifest differs from another: what the models saw of it, and what else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestDiff {
    /// Whether both contexts have the same bytes.
    pub same_bytes: bool,
    /// Versions, settings, outcome and inputs that differ.
    pub fields: Vec<FieldChange>,
    /// Blocks that stand in the second context only.
    pub entered: Vec<Change>,
    /// Blocks that stand in the first context only.
    pub left: Vec<Change>,
    /// Blocks that stand in both or in neither, with another fate, reason or cost.
    pub changed: Vec<Change>,
    /// The totals of the first.
    pub before: Totals,
    /// The totals of the second.
    pub after: Totals,
}

impl ManifestDiff {
    /// How `after` differs from `before`. What differs always is left out: ids of the call, the time, stage times.
    #[must_use]
    pub fn between(before: &Manifest, after: &Manifest) -> Self {
        let (old, new) = (by_block(before), by_block(after));
        let mut diff = Self {
            same_bytes: before.digest == after.digest,
            fields: fields(before, after),
            entered: Vec::new(),
            left: Vec::new(),
            changed: Vec::new(),
            before: before.totals,
            after: after.totals,
        };
        let blocks: std::collections::BTreeSet<&BlockRef> =
            old.keys().chain(new.keys()).copied().collect();
        for block in blocks {
            let change = Change {
                block: block.clone(),
                before: old.get(block).copied(),
                after: new.get(block).copied(),
            };
            let stands = |standing: &Option<Standing>| {
                standing.is_some_and(|standing| standing.fate != Fate::Rejected)
            };
            match (stands(&change.before), stands(&change.after)) {
                (false, true) => diff.entered.push(change),
                (true, false) => diff.left.push(change),
                _ if change.before != change.after => diff.changed.push(change),
                _ => {}
            }
        }
        diff
    }

    /// Whether nothing differs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.same_bytes
            && self.fields.is_empty()
            && self.entered.is_empty()
            && self.left.is_empty()
            && self.changed.is_empty()
    }
}

/// The strongest record of each block.
fn by_block(manifest: &Manifest) -> BTreeMap<&BlockRef, Standing> {
    let mut all: BTreeMap<&BlockRef, Standing> = BTreeMap::new();
    for record in &manifest.candidates {
        let standing = standing(record);
        all.entry(&record.block)
            .and_modify(|known| {
                if known.fate == Fate::Rejected && standing.fate != Fate::Rejected {
                    *known = standing;
                }
            })
            .or_insert(standing);
    }
    all
}

const fn standing(record: &CandidateRecord) -> Standing {
    Standing {
        class: record.class,
        fate: record.fate,
        stage: record.stage,
        reason: record.reason,
        tokens: record.tokens,
    }
}

fn fields(before: &Manifest, after: &Manifest) -> Vec<FieldChange> {
    let all = |manifest: &Manifest| -> Vec<(&'static str, String)> {
        let optional = |value: &Option<String>| value.clone().unwrap_or_default();
        let user = manifest.principal.user.as_ref();
        let labels = manifest.principal.labels.iter();
        let labels: Vec<&str> = labels.map(|label| label.as_str()).collect();
        vec![
            ("compiler_version", manifest.compiler_version.clone()),
            ("policy_version", manifest.policy_version.clone()),
            (
                "tool_schema_version",
                optional(&manifest.tool_schema_version),
            ),
            ("agent_version", optional(&manifest.agent_version)),
            ("workflow_stage", optional(&manifest.workflow_stage)),
            ("principal.tenant", manifest.principal.tenant.to_string()),
            ("principal.agent", manifest.principal.agent.to_string()),
            (
                "principal.user",
                user.map(ToString::to_string).unwrap_or_default(),
            ),
            ("principal.labels", labels.join(", ")),
            ("session_id", manifest.session_id.to_string()),
            ("turn_id", manifest.turn_id.to_string()),
            ("provider", manifest.provider.as_str().to_owned()),
            ("mode", manifest.mode.as_str().to_owned()),
            ("change_seq", manifest.change_seq.to_string()),
            ("distilled", manifest.distilled.to_string()),
            ("token_counter", manifest.token_counter.clone()),
            ("outcome", manifest.outcome.as_str().to_owned()),
            ("read_only", manifest.read_only.to_string()),
            (
                "over_budget",
                manifest.over_budget.unwrap_or_default().to_string(),
            ),
            ("searched", manifest.coverage.searched.to_string()),
            (
                "skipped_for_deadline",
                manifest.coverage.skipped_for_deadline.to_string(),
            ),
        ]
    };
    let pairs = all(before).into_iter().zip(all(after));
    pairs
        .filter(|((_, old), (_, new))| old != new)
        .map(|((field, before), (_, after))| FieldChange {
            field: field.to_owned(),
            before,
            after,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::BlockKind;
    use crate::candidate::Scores;

    fn record(block: &str, fate: Fate, reason: Reason, tokens: u32) -> CandidateRecord {
        CandidateRecord {
            block: block.parse().unwrap(),
            kind: BlockKind::Message,
            events: Vec::new(),
            class: Class::P4,
            scores: Scores::default(),
            tokens,
            fate,
            stage: Stage::Admit,
            reason,
        }
    }

    #[test]
    fn entered_left_and_changed_are_told_apart() {
        use Fate::{Rejected, Selected};
        let before = Manifest {
            candidates: vec![
                record("event:1", Selected, Reason::Relevant, 5),
                record("event:2", Rejected, Reason::OverBudget, 5),
                record("event:3", Selected, Reason::Relevant, 5),
                record("event:4", Selected, Reason::Relevant, 5),
                record("event:4", Rejected, Reason::AlreadyShown, 5),
            ],
            ..Manifest::sample()
        };
        assert!(ManifestDiff::between(&before, &before).is_empty());
        let mut after = before.clone();
        after.policy_version = "next".to_owned();
        after.candidates = vec![
            record("event:2", Selected, Reason::Relevant, 5),
            record("event:3", Selected, Reason::Relevant, 9),
            record("event:4", Selected, Reason::Relevant, 5),
            record("event:5", Rejected, Reason::BelowFloor, 5),
        ];
        let diff = ManifestDiff::between(&before, &after);
        let blocks = |changes: &[Change]| -> Vec<String> {
            changes
                .iter()
                .map(|change| change.block.to_string())
                .collect()
        };
        assert_eq!(blocks(&diff.entered), ["event:2"]);
        assert_eq!(blocks(&diff.left), ["event:1"]);
        assert_eq!(blocks(&diff.changed), ["event:3", "event:5"]);
        assert_eq!(diff.fields.len(), 1);
        assert_eq!(diff.fields[0].field, "policy_version");
    }
}
