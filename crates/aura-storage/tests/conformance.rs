//! The contract of the storage trait on every backend, and the backends against each other.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use aura_storage::MemoryStorage;
use aura_testkit::conformance::Fixture;
use aura_testkit::storage_conformance;

fn open_memory() -> Fixture {
    Fixture {
        store: Arc::new(MemoryStorage::new()),
        keep: Box::new(()),
    }
}

mod memory {
    use super::*;
    storage_conformance!(open_memory);
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use super::*;
    use aura_core::Durability;
    use aura_storage::{SqliteOptions, SqliteStorage};

    fn open(durability: Durability) -> Fixture {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let options = SqliteOptions::new().durability(durability);
        let store = SqliteStorage::open(folder.path().join("test.db"), options);
        Fixture {
            store: Arc::new(store.expect("a new store")),
            keep: Box::new(folder),
        }
    }

    fn open_normal() -> Fixture {
        open(Durability::Normal)
    }

    storage_conformance!(open_normal);

    #[test]
    fn answers_like_the_memory_store() {
        aura_testkit::model::compare(open_memory, open_normal);
    }

    #[test]
    fn full_durability_keeps_the_contract_of_threads() {
        let open_full = || open(Durability::Full);
        aura_testkit::conformance::run(aura_testkit::conformance::threads::CASES, open_full);
    }
}
