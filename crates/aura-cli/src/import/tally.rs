//! What an import has done, counted.

use serde::Serialize;

/// What an import has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Lines read, empty ones included.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Sessions that the messages belong to.
    pub sessions: u64,
    /// Turns recorded.
    pub turns_recorded: u64,
    /// Messages recorded.
    pub messages_recorded: u64,
    /// Messages that were in the store before.
    pub messages_known: u64,
    /// Messages that the input itself repeats.
    pub messages_repeated: u64,
    /// Turns recorded for messages that came after their turn had ended.
    pub continuations: u64,
    /// Lines refused.
    pub refused: u64,
}

impl Tally {
    /// Adds what one turn gave.
    pub fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.bytes += other.bytes;
        self.sessions += other.sessions;
        self.turns_recorded += other.turns_recorded;
        self.messages_recorded += other.messages_recorded;
        self.messages_known += other.messages_known;
        self.messages_repeated += other.messages_repeated;
        self.continuations += other.continuations;
        self.refused += other.refused;
    }
}
