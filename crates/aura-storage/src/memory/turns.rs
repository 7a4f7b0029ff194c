//! Turns: recording, moving, reading.

use std::sync::Arc;

use aura_core::{
    Distilled, EventId, EventRange, LargePart, Message, Part, Recorded, Result, Session,
    SessionKey, StoredMessage, Turn, TurnId, TurnIndex, TurnRecord, TurnStatus, TurnWrite,
    WriteEffect,
};

use super::artifacts::Artifacts;
use super::sessions::SessionState;
use super::store::State;
use crate::answer;
use crate::append::{self, Step};
use crate::large;
use crate::ranges::merge;
use crate::refusal::{deleted_session, failed_head, full_session, no_turn};

impl State {
    pub(super) fn record(&mut self, write: TurnWrite) -> Result<Recorded> {
        if self.find(&write.key)?.is_none() {
            if self.deletions.sessions.contains(&write.key.session_id) {
                return Err(deleted_session());
            }
            append::check_new(&write.messages)?;
            if write.parent.is_some() {
                return Err(no_turn("parent"));
            }
            let number = self.sessions.len();
            let state = SessionState::new(new_session(&write), number);
            self.sessions.insert(write.key.session_id.clone(), state);
        }
        let state = match self.sessions.get_mut(&write.key.session_id) {
            Some(state) => state,
            None => return Err(crate::refusal::no_session()),
        };
        append::check_user(&state.session, write.user.as_ref())?;
        let recorded = match state.by_id.get(&write.turn_id) {
            Some(index) => {
                let index = *index;
                state.extend(index, &write, &mut self.artifacts)?
            }
            None => state.create(&write, &mut self.artifacts)?,
        };
        let turn = &recorded.turn;
        let link = || answer::link(&turn.turn_id, &state.messages_in(&turn.events));
        self.compilations.link(&write, link);
        Ok(recorded)
    }

    pub(super) fn set_status(
        &mut self,
        key: &SessionKey,
        turn_id: &TurnId,
        status: TurnStatus,
    ) -> Result<Recorded> {
        let state = self.need(key)?;
        let turn = state.turn(turn_id).ok_or_else(|| no_turn("turn_id"))?;
        let index = turn.index;
        let moves = append::moves(turn.status, status)?;
        if moves {
            state.move_turn(index, status)?;
            state.session.change_seq += 1;
        }
        let effect = match moves {
            true => WriteEffect::Extended,
            false => WriteEffect::Unchanged,
        };
        state.recorded(index, Vec::new(), effect)
    }

    pub(super) fn set_head(&mut self, key: &SessionKey, turn_id: &TurnId) -> Result<Session> {
        let state = self.need(key)?;
        let turn = state.turn(turn_id).ok_or_else(|| no_turn("turn_id"))?;
        if turn.status == TurnStatus::Failed {
            return Err(failed_head());
        }
        let head = Some(turn.index);
        if state.session.head != head {
            state.session.head = head;
            state.session.change_seq += 1;
        }
        Ok(state.session.clone())
    }
}

impl SessionState {
    fn create(&mut self, write: &TurnWrite, artifacts: &mut Artifacts) -> Result<Recorded> {
        append::check_new(&write.messages)?;
        let parent = match &write.parent {
            Some(parent) => Some(self.turn(parent).ok_or_else(|| no_turn("parent"))?.index),
            None => self.session.head,
        };
        let index = TurnIndex(self.session.turns);
        let turns = index.0.checked_add(1).ok_or_else(full_session)?;
        self.turns.push(Turn {
            turn_id: write.turn_id.clone(),
            index,
            status: write.status,
            parent,
            events: Vec::new(),
            recorded_at: write.recorded_at,
        });
        self.by_id.insert(write.turn_id.clone(), index);
        self.session.turns = turns;
        if write.status != TurnStatus::Failed {
            self.session.head = Some(index);
        }
        self.session.change_seq += 1;
        let appended = self.append(index, write, &write.messages, artifacts);
        self.recorded(index, appended, WriteEffect::Created)
    }

    fn extend(
        &mut self,
        index: TurnIndex,
        write: &TurnWrite,
        artifacts: &mut Artifacts,
    ) -> Result<Recorded> {
        let turn = self.at(index)?;
        let stored = self.messages_in(&turn.events);
        let digests = stored.iter().map(|stored| Ok(stored.message.digest()));
        let step = append::compare(turn.status, digests, &write.messages, write.status)?;
        let Step::Extend { from, status } = step else {
            return self.recorded(index, Vec::new(), WriteEffect::Unchanged);
        };
        let new = write.messages.get(from..).unwrap_or_default();
        let appended = self.append(index, write, new, artifacts);
        if status != TurnStatus::Open {
            self.move_turn(index, status)?;
        }
        self.session.change_seq += 1;
        self.recorded(index, appended, WriteEffect::Extended)
    }

    /// Appends messages to the log and to the turn.
    fn append(
        &mut self,
        index: TurnIndex,
        write: &TurnWrite,
        messages: &[Message],
        artifacts: &mut Artifacts,
    ) -> Vec<Arc<StoredMessage>> {
        if messages.is_empty() {
            return Vec::new();
        }
        let first = self.session.last_event.next();
        for message in messages {
            let event_id = self.session.last_event.next();
            self.session.last_event = event_id;
            let large_parts = large::find(message)
                .into_iter()
                .map(|large| {
                    let text = message.parts.get(large.part as usize);
                    let text = text.and_then(Part::plain_text).unwrap_or_default();
                    LargePart {
                        part: large.part,
                        handle: artifacts.put_part(write, &large.digest, text),
                    }
                })
                .collect();
            self.messages.push(Some(Arc::new(StoredMessage {
                event_id,
                turn: index,
                recorded_at: write.recorded_at,
                message: message.clone(),
                large_parts,
            })));
        }
        let range = EventRange::new(first, self.session.last_event);
        if let Some(turn) = self.turns.get_mut(index.0 as usize) {
            match turn.events.last_mut() {
                Some(last) if last.last.next() == first => last.last = range.last,
                _ => turn.events.push(range),
            }
        }
        let from = (first.0 - 1) as usize;
        let appended = self.messages.get(from..).unwrap_or_default();
        appended.iter().flatten().cloned().collect()
    }

    /// Moves an open turn to another status, and the head with it.
    fn move_turn(&mut self, index: TurnIndex, status: TurnStatus) -> Result<()> {
        let Some(turn) = self.turns.get_mut(index.0 as usize) else {
            return Err(no_turn("turn_id"));
        };
        turn.status = status;
        let parent = turn.parent;
        if status == TurnStatus::Failed && self.session.head == Some(index) {
            self.session.head = append::head_after_failure(parent, |index| {
                self.at(index).map(|turn| (turn.status, turn.parent))
            })?;
        }
        Ok(())
    }

    fn recorded(
        &self,
        index: TurnIndex,
        appended: Vec<Arc<StoredMessage>>,
        effect: WriteEffect,
    ) -> Result<Recorded> {
        Ok(Recorded {
            turn: self.at(index)?.clone(),
            appended,
            effect,
            session: self.session.clone(),
        })
    }

    fn at(&self, index: TurnIndex) -> Result<&Turn> {
        let turn = self.turns.get(index.0 as usize);
        turn.ok_or_else(|| no_turn("turn_id"))
    }

    pub(super) fn turn(&self, turn_id: &TurnId) -> Option<&Turn> {
        let index = self.by_id.get(turn_id)?;
        self.turns.get(index.0 as usize)
    }

    pub(super) fn turns_from(&self, from: TurnIndex, limit: usize) -> &[Turn] {
        let rest = self.turns.get(from.0 as usize..).unwrap_or_default();
        rest.get(..limit).unwrap_or(rest)
    }

    pub(super) fn records_from(&self, from: TurnIndex, limit: usize) -> Vec<TurnRecord> {
        let record = |turn: &Turn| TurnRecord {
            messages: self.messages_in(&turn.events),
            turn: turn.clone(),
        };
        self.turns_from(from, limit).iter().map(record).collect()
    }

    pub(super) fn messages_in(&self, ranges: &[EventRange]) -> Vec<Arc<StoredMessage>> {
        let mut out = Vec::new();
        for range in merge(ranges, self.session.last_event) {
            let (from, to) = (range.first.0 - 1, range.last.0);
            let found = self.messages.get(from as usize..to as usize);
            out.extend(found.unwrap_or_default().iter().flatten().cloned());
        }
        out
    }
}

fn new_session(write: &TurnWrite) -> Session {
    Session {
        session_id: write.key.session_id.clone(),
        tenant: write.key.tenant.clone(),
        user: write.user.clone(),
        agent: write.agent.clone(),
        created_at: write.recorded_at,
        change_seq: 0,
        purge_seq: 0,
        head: None,
        turns: 0,
        last_event: EventId(0),
        distilled: Distilled::default(),
    }
}
