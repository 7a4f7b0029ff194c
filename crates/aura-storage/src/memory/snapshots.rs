//! Snapshots of derived things.

use aura_core::{Result, Snapshot};

use super::sessions::SessionState;
use crate::refusal::no_snapshot;

impl SessionState {
    pub(super) fn put_snapshot(&mut self, name: &str, snapshot: Snapshot) {
        self.snapshots.insert(name.to_owned(), snapshot);
    }

    pub(super) fn snapshot(&self, name: &str) -> Option<Snapshot> {
        self.snapshots.get(name).cloned()
    }

    pub(super) fn snapshots(&self, prefix: &str) -> Vec<(String, Snapshot)> {
        let named = self
            .snapshots
            .iter()
            .filter(|(name, _)| name.starts_with(prefix));
        named
            .map(|(name, snapshot)| (name.clone(), snapshot.clone()))
            .collect()
    }

    pub(super) fn replace_snapshots(
        &mut self,
        prefix: &str,
        keep: &[String],
        put: Vec<(String, Snapshot)>,
    ) -> Result<()> {
        if !keep.iter().all(|name| self.snapshots.contains_key(name)) {
            return Err(no_snapshot());
        }
        self.snapshots
            .retain(|name, _| !name.starts_with(prefix) || keep.contains(name));
        self.snapshots.extend(put);
        Ok(())
    }
}
