//! The vectors of a session in memory: read from the store when they are first searched, and kept up as more are made.

use aura_core::{ErrorKind, EventId, Result, SessionKey, StoredVector, VectorIndex, VectorSet};
use parking_lot::{MappedRwLockReadGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::dense::Dense;
use crate::parts::Parts;

/// How many messages' vectors are read at once.
const BATCH: usize = 1_024;

/// The vectors of one model.
pub(crate) struct Loaded {
    /// Which of the engine's models made them.
    pub(crate) model: usize,
    /// All events below it have been looked at by the model, and their vectors are here.
    pub(crate) next: EventId,
    pub(crate) index: Box<dyn VectorIndex>,
}

/// The vectors of a session: those that serve, and nothing until they are asked for.
#[derive(Default)]
pub(crate) struct SessionVectors(RwLock<Option<Loaded>>);

impl SessionVectors {
    /// The vectors that serve just now, with all that the store has of them up to event `last`; `None`, when there are
    /// none. Where the time runs out while they are read, the rest is read the next time.
    ///
    /// # Errors
    /// Those of the store and the index.
    pub(crate) fn current(
        &self,
        key: &SessionKey,
        last: EventId,
        dense: &Dense,
        parts: &Parts,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Option<MappedRwLockReadGuard<'_, Loaded>>> {
        {
            let held = self.0.read();
            let up_to_date = |loaded: &Loaded| loaded.model == 0 && loaded.next > last;
            if held.as_ref().is_some_and(up_to_date) {
                return Ok(RwLockReadGuard::try_map(held, Option::as_ref).ok());
            }
        }
        let sets = parts.storage.vector_sets(key)?;
        let mut held = self.0.write();
        if let Some((model, set)) = serving(&sets, dense) {
            let mut damaged = Vec::new();
            let loaded = match &mut *held {
                Some(loaded) if loaded.model == model => loaded,
                other => {
                    let mut index = dense.backend.create(set.dimension as usize)?;
                    index.set_owner(key);
                    other.insert(Loaded {
                        model,
                        next: EventId(1),
                        index,
                    })
                }
            };
            while loaded.next < set.next && !is_late() {
                let stored = parts.storage.vectors(key, &set.model, loaded.next, BATCH)?;
                let full = stored.len() == BATCH;
                let next = match stored.last() {
                    Some(last) if full => last.event_id.next(),
                    _ => set.next,
                };
                loaded.take(stored, &mut damaged)?;
                loaded.next = loaded.next.max(next);
            }
            if !damaged.is_empty() {
                dense.queue.push(key, damaged);
            }
        }
        let held = RwLockWriteGuard::downgrade(held);
        Ok(RwLockReadGuard::try_map(held, Option::as_ref).ok())
    }

    /// Which of the engine's models serves, as far as is known.
    pub(crate) fn model(&self) -> usize {
        self.0.read().as_ref().map_or(0, |loaded| loaded.model)
    }

    /// Takes in vectors that were made just now for the events from `from` up to `next`, if they follow what is here;
    /// otherwise they are read from the store when they are needed.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn absorb(
        &self,
        model: usize,
        from: EventId,
        vectors: Vec<StoredVector>,
        next: EventId,
    ) -> Result<()> {
        let mut held = self.0.write();
        if let Some(loaded) = held.as_mut().filter(|loaded| loaded.model == model)
            && loaded.next >= from
        {
            loaded.take(vectors, &mut Vec::new())?;
            loaded.next = loaded.next.max(next);
        }
        Ok(())
    }

    /// Does a slice of what makes searches faster; says whether some is left.
    pub(crate) fn advance(&self) -> bool {
        let held = self.0.read();
        held.as_ref().is_some_and(|loaded| loaded.index.advance())
    }

    /// Forgets everything, because something of it was deleted.
    pub(crate) fn forget(&self) {
        *self.0.write() = None;
    }
}

impl Loaded {
    /// Takes in vectors; messages whose vectors are damaged are passed over and noted.
    fn take(&mut self, vectors: Vec<StoredVector>, damaged: &mut Vec<EventId>) -> Result<()> {
        for vector in vectors {
            match self.index.insert(vector.event_id, &vector.bytes) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::Corrupt => damaged.push(vector.event_id),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Which of the stored sets serves: that of the model in use, unless the one it replaces is still ahead of it.
fn serving<'a>(sets: &'a [VectorSet], dense: &Dense) -> Option<(usize, &'a VectorSet)> {
    let of = |at: usize| {
        let model = dense.models.get(at)?;
        let fits =
            |set: &&VectorSet| set.model == model.id && set.dimension as usize == model.dimension;
        Some((at, sets.iter().find(fits)?))
    };
    match (of(0), of(1)) {
        (Some((_, new)), Some((at, old))) if old.next > new.next => Some((at, old)),
        (None, Some(old)) => Some(old),
        (new, _) => new,
    }
}
