//! An index as bytes, so that opening a long session need not analyse it again.
//!
//! Layout, numbers as in `varint`: magic and version; analyzer; `change_seq`; documents; hidden and removed documents;
//! dictionary; posting lists; BLAKE3 of all before. What can be derived (windows, length codes, hash table) is.

use aura_core::{Digest, Result};

use crate::lexical::documents::{Document, NO_TIME};
use crate::lexical::identity::AnalyzerIdentity;
use crate::lexical::index::SessionIndex;
use crate::lexical::postings::posting::{MAX_DOCUMENTS, MAX_FREQUENCY, Posting};
use crate::lexical::ranges::Ranges;
use crate::lexical::varint::{Reader, corrupt, put, put_bytes, put_signed};

/// What every snapshot begins with; the last byte is the version of the layout.
const MAGIC: &[u8; 8] = b"auralex\x01";

const DIGEST_BYTES: usize = 32;

/// Appends `index` to `out`.
pub(crate) fn write(index: &SessionIndex, change_seq: u64, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(MAGIC);
    put_bytes(out, index.analyzer.as_str().as_bytes());
    put(out, change_seq);
    write_documents(index, out);
    for ranges in [&index.hidden, &index.removed] {
        put(out, ranges.as_slice().len() as u64);
        for range in ranges.as_slice() {
            put(out, u64::from(range.start));
            put(out, u64::from(range.end - range.start));
        }
    }
    put(out, index.dictionary.len() as u64);
    for term in 0..index.dictionary.len() as u32 {
        let postings = index.postings.list(term).postings();
        let text = if postings.is_empty() {
            b""
        } else {
            index.dictionary.text_of(term)
        };
        put_bytes(out, text);
        write_postings(postings, out);
    }
    let digest = Digest::of(out.get(start..).unwrap_or_default());
    out.extend_from_slice(digest.as_bytes());
}

fn write_documents(index: &SessionIndex, out: &mut Vec<u8>) {
    put(out, u64::from(index.documents.len()));
    let (mut event, mut turn, mut time) = (0, 0, 0);
    for ordinal in 0..index.documents.len() {
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

fn write_postings(postings: &[Posting], out: &mut Vec<u8>) {
    put(out, postings.len() as u64);
    let mut next = 0;
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

/// Reads an index and the `change_seq` it has seen.
pub(crate) fn read(bytes: &[u8], analyzer: &AnalyzerIdentity) -> Result<(SessionIndex, u64)> {
    let mut reader = Reader::new(checked(bytes)?);
    let found = reader.bytes()?;
    if found != analyzer.as_str().as_bytes() {
        return Err(corrupt("is of another analyzer").with("field", "analyzer"));
    }
    let change_seq = reader.number()?;
    let mut index = SessionIndex::new(analyzer.clone());
    read_documents(&mut index, &mut reader)?;
    index.hidden = read_ranges(&index, &mut reader)?;
    index.removed = read_ranges(&index, &mut reader)?;
    read_terms(&mut index, &mut reader)?;
    if !reader.is_empty() {
        return Err(corrupt("goes on after its end"));
    }
    Ok((index, change_seq))
}

/// The bytes between magic and digest, if both are right.
fn checked(bytes: &[u8]) -> Result<&[u8]> {
    let (magic, _) = bytes.split_at_checked(MAGIC.len()).unwrap_or_default();
    if magic != MAGIC {
        return Err(corrupt("is of an unknown version"));
    }
    let body = bytes
        .len()
        .checked_sub(DIGEST_BYTES)
        .and_then(|end| bytes.split_at_checked(end));
    match body {
        Some((body, digest)) if Digest::of(body).as_bytes() == digest => {
            Ok(body.get(MAGIC.len()..).unwrap_or_default())
        }
        _ => Err(corrupt("is damaged")),
    }
}

fn read_documents(index: &mut SessionIndex, reader: &mut Reader<'_>) -> Result<()> {
    let count = reader.count()?;
    if count > MAX_DOCUMENTS as usize {
        return Err(corrupt("has too many documents"));
    }
    let (mut event, mut turn, mut time) = (0u64, 0i64, 0i64);
    index.documents.reserve(count);
    for ordinal in 0..count {
        event = reader
            .number()?
            .checked_add(event)
            .filter(|&next| next > event || ordinal == 0)
            .ok_or_else(|| corrupt("has an event out of range"))?;
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

fn read_ranges(index: &SessionIndex, reader: &mut Reader<'_>) -> Result<Ranges> {
    let mut ranges = Ranges::default();
    for _ in 0..reader.count()? {
        let (start, length) = (reader.small()?, reader.small()?);
        match start.checked_add(length) {
            Some(end) if end <= index.documents.len() => ranges.insert(start..end),
            _ => return Err(corrupt("hides documents it does not have")),
        }
    }
    Ok(ranges)
}

fn read_terms(index: &mut SessionIndex, reader: &mut Reader<'_>) -> Result<()> {
    let count = reader.count()?;
    index.dictionary.reserve(count);
    index.postings.reserve(count);
    let mut postings = Vec::new();
    for _ in 0..count {
        let text = std::str::from_utf8(reader.bytes()?)
            .map_err(|_| corrupt("has a term that is no text"))?;
        read_postings(index.documents.len(), reader, &mut postings)?;
        if text.is_empty() != postings.is_empty() || index.dictionary.restore(text).is_none() {
            return Err(corrupt("has a term twice or without text"));
        }
        index.postings.add_term(&postings, index.documents.codes());
    }
    Ok(())
}

fn read_postings(
    documents: u32,
    reader: &mut Reader<'_>,
    postings: &mut Vec<Posting>,
) -> Result<()> {
    postings.clear();
    let mut next = 0u64;
    let count = reader.count()?;
    postings.reserve(count);
    for _ in 0..count {
        let step = reader.number()?;
        let document = next + (step >> 1);
        if document >= u64::from(documents) {
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
