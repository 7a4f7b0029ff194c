//! What the engine keeps of a session in memory: numbers about every turn and message, and the lexical index.
//!
//! All of it is derived from the log. It carries the `change_seq` it has seen and catches up inside each read.

use std::borrow::Cow;
use std::collections::BTreeSet;

use aura_core::{
    AnalyzedMessage, EventId, EventRange, LexicalBackend, LexicalIndex, LexicalMessage, Recorded,
    Result, Session, StoredMessage, Turn, TurnIndex, TurnStatus,
};

use aura_retrieval::SpeakerNames;

use crate::session::branch::Branch;
use crate::session::turn_meta::{Events, MessageMeta, TurnMeta};

/// How many speakers of a session are told apart in a question.
const MOST_NAMES: usize = 256;

/// The state of one session, all of one `change_seq`.
pub(crate) struct SessionData {
    /// The session as the store had it; `None` before the first turn, and between a snapshot and the first catch-up.
    pub(crate) session: Option<Session>,
    /// The `change_seq` seen; 0 before the first turn.
    pub(crate) seen: u64,
    /// Every turn, by index.
    pub(crate) turns: Vec<TurnMeta>,
    /// Every message, by event id less one.
    pub(crate) messages: Vec<MessageMeta>,
    /// The messages of complete turns.
    pub(crate) index: Box<dyn LexicalIndex>,
    /// What the head sees.
    pub(crate) branch: Branch,
    /// The open turns, whose status and messages may still change.
    pub(crate) open: BTreeSet<TurnIndex>,
    /// How many turns have their events in several ranges, because another turn was recorded while they were open.
    interleaved: usize,
    /// Whether any message was deleted.
    gaps: bool,
    scratch: AnalyzedMessage,
}

impl SessionData {
    pub(crate) fn new(backend: &dyn LexicalBackend) -> Self {
        Self {
            session: None,
            seen: 0,
            turns: Vec::new(),
            messages: Vec::new(),
            index: backend.create(),
            branch: Branch::default(),
            open: BTreeSet::new(),
            interleaved: 0,
            gaps: false,
            scratch: AnalyzedMessage::default(),
        }
    }

    /// The state as a snapshot had it; the session itself is set by the catch-up that follows.
    pub(crate) fn restored(
        seen: u64,
        turns: Vec<TurnMeta>,
        messages: Vec<MessageMeta>,
        mut index: Box<dyn LexicalIndex>,
    ) -> Self {
        for turn in turns.iter().filter(|turn| !turn.is_complete()) {
            turn.events
                .ranges()
                .iter()
                .for_each(|range| index.hide(*range));
        }
        let open = turns
            .iter()
            .zip(0..)
            .filter(|(turn, _)| turn.status == TurnStatus::Open);
        let open = open.map(|(_, index)| TurnIndex(index)).collect();
        let gaps = messages.iter().any(MessageMeta::is_gone);
        let interleaved = turns
            .iter()
            .filter(|turn| turn.events.is_interleaved())
            .count();
        Self {
            session: None,
            seen,
            turns,
            messages,
            index,
            branch: Branch::default(),
            open,
            interleaved,
            gaps,
            scratch: AnalyzedMessage::default(),
        }
    }

    /// Whether everything up to a `change_seq` has been taken in; the state of a snapshot lacks the session itself.
    pub(crate) fn is_current(&self, change_seq: u64) -> bool {
        self.seen >= change_seq && (self.session.is_some() || change_seq == 0)
    }

    /// Whether a write can be applied without reading anything in between.
    pub(crate) fn is_next(&self, recorded: &Recorded) -> bool {
        let next_event = EventId(self.messages.len() as u64 + 1);
        let events = recorded
            .appended
            .first()
            .is_none_or(|first| first.event_id == next_event);
        events
            && recorded.session.change_seq == self.seen + 1
            && recorded.turn.index.0 as usize <= self.turns.len()
    }

    /// Takes in a turn as it is now; its messages must have been taken in before.
    pub(crate) fn take_turn(&mut self, turn: &Turn) {
        let at = turn.index.0 as usize;
        let hollow = self.gaps && self.mark_gone(turn) && turn.status == TurnStatus::Complete;
        if at >= self.turns.len() {
            self.turns.resize_with(at + 1, TurnMeta::default);
        }
        let Some(meta) = self.turns.get_mut(at) else {
            return;
        };
        let was_searched = meta.status == TurnStatus::Complete;
        let was_interleaved = meta.events.is_interleaved();
        *meta = TurnMeta::from(turn);
        if hollow {
            // Passed over like one that failed.
            meta.status = TurnStatus::Failed;
        }
        self.interleaved += usize::from(meta.events.is_interleaved() && !was_interleaved);
        if turn.status == TurnStatus::Open {
            self.open.insert(turn.index);
        } else {
            self.open.remove(&turn.index);
        }
        // Messages are appended searchable, and a turn not seen before counts as searched.
        if turn.status != TurnStatus::Complete || hollow {
            turn.events.iter().for_each(|range| self.index.hide(*range));
        } else if !was_searched {
            turn.events.iter().for_each(|range| self.index.show(*range));
        }
    }

    /// Takes in a message; those before it must have been taken in, one that was is passed over.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn take_message(
        &mut self,
        stored: &StoredMessage,
        backend: &dyn LexicalBackend,
    ) -> Result<()> {
        let at = usize::try_from(stored.event_id.0.saturating_sub(1)).unwrap_or(usize::MAX);
        if at < self.messages.len() {
            return Ok(());
        }
        // A deleted message leaves a gap in the log, and a place without content here.
        self.fill(at, stored.turn);
        self.messages.push(MessageMeta::new(stored.turn));
        let text = stored.message.plain_text();
        let message = LexicalMessage {
            event_id: stored.event_id,
            turn: stored.turn,
            role: stored.message.role,
            speaker: stored.message.speaker(),
            text: &text,
            tokens: estimate(&text),
            time: Some(stored.time()),
        };
        backend.analyze(&message, &mut self.scratch);
        self.index.append(&self.scratch)
    }

    /// Makes places for deleted messages up to an event.
    pub(crate) fn pad(&mut self, last: EventId) {
        let turn = self.messages.last().map_or(TurnIndex(0), |meta| meta.turn);
        self.fill(usize::try_from(last.0).unwrap_or(usize::MAX), turn);
    }

    /// Makes places for deleted messages until there are `count`; their turns are told later.
    fn fill(&mut self, count: usize, turn: TurnIndex) {
        if self.messages.len() < count {
            self.gaps = true;
            self.messages.resize_with(count, || MessageMeta::gone(turn));
        }
    }

    /// Tells deleted messages their turn; `true` when nothing is left of it.
    fn mark_gone(&mut self, turn: &Turn) -> bool {
        let mut hollow = true;
        for event in turn.event_ids() {
            let at = usize::try_from(event.0.saturating_sub(1)).unwrap_or(usize::MAX);
            match self.messages.get_mut(at) {
                Some(meta) if meta.is_gone() => meta.turn = turn.index,
                _ => hollow = false,
            }
        }
        hollow
    }

    /// Sets the session after its turns were taken in, and follows the head.
    pub(crate) fn set_session(&mut self, session: Session) {
        if self.branch.head != session.head && !self.branch.extend_to(session.head, &self.turns) {
            self.branch = Branch::of(session.head, &self.turns);
        }
        self.seen = session.change_seq;
        self.session = Some(session);
    }

    /// Walks the branch anew, after a turn on it changed its status.
    pub(crate) fn walk_branch(&mut self) {
        let head = self.session.as_ref().and_then(|session| session.head);
        self.branch = Branch::of(head, &self.turns);
    }

    /// A question as it is embedded: asked as the one would ask who is asked about.
    pub(crate) fn as_asked<'q>(&self, question: &'q str) -> Cow<'q, str> {
        let speakers = self.index.speakers();
        let named = speakers.into_iter().take(MOST_NAMES);
        SpeakerNames::of(named).in_first_person(question)
    }

    /// The events of the first `before` turns of a branch, as ascending ranges.
    pub(crate) fn visible_events(&self, branch: &Branch, before: usize, out: &mut Vec<EventRange>) {
        out.clear();
        let turns = branch
            .turns
            .get(..before.min(branch.turns.len()))
            .unwrap_or_default();
        if let Some(range) = self.plain_prefix(turns) {
            out.push(range);
            return;
        }
        let metas = turns
            .iter()
            .filter_map(|turn| self.turns.get(turn.0 as usize));
        out.extend(metas.flat_map(|meta| meta.events.ranges()));
        out.sort_unstable_by_key(|range| range.first);
        out.dedup_by(|next, range| {
            let joined = next.first == range.last.next();
            if joined {
                range.last = next.last;
            }
            joined
        });
    }

    /// The events of turns 0 to n as one range, when the branch sees them all and no turn is interleaved: events then
    /// stand in the order of turns.
    fn plain_prefix(&self, turns: &[TurnIndex]) -> Option<EventRange> {
        let last = turns.last()?;
        if self.interleaved > 0 || last.0 as usize + 1 != turns.len() {
            return None;
        }
        match &self.turns.get(last.0 as usize)?.events {
            Events::One(events) => Some(EventRange::new(EventId(1), events.last)),
            _ => None,
        }
    }
}

/// About how many tokens a text has: four bytes each, as English has. The index only weighs costs with it.
fn estimate(text: &str) -> u32 {
    u32::try_from(text.len() / 4)
        .unwrap_or(u32::MAX)
        .saturating_add(1)
}
