//! Closing a store.

use std::sync::Barrier;

use aura_core::{
    ArtifactHandle, Distilled, ErrorKind, EventId, FactCommit, ManifestQuery, PolicyQuery,
    RequestId, SessionQuery, Snapshot, Storage, TenantId, TurnIndex, TurnStatus,
};

use super::{Case, Chat, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    (
        "a closed store refuses everything",
        a_closed_store_refuses_everything,
    ),
    (
        "closing waits for calls under way",
        closing_waits_for_calls_under_way,
    ),
];

fn a_closed_store_refuses_everything(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let artifact = store
        .put_artifact(super::artifacts::write("default", "n", b"x"))
        .unwrap();
    store.close().unwrap();
    store.close().unwrap();
    fn closed<T: std::fmt::Debug>(result: aura_core::Result<T>) {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Closed);
    }
    let (key, turn, tenant) = (&chat.key, turn_id("t0"), TenantId::default());
    let handle: &ArtifactHandle = &artifact.handle;
    closed(chat.record("t0", &["x"]));
    closed(chat.record("t1", &["x"]));
    closed(store.set_status(key, &turn, TurnStatus::Complete));
    closed(store.set_head(key, &turn));
    closed(store.session(key));
    closed(store.sessions(&tenant, &SessionQuery::default()));
    closed(store.turns(key, TurnIndex(0), 1));
    closed(store.turn_records(key, TurnIndex(0), 1));
    closed(store.turn(key, &turn));
    closed(store.messages(key, &[]));
    closed(store.facts(key, 0));
    closed(store.commit_facts(FactCommit {
        key: key.clone(),
        expected: 0,
        entries: Vec::new(),
        distilled: Distilled::default(),
    }));
    closed(store.undistilled(1));
    closed(store.put_compilations(Vec::new()));
    closed(store.manifest(&tenant, &RequestId::new("r").unwrap()));
    closed(store.manifests(&tenant, &ManifestQuery::default()));
    closed(store.plan(key, &turn));
    let snapshot = Snapshot {
        change_seq: 1,
        bytes: Vec::new(),
    };
    closed(store.put_snapshot(key, "n", snapshot));
    closed(store.snapshot(key, "n"));
    closed(store.put_vectors(super::vectors::write(&chat, "m", &[], 1)));
    closed(store.vector_sets(key));
    closed(store.vectors(key, "m", EventId(1), 1));
    closed(store.drop_vectors(key, "m"));
    closed(store.unembedded("m", 1));
    closed(store.snapshots(key, "n"));
    closed(store.replace_snapshots(key, "n", &[], Vec::new()));
    let policy = super::policies::proposed("s", "1", "x");
    closed(store.put_policy(&tenant, policy));
    let signature = super::policies::signed("boss", 1);
    closed(store.approve_policy(&tenant, "s", "1", signature));
    closed(store.policy(&tenant, "s", "1"));
    closed(store.policies(&tenant, &PolicyQuery::default()));
    closed(store.put_artifact(super::artifacts::write("default", "n", b"y")));
    closed(store.artifact(&tenant, handle));
    closed(store.read_artifact(&tenant, handle));
}

fn closing_waits_for_calls_under_way(store: &dyn Storage) {
    let begun = Barrier::new(5);
    let write = |n: usize| {
        let chat = Chat::named(store, &format!("s{n}"));
        chat.record("first", &["x"]).unwrap();
        begun.wait();
        for turn in 0.. {
            let written = chat.record(&format!("t{turn}"), &["x"]);
            let read = store.session(&chat.key);
            if let Some(error) = written.err().or(read.err()) {
                assert_eq!(error.kind(), ErrorKind::Closed, "{error}");
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        let write = &write;
        let writers: Vec<_> = (0..4).map(|n| scope.spawn(move || write(n))).collect();
        begun.wait();
        std::thread::sleep(std::time::Duration::from_millis(5));
        store.close().unwrap();
        writers
            .into_iter()
            .for_each(|writer| writer.join().unwrap());
    });
}
