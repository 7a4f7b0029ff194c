//! What the writers of the crash and process tests write: a turn is told by its writer and number alone, so whoever reads
//! it back knows what it must say.

use aura_core::{
    AgentId, LARGE_PART_BYTES, Message, Result, SessionId, SessionKey, Storage, TenantId,
    Timestamp, TurnId, TurnStatus, TurnWrite,
};

/// Writes of one writer (a thread of a round, or a process).
#[derive(Debug, Clone)]
pub struct Script {
    /// The session all writers share.
    pub key: SessionKey,
    /// The writer's name.
    pub writer: String,
}

impl Script {
    /// The script of a writer in a session.
    ///
    /// # Errors
    /// `Invalid`, when the name is no session id.
    pub fn new(session: &str, writer: &str) -> Result<Self> {
        Ok(Self {
            key: SessionKey {
                tenant: TenantId::default(),
                session_id: SessionId::new(session)?,
            },
            writer: writer.to_owned(),
        })
    }

    /// Whether the turn `n` is first recorded open and then extended.
    #[must_use]
    pub fn grows(n: u64) -> bool {
        n % 5 == 3
    }

    /// The messages of the turn `n`, in the end.
    #[must_use]
    pub fn messages(&self, n: u64) -> Vec<Message> {
        let count = 1 + n % 3 + u64::from(Self::grows(n));
        let message = |place: u64| {
            let text = format!("{} {n} {place} é\0 ", self.writer);
            // Now and then one that leaves the log for an artifact, and many that fill several pages.
            let times = match (n % 29, place) {
                (0, 0) => LARGE_PART_BYTES / text.len() + 1,
                (n, _) => 1 + (n * 37 % 60) as usize,
            };
            Message::user(text.repeat(times))
        };
        (0..count).map(message).collect()
    }

    /// How many of them are recorded at first.
    #[must_use]
    pub fn first_count(&self, n: u64) -> usize {
        let count = self.messages(n).len();
        if Self::grows(n) { count - 1 } else { count }
    }

    /// The id of the turn `n`.
    ///
    /// # Errors
    /// `Invalid`, when the writer's name is too long.
    pub fn turn_id(&self, n: u64) -> Result<TurnId> {
        TurnId::new(format!("{}/{n}", self.writer))
    }

    /// The writer and the number of a turn with this id.
    #[must_use]
    pub fn parse(turn_id: &TurnId) -> Option<(String, u64)> {
        let (writer, n) = turn_id.as_str().rsplit_once('/')?;
        Some((writer.to_owned(), n.parse().ok()?))
    }

    /// Records the turn `n`, as far as `part` says (`first` messages, or `all`).
    ///
    /// # Errors
    /// What the store gives.
    pub fn record(&self, store: &dyn Storage, n: u64, part: Part) -> Result<aura_core::Recorded> {
        let mut messages = self.messages(n);
        let mut status = TurnStatus::Complete;
        if part == Part::First {
            messages.truncate(self.first_count(n));
            if Self::grows(n) {
                status = TurnStatus::Open;
            }
        }
        store.record(TurnWrite {
            key: self.key.clone(),
            user: None,
            agent: AgentId::default(),
            turn_id: self.turn_id(n)?,
            fresh_id: n.is_multiple_of(2),
            parent: None,
            status,
            messages,
            recorded_at: Timestamp::from_millis_clamped(n as i64),
            requests: Vec::new(),
        })
    }
}

/// How much of a turn a call records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What comes first; all of it unless the turn grows.
    First,
    /// The whole turn.
    All,
}
