//! What became of each candidate, for the manifest.

use aura_core::{
    BlockKind, BlockRef, CandidateRecord, Class, ContextMessage, EventId, Fate, PolicyMode, Reason,
    Result, Stage,
};
use rustc_hash::FxHashSet;

use super::window::Window;
use crate::facts::{FactBook, FactLine};
use crate::manifest::{ranges, rejected, selected};
use crate::meter::Meter;
use crate::request::CompileRequest;
use crate::stage::resolve::Resolved;
use crate::stage::retrieve::{Asked, Retrieved};
use crate::transcript::{Shown, ShownTurn};

/// What was decided before the pool.
pub(super) struct Decided<'d> {
    pub(super) request: &'d CompileRequest<'d>,
    pub(super) retrieved: &'d Retrieved<'d>,
    pub(super) resolved: &'d Resolved<'d>,
    pub(super) meter: &'d Meter,
    pub(super) system: Option<&'d ContextMessage>,
    pub(super) window: &'d Window,
    pub(super) asked: &'d Asked,
}

/// One record a candidate: the mandatory first, then turns. Those of the pool follow, and the facts.
pub(super) fn begin(decided: &Decided<'_>) -> Result<Vec<CandidateRecord>> {
    let pool = decided.retrieved.recall.candidates.len();
    let mut out = Vec::with_capacity(pool.saturating_add(128));
    orders(decided, &mut out)?;
    asked(decided.asked, &mut out);
    turns(decided, &mut out);
    Ok(out)
}

fn orders(decided: &Decided<'_>, out: &mut Vec<CandidateRecord>) -> Result<()> {
    let mandatory =
        |block, kind, tokens| selected(block, kind, Class::P1, tokens, Reason::Mandatory);
    if let Some(system) = decided.system {
        out.push(mandatory(
            BlockRef::System,
            BlockKind::System,
            system.tokens,
        ));
    }
    let resolved = decided.resolved;
    let given = resolved.policies.iter().chain(&resolved.system);
    for block in given.chain(&resolved.constraints) {
        let tokens = block
            .text()
            .map_or(Ok(0), |text| decided.meter.recurring(text))?;
        let block_ref = BlockRef::Block(block.block_id.clone());
        out.push(selected(
            block_ref,
            block.kind,
            Class::P1,
            tokens,
            Reason::Given,
        ));
    }
    out.extend_from_slice(decided.request.tool_records);
    for tool in decided.request.tools {
        if !decided.request.tool_records.is_empty() {
            break;
        }
        let tokens = decided.meter.tool(tool)?;
        out.push(mandatory(
            BlockRef::Tool(tool.name.clone()),
            BlockKind::Tool,
            tokens,
        ));
    }
    Ok(())
}

pub(super) fn asked(asked: &Asked, out: &mut Vec<CandidateRecord>) {
    if let Some(question) = &asked.question {
        let mut record = selected(
            BlockRef::Question,
            BlockKind::Question,
            Class::P1,
            question.message.tokens,
            Reason::Mandatory,
        );
        record.events = ranges(question.message.events.iter().copied());
        out.push(record);
    }
    let rest = || asked.before.iter().chain(&asked.tail.messages);
    if rest().next().is_none() {
        return;
    }
    let tokens = rest().fold(0, |sum: u32, shown| {
        sum.saturating_add(shown.message.tokens)
    });
    let mut record = selected(
        BlockRef::Tail,
        BlockKind::Tail,
        Class::P1,
        tokens,
        Reason::Mandatory,
    );
    let mut events: Vec<_> = rest()
        .flat_map(|shown| &shown.message.events)
        .copied()
        .collect();
    events.sort_unstable();
    record.events = ranges(events);
    out.push(record);
    rest().for_each(|shown| by_handle(shown, Class::P1, out));
}

fn turns(decided: &Decided<'_>, out: &mut Vec<CandidateRecord>) {
    let reason = match decided.request.policy.mode {
        PolicyMode::FullHistory => Reason::FullHistory,
        _ => Reason::Recent,
    };
    for turn in &decided.window.turns {
        let mut record = turn_record(turn, reason);
        record.events = ranges(turn.events());
        out.push(record);
        for shown in &turn.messages {
            by_handle(shown, Class::P2, out);
        }
    }
    let evicted = decided.retrieved.dropped.iter();
    for turn in evicted.chain(&decided.window.evicted) {
        let mut record = turn_record(turn, Reason::OverBudget);
        record.fate = Fate::Rejected;
        out.push(record);
    }
    if let Some(response) = &decided.window.response {
        let mut record = selected(
            response.block.clone(),
            response.kind,
            response.class,
            response.tokens,
            Reason::Recent,
        );
        record.events = ranges(response.events());
        if response.by_handle {
            record.fate = Fate::ReplacedByHandle;
            record.reason = Reason::OverBudget;
        }
        out.push(record);
    }
}

fn turn_record(turn: &ShownTurn, reason: Reason) -> CandidateRecord {
    let block = BlockRef::Turn(turn.turn.index);
    selected(block, BlockKind::Turn, Class::P2, turn.tokens, reason)
}

/// A message that stands in its smaller form has a record of its own.
fn by_handle(shown: &Shown, class: Class, out: &mut Vec<CandidateRecord>) {
    let Some(stored) = shown.source.as_ref().filter(|_| shown.shrunk) else {
        return;
    };
    let mut record = selected(
        BlockRef::Event(stored.event_id),
        BlockKind::Message,
        class,
        shown.message.tokens,
        Reason::OverBudget,
    );
    record.events = ranges([stored.event_id]);
    record.fate = Fate::ReplacedByHandle;
    out.push(record);
}

/// Adds the facts shown, and those that were offered or found and are not.
pub(super) fn facts(
    book: &FactBook<'_>,
    offered: &[FactLine],
    shown: &[FactLine],
    events: &FxHashSet<EventId>,
    out: &mut Vec<CandidateRecord>,
) {
    let mut push = |at: usize, tokens: u32, verdict: Result<Reason, Reason>| {
        let Some(fact) = book.facts.get(at) else {
            return;
        };
        let block = BlockRef::Fact(fact.fact_id.clone());
        let mut record = match verdict {
            Ok(why) => selected(block, BlockKind::Fact, Class::P1, tokens, why),
            Err(why) => rejected(block, BlockKind::Fact, Class::P1, tokens, Stage::Admit, why),
        };
        if let Some(found) = book.found(at) {
            record.scores.lexical = Some(found.score);
            record.scores.relevance = Some(found.relevance);
        }
        out.push(record);
    };
    let why_not = |at: usize, otherwise: Reason| {
        let is_shown = book.is_shown_by(at, |event| events.contains(&event));
        if is_shown {
            Reason::ShownVerbatim
        } else {
            otherwise
        }
    };
    for line in shown {
        let why = if line.is_correction() {
            Reason::Correction
        } else {
            Reason::CurrentFact
        };
        push(line.at, line.tokens, Ok(why));
        for past in line.corrects.iter().filter(|past| **past != line.at) {
            push(*past, 0, Err(Reason::Superseded));
        }
    }
    let known = |at: usize| shown.iter().any(|line| line.at == at);
    for line in offered.iter().filter(|line| !known(line.at)) {
        push(
            line.at,
            line.tokens,
            Err(why_not(line.at, Reason::OverBudget)),
        );
    }
    let offered = |at: usize| offered.iter().any(|line| line.at == at);
    let others = book.found.iter().map(|found| found.at);
    for at in others.filter(|at| !known(*at) && !offered(*at)) {
        push(at, 0, Err(why_not(at, Reason::BeyondMaxFacts)));
    }
}
