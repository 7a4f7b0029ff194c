//! The current facts while one turn is read, and the changes it makes to them.

use aura_core::{Digest, EventId, Fact, FactId, FactOp, MAX_ID_BYTES, Timestamp, Trust};
use smallvec::SmallVec;

use super::lexicon;
use super::token::Tokens;
use super::wording::clip;

/// A fact of the book: one that was current before the turn, or one that the turn added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Old(usize),
    New(usize),
}

/// Some facts of the book.
pub(super) type Entries = SmallVec<[Entry; 4]>;

/// The facts a turn is read against.
pub(super) struct Book<'c> {
    session: &'c str,
    current: &'c [Fact],
    /// Facts of `current` that the turn ends.
    ended: Vec<End>,
    added: Vec<Added>,
    revised: Vec<(usize, String, EventId)>,
    source: Source,
    began: Option<Timestamp>,
    /// Facts added from this event so far.
    numbered: u32,
}

/// The message that is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    pub(super) event: EventId,
    /// When it was said.
    pub(super) said: Timestamp,
    /// When it was recorded.
    pub(super) recorded: Timestamp,
    pub(super) trust: Trust,
}

struct Added {
    fact: Fact,
    /// Taken back within the turn, perhaps in favour of another.
    ended: Option<Option<Entry>>,
}

struct End {
    place: usize,
    by: Option<Entry>,
    event: EventId,
    valid_to: Timestamp,
    at: Timestamp,
}

impl<'c> Book<'c> {
    pub(super) fn new(session: &'c str, current: &'c [Fact], source: Source) -> Self {
        Self {
            session,
            current,
            ended: Vec::new(),
            added: Vec::new(),
            revised: Vec::new(),
            source,
            began: None,
            numbered: 0,
        }
    }

    /// Turns to the next message of the turn.
    pub(super) fn turn_to(&mut self, source: Source) {
        if source.event != self.source.event {
            self.numbered = 0;
        }
        self.source = source;
    }

    /// When the message that is being read was said.
    pub(super) fn said(&self) -> Timestamp {
        self.source.said
    }

    /// Since when the statement that is being read holds; `None` for since it was said.
    pub(super) fn set_began(&mut self, began: Option<Timestamp>) {
        self.began = began;
    }

    fn valid_from(&self) -> Timestamp {
        self.began.unwrap_or(self.source.said)
    }

    /// The text and subject of a fact.
    pub(super) fn get(&self, entry: Entry) -> Option<(&str, &str)> {
        match entry {
            Entry::Old(place) => {
                let fact = self.current.get(place)?;
                let revised = self.revised.iter().rev().find(|(at, ..)| *at == place);
                Some((
                    revised.map_or(fact.text.as_str(), |(_, text, _)| text),
                    &fact.subject,
                ))
            }
            Entry::New(place) => self
                .added
                .get(place)
                .map(|added| (added.fact.text.as_str(), added.fact.subject.as_str())),
        }
    }

    /// How many events before the message that is being read a fact was last spoken of.
    pub(super) fn age(&self, entry: Entry) -> u64 {
        match entry {
            Entry::Old(place) => self
                .current
                .get(place)
                .and_then(|fact| fact.sources.last())
                .map_or(u64::MAX, |event| {
                    self.source.event.0.saturating_sub(event.0)
                }),
            Entry::New(_) => 0,
        }
    }

    pub(super) fn text(&self, entry: Entry) -> &str {
        self.get(entry).map_or("", |(text, _)| text)
    }

    pub(super) fn subject(&self, entry: Entry) -> &str {
        self.get(entry).map_or("", |(_, subject)| subject)
    }

    /// The facts in force, oldest first.
    pub(super) fn live(&self) -> impl DoubleEndedIterator<Item = (Entry, &str, &str)> {
        let old = (0..self.current.len())
            .filter(|place| !self.ended.iter().any(|end| end.place == *place))
            .map(Entry::Old);
        let new = (0..self.added.len())
            .filter(|place| {
                self.added
                    .get(*place)
                    .is_some_and(|added| added.ended.is_none())
            })
            .map(Entry::New);
        old.chain(new).filter_map(|entry| {
            self.get(entry)
                .map(|(text, subject)| (entry, text, subject))
        })
    }

    /// The facts in force with exactly this subject.
    pub(super) fn of_subject(&self, wanted: &str) -> Entries {
        self.live()
            .filter(|(_, _, subject)| *subject == wanted)
            .map(|(entry, ..)| entry)
            .collect()
    }

    /// The facts in force whose text holds all the words, given as stems.
    pub(super) fn mentioning(&self, words: &[String]) -> Entries {
        if words.is_empty() {
            return Entries::new();
        }
        self.live()
            .filter(|(_, text, _)| mentions(text, words))
            .map(|(entry, ..)| entry)
            .collect()
    }

    /// Adds a fact; one that says the same of the same subject already stands for it. `None` when the text is empty.
    pub(super) fn add(&mut self, subject: &str, text: &str) -> Option<Entry> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let same =
            |entry: &(Entry, &str, &str)| entry.2 == subject && entry.1.eq_ignore_ascii_case(text);
        if let Some((entry, ..)) = self.live().find(same) {
            return Some(entry);
        }
        let Source {
            event,
            recorded,
            trust,
            ..
        } = self.source;
        let valid_from = self.valid_from();
        let fact_id = fact_id(self.session, event, self.numbered)?;
        self.numbered += 1;
        self.added.push(Added {
            fact: Fact {
                fact_id,
                text: text.to_owned(),
                subject: clip(subject, 200).to_owned(),
                sources: vec![event],
                trust,
                valid_from,
                valid_to: None,
                recorded_at: recorded,
                invalidated_at: None,
                invalidated_by: None,
                replaced_by: None,
            },
            ended: None,
        });
        Some(Entry::New(self.added.len() - 1))
    }

    /// Ends a fact, in favour of another if `by` is given. A fact is never ended in its own favour.
    pub(super) fn end(&mut self, entry: Entry, by: Option<Entry>) {
        if by == Some(entry) {
            return;
        }
        match entry {
            Entry::New(place) => {
                if let Some(added) = self.added.get_mut(place)
                    && added.ended.is_none()
                {
                    added.ended = Some(by);
                }
            }
            Entry::Old(place) => {
                let known = self.ended.iter().any(|end| end.place == place);
                if let Some(fact) = self.current.get(place)
                    && !known
                {
                    self.ended.push(End {
                        place,
                        by,
                        event: self.source.event,
                        valid_to: self.valid_from().max(fact.valid_from),
                        at: self.source.recorded,
                    });
                }
            }
        }
    }

    /// Refines the words of a fact.
    pub(super) fn revise(&mut self, entry: Entry, text: &str) {
        match entry {
            Entry::New(place) => {
                if let Some(added) = self.added.get_mut(place) {
                    text.clone_into(&mut added.fact.text);
                }
            }
            Entry::Old(place) => self
                .revised
                .push((place, text.to_owned(), self.source.event)),
        }
    }

    /// The changes, in an order that a ledger can apply.
    pub(super) fn into_ops(self) -> Vec<FactOp> {
        let mut ops = Vec::new();
        for added in self.added.iter().filter(|added| added.ended.is_none()) {
            ops.push(FactOp::Add {
                fact: added.fact.clone(),
            });
        }
        for (place, text, event) in &self.revised {
            let ended = self.ended.iter().any(|end| end.place == *place);
            if let Some(fact) = self.current.get(*place)
                && !ended
            {
                ops.push(FactOp::Revise {
                    fact_id: fact.fact_id.clone(),
                    event: *event,
                    text: text.clone(),
                    at: self.source.recorded,
                });
            }
        }
        for end in &self.ended {
            if let Some(fact) = self.current.get(end.place) {
                ops.push(FactOp::Invalidate {
                    fact_id: fact.fact_id.clone(),
                    event: end.event,
                    replaced_by: end.by.and_then(|by| self.standing(by)),
                    valid_to: end.valid_to,
                    at: end.at,
                });
            }
        }
        ops
    }

    /// The id of the fact that stands in the end where `entry` was given as the replacement.
    fn standing(&self, entry: Entry) -> Option<FactId> {
        let mut entry = entry;
        // Replacements lead from older to newer entries, so this ends.
        for _ in 0..=self.added.len() {
            match entry {
                Entry::Old(place) => {
                    return self.current.get(place).map(|fact| fact.fact_id.clone());
                }
                Entry::New(place) => {
                    let added = self.added.get(place)?;
                    match added.ended {
                        None => return Some(added.fact.fact_id.clone()),
                        Some(by) => entry = by?,
                    }
                }
            }
        }
        None
    }
}

/// `<session>/<event>/<n>`, or the digest of the session in place of it where that is too long.
fn fact_id(session: &str, event: EventId, n: u32) -> Option<FactId> {
    let literal = format!("{session}/{}/{n}", event.0);
    if literal.len() <= MAX_ID_BYTES {
        return FactId::new(literal).ok();
    }
    FactId::new(format!(
        "{}/{}/{n}",
        Digest::of(session.as_bytes()),
        event.0
    ))
    .ok()
}

/// Whether a text holds all the words, given as stems.
pub(super) fn mentions(text: &str, words: &[String]) -> bool {
    if !words.iter().all(|word| may_hold(text, word)) {
        return false;
    }
    let tokens = Tokens::of(text);
    words
        .iter()
        .all(|word| (0..tokens.len()).any(|i| lexicon::stem(tokens.fold(i)) == word))
}

/// A quick test that never says no where the word stands.
fn may_hold(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else {
        return true;
    };
    if !word.is_ascii() {
        return true;
    }
    text.windows(word.len()).any(|window| {
        window
            .first()
            .is_some_and(|c| c.eq_ignore_ascii_case(first))
            && window.eq_ignore_ascii_case(word)
    })
}
