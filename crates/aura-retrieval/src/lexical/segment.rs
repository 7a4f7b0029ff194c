//! A run of messages as bytes, so that opening a long session need not analyse it again. The segments of a session
//! follow each other; an index is made of them by appending one after the other.
//!
//! Layout, numbers as in `varint`: magic and version; analyzer; documents; removed documents; terms, each with its text
//! and its postings in these documents. What can be derived (windows, length codes, hash table) is. The reader checks
//! all it needs to stay sound, but no digest: whoever keeps the bytes has one over all he keeps.

use std::ops::Range;

use aura_core::{Error, ErrorKind, Result};

use crate::lexical::dictionary::Dictionary;
use crate::lexical::documents::{Document, NO_TIME};
use crate::lexical::identity::AnalyzerIdentity;
use crate::lexical::index::SessionIndex;
use crate::lexical::postings::posting::{MAX_DOCUMENTS, MAX_FREQUENCY, Posting, within};
use crate::lexical::varint::{Reader, corrupt, put, put_bytes, put_signed};

/// Changes with the layout.
const VERSION: u8 = 2;

/// What every segment begins with.
const MAGIC: [u8; 8] = [b'a', b'u', b'r', b'a', b'l', b'e', b'x', VERSION];

/// Names the layout and the analyzer of segments.
pub(crate) fn identity(analyzer: &AnalyzerIdentity) -> String {
    format!("bm25/{VERSION}/{analyzer}")
}

/// Appends the documents of `range` to `out`.
pub(crate) fn write(index: &SessionIndex, range: &Range<u32>, out: &mut Vec<u8>) {
    out.extend_from_slice(&MAGIC);
    put_bytes(out, index.analyzer.as_str().as_bytes());
    write_documents(index, range, out);
    write_removed(index, range, out);
    let mut terms: Vec<(u32, &[Posting])> = Vec::new();
    for term in 0..index.dictionary.len() as u32 {
        let postings = index.postings.list(term).postings();
        // Most terms of a long session do not occur among its newest messages.
        if postings
            .last()
            .is_none_or(|last| last.document() < range.start)
        {
            continue;
        }
        let run = postings.get(within(postings, range)).unwrap_or_default();
        if !run.is_empty() {
            terms.push((term, run));
        }
    }
    put(out, terms.len() as u64);
    for (term, run) in terms {
        put_bytes(out, index.dictionary.text_of(term));
        write_postings(run, range.start, out);
    }
}

fn write_documents(index: &SessionIndex, range: &Range<u32>, out: &mut Vec<u8>) {
    put(out, range.len() as u64);
    let (mut event, mut turn, mut time) = (0, 0, 0);
    for ordinal in range.clone() {
        let document = index.documents.get(ordinal);
        put(out, document.event - event);
        put_signed(out, i64::from(document.turn) - turn);
        put(out, u64::from(document.tokens));
        put(out, u64::from(document.length));
        put(out, u64::from(document.time != NO_TIME));
        if document.time != NO_TIME {
            put_signed(out, document.time.wrapping_sub(time));
            time = document.time;
        }
        (event, turn) = (document.event, i64::from(document.turn));
    }
}

fn write_removed(index: &SessionIndex, range: &Range<u32>, out: &mut Vec<u8>) {
    let cut = index.removed.as_slice().iter().map(|removed| {
        let start = removed.start.max(range.start);
        start..removed.end.min(range.end).max(start)
    });
    let removed: Vec<Range<u32>> = cut.filter(|removed| !removed.is_empty()).collect();
    put(out, removed.len() as u64);
    for removed in removed {
        put(out, u64::from(removed.start - range.start));
        put(out, u64::from(removed.end - removed.start));
    }
}

fn write_postings(postings: &[Posting], start: u32, out: &mut Vec<u8>) {
    put(out, postings.len() as u64);
    let mut next = start;
    for posting in postings {
        let repeated = posting.frequency() > 1;
        put(
            out,
            u64::from(posting.document() - next) << 1 | u64::from(repeated),
        );
        if repeated {
            put(out, u64::from(posting.frequency()));
        }
        next = posting.document() + 1;
    }
}

/// Appends the documents of a segment to `index`, which is of no use after a failure.
///
/// # Errors
/// `Corrupt`, naming `analyzer` where that is another one; `Conflict`, when an event is not above the last one indexed;
/// `BudgetExceeded`, when the index is full.
pub(crate) fn append(index: &mut SessionIndex, bytes: &[u8]) -> Result<()> {
    let body = bytes
        .strip_prefix(&MAGIC)
        .ok_or_else(|| corrupt("is of an unknown version"))?;
    let mut reader = Reader::new(body);
    if reader.bytes()? != index.analyzer.as_str().as_bytes() {
        return Err(corrupt("is of another analyzer").with("field", "analyzer"));
    }
    let base = index.documents.len();
    read_documents(index, &mut reader)?;
    read_removed(index, base, &mut reader)?;
    read_terms(index, base, &mut reader)?;
    if !reader.is_empty() {
        return Err(corrupt("goes on after its end"));
    }
    Ok(())
}

fn read_documents(index: &mut SessionIndex, reader: &mut Reader<'_>) -> Result<()> {
    let count = reader.count()?;
    if count > (MAX_DOCUMENTS - index.documents.len()) as usize {
        return Err(full());
    }
    let last = index.documents.last_event();
    let (mut event, mut turn, mut time) = (0u64, 0i64, 0i64);
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
        });
    }
    Ok(())
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

fn read_terms(index: &mut SessionIndex, base: u32, reader: &mut Reader<'_>) -> Result<()> {
    let count = reader.count()?;
    if index.dictionary.len() == 0 {
        index.dictionary.reserve(count);
        index.postings.reserve(count);
    }
    let mut postings = Vec::new();
    for _ in 0..count {
        let text = std::str::from_utf8(reader.bytes()?)
            .map_err(|_| corrupt("has a term that is no text"))?;
        read_postings(base..index.documents.len(), reader, &mut postings)?;
        let term = number_of(&mut index.dictionary, text)?;
        let Some(first) = postings.first() else {
            return Err(corrupt("has a term without postings"));
        };
        let known = index.postings.list(term).postings();
        if known.last().is_some_and(|last| last >= first) {
            return Err(corrupt("has a term twice"));
        }
        index
            .postings
            .extend(term, &postings, index.documents.codes());
    }
    Ok(())
}

fn number_of(dictionary: &mut Dictionary, text: &str) -> Result<u32> {
    if text.is_empty() {
        return Err(corrupt("has a term without text"));
    }
    if !dictionary.has_room_for(text.len()) {
        return Err(full());
    }
    Ok(dictionary.get_or_add(text))
}

fn read_postings(
    documents: Range<u32>,
    reader: &mut Reader<'_>,
    postings: &mut Vec<Posting>,
) -> Result<()> {
    postings.clear();
    let mut next = u64::from(documents.start);
    let count = reader.count()?;
    postings.reserve(count);
    for _ in 0..count {
        let step = reader.number()?;
        let document = next + (step >> 1);
        if document >= u64::from(documents.end) {
            return Err(corrupt("has a posting of no document"));
        }
        let frequency = if step & 1 == 0 { 1 } else { reader.small()? };
        if frequency == 0 || frequency > MAX_FREQUENCY {
            return Err(corrupt("has a frequency out of range"));
        }
        postings.push(Posting::new(document as u32, frequency));
        next = document + 1;
    }
    Ok(())
}

fn full() -> Error {
    Error::new(
        ErrorKind::BudgetExceeded,
        "the lexical index of this session is full",
    )
}
