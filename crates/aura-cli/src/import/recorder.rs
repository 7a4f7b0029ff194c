//! One turn to the store, once, however often it is brought.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aura::{
    Digest, Engine, Error, ErrorKind, Principal, RecordRequest, RecordedTurn, Role, SessionId,
    StoredMessage, TurnId, TurnIndex, TurnRecord, TurnStatus, WriteEffect,
};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};

use super::grouper::{Group, Item, derived_turn_id};
use super::refusal::Refusal;
use super::tally::Tally;

/// How long a busy store is asked again.
const PATIENCE: Duration = Duration::from_secs(30);

/// Turns read at once when a stored turn has to be looked for.
const PAGE: usize = 256;

/// Records turns for a principal.
pub(crate) struct Recorder {
    engine: Engine,
    principal: Principal,
    /// The sessions of which a turn has come.
    begun: HashSet<SessionId>,
}

impl Recorder {
    pub(crate) fn new(engine: Engine, principal: Principal) -> Self {
        Self {
            engine,
            principal,
            begun: HashSet::new(),
        }
    }

    /// Records a turn. What is stored already is left alone; messages that a closed turn has not are recorded as a
    /// turn of their own behind it; messages stored with other content are refused.
    ///
    /// # Errors
    /// What makes it useless to go on: a store that is full, damaged or closed.
    pub(crate) fn record(
        &mut self,
        group: Group,
        refused: &mut Vec<Refusal>,
    ) -> Result<Tally, Error> {
        let is_first = !self.begun.contains(&group.session_id);
        if is_first {
            self.begun.insert(group.session_id.clone());
        }
        let is_fragment = is_first && may_be_fragment(&group);
        let Group {
            session_id,
            mut turn_id,
            mut items,
            ..
        } = group;
        let mut tally = Tally::default();
        if is_fragment {
            let known = self.known_in_session(&session_id, &items)?;
            items.retain(|item| known.keeps(item, &mut tally, refused));
            let Some(first) = items.first() else {
                return Ok(tally);
            };
            turn_id = derived_turn_id(&first.message_id);
        }
        loop {
            let error = match self.write(&session_id, &turn_id, &items) {
                Ok(recorded) => {
                    count(&mut tally, recorded.effect, items.len());
                    return Ok(tally);
                }
                Err(error) => error,
            };
            match error.kind() {
                ErrorKind::Conflict => {
                    let stored = self.stored_messages(&session_id, &turn_id, &items)?;
                    let known = Known::of(&stored);
                    let before = items.len();
                    items.retain(|item| known.keeps(item, &mut tally, refused));
                    let Some(first) = items.first() else {
                        return Ok(tally);
                    };
                    let next = derived_turn_id(&first.message_id);
                    if next == turn_id && items.len() == before {
                        refuse_all(&items, &error, refused);
                        return Ok(tally);
                    }
                    tally.continuations += 1;
                    turn_id = next;
                }
                ErrorKind::Invalid | ErrorKind::Denied | ErrorKind::NotFound => {
                    refuse_all(&items, &error, refused);
                    return Ok(tally);
                }
                _ => return Err(error),
            }
        }
    }

    fn write(
        &self,
        session_id: &SessionId,
        turn_id: &TurnId,
        items: &[Item],
    ) -> Result<RecordedTurn, Error> {
        let began = Instant::now();
        loop {
            let request = RecordRequest {
                turn_id: Some(turn_id.clone()),
                status: TurnStatus::Complete,
                messages: items.iter().map(|item| item.message.clone()).collect(),
                ..RecordRequest::default()
            };
            let result = self
                .engine
                .record_turn(&self.principal, session_id, request);
            match result {
                Err(error) if error.kind() == ErrorKind::Busy && began.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(100));
                }
                result => return result,
            }
        }
    }

    /// Which of the messages the session has, in whatever turn.
    fn known_in_session(&self, session_id: &SessionId, items: &[Item]) -> Result<Known, Error> {
        let ids: HashSet<&str> = items.iter().map(|item| item.message_id.as_str()).collect();
        let mut known = Known::default();
        let found = self.each_turn(session_id, |record| {
            let messages = record.messages.iter();
            for stored in messages
                .filter(|stored| message_id(stored).is_some_and(|id| ids.contains(id.as_str())))
            {
                known.add(stored);
            }
            known.by_id.len() < ids.len()
        });
        match found {
            // A new session, or one of somebody else, which recording will say.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Denied) => {
                Ok(Known::default())
            }
            found => found.map(|()| known),
        }
    }

    /// Hands over the turns of a session in order until `goes_on` is false.
    fn each_turn(
        &self,
        session_id: &SessionId,
        mut goes_on: impl FnMut(&TurnRecord) -> bool,
    ) -> Result<(), Error> {
        let mut from = TurnIndex(0);
        loop {
            let page = self.engine.turns(&self.principal, session_id, from, PAGE)?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            from = TurnIndex(last.turn.index.0.saturating_add(1));
            if !page.iter().all(&mut goes_on) {
                return Ok(());
            }
        }
    }

    /// The messages of the stored turn that stood in the way.
    fn stored_messages(
        &self,
        session_id: &SessionId,
        turn_id: &TurnId,
        items: &[Item],
    ) -> Result<Vec<Arc<StoredMessage>>, Error> {
        // Its first message alone is a prefix of it, if it is the same: then the write changes nothing and tells where
        // the turn is, without a search.
        if let Ok(found) = self.write(session_id, turn_id, items.get(..1).unwrap_or_default())
            && found.effect == WriteEffect::Unchanged
        {
            let mut messages = Vec::new();
            for range in &found.turn.events {
                messages.extend(self.engine.messages(&self.principal, session_id, *range)?);
            }
            return Ok(messages);
        }
        let mut messages = Vec::new();
        self.each_turn(session_id, |record| {
            let is_it = record.turn.turn_id == *turn_id;
            if is_it {
                messages.clone_from(&record.messages);
            }
            !is_it
        })?;
        Ok(messages)
    }
}

/// Whether a group may be the end of a turn whose beginning is not in the file: it does not begin with a user message,
/// and its id is of our own making.
fn may_be_fragment(group: &Group) -> bool {
    group.items.first().is_some_and(|first| {
        first.message.role != Role::User && group.turn_id == derived_turn_id(&first.message_id)
    })
}

fn count(tally: &mut Tally, effect: WriteEffect, messages: usize) {
    let messages = messages as u64;
    match effect {
        WriteEffect::Unchanged => tally.messages_known += messages,
        WriteEffect::Created | WriteEffect::Extended => {
            tally.turns_recorded += 1;
            tally.messages_recorded += messages;
        }
    }
}

fn refuse_all(items: &[Item], error: &Error, refused: &mut Vec<Refusal>) {
    refused.extend(items.iter().map(|item| Refusal::of_error(item.line, error)));
}

/// Stored messages by message id, and by content for messages without one.
#[derive(Default)]
struct Known {
    by_id: HashMap<String, Digest>,
    nameless: HashSet<Digest>,
}

/// The message id that an import keeps among the metadata.
fn message_id(stored: &StoredMessage) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        message_id: String,
    }
    let metadata = stored.message.metadata.as_ref()?;
    let named: Named = serde_json::from_str(metadata.as_str()).ok()?;
    Some(named.message_id)
}

impl Known {
    fn of(messages: &[Arc<StoredMessage>]) -> Self {
        let mut known = Self::default();
        messages.iter().for_each(|stored| known.add(stored));
        known
    }

    fn add(&mut self, stored: &StoredMessage) {
        let digest = stored.message.digest();
        match message_id(stored) {
            Some(id) => {
                self.by_id.insert(id, digest);
            }
            None => {
                self.nameless.insert(digest);
            }
        }
    }

    /// Whether a message is still to be recorded; else it is counted or refused.
    fn keeps(&self, item: &Item, tally: &mut Tally, refused: &mut Vec<Refusal>) -> bool {
        let digest = item.message.digest();
        match self.by_id.get(&item.message_id) {
            Some(stored) if *stored != digest => {
                let reason = "is stored with other content";
                refused.push(Refusal::of_field(item.line, "message_id", reason));
                false
            }
            None if !self.nameless.contains(&digest) => true,
            _ => {
                tally.messages_known += 1;
                false
            }
        }
    }
}
