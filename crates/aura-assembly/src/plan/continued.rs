//! Prefix mode `append-only`: the list of an earlier turn, continued until a compaction point.

use std::collections::BTreeSet;

use aura_core::{
    Block, BlockId, BlockKind, BlockRef, CandidateRecord, Class, Compaction, ContextMessage,
    Digest, EventId, Fate, History, Notice, Reason, RequestId, Result, Section, TurnIndex,
    TurnView, json,
};
use serde::{Deserialize, Serialize};

use super::{FrozenPlan, Guard, said};
use crate::facts::{FactLine, Told};
use crate::manifest::{Ledger, ranges, selected};
use crate::meter::Meter;
use crate::provider::manner::Manner;
use crate::provider::sent::Losses;
use crate::request::CompileRequest;
use crate::stage::admit::standing_orders;
use crate::stage::resolve::Resolved;
use crate::stage::retrieve::Retrieved;
use crate::transcript::{Ending, ShownTurn};

/// Which part of the budget a continued list must leave for what the question needs: a fourth.
const LEAST_ROOM: u32 = 4;

/// How many turns may have gone by since the list was made.
const MOST_TURNS: usize = 256;

/// What a later turn needs to know of a list that it continues.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chain {
    /// The newest turn of the history that the list was made on.
    pub(crate) through: Option<TurnIndex>,
    /// How many of its messages it took over itself.
    pub(crate) continued: usize,
    /// What it has said of facts.
    pub(crate) told: Told,
    /// The blocks of the host that stand in it.
    pub(crate) blocks: Vec<ShownBlock>,
    /// What must hold for what it took over.
    pub(crate) guards: Vec<Guard>,
    /// The events that what it took over rests on.
    pub(crate) sources: Vec<EventId>,
    /// Bare tokens of what was recalled in all of it.
    pub(crate) recall_tokens: u32,
}

/// A block that stands in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShownBlock {
    id: BlockId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    digest: Digest,
}

impl ShownBlock {
    fn of(block: &Block) -> Result<Self> {
        Ok(Self {
            id: block.block_id.clone(),
            subject: block.subject.clone(),
            digest: Digest::of(json::to_string(&block.payload)?.as_bytes()),
        })
    }
}

/// A list taken over, with the turns that came since.
pub(crate) struct Continued {
    /// The compilation that made it.
    pub(crate) base: RequestId,
    /// Its messages, and those of the turns since.
    pub(crate) messages: Vec<ContextMessage>,
    /// Their tokens.
    pub(crate) tokens: u32,
    /// The events they show, ascending.
    pub(crate) events: Vec<EventId>,
    /// What messages lost on their way to the provider.
    pub(crate) losses: Losses,
    /// What stands in it, for the manifest.
    pub(crate) records: Vec<CandidateRecord>,
    /// Notes for the reader that still hold.
    pub(crate) notices: Vec<Notice>,
    /// Whether the model should take no action on it.
    pub(crate) read_only: bool,
    /// Calls and results of the turns since that were left out.
    pub(crate) orphans: Vec<BlockRef>,
    /// What the list that continues it takes over.
    pub(crate) chain: Chain,
}

impl Continued {
    /// Takes a plan's list over, if it can be continued: the session went on as it asked, and nothing that it shows has
    /// changed.
    pub(crate) fn of(
        base: &FrozenPlan,
        request: &CompileRequest<'_>,
        history: &dyn History,
        meter: &Meter,
        turns: usize,
    ) -> Result<Result<Self, Compaction>> {
        let Some(chain) = &base.body.chain else {
            return Ok(Err(Compaction::Branch));
        };
        let Some(since) = turns_since(chain.through, history, turns)? else {
            return Ok(Err(Compaction::Branch));
        };
        let mut continued = Self {
            base: base.body.request_id.clone(),
            messages: base.body.messages.clone(),
            tokens: 0,
            events: Vec::new(),
            losses: Losses::default(),
            records: base.standing(),
            notices: base.manifest.notices.clone(),
            read_only: base.manifest.read_only,
            orphans: Vec::new(),
            chain: Chain {
                guards: base.body.guards.clone(),
                sources: base.body.sources.clone(),
                ..chain.clone()
            },
        };
        if !continued.append(&since, request, meter)? {
            return Ok(Err(Compaction::Branch));
        }
        if !base.is_for(request, meter) {
            return Ok(Err(Compaction::Changed));
        }
        if base.is_revoked(request) {
            return Ok(Err(Compaction::Revoked));
        }
        if base.is_expired(request) {
            return Ok(Err(Compaction::Expiry));
        }
        if base.lacks_sources(history)? {
            return Ok(Err(Compaction::Deletion));
        }
        continued.sum_up();
        if !continued.leaves_room(request) {
            return Ok(Err(Compaction::Overflow));
        }
        Ok(Ok(continued))
    }

    /// Appends the turns since; the first of them must begin with what the list asks. Says whether it does.
    fn append(
        &mut self,
        since: &[TurnView],
        request: &CompileRequest<'_>,
        meter: &Meter,
    ) -> Result<bool> {
        let is_asked =
            |message: &ContextMessage| matches!(message.section, Section::Question | Section::Tail);
        let begin = self.messages.iter().position(is_asked);
        let Some(begin) = begin.filter(|_| !since.is_empty()) else {
            return Ok(false);
        };
        let manner = Manner::of(request).continued();
        let mut asked = self.messages.len() - begin;
        for view in since {
            let turn = ShownTurn::of(view, manner, Ending::Closed, meter)?;
            let mut record = selected(
                BlockRef::Turn(turn.turn.index),
                BlockKind::Turn,
                Class::P2,
                turn.tokens,
                Reason::Recent,
            );
            record.events = ranges(turn.events());
            self.records.push(record);
            let known = self.messages.get_mut(begin..).unwrap_or_default();
            let known = known.get_mut(..asked).unwrap_or_default();
            let same = known.len() <= turn.messages.len()
                && known
                    .iter()
                    .zip(&turn.messages)
                    .all(|(old, new)| said(old) == said(&new.message));
            if !same {
                return Ok(false);
            }
            for (old, new) in known.iter_mut().zip(&turn.messages) {
                old.section = Section::History;
                old.events.clone_from(&new.message.events);
            }
            for shown in turn.messages.into_iter().skip(asked) {
                self.losses.note(&shown, request.provider);
                self.messages.push(ContextMessage {
                    section: Section::History,
                    ..shown.message
                });
            }
            self.orphans.extend(turn.orphans);
            asked = 0;
        }
        self.chain.through = since.last().map(|view| view.turn.index);
        Ok(true)
    }

    fn sum_up(&mut self) {
        let all = || self.messages.iter();
        self.tokens = all().fold(0, |sum: u32, message| sum.saturating_add(message.tokens));
        let events: BTreeSet<EventId> =
            all().flat_map(|message| &message.events).copied().collect();
        self.events = events.into_iter().collect();
        self.chain.continued = self.messages.len();
    }

    fn leaves_room(&self, request: &CompileRequest<'_>) -> bool {
        let budget = request.policy.input_budget();
        let room = budget.saturating_sub(self.tokens) >= budget / LEAST_ROOM;
        let left = |cap: u32| cap.saturating_sub(self.chain.recall_tokens) > cap / LEAST_ROOM;
        room && request.policy.max_recall_tokens.is_none_or(left)
    }

    /// Takes out of what counts now what the list shows already; says why it cannot go on, where something that it shows
    /// does not count any more.
    pub(crate) fn screen(
        &self,
        request: &CompileRequest<'_>,
        resolved: &mut Resolved<'_>,
        ledger: &Ledger,
        meter: &Meter,
    ) -> Result<Option<Compaction>> {
        let (system, constraints) = standing_orders(request, resolved, meter)?;
        let orders = system.iter().chain(&constraints);
        let shown = self.messages.iter();
        let shown = shown.take_while(|message| message.section == Section::System);
        if !orders.map(said).eq(shown.map(said)) {
            return Ok(Some(Compaction::Changed));
        }
        resolved.policies.clear();
        resolved.system.clear();
        resolved.constraints.clear();
        let blocks = &self.chain.blocks;
        let is_shown = |id: &BlockId| blocks.iter().any(|shown| shown.id == *id);
        let lost = ledger.candidates.iter().any(|record| {
            matches!(&record.block, BlockRef::Block(id) if is_shown(id))
                && record.fate == Fate::Rejected
        });
        if lost {
            return Ok(Some(Compaction::Outranked));
        }
        let mut new = Vec::with_capacity(resolved.evidence.len());
        for block in &resolved.evidence {
            let now = ShownBlock::of(block)?;
            let same_subject =
                |shown: &&ShownBlock| shown.subject.is_some() && shown.subject == now.subject;
            match blocks.iter().find(|shown| shown.id == now.id) {
                Some(shown) if shown.digest == now.digest => {}
                Some(_) => return Ok(Some(Compaction::Changed)),
                None if blocks.iter().any(|shown| same_subject(&shown)) => {
                    return Ok(Some(Compaction::Outranked));
                }
                None => new.push(*block),
            }
        }
        resolved.evidence = new;
        Ok(None)
    }
}

impl FrozenPlan {
    /// What stands in its list, but for what the call brings along anew.
    fn standing(&self) -> Vec<CandidateRecord> {
        let stands = |record: &&CandidateRecord| {
            let anew = matches!(
                record.block,
                BlockRef::Question | BlockRef::Tail | BlockRef::Tool(_)
            );
            record.fate != Fate::Rejected && !anew
        };
        let records = self.manifest.candidates.iter();
        records.filter(stands).cloned().collect()
    }
}

impl Chain {
    /// What a finished list hands on: what it took over, and what it added.
    pub(crate) fn after(
        taken_over: Option<Self>,
        through: Option<TurnIndex>,
        request: &CompileRequest<'_>,
        retrieved: &Retrieved<'_>,
        facts: &[FactLine],
        records: &[CandidateRecord],
        recall_tokens: u32,
    ) -> Result<Self> {
        let mut chain = taken_over.unwrap_or_default();
        chain.through = through;
        chain.recall_tokens = recall_tokens;
        let id = |at: usize| {
            retrieved
                .facts
                .facts
                .get(at)
                .map(|fact| fact.fact_id.clone())
        };
        for line in facts {
            chain.told.shown.extend(id(line.at));
            let corrected = line.corrects.iter().filter_map(|at| id(*at));
            chain.told.corrected.extend(corrected);
        }
        for record in records
            .iter()
            .filter(|record| record.fate != Fate::Rejected)
        {
            let BlockRef::Block(id) = &record.block else {
                continue;
            };
            let known = chain.blocks.iter().any(|shown| shown.id == *id);
            let given = request.blocks.iter().find(|block| block.block_id == *id);
            if let Some(block) = given.filter(|_| !known) {
                chain.blocks.push(ShownBlock::of(block)?);
            }
        }
        Ok(chain)
    }
}

/// The turns after one of the history, oldest first; `None` where it is no longer part of it.
fn turns_since(
    through: Option<TurnIndex>,
    history: &dyn History,
    turns: usize,
) -> Result<Option<Vec<TurnView>>> {
    let mut since = Vec::new();
    for position in (0..turns).rev() {
        let view = history.turn(position)?;
        match through {
            Some(through) if view.turn.index == through => {
                since.reverse();
                return Ok(Some(since));
            }
            Some(through) if view.turn.index < through => return Ok(None),
            _ if since.len() >= MOST_TURNS => return Ok(None),
            _ => since.push(view),
        }
    }
    since.reverse();
    Ok(through.is_none().then_some(since))
}
