//! Reading segments.

use std::ops::Range;

use aura_core::{Error, ErrorKind, MessageTraits, Result};

use crate::lexical::documents::{Document, NO_TIME};
use crate::lexical::index::SessionIndex;
use crate::lexical::postings::posting::{MAX_DOCUMENTS, Posting};
use crate::lexical::segment::MAGIC;
use crate::lexical::segment::packed::read_postings;
use crate::lexical::speakers::NO_SPEAKER;
use crate::lexical::varint::{Reader, corrupt};

/// Appends the documents of segments to `index`, which is of no use after a failure.
///
/// # Errors
/// `Corrupt`, naming `analyzer` where that is another one; `Conflict`, when an event is not above the last one indexed;
/// `BudgetExceeded`, when the index is full.
pub(crate) fn append(index: &mut SessionIndex, segments: &[&[u8]]) -> Result<()> {
    let mut parts = Vec::with_capacity(segments.len());
    for bytes in segments {
        parts.push(Part::open(index, bytes)?);
    }
    append_terms(index, &mut parts)?;
    parts
        .into_iter()
        .try_for_each(|part| part.read_speakers(index))
}

/// A segment whose documents are read and whose terms are next.
struct Part<'a> {
    reader: Reader<'a>,
    documents: Range<u32>,
    /// Who speaks in each of them, by number in the segment from 1; 0 is nobody.
    speakers: Vec<u32>,
    /// The term that is next; none at the end.
    text: Option<&'a [u8]>,
    /// How many terms come after it.
    left: usize,
}

impl<'a> Part<'a> {
    /// Reads the documents of a segment.
    fn open(index: &mut SessionIndex, bytes: &'a [u8]) -> Result<Self> {
        let body = bytes
            .strip_prefix(&MAGIC)
            .ok_or_else(|| corrupt("is of an unknown version"))?;
        let mut reader = Reader::new(body);
        if reader.bytes()? != index.analyzer.as_str().as_bytes() {
            return Err(corrupt("is of another analyzer").with("field", "analyzer"));
        }
        let base = index.documents.len();
        let speakers = read_documents(index, &mut reader)?;
        read_removed(index, base, &mut reader)?;
        let mut part = Self {
            left: reader.count()?,
            reader,
            documents: base..index.documents.len(),
            speakers,
            text: Some(b""),
        };
        part.advance()?;
        Ok(part)
    }

    /// Goes on to the next term.
    fn advance(&mut self) -> Result<()> {
        let before = self.text.take();
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(());
        };
        self.left = left;
        self.text = Some(self.reader.bytes()?);
        if self.text <= before {
            return Err(corrupt("has its terms out of order"));
        }
        Ok(())
    }

    /// Appends the postings of the term, which is behind it then.
    fn take(&mut self, postings: &mut Vec<Posting>) -> Result<()> {
        let before = postings.len();
        read_postings(&self.documents, &mut self.reader, postings)?;
        if postings.len() == before {
            return Err(corrupt("has a term without postings"));
        }
        self.advance()
    }

    /// Reads who speaks, which stands behind the terms.
    fn read_speakers(mut self, index: &mut SessionIndex) -> Result<()> {
        let mut known: Vec<(&str, Vec<u32>)> = Vec::new();
        for _ in 0..self.reader.count()? {
            let name = std::str::from_utf8(self.reader.bytes()?);
            let name = name.map_err(|_| corrupt("has a speaker that is no text"))?;
            let mut terms = Vec::new();
            for _ in 0..self.reader.count()? {
                let term = std::str::from_utf8(self.reader.bytes()?);
                let term = term.map_err(|_| corrupt("has a name that is no text"))?;
                // A name is part of what is indexed, so the terms have it already.
                let number = index.dictionary.get(term);
                terms.push(number.ok_or_else(|| corrupt("has a name without postings"))?);
            }
            known.push((name, terms));
        }
        if !self.reader.is_empty() {
            return Err(corrupt("goes on after its end"));
        }
        for (document, &number) in self.documents.zip(&self.speakers) {
            let Some(number) = number.checked_sub(1) else {
                continue;
            };
            let (name, terms) = known
                .get(number as usize)
                .ok_or_else(|| corrupt("has a speaker out of range"))?;
            let speaker = index.speakers.note(name, terms, document);
            index.documents.set_speaker(document, speaker);
        }
        Ok(())
    }
}

fn append_terms(index: &mut SessionIndex, parts: &mut [Part<'_>]) -> Result<()> {
    let is_new = index.dictionary.len() == 0;
    if is_new {
        let terms = parts.iter().map(|part| part.left + 1).max();
        index.dictionary.reserve(terms.unwrap_or(0));
        let bytes = parts.iter().map(|part| part.reader.rest().len()).sum();
        index.postings.reserve(terms.unwrap_or(0), bytes);
    }
    let mut postings = Vec::new();
    while let Some(text) = parts.iter().filter_map(|part| part.text).min() {
        postings.clear();
        for part in parts.iter_mut().filter(|part| part.text == Some(text)) {
            part.take(&mut postings)?;
        }
        let text = std::str::from_utf8(text).map_err(|_| corrupt("has a term that is no text"))?;
        if !index.dictionary.has_room_for(text.len()) {
            return Err(full());
        }
        let codes = index.documents.codes();
        if is_new {
            // Terms ascend, so none was there before.
            index.dictionary.add(text);
            index.postings.add_term(&postings, codes);
        } else {
            let term = index.dictionary.get_or_add(text);
            index.postings.extend(term, &postings, codes);
        }
    }
    index.postings.tighten();
    Ok(())
}

/// Returns who speaks in each document.
fn read_documents(index: &mut SessionIndex, reader: &mut Reader<'_>) -> Result<Vec<u32>> {
    let count = reader.count()?;
    if count > (MAX_DOCUMENTS - index.documents.len()) as usize {
        return Err(full());
    }
    let last = index.documents.last_event();
    let (mut event, mut turn, mut time) = (0u64, 0i64, 0i64);
    let mut speakers = Vec::with_capacity(count);
    index.documents.reserve(count);
    for ordinal in 0..count {
        event = reader
            .number()?
            .checked_add(event)
            .filter(|&next| next > event || ordinal == 0)
            .ok_or_else(|| corrupt("has an event out of range"))?;
        if ordinal == 0
            && let Some(last) = last.filter(|&last| event <= last)
        {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("event {event} is not above the last one indexed, {last}"),
            )
            .with("field", "event_id"));
        }
        turn = turn.wrapping_add(reader.signed()?);
        let (tokens, length) = (reader.small()?, reader.small()?);
        let traits = u8::try_from(reader.number()?).ok();
        let traits = traits.and_then(MessageTraits::from_bits);
        let traits = traits.ok_or_else(|| corrupt("has traits out of range"))?;
        speakers.push(reader.small()?);
        let known = reader.number()? != 0;
        if known {
            time = time.wrapping_add(reader.signed()?);
        }
        index.documents.push(Document {
            event,
            turn: u32::try_from(turn).map_err(|_| corrupt("has a turn out of range"))?,
            tokens,
            time: if known { time } else { NO_TIME },
            length,
            speaker: NO_SPEAKER,
            traits,
        });
    }
    Ok(speakers)
}

fn read_removed(index: &mut SessionIndex, base: u32, reader: &mut Reader<'_>) -> Result<()> {
    let documents = index.documents.len() - base;
    for _ in 0..reader.count()? {
        let (start, length) = (reader.small()?, reader.small()?);
        let removed = match start.checked_add(length) {
            Some(end) if end <= documents => base + start..base + end,
            _ => return Err(corrupt("removes documents it does not have")),
        };
        index.hidden.insert(removed.clone());
        index.removed.insert(removed);
    }
    Ok(())
}

fn full() -> Error {
    Error::new(
        ErrorKind::BudgetExceeded,
        "the lexical index of this session is full",
    )
}
