//! Random operations on a store, checked against a model that fits on a page, and stores against each other.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a suite of tests: it fails by panicking"
)]

mod operation;
mod reference;

use aura_core::{
    ErrorKind, EventId, EventRange, ManifestQuery, RequestId, Result, SessionKey, SessionQuery,
    Storage, TenantId, TurnIndex,
};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::conformance::{Fixture, key};
use operation::{Operation, SESSIONS, session_name};
use reference::Reference;

/// How a call ended: what it did, or why it was refused.
type Outcome = Result<String, (ErrorKind, Option<String>)>;

fn outcome<T>(result: Result<T>, tell: impl FnOnce(T) -> String) -> Outcome {
    result
        .map(tell)
        .map_err(|error| (error.kind(), error.field().map(str::to_owned)))
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    vec(operation::any(), 1..60)
}

/// Each store is opened anew, which for a file costs more than the case itself.
fn runner() -> TestRunner {
    let config = Config::default();
    let cases = config.cases / 4;
    TestRunner::new(Config {
        cases: cases.max(8),
        failure_persistence: None,
        ..config
    })
}

/// Applies random operations to a store and to the model; both must answer alike and hold the same in the end.
///
/// # Panics
/// When they differ; the operations are made as few as possible before.
pub fn check(open: impl Fn() -> Fixture) {
    let run = |operations: Vec<Operation>| {
        let fixture = open();
        let store = &*fixture.store;
        let mut model = Reference::default();
        for (n, operation) in operations.iter().enumerate() {
            let (got, expected) = (operation.apply(store), model.apply(operation));
            if got != expected {
                let told = format!("{n}: {operation:?}\n got {got:?}\nwant {expected:?}");
                return Err(TestCaseError::fail(told));
            }
        }
        for session in 0..SESSIONS {
            let key = key(model.tenant(session), session_name(session));
            let got = store.session(&key).unwrap();
            assert_eq!(
                got.map(|session| reference::tell(&session)),
                model.tell(session)
            );
            assert_eq!(texts(store, &key), model.texts(session));
        }
        Ok(())
    };
    runner().run(&operations(), run).unwrap();
}

/// Applies the same random operations to two stores; every answer and every read must be equal.
///
/// # Panics
/// When they differ.
pub fn compare(open: impl Fn() -> Fixture, other: impl Fn() -> Fixture) {
    let run = |operations: Vec<Operation>| {
        let (one, two) = (open(), other());
        for operation in &operations {
            let (one, two) = (operation.apply(&*one.store), operation.apply(&*two.store));
            assert_eq!(one, two, "{operation:?}");
        }
        let (one, two) = (everything(&*one.store), everything(&*two.store));
        assert_eq!(one, two);
        Ok(())
    };
    runner().run(&operations(), run).unwrap();
}

/// The texts of all messages of a session, in event order.
fn texts(store: &dyn Storage, key: &SessionKey) -> Vec<String> {
    let all = EventRange::new(EventId(1), EventId(u64::MAX));
    let messages = store.messages(key, &[all]);
    let messages = messages.unwrap();
    assert!(
        messages
            .iter()
            .map(|stored| stored.event_id.0)
            .eq(1..=messages.len() as u64)
    );
    let text = |stored: &std::sync::Arc<aura_core::StoredMessage>| stored.message.plain_text();
    messages.iter().map(text).collect()
}

/// What every read of a store tells.
fn everything(store: &dyn Storage) -> String {
    let tenant = TenantId::default();
    let mut told = String::new();
    let mut tell = |what: &dyn std::fmt::Debug| told += &format!("{what:?}\n");
    for session in 0..SESSIONS {
        let key = key("default", session_name(session));
        tell(&store.session(&key));
        tell(&store.turns(&key, TurnIndex(0), usize::MAX));
        tell(&store.turns(&key, TurnIndex(2), 3));
        tell(&store.turn_records(&key, TurnIndex(0), usize::MAX));
        tell(&store.turn_records(&key, TurnIndex(1), 2));
        let odd = |n| EventRange::new(EventId(n), EventId(n));
        let odd: Vec<EventRange> = (0..40).rev().step_by(2).map(odd).collect();
        tell(&store.messages(&key, &odd));
        tell(&store.facts(&key, 0));
        for turn in 0..operation::TURNS {
            let turn = operation::turn_name(turn);
            tell(&store.turn(&key, &turn));
            tell(&store.plan(&key, &turn));
        }
        tell(&store.snapshot(&key, "lexical"));
    }
    tell(&store.sessions(&tenant, &SessionQuery::default()));
    tell(&store.undistilled(100));
    tell(&store.manifests(&tenant, &ManifestQuery::default()));
    for turn in 0..operation::TURNS {
        let request = RequestId::new(format!("r{turn}")).unwrap();
        let inputs = store.inputs(&tenant, &request).unwrap();
        tell(&inputs.map(|mut inputs| {
            inputs.parts.sort_by_key(|part| part.digest);
            inputs
        }));
    }
    told
}
