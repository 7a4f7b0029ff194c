//! The sessions kept ready in memory, the least used first to go.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aura_core::{Result, SessionKey};
use parking_lot::RwLock;

use crate::parts::Parts;
use crate::session::entry::SessionEntry;

/// The sessions in memory.
pub(crate) struct SessionMap {
    entries: RwLock<HashMap<SessionKey, Arc<SessionEntry>>>,
    most: usize,
    /// Counts uses; the entry with the lowest count was used longest ago.
    clock: AtomicU64,
    serials: AtomicU64,
}

impl SessionMap {
    /// A map of at most `most` sessions.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            entries: RwLock::default(),
            most,
            clock: AtomicU64::new(1),
            serials: AtomicU64::new(1),
        }
    }

    /// A session, loaded if it is not in memory.
    ///
    /// # Errors
    /// `Denied` for another tenant's session; those of the store.
    pub(crate) fn get(&self, key: &SessionKey, parts: &Parts) -> Result<Arc<SessionEntry>> {
        if let Some(entry) = self.peek(key) {
            return Ok(entry);
        }
        // Loaded outside the lock: a long session must not keep others waiting. Two threads may load the same one; the
        // first to finish wins.
        let serial = self.serials.fetch_add(1, Ordering::Relaxed);
        let loaded = Arc::new(SessionEntry::load(key, serial, parts)?);
        let mut entries = self.entries.write();
        let entry = Arc::clone(entries.entry(key.clone()).or_insert(loaded));
        self.touch(&entry);
        if entries.len() > self.most {
            let oldest = entries
                .iter()
                .min_by_key(|(_, entry)| entry.used.load(Ordering::Relaxed))
                .map(|(key, _)| key.clone());
            let evicted = oldest.and_then(|oldest| entries.remove(&oldest));
            drop(entries);
            if let Some(evicted) = evicted {
                // What it has not stored yet is finished by the background thread, which keeps it alive till then.
                parts.queue.push_session(&evicted);
            }
        }
        Ok(entry)
    }

    /// A session, if it is in memory.
    pub(crate) fn peek(&self, key: &SessionKey) -> Option<Arc<SessionEntry>> {
        let entry = self.entries.read().get(key).map(Arc::clone)?;
        self.touch(&entry);
        Some(entry)
    }

    /// Lets go of a session, because it was deleted.
    pub(crate) fn remove(&self, key: &SessionKey) {
        self.entries.write().remove(key);
    }

    fn touch(&self, entry: &SessionEntry) {
        entry.used.store(
            self.clock.fetch_add(1, Ordering::Relaxed),
            Ordering::Relaxed,
        );
    }

    /// All sessions in memory.
    pub(crate) fn all(&self) -> Vec<Arc<SessionEntry>> {
        self.entries.read().values().map(Arc::clone).collect()
    }
}

#[cfg(test)]
mod tests {
    use aura_core::{Outcome, Principal, SessionId, Stage};
    use aura_storage::MemoryStorage;

    use super::*;
    use crate::engine::{Engine, EngineOptions, key_of};
    use crate::request::ContextRequest;

    /// Hands out the session `other` where `own` is asked for.
    fn plant(engine: &Engine, own: &SessionKey, other: &SessionKey) {
        let (_, parts, sessions) = engine.enter("test").unwrap();
        let foreign = sessions.get(other, parts).unwrap();
        sessions.entries.write().insert(own.clone(), foreign);
    }

    #[test]
    fn a_foreign_session_that_slips_in_is_noticed_where_scores_are_made() {
        let engine = Engine::new(Arc::new(MemoryStorage::new()), EngineOptions::default()).unwrap();
        let me = Principal::default();
        let ids = ["mine", "theirs"].map(|id| SessionId::new(id).unwrap());
        for at in 0..12 {
            for (id, whose) in ids.iter().zip(["my", "their"]) {
                let said = format!("The code of {whose} vault number {at} is heliotrope.");
                engine.record_exchange(&me, id, &said, "Noted.").unwrap();
            }
        }
        let request = ContextRequest::ask("What is the code of the vault?");
        let context = engine.build_context(&me, &ids[0], &request).unwrap();
        assert_eq!(context.manifest.outcome, Outcome::Complete);
        assert!(context.manifest.retrieval.scored > 0 && context.manifest.retrieval.foreign == 0);
        let [own, other] = ids.each_ref().map(|id| key_of(&me, id));
        plant(&engine, &own, &other);
        let context = engine.build_context(&me, &ids[0], &request).unwrap();
        let failure = context.manifest.failure.as_ref().unwrap();
        assert_eq!(failure.stage, Stage::Filter);
        assert_eq!(context.manifest.outcome, Outcome::Restricted);
        let texts = context
            .messages
            .iter()
            .map(|message| message.content.as_str());
        assert_eq!(
            texts.collect::<Vec<_>>(),
            ["What is the code of the vault?"]
        );
    }
}
