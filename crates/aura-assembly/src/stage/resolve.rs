//! Resolve: which of several sources of one subject counts.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use aura_core::{
    Block, BlockKind, BlockRef, Class, Error, ErrorKind, Notice, OnConflict, Reason, Result, Stage,
    Timestamp, Trust, compare_versions,
};

use super::filter::Visible;
use crate::manifest::{Ledger, rejected};
use crate::request::CompileRequest;

/// The blocks that count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Resolved<'a> {
    /// Approved policies in force: they open the system message.
    pub(crate) policies: Vec<&'a Block>,
    /// Verified system texts of the host: added to the system prompt.
    pub(crate) system: Vec<&'a Block>,
    /// Verified demands of the user.
    pub(crate) constraints: Vec<&'a Block>,
    /// All others: data.
    pub(crate) evidence: Vec<&'a Block>,
    /// Subjects on which sources of equal rank disagree, with the sources.
    pub(crate) conflicts: Vec<(String, Vec<&'a Block>)>,
}

/// Settles every subject: what is in force, approved policy before all else, then the highest authority, the highest
/// version, and freshness. An order that is not in force yet does not count at all.
///
/// # Errors
/// `Conflict`, where sources of equal rank disagree and the policy wants an error.
pub(crate) fn run<'a>(
    request: &CompileRequest<'_>,
    visible: &Visible<'a>,
    ledger: &mut Ledger,
) -> Result<Resolved<'a>> {
    let mut subjects: BTreeMap<&str, Vec<&'a Block>> = BTreeMap::new();
    for block in &visible.blocks {
        if let Some(subject) = &block.subject {
            subjects.entry(subject).or_default().push(block);
        }
    }
    let mut resolved = Resolved::default();
    let mut outranked: Vec<&Block> = Vec::new();
    for (subject, contenders) in subjects {
        let standing = settle(contenders, request.now, &mut outranked);
        if standing.len() > 1 {
            resolved.conflicts.push((subject.to_owned(), standing));
        }
    }
    for block in &visible.blocks {
        if outranked.iter().any(|lost| std::ptr::eq(*lost, *block)) {
            reject(block, Reason::Outranked, ledger);
            continue;
        }
        if block.kind.is_order() && !in_force(block, request.now) {
            reject(block, Reason::NotInForce, ledger);
            continue;
        }
        // A demand or a system text that is in dispute, or that nobody vouches for, is data like any other.
        let vouched =
            block.text().is_some() && block.trust >= Trust::Verified && !resolved.disputes(block);
        match block.kind {
            BlockKind::Policy if vouched => resolved.policies.push(block),
            BlockKind::System | BlockKind::Skill if vouched => resolved.system.push(block),
            BlockKind::UserConstraint if vouched => resolved.constraints.push(block),
            _ => resolved.evidence.push(block),
        }
    }
    report(request, &resolved, ledger)?;
    Ok(resolved)
}

impl Resolved<'_> {
    /// Whether its subject is in conflict, and it is one of the sides.
    pub(crate) fn disputes(&self, block: &Block) -> bool {
        let mut sources = self.conflicts.iter().flat_map(|(_, sources)| sources);
        sources.any(|source| std::ptr::eq(*source, block))
    }
}

/// What is left standing of the blocks of one subject; more than one block means a conflict.
fn settle<'a>(
    contenders: Vec<&'a Block>,
    now: Timestamp,
    outranked: &mut Vec<&'a Block>,
) -> Vec<&'a Block> {
    let Some(best) = contenders
        .iter()
        .copied()
        .reduce(|a, b| if rank(b, a, now).is_gt() { b } else { a })
    else {
        return Vec::new();
    };
    let mut standing: Vec<&Block> = Vec::new();
    for block in contenders {
        let lost = rank(block, best, now).is_lt();
        let said = standing.iter().any(|other| other.payload == block.payload);
        if lost || said {
            outranked.push(block);
        } else {
            standing.push(block);
        }
    }
    standing
}

/// Compares two blocks of one subject.
fn rank(a: &Block, b: &Block, now: Timestamp) -> Ordering {
    let policy = |block: &Block| block.trust == Trust::Policy;
    let version = |block: &Block| block.version.clone().unwrap_or_default();
    let fresh = |block: &Block| block.observed_at.max(block.effective_from);
    in_force(a, now)
        .cmp(&in_force(b, now))
        .then_with(|| policy(a).cmp(&policy(b)))
        .then_with(|| a.authority.cmp(&b.authority))
        .then_with(|| compare_versions(&version(a), &version(b)))
        .then_with(|| a.effective_from.cmp(&b.effective_from))
        .then_with(|| fresh(a).cmp(&fresh(b)))
}

fn in_force(block: &Block, now: Timestamp) -> bool {
    block.effective_from.is_none_or(|from| from <= now)
}

fn report(
    request: &CompileRequest<'_>,
    resolved: &Resolved<'_>,
    ledger: &mut Ledger,
) -> Result<()> {
    if resolved.conflicts.is_empty() {
        return Ok(());
    }
    // Whether it is settled or not, nobody should act on a policy that contradicts another.
    let mut sides = resolved.conflicts.iter().flat_map(|(_, sides)| sides);
    ledger.read_only |= sides.any(|side| side.trust == Trust::Policy);
    match request.policy.on_conflict {
        OnConflict::Surface => {}
        OnConflict::Restrict => ledger.read_only = true,
        OnConflict::Error => {
            return Err(Error::new(
                ErrorKind::Conflict,
                "blocks: sources of equal rank disagree about one subject",
            )
            .with_field("blocks"));
        }
    }
    for (subject, sources) in &resolved.conflicts {
        ledger.notices.push(Notice::Conflict {
            subject: subject.clone(),
            blocks: sources
                .iter()
                .map(|block| BlockRef::Block(block.block_id.clone()))
                .collect(),
        });
    }
    Ok(())
}

fn reject(block: &Block, reason: Reason, ledger: &mut Ledger) {
    ledger.candidates.push(rejected(
        BlockRef::Block(block.block_id.clone()),
        block.kind,
        if block.kind.is_order() {
            Class::P1
        } else {
            Class::P4
        },
        block.tokens.unwrap_or(0),
        Stage::Resolve,
        reason,
    ));
}
