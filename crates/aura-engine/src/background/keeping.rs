//! Keeping the state of a session in the store, in segments.
//!
//! A new segment takes up all segments before it that are not larger than what comes after them. So there are few of
//! them (each holds more than all after it), a message is written again only when its segment at least doubles, and
//! what is not in a segment yet stays short, whatever stops the process.

use aura_core::{ErrorKind, EventId, EventRange, Result, Snapshot};

use crate::parts::Parts;
use crate::session::entry::{Kept, SessionEntry};
use crate::session::segment::{self, Rows};
use crate::session::snapshot::{self, HEAD, Head, PREFIX, SegmentRef};

/// From this many new messages on a segment is due: as many as can be read, analysed and counted in about 20 ms.
const DUE: usize = 512;

/// How many messages a segment takes from the index at once, which nobody can write to meanwhile.
const MOST: usize = 4096;

/// How often to begin anew when another process was first.
const ATTEMPTS: usize = 3;

/// Keeps what is new of a session, if it is enough or if `all` is wanted; `true` when more is left to keep.
///
/// # Errors
/// Those of the store.
pub(crate) fn keep(entry: &SessionEntry, parts: &Parts, all: bool) -> Result<bool> {
    let wanted = if all { 1 } else { DUE };
    for _ in 0..ATTEMPTS {
        let Some(new) = Segment::next(entry, wanted) else {
            return Ok(false);
        };
        let left = new.left;
        match new.store(entry, parts) {
            Ok(()) => return Ok(left >= wanted),
            Err(error) if error.kind() == ErrorKind::Conflict => follow(entry, parts)?,
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// A segment about to be stored.
struct Segment {
    /// What was kept before.
    kept: Kept,
    /// How many of the kept segments stay.
    stay: usize,
    rows: Rows,
    /// The part of the index that holds the new messages.
    lexical: Vec<u8>,
    seen: u64,
    /// How many counted messages it leaves for the next one.
    left: usize,
}

impl Segment {
    /// The next segment of at least `wanted` new messages.
    fn next(entry: &SessionEntry, wanted: usize) -> Option<Self> {
        let data = entry.data.read();
        let kept = entry.kept.lock().clone();
        let covered = snapshot::messages(&kept.segments);
        let counted = entry.counted.load(std::sync::atomic::Ordering::Acquire);
        let counted = counted.min(data.messages.len());
        let new = counted.checked_sub(covered).filter(|new| *new >= wanted)?;
        data.session.as_ref()?;
        let end = covered + new.min(MOST);
        let stay = staying(&kept.segments, (end - covered) as u64);
        let (before, _) = kept.segments.split_at_checked(stay)?;
        let first_turn = usize::try_from(before.iter().map(|segment| segment.turns).sum::<u64>());
        let rows = Rows::of(&data, snapshot::messages(before), end, first_turn.ok()?);
        let mut lexical = Vec::new();
        let events = EventRange::new(EventId(covered as u64 + 1), EventId(end as u64));
        data.index.write_segment(events, &mut lexical);
        let (seen, left) = (data.seen, counted - end);
        Some(Self {
            kept,
            stay,
            rows,
            lexical,
            seen,
            left,
        })
    }

    /// Stores it with a new head, in place of the segments that it takes up.
    ///
    /// # Errors
    /// `Conflict`, when one of the segments before it is no longer there; those of the store.
    fn store(mut self, entry: &SessionEntry, parts: &Parts) -> Result<()> {
        let taken = self.kept.segments.split_off(self.stay);
        let mut kept = self.kept;
        let lexical = join(&taken, self.lexical, entry, parts)?;
        let bytes = segment::write(&self.rows, &lexical)?;
        let keep: Vec<String> = kept.segments.iter().map(SegmentRef::name).collect();
        let counts = (self.rows.message_count(), self.rows.turn_count());
        let segment = SegmentRef::new(&bytes, counts.0, counts.1);
        let change_seq = self.seen;
        let named = |bytes| Snapshot { change_seq, bytes };
        let mut put = vec![(segment.name(), named(bytes))];
        kept.segments.push(segment);
        let head = Head::new(self.seen, kept.segments.clone(), parts);
        put.push((HEAD.to_owned(), named(head.to_bytes()?)));
        parts
            .storage
            .replace_snapshots(&entry.key, PREFIX, &keep, put)?;
        let mut known = entry.kept.lock();
        if known.age == kept.age {
            *known = kept;
        }
        Ok(())
    }
}

/// How many of these segments stay as they are when one of `new` messages follows.
fn staying(segments: &[SegmentRef], new: u64) -> usize {
    let mut after = segments.iter().map(|segment| segment.messages).sum::<u64>() + new;
    let smaller = segments.iter().position(|segment| {
        after -= segment.messages;
        segment.messages <= after
    });
    smaller.unwrap_or(segments.len())
}

/// The parts of the index that stored segments and `new` messages hold, as one.
///
/// # Errors
/// `Conflict`, when a stored one is not there as it was; those of the store.
fn join(
    segments: &[SegmentRef],
    new: Vec<u8>,
    entry: &SessionEntry,
    parts: &Parts,
) -> Result<Vec<u8>> {
    if segments.is_empty() {
        return Ok(new);
    }
    let gone = || aura_core::Error::new(ErrorKind::Conflict, "a kept segment is gone");
    let mut stored = Vec::with_capacity(segments.len());
    for segment in segments {
        let found = parts.storage.snapshot(&entry.key, &segment.name())?;
        let found = found.filter(|found| segment.is_of(&found.bytes));
        stored.push(found.ok_or_else(gone)?.bytes);
    }
    let mut lexical = Vec::with_capacity(segments.len() + 1);
    for bytes in &stored {
        lexical.push(segment::lexical_part(bytes).ok_or_else(gone)?);
    }
    lexical.push(&new);
    let mut index = parts.lexical.create();
    index.append_segments(&lexical)?;
    let mut joined = Vec::new();
    index.write_segment(EventRange::new(EventId(1), EventId(u64::MAX)), &mut joined);
    Ok(joined)
}

/// Takes in what another process has kept meanwhile; what is not sound of it is kept anew.
fn follow(entry: &SessionEntry, parts: &Parts) -> Result<()> {
    let (age, known) = {
        let known = entry.kept.lock();
        (known.age, known.segments.clone())
    };
    let head = Head::stored(&entry.key, parts)?.filter(|head| head.has_counts_of(parts));
    let purged = {
        let data = entry.data.read();
        data.session.as_ref().map_or(0, |session| session.purge_seq)
    };
    let head = head.filter(|head| head.seen >= purged && head.segments != known);
    let mut kept = entry.kept.lock();
    if kept.age == age {
        kept.segments = head.map_or_else(Vec::new, |head| head.segments);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(segments: &[SegmentRef]) -> Vec<u64> {
        segments.iter().map(|segment| segment.messages).collect()
    }

    #[test]
    fn segments_stay_few_and_no_message_is_written_often() {
        for step in [1, DUE as u64] {
            let mut segments: Vec<SegmentRef> = Vec::new();
            let mut written = 0;
            for round in 1..=4096_u64 {
                let taken = segments.split_off(staying(&segments, step));
                let messages = taken.iter().map(|segment| segment.messages).sum::<u64>() + step;
                written += messages;
                segments.push(SegmentRef::new(b"", messages as usize, 1));
                let sizes = sizes(&segments);
                assert_eq!(sizes.iter().sum::<u64>(), round * step);
                for at in 0..sizes.len() {
                    assert!(sizes[at] > sizes[at + 1..].iter().sum(), "{sizes:?}");
                }
                assert!(sizes.len() <= 13);
            }
            assert!(written <= 13 * 4096 * step, "{written}");
        }
    }
}
