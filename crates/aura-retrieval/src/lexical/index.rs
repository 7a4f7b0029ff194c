//! The BM25 index of one session.

use aura_core::{
    AnalyzedMessage, CorpusStatistics, Error, ErrorKind, EventId, EventRange, LexicalHits,
    LexicalIndex, LexicalQuery, LexicalRequest, MessageTraits, Result, SessionKey, Timestamp,
};

use crate::lexical::dictionary::Dictionary;
use crate::lexical::documents::{Document, Documents, NO_TIME};
use crate::lexical::identity::AnalyzerIdentity;
use crate::lexical::postings::Postings;
use crate::lexical::postings::posting::{MAX_DOCUMENTS, Posting};
use crate::lexical::ranges::Ranges;
use crate::lexical::segment;
use crate::lexical::speakers::{NO_SPEAKER, Speakers};

/// The words of one session's messages, found by BM25.
///
/// Documents are messages, numbered in event order. Searching takes `&self`, so readers share a lock; appending takes
/// a few microseconds, so a writer keeps them waiting no longer.
#[derive(Debug, Clone, Default)]
pub struct SessionIndex {
    pub(crate) analyzer: AnalyzerIdentity,
    pub(crate) dictionary: Dictionary,
    pub(crate) postings: Postings,
    pub(crate) documents: Documents,
    pub(crate) speakers: Speakers,
    /// Documents that are neither found nor counted, removed ones among them.
    pub(crate) hidden: Ranges,
    pub(crate) removed: Ranges,
    /// Whose messages they are.
    owner: Option<SessionKey>,
    /// Term numbers of the message being appended.
    numbers: Vec<u32>,
}

impl SessionIndex {
    /// An empty index for terms of this analyzer.
    #[must_use]
    pub fn new(analyzer: AnalyzerIdentity) -> Self {
        Self {
            analyzer,
            ..Self::default()
        }
    }

    /// Like [`LexicalIndex::search`], with the same result, but scores every message that shares a term with the query: what
    /// pruning is tested and measured against.
    #[must_use]
    pub fn search_exhaustively(&self, request: &LexicalRequest<'_>) -> LexicalHits {
        self.find(request, false)
    }

    fn check_room(&self, message: &AnalyzedMessage) -> Result<()> {
        let event = message.event_id;
        if let Some(last) = self.documents.last_event()
            && event.0 <= last
        {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("event {event} is not above the last one indexed, {last}"),
            )
            .with("field", "event_id"));
        }
        if self.documents.len() >= MAX_DOCUMENTS
            || !self.dictionary.has_room_for(message.terms.len())
        {
            return Err(Error::new(
                ErrorKind::BudgetExceeded,
                "the lexical index of this session is full",
            ));
        }
        Ok(())
    }

    /// Whether whoever asks may not read these messages.
    pub(crate) fn is_foreign(&self, request: &LexicalRequest<'_>) -> bool {
        let owner = self.owner.as_ref();
        request.reader.is_some_and(|reader| owner != Some(reader))
    }

    /// The documents of these events.
    pub(crate) fn documents_of(&self, events: EventRange) -> std::ops::Range<u32> {
        let start = self.documents.first_from(events.first.0);
        let end = self.documents.first_from(events.last.0.saturating_add(1));
        start..end.max(start)
    }
}

impl LexicalIndex for SessionIndex {
    fn speakers(&self) -> Vec<&str> {
        let names = self
            .speakers
            .all()
            .iter()
            .map(|speaker| speaker.name.as_str());
        names.filter(|name| !name.is_empty()).collect()
    }

    fn set_owner(&mut self, owner: &SessionKey) {
        self.owner = Some(owner.clone());
    }

    fn append(&mut self, message: &AnalyzedMessage) -> Result<()> {
        self.check_room(message)?;
        self.numbers.clear();
        let mut start = 0;
        for &end in &message.ends {
            let term = message.terms.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            if term.is_empty() {
                continue;
            }
            self.numbers.push(self.dictionary.get_or_add(term));
        }
        let name = self.numbers.get(..message.speaker_terms as usize);
        let speaker = if message.traits.has(MessageTraits::NAMED) {
            let document = self.documents.len();
            self.speakers
                .note(&message.speaker, name.unwrap_or_default(), document)
        } else {
            NO_SPEAKER
        };
        self.numbers.sort_unstable();
        let document = self.documents.push(Document {
            event: message.event_id.0,
            turn: message.turn.0,
            tokens: message.tokens,
            time: message.time.map_or(NO_TIME, Timestamp::as_millis),
            length: message.length,
            speaker,
            traits: message.traits,
        });
        let codes = self.documents.codes();
        for same in self.numbers.chunk_by(|a, b| a == b) {
            let Some(&term) = same.first() else { continue };
            let posting = Posting::new(document, same.len().try_into().unwrap_or(u32::MAX));
            self.postings.push(term, posting, codes);
        }
        Ok(())
    }

    fn hide(&mut self, events: EventRange) {
        let documents = self.documents_of(events);
        self.hidden.insert(documents);
    }

    fn show(&mut self, events: EventRange) {
        let documents = self.documents_of(events);
        self.hidden.remove(&documents);
        for removed in self.removed.as_slice() {
            self.hidden.insert(removed.clone());
        }
    }

    fn remove(&mut self, events: EventRange) {
        let documents = self.documents_of(events);
        if documents.is_empty() {
            return;
        }
        self.hidden.insert(documents.clone());
        self.removed.insert(documents.clone());
        for document in documents.clone() {
            self.speakers.forget(self.documents.get(document).speaker);
        }
        self.documents.wipe(&documents);
        for term in self.postings.remove(&documents, self.documents.codes()) {
            self.dictionary.forget(term);
        }
    }

    fn last_event(&self) -> Option<EventId> {
        self.documents.last_event().map(EventId)
    }

    fn len(&self) -> u64 {
        u64::from(self.documents.len()) - self.hidden.count()
    }

    fn statistics(&self, query: &LexicalQuery, visible: &[EventRange]) -> CorpusStatistics {
        self.count(query, &self.visible(visible))
    }

    fn search(&self, request: &LexicalRequest<'_>) -> LexicalHits {
        self.find(request, true)
    }

    fn write_segment(&self, events: EventRange, out: &mut Vec<u8>) {
        segment::write(self, &self.documents_of(events), out);
    }

    fn append_segments(&mut self, segments: &[&[u8]]) -> Result<()> {
        segment::append(self, segments)
    }

    fn memory(&self) -> usize {
        self.dictionary.memory()
            + self.postings.memory()
            + self.documents.memory()
            + self.speakers.memory()
    }
}
