//! The messages near to a question, or why there are none.

use std::time::Instant;

use aura_core::{Calibration, Digest, EventId, EventRange, SessionKey, VectorHit, VectorRequest};
use parking_lot::MappedRwLockReadGuard;

use super::Dense;
use super::queries::{Asked, NoVector};
use crate::parts::Parts;
use crate::session::entry::SessionEntry;
use crate::session::vectors::Loaded;

/// How long a search may take.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Until when to wait for the vector of the question.
    pub(crate) until: Instant,
    /// Whether that time is the caller's own wish.
    pub(crate) by_deadline: bool,
}

/// A search that took place.
pub(crate) struct Near<'a> {
    loaded: MappedRwLockReadGuard<'a, Loaded>,
    vector: std::sync::Arc<[f32]>,
    /// The nearest visible messages.
    pub(crate) hits: Vec<VectorHit>,
    /// How many vectors were compared that the reader may not read.
    pub(crate) foreign: u64,
    pub(crate) calibration: Calibration,
    /// Whether any of them is near enough for the question to be about them.
    pub(crate) is_about: bool,
    /// The model's id.
    pub(crate) model: String,
    /// The digest of the question's vector.
    pub(crate) vector_digest: Digest,
}

/// What came of a search.
#[derive(Default)]
pub(crate) struct Outcome<'a> {
    pub(crate) near: Option<Near<'a>>,
    /// Why it was left out, if that was not as it should be.
    pub(crate) skipped: Option<&'static str>,
    /// How many visible messages no model has looked at.
    pub(crate) waiting: u64,
}

impl Outcome<'_> {
    /// The cosine of each message with the question; `None` for those without vectors.
    pub(crate) fn cosines(&self, events: &[EventId]) -> Vec<Option<f32>> {
        let cosines = self.near.as_ref().and_then(|near| {
            let index = &near.loaded.index;
            index.cosines(&near.vector, events).ok()
        });
        cosines.unwrap_or_else(|| vec![None; events.len()])
    }
}

/// Searches the vectors of a session. Whatever goes wrong, the answer comes, and in time.
pub(crate) fn search<'a>(
    entry: &'a SessionEntry,
    (reader, visible, limit): (&SessionKey, &[EventRange], usize),
    (asked, query, limits): (&mut Option<Asked>, &str, Limits),
    (dense, parts): (&Dense, &Parts),
) -> Outcome<'a> {
    let mut outcome = Outcome {
        waiting: visible.iter().map(EventRange::len).sum(),
        ..Outcome::default()
    };
    let Some(last) = visible.last().map(|range| range.last) else {
        return outcome;
    };
    let is_late = || limits.by_deadline && Instant::now() >= limits.until;
    let loaded = match entry
        .vectors
        .current(&entry.key, last, dense, parts, &is_late)
    {
        Ok(Some(loaded)) => loaded,
        Ok(None) => {
            dense.queue.push(&entry.key, Vec::new());
            return outcome;
        }
        Err(error) => {
            outcome.skipped = Some(error.kind().as_str());
            return outcome;
        }
    };
    let lacks = |range: &EventRange| EventRange::new(range.first.max(loaded.next), range.last);
    outcome.waiting = visible.iter().map(|range| lacks(range).len()).sum();
    if outcome.waiting > 0 {
        // Another process wrote them, or the time ran out while they were read.
        dense.queue.push(&entry.key, Vec::new());
    }
    let Some(model) = dense.models.get(loaded.model) else {
        return outcome;
    };
    let Some(calibration) = model.calibration() else {
        outcome.skipped = Some("not-calibrated");
        return outcome;
    };
    let same = |asked: &Asked| asked.model.id == model.id && asked.text == query;
    let asked = match asked {
        Some(asked) if same(asked) => asked,
        other => other.insert(dense.queries.ask(model, query)),
    };
    let found = asked
        .wait(limits.until, limits.by_deadline)
        .map_err(NoVector::reason)
        .and_then(|vector| {
            let request = VectorRequest {
                query: &vector,
                visible,
                limit,
                reader: Some(reader),
            };
            let found = loaded.index.search(&request);
            Ok((found.map_err(|error| error.kind().as_str())?, vector))
        });
    match found {
        Ok((found, vector)) => {
            let bytes = vector.iter().flat_map(|number| number.to_le_bytes());
            let nearest = found.hits.first().map_or(-1.0, |hit| hit.cosine);
            outcome.near = Some(Near {
                is_about: nearest >= calibration.about(found.searched),
                hits: found.hits,
                foreign: found.foreign,
                calibration,
                model: model.id.clone(),
                vector_digest: Digest::of(&bytes.collect::<Vec<u8>>()),
                vector,
                loaded,
            });
        }
        Err(reason) => outcome.skipped = Some(reason),
    }
    outcome
}
