//! The contract of [`Storage`], line by line, for any backend.
//!
//! A backend instantiates the suite with [`storage_conformance!`](crate::storage_conformance), giving a function that opens an empty
//! store; each group becomes a test.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a suite of tests: it fails by panicking"
)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use aura_core::{
    AgentId, Error, ErrorKind, Message, Recorded, RequestId, Result, Session, SessionId,
    SessionKey, Storage, StoredMessage, TenantId, Timestamp, TurnId, TurnStatus, TurnWrite, UserId,
};

pub mod access;
pub mod artifacts;
pub mod branches;
pub mod closing;
pub mod compilations;
pub mod deletion;
pub mod derived;
pub mod events;
pub mod facts;
pub mod policies;
pub mod sessions;
pub mod status;
pub mod texts;
pub mod threads;
pub mod turns;

pub use artifacts::large;
pub use derived::{snapshots, vectors};
pub use facts::{checkpoints, memories};
pub use policies::packets;

/// An open, empty store, with what must live as long as it (a folder, say).
pub struct Fixture {
    /// The store.
    pub store: Arc<dyn Storage>,
    /// What goes when the store goes.
    pub keep: Box<dyn Any>,
}

/// A line of the contract: its name and its test.
pub type Case = (&'static str, fn(&dyn Storage));

/// Runs each case on a store of its own and fails with the names of all that failed.
///
/// # Panics
/// When a case fails.
pub fn run(cases: &[Case], open: impl Fn() -> Fixture) {
    let failed: Vec<&str> = cases
        .iter()
        .filter(|(_, case)| {
            let fixture = open();
            catch_unwind(AssertUnwindSafe(|| case(&*fixture.store))).is_err()
        })
        .map(|(name, _)| *name)
        .collect();
    assert!(
        failed.is_empty(),
        "these lines of the contract do not hold: {failed:?}"
    );
}

/// Instantiates the suite for a backend: `storage_conformance!(open)`, where `open` is a function that gives a
/// [`Fixture`].
#[macro_export]
macro_rules! storage_conformance {
    ($open:path) => {
        $crate::storage_conformance!(
            @groups $open, access, artifacts, branches, checkpoints, closing, compilations, deletion, events,
            facts, large, memories, packets, policies, sessions, snapshots, status, texts, threads, turns, vectors
        );

        #[test]
        fn equals_the_model() {
            $crate::model::check($open);
        }
    };
    (@groups $open:path, $($group:ident),+) => {
        $(
            #[test]
            fn $group() {
                $crate::conformance::run($crate::conformance::$group::CASES, $open);
            }
        )+
    };
}

/// A time, `n` milliseconds after some moment.
pub(crate) fn at(n: i64) -> Timestamp {
    Timestamp::from_millis_clamped(1_700_000_000_000 + n)
}

pub(crate) fn key(tenant: &str, session: &str) -> SessionKey {
    SessionKey {
        tenant: TenantId::new(tenant).unwrap(),
        session_id: SessionId::new(session).unwrap(),
    }
}

pub(crate) fn turn_id(id: &str) -> TurnId {
    TurnId::new(id).unwrap()
}

/// Checks an error's kind and field.
#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind, field: &str) {
    let error: Error = result.unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (kind, Some(field)),
        "{error}"
    );
}

/// A session under test.
#[derive(Clone)]
pub(crate) struct Chat<'a> {
    pub(crate) store: &'a dyn Storage,
    pub(crate) key: SessionKey,
    pub(crate) user: Option<UserId>,
}

impl<'a> Chat<'a> {
    pub(crate) fn new(store: &'a dyn Storage) -> Self {
        Self::named(store, "chat")
    }

    pub(crate) fn named(store: &'a dyn Storage, session: &str) -> Self {
        Self {
            store,
            key: key("default", session),
            user: None,
        }
    }

    /// A write of user messages, complete.
    pub(crate) fn write(&self, turn: &str, texts: &[&str]) -> TurnWrite {
        TurnWrite {
            key: self.key.clone(),
            user: self.user.clone(),
            agent: AgentId::default(),
            turn_id: turn_id(turn),
            fresh_id: false,
            parent: None,
            status: TurnStatus::Complete,
            messages: texts.iter().map(|text| Message::user(*text)).collect(),
            recorded_at: at(0),
            requests: Vec::new(),
        }
    }

    pub(crate) fn record(&self, turn: &str, texts: &[&str]) -> Result<Recorded> {
        self.store.record(self.write(turn, texts))
    }

    pub(crate) fn open(&self, turn: &str, texts: &[&str]) -> Result<Recorded> {
        self.with_status(turn, texts, TurnStatus::Open)
    }

    pub(crate) fn with_status(
        &self,
        turn: &str,
        texts: &[&str],
        status: TurnStatus,
    ) -> Result<Recorded> {
        let write = self.write(turn, texts);
        self.store.record(TurnWrite { status, ..write })
    }

    pub(crate) fn after(&self, parent: &str, turn: &str, texts: &[&str]) -> Result<Recorded> {
        let write = self.write(turn, texts);
        let parent = Some(turn_id(parent));
        self.store.record(TurnWrite { parent, ..write })
    }

    pub(crate) fn answering(&self, request: &str, turn: &str, texts: &[&str]) -> Result<Recorded> {
        let write = self.write(turn, texts);
        let requests = vec![RequestId::new(request).unwrap()];
        self.store.record(TurnWrite { requests, ..write })
    }

    pub(crate) fn session(&self) -> Session {
        self.store.session(&self.key).unwrap().unwrap()
    }

    /// Everything a session holds, for comparing before and after.
    pub(crate) fn dump(&self) -> Dump {
        Dump {
            session: self.store.session(&self.key).unwrap(),
            records: self
                .store
                .turn_records(&self.key, aura_core::TurnIndex(0), usize::MAX)
                .unwrap(),
            facts: self.store.facts(&self.key, 0).unwrap(),
        }
    }

    pub(crate) fn messages(&self, ranges: &[(u64, u64)]) -> Vec<Arc<StoredMessage>> {
        let range = |(first, last): &(u64, u64)| {
            aura_core::EventRange::new(aura_core::EventId(*first), aura_core::EventId(*last))
        };
        let ranges: Vec<_> = ranges.iter().map(range).collect();
        self.store.messages(&self.key, &ranges).unwrap()
    }
}

/// Everything a session holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Dump {
    session: Option<Session>,
    records: Vec<aura_core::TurnRecord>,
    facts: Vec<aura_core::FactEntry>,
}
