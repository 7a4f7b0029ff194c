//! Vectors of messages, by session and model.

use std::collections::BTreeMap;

use aura_core::{
    DeletionReceipt, EventId, EventRange, Layer, Result, SessionKey, StoredVector, VectorSet,
    VectorStorage, VectorWrite,
};

use super::sessions::SessionState;
use super::store::MemoryStorage;
use crate::refusal::check_dimension;

/// The vectors of one model.
#[derive(Clone)]
pub(super) struct Vectors {
    set: VectorSet,
    by_event: BTreeMap<EventId, Vec<u8>>,
}

impl VectorStorage for MemoryStorage {
    fn put_vectors(&self, write: VectorWrite) -> Result<()> {
        self.write("put_vectors", |state| {
            state.need(&write.key)?.put_vectors(write)
        })
    }

    fn vector_sets(&self, key: &SessionKey) -> Result<Vec<VectorSet>> {
        self.read("vector_sets", |state| {
            let found = state.find(key)?;
            let sets = found.into_iter().flat_map(|found| &found.vectors);
            Ok(sets.map(|vectors| vectors.set.clone()).collect())
        })
    }

    fn vectors(
        &self,
        key: &SessionKey,
        model: &str,
        from: EventId,
        limit: usize,
    ) -> Result<Vec<StoredVector>> {
        self.read("vectors", |state| {
            let found = state.find(key)?;
            Ok(found.map_or_else(Vec::new, |found| found.vectors_from(model, from, limit)))
        })
    }

    fn drop_vectors(&self, key: &SessionKey, model: &str) -> Result<bool> {
        self.write("drop_vectors", |state| {
            let sets = &mut state.need(key)?.vectors;
            let before = sets.len();
            sets.retain(|vectors| vectors.set.model != model);
            Ok(sets.len() < before)
        })
    }

    fn unembedded(&self, model: &str, limit: usize) -> Result<Vec<SessionKey>> {
        self.read("unembedded", |state| {
            let sessions = state.sessions.values();
            let mut found: Vec<&SessionState> = sessions
                .filter(|found| {
                    let next = found.set(model).map_or(EventId(1), |found| found.set.next);
                    next <= found.session.last_event
                })
                .collect();
            found.sort_unstable_by_key(|found| found.number);
            Ok(found
                .into_iter()
                .take(limit)
                .map(SessionState::key)
                .collect())
        })
    }
}

impl Vectors {
    /// Notes all of them as gone.
    pub(super) fn note(&self, session: &str, receipt: &mut DeletionReceipt) {
        let count = self.by_event.len() as u64;
        if count > 0 {
            let id = format!("{session}/{}", self.set.model);
            receipt.note(Layer::Vectors, id, count);
        }
    }

    /// Drops those of a range of events.
    pub(super) fn erase(
        &mut self,
        session: &str,
        range: EventRange,
        receipt: &mut DeletionReceipt,
    ) {
        let kept = |event: &EventId| !range.contains(*event);
        let gone = Self {
            set: self.set.clone(),
            by_event: self
                .by_event
                .extract_if(.., |event, _| !kept(event))
                .collect(),
        };
        gone.note(session, receipt);
    }
}

impl SessionState {
    fn set(&self, model: &str) -> Option<&Vectors> {
        self.vectors
            .iter()
            .find(|vectors| vectors.set.model == model)
    }

    fn put_vectors(&mut self, write: VectorWrite) -> Result<()> {
        let at = self
            .vectors
            .iter()
            .position(|vectors| vectors.set.model == write.model);
        let has_message = |event: EventId| {
            let at = usize::try_from(event.0.wrapping_sub(1)).unwrap_or(usize::MAX);
            self.messages.get(at).is_some_and(Option::is_some)
        };
        let purged = self.session.purge_seq > 0;
        let vectors: Vec<(EventId, Vec<u8>)> = write
            .vectors
            .into_iter()
            .filter(|vector| !purged || has_message(vector.event_id))
            .map(|vector| (vector.event_id, vector.bytes))
            .collect();
        let found = at.and_then(|at| self.vectors.get_mut(at));
        if let Some(found) = found {
            check_dimension(found.set.dimension, write.dimension)?;
            found.set.next = found.set.next.max(write.next);
            found.by_event.extend(vectors);
        } else {
            self.vectors.push(Vectors {
                set: VectorSet {
                    model: write.model,
                    dimension: write.dimension,
                    next: write.next,
                },
                by_event: vectors.into_iter().collect(),
            });
        }
        Ok(())
    }

    fn vectors_from(&self, model: &str, from: EventId, limit: usize) -> Vec<StoredVector> {
        let found = self.set(model).into_iter();
        let vectors = found.flat_map(|found| found.by_event.range(from..));
        let stored = vectors.map(|(event_id, bytes)| StoredVector {
            event_id: *event_id,
            bytes: bytes.clone(),
        });
        stored.take(limit).collect()
    }
}
