//! Who may touch a session.

use aura_core::{
    ArtifactHandle, CompilationRecord, Distilled, ErrorKind, EventId, EventRange, FactCommit,
    HANDLE_DIGITS, SessionKey, Snapshot, Storage, TenantId, TurnIndex, TurnStatus, TurnWrite,
    UserId,
};

use super::compilations::manifest;
use super::{Case, Chat, key, refused, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    (
        "another tenant is denied everywhere",
        another_tenant_is_denied_everywhere,
    ),
    ("another user may not write", another_user_may_not_write),
    (
        "a session without a user is open to all",
        a_session_without_a_user_is_open_to_all,
    ),
    (
        "what does not exist reads as nothing",
        what_does_not_exist_reads_as_nothing,
    ),
    (
        "tenants do not see each other's artifacts",
        tenants_do_not_see_each_others_artifacts,
    ),
];

fn another_tenant_is_denied_everywhere(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["secret"]).unwrap();
    let before = chat.dump();
    let foreign = key("other", "chat");
    let turn = turn_id("t0");
    fn denied<T: std::fmt::Debug>(result: aura_core::Result<T>) {
        let message = result.as_ref().map_err(|error| error.to_string());
        assert!(
            !message.unwrap_err().contains("default"),
            "it says whose it is"
        );
        refused(result, ErrorKind::Denied, "session_id");
    }
    let write = |id: &str, fresh_id| TurnWrite {
        key: foreign.clone(),
        fresh_id,
        ..chat.write(id, &["x"])
    };
    denied(store.record(write("t0", false)));
    denied(store.record(write("t1", true)));
    denied(store.set_status(&foreign, &turn, TurnStatus::Failed));
    denied(store.set_head(&foreign, &turn));
    denied(store.session(&foreign));
    denied(store.turns(&foreign, TurnIndex(0), 1));
    denied(store.turn_records(&foreign, TurnIndex(0), 1));
    denied(store.turn(&foreign, &turn));
    denied(store.messages(&foreign, &[EventRange::new(EventId(1), EventId(1))]));
    denied(store.facts(&foreign, 0));
    denied(store.commit_facts(FactCommit {
        key: foreign.clone(),
        expected: 0,
        entries: Vec::new(),
        distilled: Distilled::default(),
    }));
    denied(store.put_compilations(vec![CompilationRecord {
        key: foreign.clone(),
        turn_id: turn.clone(),
        manifest: manifest("r1", &foreign, 0),
        plan: Some(vec![1]),
        inputs: None,
    }]));
    denied(store.plan(&foreign, &turn));
    let snapshot = Snapshot {
        change_seq: 1,
        bytes: vec![1],
    };
    denied(store.put_snapshot(&foreign, "lexical", snapshot));
    denied(store.snapshot(&foreign, "lexical"));
    let intruder = Chat {
        key: foreign.clone(),
        ..chat.clone()
    };
    denied(store.put_vectors(super::vectors::write(&intruder, "m", &[(1, b"v")], 2)));
    denied(store.vector_sets(&foreign));
    denied(store.vectors(&foreign, "m", EventId(1), 1));
    denied(store.drop_vectors(&foreign, "m"));
    assert!(store.vector_sets(&chat.key).unwrap().is_empty());
    denied(store.snapshots(&foreign, ""));
    denied(store.replace_snapshots(&foreign, "", &[], Vec::new()));
    assert_eq!(chat.dump(), before);
    let request = aura_core::RequestId::new("r1").unwrap();
    assert_eq!(store.manifest(&foreign.tenant, &request).unwrap(), None);
    // The session itself is not shut by the attempts.
    assert_eq!(chat.record("t1", &["x"]).unwrap().turn.index, TurnIndex(1));
}

fn another_user_may_not_write(store: &dyn Storage) {
    let user = |id: &str| Some(UserId::new(id).unwrap());
    let ana = Chat {
        user: user("ana"),
        ..Chat::new(store)
    };
    ana.record("t0", &["x"]).unwrap();
    let before = ana.dump();
    for foreign in [user("ben"), None] {
        let chat = Chat {
            user: foreign,
            ..ana.clone()
        };
        refused(chat.record("t0", &["x"]), ErrorKind::Denied, "session_id");
        refused(chat.record("t1", &["x"]), ErrorKind::Denied, "session_id");
    }
    assert_eq!(ana.dump(), before);
    assert_eq!(ana.session().user, user("ana"));
    ana.record("t1", &["x"]).unwrap();
}

fn a_session_without_a_user_is_open_to_all(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let ana = Chat {
        user: Some(UserId::new("ana").unwrap()),
        ..chat.clone()
    };
    ana.record("t1", &["x"]).unwrap();
    assert_eq!(chat.session().user, None, "it is not taken over");
}

fn what_does_not_exist_reads_as_nothing(store: &dyn Storage) {
    let none: SessionKey = key("default", "none");
    let turn = turn_id("t0");
    assert_eq!(store.session(&none).unwrap(), None);
    assert!(store.turns(&none, TurnIndex(0), 10).unwrap().is_empty());
    assert!(
        store
            .turn_records(&none, TurnIndex(0), 10)
            .unwrap()
            .is_empty()
    );
    assert_eq!(store.turn(&none, &turn).unwrap(), None);
    assert!(store.facts(&none, 0).unwrap().is_empty());
    assert_eq!(store.plan(&none, &turn).unwrap(), None);
    assert_eq!(store.snapshot(&none, "lexical").unwrap(), None);
    assert!(store.snapshots(&none, "").unwrap().is_empty());
    assert!(store.undistilled(10).unwrap().is_empty());
    let commit = FactCommit {
        key: none,
        expected: 0,
        entries: Vec::new(),
        distilled: Distilled::default(),
    };
    refused(
        store.commit_facts(commit),
        ErrorKind::NotFound,
        "session_id",
    );
}

fn tenants_do_not_see_each_others_artifacts(store: &dyn Storage) {
    let write = super::artifacts::write("default", "notes", b"secret");
    let artifact = store.put_artifact(write).unwrap();
    let other = TenantId::new("other").unwrap();
    let handle = &artifact.handle;
    refused(store.artifact(&other, handle), ErrorKind::Denied, "handle");
    refused(
        store.read_artifact(&other, handle),
        ErrorKind::Denied,
        "handle",
    );
    // Nor by guessing that the same name and bytes exist.
    let guess = ArtifactHandle {
        tenant: other.clone(),
        name: "notes".to_owned(),
        version: 1,
        digest: artifact.digest.prefix(HANDLE_DIGITS),
    };
    assert_eq!(store.artifact(&other, &guess).unwrap(), None);
    refused(
        store.read_artifact(&other, &guess),
        ErrorKind::NotFound,
        "handle",
    );
}
