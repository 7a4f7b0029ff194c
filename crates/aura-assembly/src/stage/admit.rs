//! Admit: what the budget holds.

mod blocks;
mod facts;
mod item;
mod pool;
mod records;
mod window;

use std::borrow::Cow;

use aura_core::{
    CandidateRecord, Class, ContextMessage, EventId, History, Notice, PolicyMode, Result, Role,
    Section,
};

use super::resolve::Resolved;
use super::retrieve::{Asked, Retrieved, fixed_tokens, plain, system_text};
use crate::budget::Room;
use crate::evidence::{Labelled, block_tokens, intro_tokens};
use crate::facts::FactLine;
use crate::meter::{MESSAGE_TOKENS, Meter};
use crate::request::{CompileRequest, Kept};
use crate::transcript::ShownTurn;

pub(crate) use item::{Form, Item};

/// What stands in the context, not yet in order.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    /// The system message.
    pub(crate) system: Option<ContextMessage>,
    /// What the user demands of every answer.
    pub(crate) constraints: Option<ContextMessage>,
    /// Turns shown as they were, oldest first.
    pub(crate) history: Vec<ShownTurn>,
    /// The last tool response, recalled items and the surplus.
    pub(crate) items: Vec<Item>,
    /// Blocks, the strongest first.
    pub(crate) blocks: Vec<Labelled>,
    /// What the compiler has to say of conflicts.
    pub(crate) remarks: Vec<Labelled>,
    /// Facts.
    pub(crate) facts: Vec<FactLine>,
    /// The open turn.
    pub(crate) asked: Asked,
    /// Bare tokens of what was recalled.
    pub(crate) recall_tokens: u32,
    /// What became of each candidate.
    pub(crate) records: Vec<CandidateRecord>,
    /// Notes for the reader.
    pub(crate) notices: Vec<Notice>,
    /// Texts of blocks that a handle stands for.
    pub(crate) kept: Vec<Kept>,
    /// Whether something shown does not say where it comes from.
    pub(crate) read_only: bool,
    /// How many blocks were scored that the principal may not see.
    pub(crate) foreign: u64,
    /// Whether something shown is no longer true and found no room for its correction.
    pub(crate) uncorrected: bool,
}

impl Admitted {
    /// Whether nothing stands that could be left out.
    pub(crate) fn is_bare(&self) -> bool {
        let mandatory = |item: &Item| item.class == Class::P3;
        let optional = !self.facts.is_empty() || !self.blocks.is_empty() || self.history.len() > 1;
        !optional && self.items.iter().all(mandatory)
    }
}

/// Fills the budget, less `slack`, class by class.
pub(crate) fn run(
    request: &CompileRequest<'_>,
    history: &dyn History,
    meter: &Meter,
    retrieved: &Retrieved<'_>,
    resolved: &Resolved<'_>,
    slack: u32,
) -> Result<Admitted> {
    let mut room = Room::new(request.policy.input_budget().saturating_sub(slack));
    let (system, constraints) = standing_orders(request, resolved, meter)?;
    room.take(mandatory_tokens(
        request,
        meter,
        retrieved,
        &system,
        &constraints,
    )?);

    let remarks = blocks::remarks(resolved);
    if !remarks.is_empty() {
        room.take(intro_tokens(meter)?);
    }
    for remark in &remarks {
        room.take(block_tokens(remark, meter)?);
    }

    let shown = events_shown(retrieved);
    let most = usize::try_from(request.policy.max_facts).unwrap_or(usize::MAX);
    let offered = retrieved
        .facts
        .candidates(&shown, &retrieved.told, most, meter)?;
    let least = window::least(retrieved, meter)?;
    let (facts, fact_tokens) = facts::fit(
        &offered,
        most,
        room.left().saturating_sub(least),
        request.now,
        meter,
    )?;
    room.take(fact_tokens);

    let window = window::fit(retrieved, &mut room, !facts.is_empty(), meter)?;
    let mut asked = retrieved.asked.clone();
    window::shrink_tail(&mut asked, &mut room, meter)?;

    let records = records::begin(&records::Decided {
        request,
        retrieved,
        resolved,
        meter,
        system: system.as_ref(),
        window: &window,
        asked: &asked,
    })?;
    let mut picker = pool::Picker::new(request, history, meter, &retrieved.facts, room, records);
    picker.begin(&window, facts, &asked);
    picker.know(&retrieved.carried);
    let mut standing = standing_texts(&system, &constraints, &window, &asked);
    let offers = blocks::offer(request, &retrieved.query, resolved, &mut standing, meter)?;
    drop(standing);
    let foreign = offers.foreign;
    picker.fill(&retrieved.recall.candidates, offers)?;
    if request.policy.include_unselected && request.policy.mode == PolicyMode::PrioritySelective {
        picker.surplus(retrieved.before + window.evicted.len())?;
    }
    let mut picked = picker.finish();
    let mut records = std::mem::take(&mut picked.records);
    records::facts(
        &retrieved.facts,
        &offered,
        &picked.facts,
        &picked.shown,
        &mut records,
    );

    let stands = |line: &FactLine| picked.facts.iter().any(|shown| shown.at == line.at);
    let mut corrections = offered.iter().filter(|line| line.is_correction());
    let uncorrected = !corrections.all(stands);
    let mut notices = Vec::new();
    let dropped = retrieved.before.saturating_add(window.evicted.len());
    if request.policy.mode == PolicyMode::FullHistory && dropped > 0 {
        notices.push(Notice::DroppedOldestTurns {
            turns: u32::try_from(dropped).unwrap_or(u32::MAX),
        });
    }
    if window.shrunk > 0 {
        notices.push(Notice::ShrunkNewestTurn {
            results: window.shrunk,
        });
    }
    let nameless = std::mem::take(&mut picked.nameless);
    let read_only = !nameless.is_empty();
    if read_only {
        notices.push(Notice::MissingProvenance { blocks: nameless });
    }
    Ok(Admitted {
        system,
        constraints,
        history: window.turns,
        items: picked.items,
        blocks: picked.blocks,
        remarks,
        facts: picked.facts,
        asked,
        recall_tokens: picked.recall_tokens,
        records,
        notices,
        kept: picked.kept,
        read_only,
        foreign,
        uncorrected,
    })
}

/// What is said in the context whatever the blocks add.
fn standing_texts<'t>(
    system: &'t Option<ContextMessage>,
    constraints: &'t Option<ContextMessage>,
    window: &'t window::Window,
    asked: &'t Asked,
) -> impl Iterator<Item = &'t str> {
    let turns = window.turns.iter().flat_map(|turn| &turn.messages);
    let shown = turns.chain(asked.messages()).map(|shown| &shown.message);
    let orders = system.iter().chain(constraints);
    orders.chain(shown).map(|message| message.content.as_str())
}

/// The records of the open turn.
pub(crate) fn asked_records(asked: &Asked) -> Vec<CandidateRecord> {
    let mut out = Vec::new();
    records::asked(asked, &mut out);
    out
}

/// The system message (policies, then the host's texts), and the message of the user's demands.
pub(crate) fn standing_orders(
    request: &CompileRequest<'_>,
    resolved: &Resolved<'_>,
    meter: &Meter,
) -> Result<(Option<ContextMessage>, Option<ContextMessage>)> {
    let policies = resolved.policies.iter();
    let policies = policies.map(|block| Cow::Owned(blocks::policy_text(block)));
    let given = system_text(request).into_iter();
    let added = resolved.system.iter().filter_map(|block| block.text());
    let texts = given.chain(added).map(Cow::Borrowed);
    let texts: Vec<Cow<'_, str>> = policies.chain(texts).collect();
    let demands = resolved.constraints.iter();
    let demands: Vec<&str> = demands.filter_map(|block| block.text()).collect();
    let mut constraints = String::from("What the user asks of every answer:\n");
    for demand in &demands {
        constraints.push_str("- ");
        constraints.push_str(demand);
        constraints.push('\n');
    }
    let message = |role: Role, content: String| -> Result<ContextMessage> {
        let tokens = meter.recurring(&content)?.saturating_add(MESSAGE_TOKENS);
        Ok(plain(role, Section::System, content, tokens))
    };
    let system = (!texts.is_empty()).then(|| message(Role::System, texts.join("\n\n")));
    let constraints = (!demands.is_empty()).then(|| message(Role::User, constraints));
    Ok((system.transpose()?, constraints.transpose()?))
}

/// What P1 takes, but for facts.
fn mandatory_tokens(
    request: &CompileRequest<'_>,
    meter: &Meter,
    retrieved: &Retrieved<'_>,
    system: &Option<ContextMessage>,
    constraints: &Option<ContextMessage>,
) -> Result<u32> {
    let bare = CompileRequest {
        system: None,
        ..*request
    };
    let orders = system.iter().chain(constraints);
    Ok(orders.fold(
        fixed_tokens(&bare, &retrieved.asked, meter)?,
        |sum, message| sum.saturating_add(message.tokens),
    ))
}

/// The events that the newest turns and the open one show, ascending.
fn events_shown(retrieved: &Retrieved<'_>) -> Vec<EventId> {
    let mut events: Vec<EventId> = retrieved.asked.events();
    events.extend(&retrieved.carried);
    for turn in &retrieved.recent {
        events.extend(turn.events());
    }
    events.sort_unstable();
    events.dedup();
    events
}
