//! One turn to the store, once, however often it is brought.

use std::time::{Duration, Instant};

use aura::{
    Digest, Engine, Error, ErrorKind, Principal, RecordRequest, RecordedTurn, SessionId,
    StoredMessage, TurnId, TurnIndex, TurnStatus, WriteEffect,
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
}

impl Recorder {
    pub(crate) const fn new(engine: Engine, principal: Principal) -> Self {
        Self { engine, principal }
    }

    /// Records a turn. What is stored already is left alone; messages that a closed turn has not are recorded as a
    /// turn of their own behind it; messages stored with other content are refused.
    ///
    /// # Errors
    /// What makes it useless to go on: a store that is full, damaged or closed.
    pub(crate) fn record(&self, group: Group, refused: &mut Vec<Refusal>) -> Result<Tally, Error> {
        let Group {
            session_id,
            mut turn_id,
            mut items,
            ..
        } = group;
        let mut tally = Tally::default();
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

    /// The messages of the stored turn that stood in the way.
    fn stored_messages(
        &self,
        session_id: &SessionId,
        turn_id: &TurnId,
        items: &[Item],
    ) -> Result<Vec<std::sync::Arc<StoredMessage>>, Error> {
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
        let mut from = 0;
        loop {
            let page = self
                .engine
                .turns(&self.principal, session_id, TurnIndex(from), PAGE)?;
            let Some(last) = page.last() else {
                return Ok(Vec::new());
            };
            from = last.turn.index.0.saturating_add(1);
            if let Some(record) = page
                .into_iter()
                .find(|record| record.turn.turn_id == *turn_id)
            {
                return Ok(record.messages);
            }
        }
    }
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

/// What a stored turn holds, by message id, and by content for messages without one.
struct Known {
    by_id: HashMap<String, Digest>,
    nameless: HashSet<Digest>,
}

#[derive(Deserialize)]
struct Named {
    message_id: String,
}

impl Known {
    fn of(stored: &[std::sync::Arc<StoredMessage>]) -> Self {
        let mut known = Self {
            by_id: HashMap::new(),
            nameless: HashSet::new(),
        };
        for stored in stored {
            let digest = stored.message.digest();
            let metadata = stored.message.metadata.as_ref();
            match metadata.and_then(|json| serde_json::from_str::<Named>(json.as_str()).ok()) {
                Some(named) => {
                    known.by_id.insert(named.message_id, digest);
                }
                None => {
                    known.nameless.insert(digest);
                }
            }
        }
        known
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
