//! Snapshots of derived things.

use aura_core::{ErrorKind, Snapshot, Storage};

use super::{Case, Chat, refused};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a snapshot comes back", a_snapshot_comes_back),
    ("a newer one replaces it", a_newer_one_replaces_it),
    ("it needs a session", it_needs_a_session),
    ("it changes nothing else", it_changes_nothing_else),
];

fn snapshot(change_seq: u64, bytes: &[u8]) -> Snapshot {
    Snapshot {
        change_seq,
        bytes: bytes.to_vec(),
    }
}

fn a_snapshot_comes_back(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let big = vec![7; 3_000_000];
    for (name, bytes) in [("lexical", &b"\0\xff"[..]), ("empty", b""), ("big", &big)] {
        store
            .put_snapshot(&chat.key, name, snapshot(3, bytes))
            .unwrap();
        assert_eq!(
            store.snapshot(&chat.key, name).unwrap(),
            Some(snapshot(3, bytes))
        );
    }
    assert_eq!(store.snapshot(&chat.key, "none").unwrap(), None);
    let other = Chat::named(store, "other");
    other.record("t0", &["x"]).unwrap();
    assert_eq!(store.snapshot(&other.key, "lexical").unwrap(), None);
}

fn a_newer_one_replaces_it(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    for n in 1..5 {
        let new = snapshot(n, &[n as u8]);
        store
            .put_snapshot(&chat.key, "lexical", new.clone())
            .unwrap();
        assert_eq!(store.snapshot(&chat.key, "lexical").unwrap(), Some(new));
    }
}

fn it_needs_a_session(store: &dyn Storage) {
    let chat = Chat::new(store);
    let put = store.put_snapshot(&chat.key, "lexical", snapshot(1, b"x"));
    refused(put, ErrorKind::NotFound, "session_id");
    assert_eq!(store.snapshot(&chat.key, "lexical").unwrap(), None);
}

fn it_changes_nothing_else(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let before = chat.dump();
    store
        .put_snapshot(&chat.key, "lexical", snapshot(1, b"x"))
        .unwrap();
    assert_eq!(chat.dump(), before);
}
