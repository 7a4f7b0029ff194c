//! What an index knows of each document besides its words.

use super::growth::{extend_tight, push_tight};
use super::long_list::WINDOW;
use super::norms::encode_length;

/// A document as it is appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) event: u64,
    pub(crate) turn: u32,
    pub(crate) tokens: u32,
    /// Milliseconds since 1970, `i64::MIN` without a time.
    pub(crate) time: i64,
    /// How many words it has.
    pub(crate) length: u32,
}

/// Per-document columns, by document ordinal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Documents {
    /// Runs of consecutive event ids: first document and first event. Nearly always one run.
    runs: Vec<(u32, u64)>,
    turns: Vec<u32>,
    tokens: Vec<u32>,
    times: Vec<i64>,
    /// Words of all documents up to and with this one.
    words: Vec<u64>,
    /// Length codes, padded with 0 to whole windows so that a window can always be read as an array.
    codes: Vec<u8>,
}

impl Documents {
    pub(crate) fn len(&self) -> u32 {
        self.turns.len() as u32
    }

    pub(crate) fn push(&mut self, document: Document) -> u32 {
        let ordinal = self.len();
        let follows = self
            .runs
            .last()
            .is_some_and(|&(first, event)| event + u64::from(ordinal - first) == document.event);
        if !follows {
            self.runs.push((ordinal, document.event));
        }
        push_tight(&mut self.turns, document.turn);
        push_tight(&mut self.tokens, document.tokens);
        push_tight(&mut self.times, document.time);
        let words = self.words.last().copied().unwrap_or(0) + u64::from(document.length);
        push_tight(&mut self.words, words);
        if self.codes.len() <= ordinal as usize {
            extend_tight(&mut self.codes, WINDOW as usize, 0);
        }
        if let Some(code) = self.codes.get_mut(ordinal as usize) {
            *code = encode_length(document.length);
        }
        ordinal
    }

    /// Length codes of all documents and some padding.
    pub(crate) fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// The words of documents `start..end`.
    pub(crate) fn words_between(&self, start: u32, end: u32) -> u64 {
        self.words_before(end).saturating_sub(self.words_before(start))
    }

    fn words_before(&self, document: u32) -> u64 {
        match (document as usize).min(self.words.len()).checked_sub(1) {
            Some(last) => self.words.get(last).copied().unwrap_or(0),
            None => 0,
        }
    }

    pub(crate) fn event(&self, document: u32) -> u64 {
        let after = self.runs.partition_point(|&(first, _)| first <= document);
        match after.checked_sub(1).and_then(|run| self.runs.get(run)) {
            Some(&(first, event)) => event + u64::from(document - first),
            None => 0,
        }
    }

    /// The first document whose event is not before `event`.
    pub(crate) fn first_from(&self, event: u64) -> u32 {
        let after = self.runs.partition_point(|&(_, first)| first <= event);
        match after.checked_sub(1).and_then(|run| self.runs.get(run)) {
            Some(&(first, start)) => {
                let end = self.runs.get(after).map_or(self.len(), |&(next, _)| next);
                let ahead = u32::try_from(event - start).unwrap_or(u32::MAX);
                first.saturating_add(ahead).min(end)
            }
            None => 0,
        }
    }

    pub(crate) fn turn(&self, document: u32) -> u32 {
        self.turns.get(document as usize).copied().unwrap_or(0)
    }

    pub(crate) fn tokens(&self, document: u32) -> u32 {
        self.tokens.get(document as usize).copied().unwrap_or(0)
    }

    pub(crate) fn time(&self, document: u32) -> i64 {
        self.times.get(document as usize).copied().unwrap_or(i64::MIN)
    }

    pub(crate) fn last_event(&self) -> Option<u64> {
        self.len().checked_sub(1).map(|last| self.event(last))
    }
}
