//! Snapshots of derived things.

use aura_core::Snapshot;

use super::sessions::SessionState;

impl SessionState {
    pub(super) fn put_snapshot(&mut self, name: &str, snapshot: Snapshot) {
        self.snapshots.insert(name.to_owned(), snapshot);
    }

    pub(super) fn snapshot(&self, name: &str) -> Option<Snapshot> {
        self.snapshots.get(name).cloned()
    }
}
