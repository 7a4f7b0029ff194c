//! A session's state kept in the store, so that opening a long session is fast: a head that lists the segments. Damaged
//! or foreign ones are passed over, and what they held is taken from the log.

use aura_core::{Digest, Result, SessionKey, Snapshot};
use serde::{Deserialize, Serialize};

use crate::parts::Parts;
use crate::session::data::SessionData;
use crate::session::segment;

/// What the names of all of it begin with in the store.
pub(crate) const PREFIX: &str = "session/";

/// The name of the head.
pub(crate) const HEAD: &str = "session/head";

/// Changes with the form of the bytes.
const MAGIC: &[u8; 8] = b"aura-s02";

/// Which segments make up the state, and what they presume.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The `change_seq` seen.
    pub(crate) seen: u64,
    /// Whose counts the segments hold.
    counter: String,
    /// What made their terms.
    lexical: String,
    pub(crate) segments: Vec<SegmentRef>,
}

/// A segment as the head names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentRef {
    digest: [u8; 32],
    /// How many messages it holds.
    pub(crate) messages: u64,
    /// How many turns it holds.
    pub(crate) turns: u64,
}

impl SegmentRef {
    /// The reference to a segment that holds so many messages and turns.
    pub(crate) fn new(bytes: &[u8], messages: usize, turns: usize) -> Self {
        Self {
            digest: *Digest::of(bytes).as_bytes(),
            messages: messages as u64,
            turns: turns as u64,
        }
    }

    /// Its name in the store.
    pub(crate) fn name(&self) -> String {
        format!("{PREFIX}{}", Digest::from_bytes(self.digest).prefix(32))
    }

    /// Whether these are its bytes.
    pub(crate) fn is_of(&self, bytes: &[u8]) -> bool {
        Digest::of(bytes).as_bytes() == &self.digest
    }
}

impl Head {
    /// A head of these segments, made at this `change_seq`.
    pub(crate) fn new(seen: u64, segments: Vec<SegmentRef>, parts: &Parts) -> Self {
        Self {
            seen,
            counter: parts.meter.counter().name().to_owned(),
            lexical: parts.lexical.identity(),
            segments,
        }
    }

    /// The head as the store has it, if it is of this version and its terms are those of this backend.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) fn stored(key: &SessionKey, parts: &Parts) -> Result<Option<Self>> {
        let stored = parts.storage.snapshot(key, HEAD)?;
        Ok(stored.and_then(|stored| Self::read(&stored.bytes, parts)))
    }

    /// Whether the counts are those of this counter.
    pub(crate) fn has_counts_of(&self, parts: &Parts) -> bool {
        self.counter == parts.meter.counter().name()
    }

    /// How many messages the segments hold.
    pub(crate) fn messages(&self) -> usize {
        messages(&self.segments)
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        let body = postcard::to_stdvec(self).map_err(|error| {
            aura_core::Error::new(
                aura_core::ErrorKind::Internal,
                "the head of a snapshot could not be encoded",
            )
            .caused_by(error)
        })?;
        let digest = Digest::of(&body);
        Ok([&MAGIC[..], digest.as_bytes(), &body].concat())
    }

    fn read(bytes: &[u8], parts: &Parts) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (digest, body) = rest.split_first_chunk::<32>()?;
        if Digest::of(body).as_bytes() != digest {
            return None;
        }
        let head: Self = postcard::from_bytes(body).ok()?;
        (head.lexical == parts.lexical.identity()).then_some(head)
    }
}

/// How many messages these segments hold.
pub(crate) fn messages(segments: &[SegmentRef]) -> usize {
    let sum: u64 = segments.iter().map(|segment| segment.messages).sum();
    usize::try_from(sum).unwrap_or(usize::MAX)
}

/// The state that the store has kept, as far as it is sound, and the segments it came from; `None` where there is none.
///
/// # Errors
/// Those of the store.
pub(crate) fn load(
    key: &SessionKey,
    parts: &Parts,
) -> Result<Option<(SessionData, Vec<SegmentRef>)>> {
    let stored = parts.storage.snapshots(key, PREFIX)?;
    Ok(restore(&stored, parts))
}

fn restore(stored: &[(String, Snapshot)], parts: &Parts) -> Option<(SessionData, Vec<SegmentRef>)> {
    let bytes_of = |name: &str| {
        let at = stored.binary_search_by(|(stored, _)| stored.as_str().cmp(name));
        Some(&stored.get(at.ok()?)?.1.bytes)
    };
    let mut head = Head::read(bytes_of(HEAD)?, parts)?;
    let keep_counts = head.has_counts_of(parts);
    let (mut turns, mut messages) = (Vec::new(), Vec::new());
    messages.reserve_exact(head.messages().min(1 << 24));
    let mut lexical = Vec::with_capacity(head.segments.len());
    for segment in &head.segments {
        let Some(bytes) = bytes_of(&segment.name()).filter(|bytes| segment.is_of(bytes)) else {
            break;
        };
        let (rows, part) = segment::read(bytes)?;
        rows.append_to(&mut turns, &mut messages, keep_counts)?;
        lexical.push(part);
    }
    let sound = lexical.len();
    let mut index = parts.lexical.create();
    index.append_segments(&lexical).ok()?;
    head.segments.truncate(if keep_counts { sound } else { 0 });
    let data = SessionData::restored(head.seen, turns, messages, index);
    Some((data, head.segments))
}
