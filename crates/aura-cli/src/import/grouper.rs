//! Messages to turns.

use std::collections::BTreeMap;

use aura::{CallId, MAX_ID_BYTES, Message, Part, Role, SessionId, TurnId};
use std::collections::HashMap;

use super::entry::Entry;

/// A message of a turn, with where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The line it stood on.
    pub line: u64,
    /// Its own id, unique in its session.
    pub message_id: String,
    /// The message.
    pub message: Message,
}

/// A turn, complete as far as the file goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The session it belongs to.
    pub session_id: SessionId,
    /// Its id: the one given, or one derived from its first message, so that another import finds it again.
    pub turn_id: TurnId,
    /// Its messages, in the order of the file.
    pub items: Vec<Item>,
    /// Roughly how many bytes it holds in memory.
    pub size: usize,
}

/// How much is held in memory before a turn closes early. The same file closes the same turns early each time.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Messages of one turn.
    pub turn_messages: usize,
    /// Bytes of one turn.
    pub turn_bytes: usize,
    /// Bytes of all turns that have not ended, over all sessions.
    pub pending_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turn_messages: 1000,
            turn_bytes: 16 * 1024 * 1024,
            pending_bytes: 64 * 1024 * 1024,
        }
    }
}

/// Groups the messages of each session into turns.
///
/// Consecutive messages of a session with the same turn id form a turn. Without a turn id, a turn begins at each user
/// message. Messages of several sessions may be mixed; each session keeps the order of its own.
#[derive(Debug, Default)]
pub struct Grouper {
    limits: Limits,
    pending: HashMap<SessionId, Pending>,
    /// Sessions by the line of their newest message, so that the one idle for longest closes first.
    by_line: BTreeMap<u64, SessionId>,
    bytes: usize,
}

/// The turn of a session that may still go on.
#[derive(Debug)]
struct Pending {
    /// The turn id that lines must carry to belong to it.
    key: Option<TurnId>,
    newest_line: u64,
    group: Group,
}

impl Grouper {
    /// A grouper with other limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Takes a message; gives the turns that end with it (`ended` is called for each, oldest first).
    pub fn push(&mut self, entry: Entry, mut ended: impl FnMut(Group)) {
        let size = entry.size();
        let line = entry.line;
        let session_id = entry.session_id.clone();
        let before = self.take(&session_id);
        let mut current = match before {
            Some(pending) if goes_on(&pending, &entry) && self.has_room(&pending, size) => pending,
            Some(pending) => {
                // A turn too long for memory goes on under an id of its own.
                let overflow = goes_on(&pending, &entry);
                let next = Pending::begin(&entry, !overflow);
                ended(pending.group);
                next
            }
            None => Pending::begin(&entry, true),
        };
        current.add(entry, size);
        current.newest_line = line;
        self.bytes += current.group.size;
        self.by_line.insert(line, session_id.clone());
        self.pending.insert(session_id, current);
        while self.bytes > self.limits.pending_bytes {
            match self.take_idlest() {
                Some(pending) => ended(pending.group),
                None => break,
            }
        }
    }

    /// Ends all turns, in the order of their newest lines.
    pub fn finish(mut self, mut ended: impl FnMut(Group)) {
        while let Some(pending) = self.take_idlest() {
            ended(pending.group);
        }
    }

    fn has_room(&self, pending: &Pending, size: usize) -> bool {
        pending.group.items.len() < self.limits.turn_messages
            && pending.group.size + size <= self.limits.turn_bytes
    }

    fn take_idlest(&mut self) -> Option<Pending> {
        let (_, session_id) = self.by_line.first_key_value()?;
        let session_id = session_id.clone();
        self.take(&session_id)
    }

    fn take(&mut self, session_id: &SessionId) -> Option<Pending> {
        let pending = self.pending.remove(session_id)?;
        self.by_line.remove(&pending.newest_line);
        self.bytes -= pending.group.size;
        Some(pending)
    }
}

/// Whether a message belongs to the turn that its session is in.
fn goes_on(pending: &Pending, entry: &Entry) -> bool {
    match (&pending.key, &entry.turn_id) {
        (Some(a), Some(b)) => a == b,
        (None, None) => entry.message.role != Role::User,
        _ => false,
    }
}

impl Pending {
    fn begin(entry: &Entry, may_bear_given_id: bool) -> Self {
        let given = entry.turn_id.clone().filter(|_| may_bear_given_id);
        let turn_id = given.unwrap_or_else(|| derived_turn_id(&entry.message_id));
        Self {
            key: entry.turn_id.clone(),
            newest_line: entry.line,
            group: Group {
                session_id: entry.session_id.clone(),
                turn_id,
                items: Vec::new(),
                size: 0,
            },
        }
    }

    fn add(&mut self, entry: Entry, size: usize) {
        let mut message = entry.message;
        for part in &mut message.parts {
            if let Part::ToolResult(result) = part
                && result.tool.is_none()
            {
                result.tool = self.tool_called(&result.call_id);
            }
        }
        self.group.size += size;
        self.group.items.push(Item {
            line: entry.line,
            message_id: entry.message_id,
            message,
        });
    }

    /// The tool that a call of this turn named.
    fn tool_called(&self, call_id: &CallId) -> Option<String> {
        let parts = self
            .group
            .items
            .iter()
            .rev()
            .flat_map(|item| &item.message.parts);
        parts
            .filter_map(|part| match part {
                Part::ToolCall(call) if call.call_id == *call_id => Some(call.name.clone()),
                _ => None,
            })
            .next()
    }
}

/// The id of a turn that begins with a message: `m:` and the message's id, or its digest where that is too long.
#[must_use]
#[expect(
    clippy::expect_used,
    reason = "the text has 2 to 256 bytes by construction"
)]
pub(crate) fn derived_turn_id(message_id: &str) -> TurnId {
    let plain = format!("m:{message_id}");
    let text = if plain.len() <= MAX_ID_BYTES {
        plain
    } else {
        format!("m:{}", blake3::hash(message_id.as_bytes()).to_hex())
    };
    TurnId::new(text).expect("a length within the limits")
}

#[cfg(test)]
mod tests;
