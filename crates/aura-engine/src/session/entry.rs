//! A session in memory: its state, its facts, and how it catches up with the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use aura_core::{
    Error, ErrorKind, EventId, EventRange, Part, PolicyMode, Recorded, Result, Session, SessionKey,
    StoredMessage, Turn, TurnIndex, TurnRecord, TurnStatus,
};
use parking_lot::{Mutex, RwLock, RwLockReadGuard};

use crate::dense::queries::Asked;
use crate::parts::Parts;
use crate::request::ContextRequest;
use crate::session::bodies::{Serial, SessionBodies};
use crate::session::data::SessionData;
use crate::session::fact_state::FactState;
use crate::session::history_tokens::HistoryTokens;
use crate::session::sent_lists::SentLists;
use crate::session::snapshot::{self, SegmentRef};
use crate::session::vectors::SessionVectors;

/// How many turns are read at once while catching up.
const BATCH: usize = 2048;

/// Writes that may wait to be taken in.
const MAX_PENDING: usize = 256;
/// What of the state the store keeps, as far as this process knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) segments: Vec<SegmentRef>,
    /// How often the state was forgotten.
    pub(crate) age: u64,
}

/// A session in memory.
pub(crate) struct SessionEntry {
    pub(crate) key: SessionKey,
    pub(crate) serial: Serial,
    pub(crate) data: RwLock<SessionData>,
    bodies: Arc<SessionBodies>,
    /// Writes of this process that could not be taken in at once.
    pending: Mutex<Vec<Recorded>>,
    pub(crate) facts: Mutex<FactState>,
    pub(crate) history_tokens: Mutex<HistoryTokens>,
    pub(crate) vectors: SessionVectors,
    /// What calls sent last.
    pub(crate) sent: SentLists,
    /// How many messages, from the first, have been counted or cannot be.
    pub(crate) counted: AtomicUsize,
    pub(crate) kept: Mutex<Kept>,
    /// When it was last used, on the clock of the session map.
    pub(crate) used: AtomicU64,
}

impl SessionEntry {
    /// Loads a session: from its snapshot where there is a good one, else from the log at the first catch-up.
    ///
    /// # Errors
    /// Those of the store; a damaged snapshot is none, since nothing is lost with it.
    pub(crate) fn load(key: &SessionKey, serial: Serial, parts: &Parts) -> Result<Self> {
        let restored = snapshot::load(key, parts)?;
        let session = parts.storage.session(key)?;
        // The state of a log that is no longer so is of no use.
        let restored = restored.zip(session).filter(|((data, _), session)| {
            (session.purge_seq..=session.change_seq).contains(&data.seen)
        });
        let (mut data, segments) = match restored {
            Some((restored, _)) => restored,
            None => (SessionData::new(&*parts.lexical), Vec::new()),
        };
        data.index.set_owner(key);
        Ok(Self {
            key: key.clone(),
            serial,
            counted: AtomicUsize::new(snapshot::messages(&segments)),
            data: RwLock::new(data),
            bodies: parts.bodies.session(),
            pending: Mutex::default(),
            facts: Mutex::new(FactState::default()),
            history_tokens: Mutex::new(HistoryTokens::default()),
            vectors: SessionVectors::default(),
            sent: SentLists::default(),
            kept: Mutex::new(Kept { segments, age: 0 }),
            used: AtomicU64::new(0),
        })
    }

    /// The state, current as of now; what other threads or processes wrote is taken in first.
    ///
    /// # Errors
    /// `Denied` for another tenant's session; those of the store.
    pub(crate) fn current(&self, parts: &Parts) -> Result<RwLockReadGuard<'_, SessionData>> {
        let session = parts.storage.session(&self.key)?;
        {
            let data = self.data.read();
            let wanted = session.as_ref().map_or(0, |session| session.change_seq);
            // Another thread may have taken in even more by now; that is current too.
            let is_gone = session.is_none() && data.seen > 0;
            if data.is_current(wanted) && !is_gone {
                return Ok(data);
            }
        }
        let mut data = self.data.write();
        match session {
            Some(session) => {
                self.take_pending(&mut data, parts)?;
                if !data.is_current(session.change_seq) {
                    catch_up(&mut data, session, self, parts)?;
                }
            }
            None => {
                self.pending.lock().clear();
                self.forget(&mut data, parts);
            }
        }
        Ok(parking_lot::RwLockWriteGuard::downgrade(data))
    }

    /// Takes in a write of this process. Where somebody holds the state, or an earlier write is still to come, it waits
    /// for who looks next: then nothing has to be read back.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn apply(&self, recorded: Recorded, parts: &Parts) -> Result<()> {
        {
            let mut pending = self.pending.lock();
            if pending.len() >= MAX_PENDING {
                // Nobody has looked for long; the log has it all.
                pending.clear();
            }
            pending.push(recorded);
        }
        match self.data.try_write() {
            Some(mut data) => self.take_pending(&mut data, parts),
            None => Ok(()),
        }
    }

    fn take_pending(&self, data: &mut SessionData, parts: &Parts) -> Result<()> {
        let mut pending = self.pending.lock();
        if pending.len() > 1 {
            pending.sort_by_key(|recorded| recorded.session.change_seq);
        }
        let mut later = Vec::new();
        for recorded in pending.drain(..) {
            if data.is_next(&recorded) {
                self.take(data, &recorded, parts)?;
            } else if recorded.session.change_seq > data.seen {
                later.push(recorded);
            }
        }
        *pending = later;
        Ok(())
    }

    fn take(&self, data: &mut SessionData, recorded: &Recorded, parts: &Parts) -> Result<()> {
        for stored in &recorded.appended {
            data.take_message(stored, &*parts.lexical)?;
        }
        let known = data.turns.len();
        data.take_turn(&recorded.turn);
        self.put_body(&recorded.turn, &recorded.appended, parts);
        data.set_session(recorded.session.clone());
        if (recorded.turn.index.0 as usize) < known {
            data.walk_branch();
        }
        Ok(())
    }

    /// Takes in that facts were committed, which changes nothing else.
    pub(crate) fn note_facts(&self, session: Session) {
        if let Some(mut data) = self.data.try_write()
            && data.seen + 1 == session.change_seq
            && data.turns.len() == session.turns as usize
        {
            data.set_session(session);
        }
    }

    /// Forgets everything, because something of it was deleted.
    fn forget(&self, data: &mut SessionData, parts: &Parts) {
        {
            // First of all: whoever has read something that is gone must find that it is outdated.
            let mut kept = self.kept.lock();
            *kept = Kept {
                age: kept.age + 1,
                ..Kept::default()
            };
        }
        self.bodies.clear();
        *data = SessionData::new(&*parts.lexical);
        data.index.set_owner(&self.key);
        self.facts.lock().forget();
        self.history_tokens.lock().forget();
        self.vectors.forget();
        self.counted.store(0, Ordering::Release);
    }

    /// Keeps the body of a turn that was recorded whole just now; an older body of it is stale.
    fn put_body(&self, turn: &Turn, appended: &[Arc<StoredMessage>], parts: &Parts) {
        if turn.message_count() == appended.len() as u64 {
            let record = TurnRecord {
                turn: turn.clone(),
                messages: appended.to_vec(),
            };
            parts.bodies.put(&self.bodies, turn.index, Arc::new(record));
        } else {
            self.bodies.remove(turn.index);
        }
    }

    /// Brings the bodies of some turns into the processor's cache, as far as they are in memory: each step reads the same
    /// of all of them, so that it waits for them together.
    pub(crate) fn warm(&self, turns: impl Iterator<Item = TurnIndex>) {
        /// What one line of the cache holds.
        const LINE: usize = 64;
        let bodies = self.bodies.peek(turns);
        let messages = || bodies.iter().flat_map(|body| &body.messages);
        let parts: usize = messages().map(|stored| stored.message.parts.len()).sum();
        let texts = || {
            let parts = messages().flat_map(|stored| &stored.message.parts);
            parts.filter_map(Part::plain_text)
        };
        let lengths: usize = texts().map(str::len).sum();
        let lines = texts().flat_map(|text| text.as_bytes().iter().take(LINE * 8).step_by(LINE));
        let letters: usize = lines.map(|byte| usize::from(*byte)).sum();
        std::hint::black_box(parts + lengths + letters);
    }

    /// Begins to make the vector of a call's question, if it gives one and vectors may be searched.
    pub(crate) fn ask(
        &self,
        request: &ContextRequest,
        data: &SessionData,
        parts: &Parts,
    ) -> Option<Asked> {
        let dense = parts.dense.as_ref()?;
        let policy = &request.policy;
        let wanted = policy.retrieval_enabled && policy.mode == PolicyMode::PrioritySelective;
        if !wanted || request.question.is_empty() {
            return None;
        }
        let model = dense.models.get(self.vectors.model())?;
        Some(dense.queries.ask(model, &data.as_asked(&request.question)))
    }

    /// The body of a turn, from memory or the store.
    ///
    /// # Errors
    /// `NotFound`, when the store no longer has it; those of the store.
    pub(crate) fn body(&self, turn: TurnIndex, parts: &Parts) -> Result<Arc<TurnRecord>> {
        if let Some(record) = self.bodies.get(turn) {
            return Ok(record);
        }
        let age = self.kept.lock().age;
        let mut records = parts.storage.turn_records(&self.key, turn, 1)?;
        let record = records
            .pop()
            .filter(|record| record.turn.index == turn)
            .ok_or_else(|| Error::new(ErrorKind::NotFound, "a turn is gone from the store"))?;
        let record = Arc::new(record);
        // An open turn changes with the next write, perhaps of another process, which this cache would not see.
        let kept = self.kept.lock();
        if record.turn.status != TurnStatus::Open && kept.age == age {
            parts.bodies.put(&self.bodies, turn, Arc::clone(&record));
        }
        Ok(record)
    }
}

/// Reads what happened between the state seen and `session`, and on until nothing more happened.
fn catch_up(
    data: &mut SessionData,
    mut session: Session,
    entry: &SessionEntry,
    parts: &Parts,
) -> Result<()> {
    loop {
        if session.purge_seq > data.seen && data.seen > 0 {
            entry.forget(data, parts);
        }
        let mut event = EventId(data.messages.len() as u64 + 1);
        while event <= session.last_event {
            let last = EventId((event.0 + BATCH as u64 - 1).min(session.last_event.0));
            for stored in parts
                .storage
                .messages(&entry.key, &[EventRange::new(event, last)])?
            {
                data.take_message(&stored, &*parts.lexical)?;
            }
            event = last.next();
        }
        data.pad(session.last_event);
        let mut changed = Vec::new();
        let known = data.turns.len();
        for index in data.open.clone() {
            changed.extend(parts.storage.turns(&entry.key, index, 1)?);
        }
        let mut from = known;
        while from < session.turns as usize {
            let batch = parts.storage.turns(&entry.key, turn_index(from), BATCH)?;
            if batch.is_empty() {
                break;
            }
            from += batch.len();
            changed.extend(batch);
        }
        for turn in changed.iter().filter(|turn| turn.index.0 < session.turns) {
            entry.bodies.remove(turn.index);
            data.take_turn(turn);
        }
        let seen = session.change_seq;
        data.set_session(session);
        // A turn that was open may have come to be seen, or not, in the middle of the branch.
        if changed.iter().any(|turn| (turn.index.0 as usize) < known) {
            data.walk_branch();
        }
        match parts.storage.session(&entry.key)? {
            Some(now) if now.change_seq > seen => session = now,
            _ => return Ok(()),
        }
    }
}

fn turn_index(at: usize) -> TurnIndex {
    TurnIndex(u32::try_from(at).unwrap_or(u32::MAX))
}
