//! The pool: what of it is admitted, the best first.

use std::sync::Arc;

use aura_core::{
    BlockKind, BlockRef, CandidateRecord, Class, EventId, Fate, History, MessageView, Reason,
    RecallCandidate, RecallForm, RecallUnit, Result, Role, Scores, Stage, StoredMessage, TopK,
};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::blocks::Offers;
use super::facts::frame_tokens;
use super::item::{Excerpt, Form, Item};
use super::window::Window;
use crate::budget::Room;
use crate::evidence::{Group, Labelled, group_tokens, intro_tokens};
use crate::facts::{FactBook, FactLine};
use crate::manifest::{ranges, selected};
use crate::meter::Meter;
use crate::provider::manner::Manner;
use crate::request::{CompileRequest, Kept};
use crate::stage::retrieve::Asked;
use crate::transcript::{Ending, ShownTurn};

mod blocks;
mod likeness;
mod offer;

/// Messages that a context often shows at most.
const EXPECTED: usize = 112;

/// P5 turns that find no room before the search for smaller ones ends.
const MISFITS: u32 = 16;

/// What the pool gave.
pub(super) struct Picked {
    pub(super) items: Vec<Item>,
    pub(super) blocks: Vec<Labelled>,
    pub(super) kept: Vec<Kept>,
    pub(super) nameless: Vec<BlockRef>,
    pub(super) facts: Vec<FactLine>,
    pub(super) recall_tokens: u32,
    pub(super) records: Vec<CandidateRecord>,
    /// The events of everything shown.
    pub(super) shown: FxHashSet<EventId>,
}

/// Admits candidates as long as there is room.
pub(super) struct Picker<'p> {
    request: &'p CompileRequest<'p>,
    history: &'p dyn History,
    meter: &'p Meter,
    book: &'p FactBook<'p>,
    room: Room,
    /// Messages shown, by a glimpse of what they say.
    said: FxHashMap<u64, SmallVec<[Arc<StoredMessage>; 1]>>,
    /// The events of everything shown.
    shown: FxHashSet<EventId>,
    question: Option<(u64, String)>,
    items: Vec<Item>,
    blocks: Vec<Labelled>,
    /// Texts of blocks that a handle stands for.
    kept: Vec<Kept>,
    /// Blocks shown that do not say where they come from.
    nameless: Vec<BlockRef>,
    facts: Vec<FactLine>,
    recall: u32,
    records: Vec<CandidateRecord>,
}

impl<'p> Picker<'p> {
    pub(super) fn new(
        request: &'p CompileRequest<'p>,
        history: &'p dyn History,
        meter: &'p Meter,
        book: &'p FactBook<'p>,
        room: Room,
        records: Vec<CandidateRecord>,
    ) -> Self {
        Self {
            request,
            history,
            meter,
            book,
            room,
            said: FxHashMap::with_capacity_and_hasher(EXPECTED, FxBuildHasher),
            shown: FxHashSet::with_capacity_and_hasher(EXPECTED, FxBuildHasher),
            question: None,
            items: Vec::new(),
            blocks: Vec::new(),
            kept: Vec::new(),
            nameless: Vec::new(),
            facts: Vec::new(),
            recall: 0,
            records,
        }
    }

    /// Takes over what stands already and has been paid for.
    pub(super) fn begin(&mut self, window: &Window, facts: Vec<FactLine>, asked: &Asked) {
        let turns = window.turns.iter().flat_map(|turn| &turn.messages);
        let sources = turns.chain(asked.messages());
        let sources = sources.filter_map(|shown| shown.source.as_ref());
        for stored in sources {
            self.remember(stored);
        }
        let question = asked.question.iter().filter(|shown| shown.source.is_none());
        self.question = question
            .map(|shown| shown.message.content.clone())
            .map(|text| (likeness::glimpse_of([text.as_str()]), text))
            .next();
        self.facts = facts;
        if let Some(response) = &window.response {
            for stored in &response.sources {
                self.remember(stored);
            }
            self.items.push(response.clone());
        }
    }

    /// Chooses among the blocks, then goes through the recalled messages, the best first.
    pub(super) fn fill(&mut self, pool: &[RecallCandidate], offers: Offers<'_>) -> Result<()> {
        let mut left = match self.request.policy.top_k {
            TopK::Auto => u32::MAX,
            TopK::AtMost(most) => most,
        };
        self.choose(pool, offers, &mut left)?;
        self.prefetch(pool);
        for candidate in pool {
            self.candidate(candidate, &mut left)?;
        }
        Ok(())
    }

    /// Says which messages will be looked at, as far as the room goes.
    fn prefetch(&self, pool: &[RecallCandidate]) {
        let mut left = self.room.left();
        let fits = |candidate: &&RecallCandidate| {
            let cost = candidate.tokens.excerpt;
            let fits = cost <= left;
            left = left.saturating_sub(cost);
            fits
        };
        let events = pool.iter().take_while(fits);
        let events: Vec<EventId> = events.map(|candidate| candidate.event_id).collect();
        self.history.prefetch(&events);
    }

    /// Offers the turns before `before`, the newest first, as P5.
    pub(super) fn surplus(&mut self, before: usize) -> Result<()> {
        let mut misfits = 0;
        for position in (0..before).rev() {
            if misfits >= MISFITS || self.room.left() == 0 {
                return Ok(());
            }
            let view = self.history.turn(position)?;
            let item = self.turn_item(&view, Class::P5, Scores::default())?;
            let verdict = self.offer(&item)?;
            misfits += u32::from(matches!(verdict, Err(reason) if reason != Reason::AlreadyShown));
            self.settle(item, verdict, Reason::Surplus);
        }
        Ok(())
    }

    /// Notes events that are shown before all that is admitted here.
    pub(super) fn know(&mut self, events: &[EventId]) {
        self.shown.extend(events);
    }

    /// What was admitted. Facts that the items show verbatim are left out again, unless they correct something.
    pub(super) fn finish(mut self) -> Picked {
        let (book, all) = (self.book, &self.shown);
        let shown = |event: EventId| all.contains(&event);
        self.facts
            .retain(|line| line.is_correction() || !book.is_shown_by(line.at, shown));
        Picked {
            items: self.items,
            blocks: self.blocks,
            kept: self.kept,
            nameless: self.nameless,
            facts: self.facts,
            recall_tokens: self.recall,
            records: self.records,
            shown: self.shown,
        }
    }

    /// Notes that a message is shown.
    fn remember(&mut self, stored: &Arc<StoredMessage>) {
        self.shown.insert(stored.event_id);
        let glimpse = likeness::glimpse(stored);
        self.said.entry(glimpse).or_default().push(stored.clone());
    }

    fn candidate(&mut self, candidate: &RecallCandidate, left: &mut u32) -> Result<()> {
        let verdict = self.glance(candidate, *left);
        if let Err(reason) = verdict {
            self.reject(candidate, reason);
            return Ok(());
        }
        let item = match self.request.policy.recall_unit {
            RecallUnit::Message => self.message_item(candidate)?,
            RecallUnit::Turn => {
                let view = self.history.turn(candidate.position)?;
                self.turn_item(&view, Class::P4, candidate.scores)?
            }
        };
        let verdict = self.offer(&item)?;
        if verdict.is_ok() {
            *left = left.saturating_sub(1);
        }
        self.settle(item, verdict, Reason::Relevant);
        Ok(())
    }

    /// What can be said without looking at the message.
    fn glance(&self, candidate: &RecallCandidate, left: u32) -> Result<(), Reason> {
        let policy = self.request.policy;
        let relevance = candidate.scores.relevance.unwrap_or(1.0);
        let excerpts = policy.recall_form == RecallForm::Excerpts;
        let message = policy.recall_unit == RecallUnit::Message;
        if self.shown.contains(&candidate.event_id) {
            Err(Reason::AlreadyShown)
        } else if relevance < policy.min_relevance {
            Err(Reason::BelowFloor)
        } else if left == 0 {
            Err(Reason::BeyondTopK)
        } else if excerpts && message && candidate.tokens.excerpt == 0 {
            Err(Reason::Empty)
        } else if excerpts && candidate.tokens.excerpt > self.room.left() {
            Err(Reason::OverBudget)
        } else {
            Ok(())
        }
    }

    fn message_item(&self, candidate: &RecallCandidate) -> Result<Item> {
        let block = BlockRef::Event(candidate.event_id);
        if self.request.policy.recall_form == RecallForm::Excerpts {
            let view = self.history.message(candidate.event_id)?;
            return Ok(excerpts(
                block,
                BlockKind::Message,
                Class::P4,
                candidate.scores,
                std::slice::from_ref(&view),
            ));
        }
        let view = self.history.turn(candidate.position)?;
        let mut turn = ShownTurn::of(&view, Manner::of(self.request), Ending::Closed, self.meter)?;
        keep_group(&mut turn, candidate.event_id);
        let mut item = messages(block, Class::P4, turn, candidate.scores);
        item.kind = BlockKind::Message;
        item.recall = bare(&view.messages, &item);
        Ok(item)
    }

    fn turn_item(&self, view: &aura_core::TurnView, class: Class, scores: Scores) -> Result<Item> {
        let block = BlockRef::Turn(view.turn.index);
        if self.request.policy.recall_form == RecallForm::Excerpts {
            let kind = BlockKind::Turn;
            return Ok(excerpts(block, kind, class, scores, &view.messages));
        }
        let turn = ShownTurn::of(view, Manner::of(self.request), Ending::Closed, self.meter)?;
        let mut item = messages(block, class, turn, scores);
        item.recall = bare(&view.messages, &item);
        Ok(item)
    }

    fn reject(&mut self, candidate: &RecallCandidate, reason: Reason) {
        let mut record = selected(
            BlockRef::Event(candidate.event_id),
            BlockKind::Message,
            Class::P4,
            candidate.tokens.excerpt,
            reason,
        );
        record.fate = Fate::Rejected;
        record.scores = candidate.scores;
        if reason == Reason::BelowFloor {
            record.stage = Stage::Retrieve;
        }
        self.records.push(record);
    }
}

/// A message or turn as excerpts; messages that show nothing are passed over.
fn excerpts(
    block: BlockRef,
    kind: BlockKind,
    class: Class,
    scores: Scores,
    views: &[MessageView],
) -> Item {
    let shown = views.iter().filter(|view| view.tokens.excerpt > 0);
    let excerpts = shown
        .clone()
        .map(|view| Excerpt {
            line: None,
            tokens: view.tokens.excerpt,
        })
        .collect();
    let sum = |count: fn(&MessageView) -> u32| {
        shown
            .clone()
            .fold(0, |sum: u32, view| sum.saturating_add(count(view)))
    };
    Item {
        block,
        kind,
        class,
        scores,
        tokens: sum(|view| view.tokens.excerpt),
        recall: sum(|view| view.tokens.recall),
        sources: shown.map(|view| view.stored.clone()).collect(),
        form: Form::Excerpts(excerpts),
        by_handle: false,
    }
}

/// A turn, or what is kept of it, as messages of their own roles.
fn messages(block: BlockRef, class: Class, turn: ShownTurn, scores: Scores) -> Item {
    let sources = turn
        .messages
        .iter()
        .filter_map(|shown| shown.source.clone());
    let mut sources: SmallVec<[Arc<StoredMessage>; 1]> = sources.collect();
    sources.dedup_by_key(|stored| stored.event_id);
    Item {
        block,
        kind: BlockKind::Turn,
        class,
        scores,
        tokens: turn.messages.iter().fold(0, |sum: u32, shown| {
            sum.saturating_add(shown.message.tokens)
        }),
        recall: 0,
        sources,
        form: Form::Messages(turn.messages),
        by_handle: false,
    }
}

/// Keeps of a turn the messages that show an event, with the other half of its calls or results.
fn keep_group(turn: &mut ShownTurn, event: EventId) {
    let shows = |at: &usize| {
        let source = turn
            .messages
            .get(*at)
            .and_then(|shown| shown.source.as_ref());
        source.is_some_and(|stored| stored.event_id == event)
    };
    let is_answer = |at: &usize| {
        let shown = turn.messages.get(*at);
        shown.is_some_and(|shown| shown.message.role == Role::Tool)
    };
    let all = 0..turn.messages.len();
    let mut kept = vec![false; turn.messages.len()];
    for at in all.clone().filter(shows) {
        let begin = (0..=at).rev().find(|at| !is_answer(at)).unwrap_or(at);
        let answers = all.clone().skip(begin + 1).take_while(is_answer);
        for member in std::iter::once(begin).chain(answers) {
            if let Some(slot) = kept.get_mut(member) {
                *slot = true;
            }
        }
    }
    let mut kept = kept.into_iter();
    turn.messages.retain(|_| kept.next().unwrap_or(false));
}

/// The bare tokens of the messages that an item shows.
fn bare(views: &[MessageView], item: &Item) -> u32 {
    let shows = |view: &&MessageView| item.events().any(|event| event == view.stored.event_id);
    let shown = views.iter().filter(shows);
    shown.fold(0, |sum, view| sum.saturating_add(view.tokens.recall))
}
