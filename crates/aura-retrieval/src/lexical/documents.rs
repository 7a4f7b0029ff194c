//! What an index knows of each document besides its words.

use std::ops::Range;

use aura_core::MessageTraits;
use aura_text::length_to_byte;

use crate::lexical::postings::growth::{extend_tight, push_tight};
use crate::lexical::search::window::WINDOW;
use crate::lexical::speakers::NO_SPEAKER;

/// Stands for a message without a time.
pub(crate) const NO_TIME: i64 = i64::MIN;

/// How many words of a neighbour count at most: a long answer shall not drown the message beside it.
pub(crate) const NEIGHBOUR_WORDS: u32 = 20;

/// A document as it is appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) event: u64,
    pub(crate) turn: u32,
    pub(crate) tokens: u32,
    /// Milliseconds since 1970, or [`NO_TIME`].
    pub(crate) time: i64,
    /// How many content terms it has.
    pub(crate) length: u32,
    /// Who speaks, by number in `Speakers`.
    pub(crate) speaker: u16,
    /// What is known of it beside its words.
    pub(crate) traits: MessageTraits,
}

/// What ranking reads of a document, side by side: ranking looks at a few neighbours here and there, and each look is
/// then one or two cache lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Traits {
    pub(crate) time: i64,
    /// Content terms of this and all documents before, so that the sum over any range is one subtraction.
    words: u64,
    /// The same with each document cut to [`NEIGHBOUR_WORDS`].
    short: u32,
    pub(crate) tokens: u32,
    turn: u32,
    pub(crate) speaker: u16,
    pub(crate) said: MessageTraits,
}

/// Columns by document ordinal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Documents {
    /// Runs of consecutive event ids: first document and first event. Nearly always one run.
    runs: Vec<(u32, u64)>,
    traits: Vec<Traits>,
    /// Length codes, padded with 0 to whole windows so that a window can always be read as an array.
    codes: Vec<u8>,
    /// A document's time is unknown or before that of an earlier one.
    out_of_order: bool,
}

impl Documents {
    pub(crate) fn len(&self) -> u32 {
        self.traits.len() as u32
    }

    /// Appends a document, whose event is above all others, and returns its ordinal.
    pub(crate) fn push(&mut self, document: Document) -> u32 {
        let ordinal = self.len();
        let follows = self
            .runs
            .last()
            .is_some_and(|&(first, event)| event + u64::from(ordinal - first) == document.event);
        if !follows {
            self.runs.push((ordinal, document.event));
        }
        let (words, short) = self.before(ordinal);
        self.out_of_order |= document.time == NO_TIME
            || self
                .traits
                .last()
                .is_some_and(|last| last.time > document.time);
        push_tight(
            &mut self.traits,
            Traits {
                time: document.time,
                words: words + u64::from(document.length),
                short: short + document.length.min(NEIGHBOUR_WORDS),
                tokens: document.tokens,
                turn: document.turn,
                speaker: document.speaker,
                said: document.traits,
            },
        );
        if self.codes.len() <= ordinal as usize {
            extend_tight(&mut self.codes, WINDOW as usize, 0);
        }
        if let Some(code) = self.codes.get_mut(ordinal as usize) {
            *code = length_to_byte(document.length);
        }
        ordinal
    }

    /// Says who speaks in a document.
    pub(crate) fn set_speaker(&mut self, document: u32, speaker: u16) {
        if let Some(traits) = self.traits.get_mut(document as usize) {
            traits.speaker = speaker;
        }
    }

    /// Makes room for a known number of documents.
    pub(crate) fn reserve(&mut self, documents: usize) {
        self.traits.reserve_exact(documents);
    }

    /// Forgets all of these documents but their events and turns.
    pub(crate) fn wipe(&mut self, documents: &Range<u32>) {
        let lengths: Vec<u32> = (documents.start..self.len())
            .map(|document| {
                if documents.contains(&document) {
                    0
                } else {
                    self.length(document)
                }
            })
            .collect();
        let (mut words, mut short) = self.before(documents.start);
        let rest = self.traits.get_mut(documents.start as usize..);
        for (traits, &length) in rest.unwrap_or_default().iter_mut().zip(&lengths) {
            words += u64::from(length);
            short += length.min(NEIGHBOUR_WORDS);
            (traits.words, traits.short) = (words, short);
        }
        let range = documents.start as usize..documents.end as usize;
        for traits in self.traits.get_mut(range.clone()).unwrap_or_default() {
            (traits.tokens, traits.time) = (0, NO_TIME);
            (traits.speaker, traits.said) = (NO_SPEAKER, MessageTraits::default());
        }
        self.out_of_order |= !documents.is_empty();
        self.codes.get_mut(range).unwrap_or_default().fill(0);
    }

    /// Length codes of all documents, and some padding.
    pub(crate) fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// The length codes of one window.
    #[inline]
    pub(crate) fn window_codes(&self, window: u32) -> Option<&[u8; WINDOW as usize]> {
        self.codes.get((window * WINDOW) as usize..)?.first_chunk()
    }

    /// Document, content terms, length code and traits of each document of a range.
    #[inline]
    pub(crate) fn iter(&self, range: &Range<u32>) -> impl Iterator<Item = (u32, u32, u8, &Traits)> {
        let places = range.start as usize..range.end as usize;
        let traits = self.traits.get(places.clone()).unwrap_or_default();
        let codes = self.codes.get(places).unwrap_or_default();
        let (mut before, _) = self.before(range.start);
        let rows = traits.iter().zip(codes).zip(range.clone());
        rows.map(move |((traits, &code), document)| {
            let length = (traits.words - before) as u32;
            before = traits.words;
            (document, length, code, traits)
        })
    }

    /// The content terms of a document.
    pub(crate) fn length(&self, document: u32) -> u32 {
        self.words(&(document..document.saturating_add(1))) as u32
    }

    /// The content terms of all documents of a range.
    pub(crate) fn words(&self, documents: &Range<u32>) -> u64 {
        self.before(documents.end).0 - self.before(documents.start).0
    }

    /// The same, each document cut to [`NEIGHBOUR_WORDS`].
    pub(crate) fn short_words(&self, documents: &Range<u32>) -> u64 {
        u64::from(self.before(documents.end).1 - self.before(documents.start).1)
    }

    /// The words of all documents before this one, and the same with each cut to [`NEIGHBOUR_WORDS`].
    fn before(&self, document: u32) -> (u64, u32) {
        let last = (document as usize).min(self.traits.len()).checked_sub(1);
        last.and_then(|last| self.traits.get(last))
            .map_or((0, 0), |traits| (traits.words, traits.short))
    }

    pub(crate) fn event(&self, document: u32) -> u64 {
        let after = self.runs.partition_point(|&(first, _)| first <= document);
        match after.checked_sub(1).and_then(|run| self.runs.get(run)) {
            Some(&(first, event)) => event + u64::from(document - first),
            None => 0,
        }
    }

    /// The first document whose event is not below `event`.
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

    pub(crate) fn traits(&self, document: u32) -> Option<&Traits> {
        self.traits.get(document as usize)
    }

    pub(crate) fn turn(&self, document: u32) -> u32 {
        self.traits(document).map_or(0, |traits| traits.turn)
    }

    pub(crate) fn tokens(&self, document: u32) -> u32 {
        self.traits(document).map_or(0, |traits| traits.tokens)
    }

    pub(crate) fn time(&self, document: u32) -> i64 {
        self.traits(document).map_or(NO_TIME, |traits| traits.time)
    }

    /// The documents said from `start` on and before `end`, in milliseconds; `None` where times are out of order.
    pub(crate) fn said_within(&self, start: i64, end: i64) -> Option<Range<u32>> {
        if self.out_of_order {
            return None;
        }
        let first = self.traits.partition_point(|traits| traits.time < start);
        let after = self.traits.partition_point(|traits| traits.time < end);
        Some(first as u32..after.max(first) as u32)
    }

    /// A document as it was appended.
    pub(crate) fn get(&self, document: u32) -> Document {
        let traits = self.traits(document);
        Document {
            event: self.event(document),
            turn: self.turn(document),
            tokens: self.tokens(document),
            time: self.time(document),
            length: self.length(document),
            speaker: traits.map_or(NO_SPEAKER, |traits| traits.speaker),
            traits: traits.map_or(MessageTraits::default(), |traits| traits.said),
        }
    }

    pub(crate) fn last_event(&self) -> Option<u64> {
        self.len().checked_sub(1).map(|last| self.event(last))
    }

    pub(crate) fn memory(&self) -> usize {
        self.runs.capacity() * size_of::<(u32, u64)>()
            + self.traits.capacity() * size_of::<Traits>()
            + self.codes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(events: &[u64]) -> Documents {
        let mut documents = Documents::default();
        for (n, &event) in events.iter().enumerate() {
            documents.push(Document {
                event,
                turn: n as u32 / 2,
                tokens: 7,
                time: n as i64,
                length: n as u32 * 10,
                speaker: n as u16,
                traits: MessageTraits::ASKS,
            });
        }
        documents
    }

    #[test]
    fn events_map_both_ways_across_gaps() {
        let events = [3, 4, 5, 9, 10, 50];
        let documents = documents(&events);
        for (document, &event) in events.iter().enumerate() {
            assert_eq!(documents.event(document as u32), event);
        }
        for event in 0..60 {
            let expected = events.iter().filter(|&&e| e < event).count() as u32;
            assert_eq!(documents.first_from(event), expected, "event {event}");
        }
        assert_eq!(documents.last_event(), Some(50));
        assert_eq!(Documents::default().last_event(), None);
    }

    #[test]
    fn lengths_add_up_over_ranges_and_after_wiping() {
        let mut documents = documents(&[1, 2, 3, 4, 5]);
        assert_eq!(documents.words(&(1..4)), 60);
        assert_eq!(documents.short_words(&(1..4)), 50);
        documents.wipe(&(1..3));
        assert_eq!(
            (
                documents.words(&(0..5)),
                documents.length(3),
                documents.length(2)
            ),
            (70, 30, 0)
        );
        assert_eq!(
            (documents.tokens(1), documents.time(2), documents.tokens(3)),
            (0, NO_TIME, 7)
        );
        assert_eq!(documents.event(1), 2);
        assert_eq!(documents.words(&(0..99)), 70);
        let wiped = documents.get(1);
        assert_eq!(
            (wiped.speaker, wiped.traits),
            (NO_SPEAKER, MessageTraits::default())
        );
        assert_eq!(documents.get(3).speaker, 3);
    }

    #[test]
    fn spans_of_time_are_ranges_while_times_are_in_order() {
        let mut documents = documents(&[1, 2, 3, 4, 5]);
        assert_eq!(documents.said_within(1, 4), Some(1..4));
        assert_eq!(documents.said_within(9, 99), Some(5..5));
        assert_eq!(documents.said_within(3, 1), Some(3..3));
        documents.wipe(&(1..2));
        assert_eq!(documents.said_within(1, 4), None);
    }
}
