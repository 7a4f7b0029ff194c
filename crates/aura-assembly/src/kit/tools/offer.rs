//! The offer: which tools of a toolbox a context shows, and why.

use std::collections::BTreeSet;

use aura_core::{
    BlockKind, BlockRef, CandidateRecord, Class, ContextPolicy, Error, Fate, Reason, Result,
    Scores, Stage, ToolDefinition,
};

use super::index::{ToolCosines, ToolRank};
use super::toolbox::Toolbox;
use crate::meter::Meter;
use crate::plan::FrozenPlan;

/// How many tools that were not chosen a manifest names, the best first: of the rest it is enough that they did not come
/// near, and ten thousand records help nobody.
const NAMED: usize = 64;

/// What an offer is made from.
#[derive(Clone, Copy)]
pub struct OfferRequest<'a> {
    /// The tools there are.
    pub toolbox: &'a Toolbox,
    /// Only these groups are looked at, beside tools that are always shown; empty is all.
    pub groups: &'a [String],
    /// `tool_top_k` and `min_tool_relevance`.
    pub policy: &'a ContextPolicy,
    /// What the tools are wanted for.
    pub question: &'a str,
    /// The cosine of the question with each tool, where there is an embedder.
    pub cosines: Option<&'a ToolCosines>,
    /// The frozen plan of the turn: as long as its tools are what they were, they stay.
    pub plan: Option<&'a FrozenPlan>,
}

/// The tools of one context.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// The definitions, in the toolbox's order.
    pub tools: Vec<ToolDefinition>,
    /// What became of each that was looked at.
    pub records: Vec<CandidateRecord>,
}

/// Chooses the tools of a context: those that are always shown, and of the others the `tool_top_k` that have most to do
/// with the question. Equal ones go in the toolbox's order, and so do all that are shown: the choice moves the prefix,
/// the ranks never do.
///
/// # Errors
/// `Invalid` naming `tool_groups` for a group that does not exist; those of the counter.
pub fn offer(request: &OfferRequest<'_>, meter: &Meter) -> Result<Offer> {
    let toolbox = request.toolbox;
    let within = members(toolbox, request.groups)?;
    let policy = request.policy;
    let all = policy.tool_top_k == 0 && policy.min_tool_relevance <= 0.0;
    let kept = request.plan.and_then(|plan| plan.tools(toolbox));
    let mut fates = vec![Reason::Disabled; toolbox.tools().len()];
    let mut ranks: Vec<ToolRank> = Vec::new();
    let choosable = |at: usize| {
        within
            .as_ref()
            .is_none_or(|within| within.contains(&place(at)))
    };
    if let Some(kept) = &kept {
        for (at, fate) in fates.iter_mut().enumerate() {
            *fate = match kept.contains(&place(at)) {
                true => Reason::Mandatory,
                false => Reason::BeyondTopK,
            };
        }
    } else {
        for (at, (fate, tool)) in fates.iter_mut().zip(toolbox.tools()).enumerate() {
            if tool.always_on || (all && choosable(at)) {
                *fate = Reason::Mandatory;
            }
        }
    }
    if !all && kept.is_none() {
        ranks = toolbox.rank(request.question, request.cosines);
        let most = match policy.tool_top_k {
            0 => usize::MAX,
            k => usize::try_from(k).unwrap_or(usize::MAX),
        };
        let mut fit = Vec::with_capacity(fates.len());
        for (at, fate) in fates.iter_mut().enumerate() {
            if *fate != Reason::Disabled || !choosable(at) {
                continue;
            }
            let relevance = ranks.get(at).map_or(0.0, |rank| rank.relevance);
            if relevance < policy.min_tool_relevance {
                *fate = Reason::BelowFloor;
            } else {
                *fate = Reason::BeyondTopK;
                fit.push(at);
            }
        }
        best(&mut fit, most, &ranks);
        for at in fit {
            if let Some(fate) = fates.get_mut(at) {
                *fate = Reason::Relevant;
            }
        }
    }
    settle(toolbox, &fates, &ranks, meter)
}

/// An offer of all these definitions.
///
/// # Errors
/// Those of the counter.
pub fn all_of(definitions: &[ToolDefinition], meter: &Meter) -> Result<Offer> {
    let mut offer = Offer::default();
    for tool in definitions {
        let tokens = meter.tool(tool)?;
        offer.records.push(record(
            &tool.name,
            Reason::Mandatory,
            Scores::default(),
            tokens,
        ));
        offer.tools.push(tool.clone());
    }
    Ok(offer)
}

impl Offer {
    /// This offer with another behind it.
    #[must_use]
    pub fn followed_by(mut self, other: Self) -> Self {
        self.tools.extend(other.tools);
        self.records.extend(other.records);
        self
    }
}

fn members(toolbox: &Toolbox, groups: &[String]) -> Result<Option<BTreeSet<u32>>> {
    if groups.is_empty() {
        return Ok(None);
    }
    let mut within = BTreeSet::new();
    for (at, group) in groups.iter().enumerate() {
        let Some(members) = toolbox.group(group) else {
            let field = format!("tool_groups[{at}]");
            return Err(Error::invalid_field(
                "tools",
                field,
                "is no group of the registry",
            ));
        };
        within.extend(members);
    }
    Ok(Some(within))
}

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Keeps the `most` of the highest ranks, in no particular order; of equal ones those that come first.
fn best(places: &mut Vec<usize>, most: usize, ranks: &[ToolRank]) {
    if most == 0 || places.len() <= most {
        places.truncate(most);
        return;
    }
    let rank = |at: usize| ranks.get(at).map_or(0.0, |rank| rank.rank);
    places.select_nth_unstable_by(most - 1, |a, b| {
        rank(*b).total_cmp(&rank(*a)).then(a.cmp(b))
    });
    places.truncate(most);
}

/// Writes down the choice.
fn settle(toolbox: &Toolbox, fates: &[Reason], ranks: &[ToolRank], meter: &Meter) -> Result<Offer> {
    let mut offer = Offer::default();
    let mut missed: Vec<usize> = Vec::new();
    for (at, (tool, reason)) in toolbox.tools().iter().zip(fates).enumerate() {
        if !matches!(reason, Reason::Mandatory | Reason::Relevant) {
            missed.push(at);
            continue;
        }
        let tokens = toolbox.tokens(at, meter)?;
        offer.records.push(record(
            &tool.definition.name,
            *reason,
            scores(ranks, at),
            tokens,
        ));
        offer.tools.push(tool.definition.clone());
    }
    let rank = |at: usize| ranks.get(at).map_or(0.0, |rank| rank.rank);
    best(&mut missed, NAMED, ranks);
    missed.sort_unstable_by(|a, b| rank(*b).total_cmp(&rank(*a)).then(a.cmp(b)));
    for at in missed {
        let reason = fates.get(at).copied().unwrap_or(Reason::BeyondTopK);
        let Some(tool) = toolbox.tools().get(at) else {
            continue;
        };
        let tokens = toolbox.tokens(at, meter)?;
        offer.records.push(record(
            &tool.definition.name,
            reason,
            scores(ranks, at),
            tokens,
        ));
    }
    Ok(offer)
}

fn scores(ranks: &[ToolRank], at: usize) -> Scores {
    ranks.get(at).map_or_else(Scores::default, |rank| Scores {
        lexical: Some(rank.lexical),
        dense: rank.dense,
        relevance: Some(rank.relevance),
        rank: Some(rank.rank),
        ..Scores::default()
    })
}

fn record(name: &str, reason: Reason, scores: Scores, tokens: u32) -> CandidateRecord {
    let selected = matches!(reason, Reason::Mandatory | Reason::Relevant);
    CandidateRecord {
        block: BlockRef::Tool(name.to_owned()),
        kind: BlockKind::Tool,
        events: Vec::new(),
        class: Class::P1,
        scores,
        tokens,
        fate: match selected {
            true => Fate::Selected,
            false => Fate::Rejected,
        },
        stage: match reason {
            Reason::Disabled => Stage::Filter,
            Reason::BelowFloor => Stage::Retrieve,
            _ => Stage::Admit,
        },
        reason,
    }
}
