//! Snapshots of derived things.

use aura_core::{Result, Snapshot};

use super::sessions::SessionState;
use crate::refusal::{no_snapshot, outdated};

impl SessionState {
    pub(super) fn put_snapshot(&mut self, name: &str, snapshot: Snapshot) -> Result<()> {
        self.check_age(&snapshot)?;
        self.snapshots.insert(name.to_owned(), snapshot);
        Ok(())
    }

    fn check_age(&self, snapshot: &Snapshot) -> Result<()> {
        if snapshot.change_seq < self.session.purge_seq {
            return Err(outdated());
        }
        Ok(())
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
        put.iter()
            .try_for_each(|(_, snapshot)| self.check_age(snapshot))?;
        self.snapshots
            .retain(|name, _| !name.starts_with(prefix) || keep.contains(name));
        self.snapshots.extend(put);
        Ok(())
    }
}
