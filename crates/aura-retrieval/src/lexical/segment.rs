//! A run of messages as bytes, so that opening a long session need not analyse it again. The segments of a session
//! follow each other; an index is made of them by appending one after the other.
//!
//! Layout, numbers as in `varint`: magic and version; analyzer; documents; removed documents; terms in ascending order,
//! each with its text and its postings (`packed`) in these documents; named speakers. What can be derived (windows, length
//! codes, hash table) is. The reader checks all it needs to stay sound, but no digest: whoever keeps the bytes has one over
//! all he keeps.

mod packed;
mod read;

use std::ops::Range;

pub(crate) use self::read::append;

use crate::lexical::documents::NO_TIME;
use crate::lexical::identity::AnalyzerIdentity;
use crate::lexical::index::SessionIndex;
use crate::lexical::postings::posting::{Posting, within};
use crate::lexical::segment::packed::put_postings;
use crate::lexical::speakers::NO_SPEAKER;
use crate::lexical::varint::{put, put_bytes, put_signed};

/// Changes with the layout.
const VERSION: u8 = 4;

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
    let mut speakers: Vec<u16> = Vec::new();
    write_documents(index, range, &mut speakers, out);
    write_removed(index, range, out);
    let mut terms: Vec<(u64, &[u8], &[Posting])> = Vec::new();
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
            let text = index.dictionary.text_of(term);
            terms.push((beginning(text), text, run));
        }
    }
    // In this order the segments of a session can be read side by side, and each list put in its place at once.
    terms.sort_unstable_by_key(|&(beginning, text, _)| (beginning, text));
    put(out, terms.len() as u64);
    for (_, text, run) in terms {
        put_bytes(out, text);
        put_postings(out, run, range.start);
    }
    write_speakers(index, &speakers, out);
}

/// The first eight bytes of a text as a number that orders like them: nearly always the whole comparison.
fn beginning(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    for (place, byte) in bytes.iter_mut().zip(text) {
        *place = *byte;
    }
    u64::from_be_bytes(bytes)
}

/// Speakers are numbered from 1 in the order they come up; 0 is nobody.
fn write_documents(
    index: &SessionIndex,
    range: &Range<u32>,
    speakers: &mut Vec<u16>,
    out: &mut Vec<u8>,
) {
    put(out, range.len() as u64);
    let (mut event, mut turn, mut time) = (0, 0, 0);
    for ordinal in range.clone() {
        let document = index.documents.get(ordinal);
        put(out, document.event - event);
        put_signed(out, i64::from(document.turn) - turn);
        put(out, u64::from(document.tokens));
        put(out, u64::from(document.length));
        put(out, u64::from(document.traits.bits()));
        let mut known = speakers.iter().position(|&other| other == document.speaker);
        if known.is_none() && document.speaker != NO_SPEAKER {
            known = Some(speakers.len());
            speakers.push(document.speaker);
        }
        put(out, known.map_or(0, |number| number as u64 + 1));
        put(out, u64::from(document.time != NO_TIME));
        if document.time != NO_TIME {
            put_signed(out, document.time.wrapping_sub(time));
            time = document.time;
        }
        (event, turn) = (document.event, i64::from(document.turn));
    }
}

fn write_speakers(index: &SessionIndex, speakers: &[u16], out: &mut Vec<u8>) {
    put(out, speakers.len() as u64);
    for &number in speakers {
        let speaker = index.speakers.all().get(usize::from(number));
        put_bytes(
            out,
            speaker.map_or(&[][..], |speaker| speaker.name.as_bytes()),
        );
        let terms = speaker.map_or(&[][..], |speaker| &speaker.terms);
        put(out, terms.len() as u64);
        for &term in terms {
            put_bytes(out, index.dictionary.text_of(term));
        }
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
