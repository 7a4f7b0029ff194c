//! Snapshots of derived things.

use aura_core::{ErrorKind, Snapshot, Storage};

use crate::conformance::{Case, Chat, refused};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a snapshot comes back", a_snapshot_comes_back),
    ("a newer one replaces it", a_newer_one_replaces_it),
    ("it needs a session", it_needs_a_session),
    ("it changes nothing else", it_changes_nothing_else),
    ("those of a prefix are listed", those_of_a_prefix_are_listed),
    ("they are replaced together", they_are_replaced_together),
    ("what is kept must exist", what_is_kept_must_exist),
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

fn names(listed: &[(String, Snapshot)]) -> Vec<&str> {
    listed.iter().map(|(name, _)| name.as_str()).collect()
}

fn those_of_a_prefix_are_listed(store: &dyn Storage) {
    let (chat, other) = (Chat::new(store), Chat::named(store, "other"));
    assert_eq!(store.snapshots(&chat.key, "a/").unwrap(), vec![]);
    chat.record("t0", &["x"]).unwrap();
    other.record("t0", &["x"]).unwrap();
    for (n, name) in (1..).zip(["a/2", "a", "b", "a/1", "A/1", "a/\u{10ffff}", "a0", "a/"]) {
        store
            .put_snapshot(&chat.key, name, snapshot(n, &[n as u8]))
            .unwrap();
    }
    let listed = store.snapshots(&chat.key, "a/").unwrap();
    assert_eq!(names(&listed), ["a/", "a/1", "a/2", "a/\u{10ffff}"]);
    assert_eq!(listed[2].1, snapshot(1, &[1]));
    assert_eq!(store.snapshots(&chat.key, "").unwrap().len(), 8);
    assert_eq!(store.snapshots(&other.key, "a/").unwrap(), vec![]);
}

fn they_are_replaced_together(store: &dyn Storage) {
    let (chat, other) = (Chat::new(store), Chat::named(store, "other"));
    chat.record("t0", &["x"]).unwrap();
    other.record("t0", &["x"]).unwrap();
    for name in ["a/1", "a/2", "a/3", "b"] {
        for key in [&chat.key, &other.key] {
            store.put_snapshot(key, name, snapshot(1, b"old")).unwrap();
        }
    }
    let before = chat.dump();
    let new = |name: &str| (name.to_owned(), snapshot(2, b"new"));
    let keep = ["a/2".to_owned()];
    store
        .replace_snapshots(&chat.key, "a/", &keep, vec![new("a/3"), new("a/4")])
        .unwrap();
    let expected = [
        ("a/2".to_owned(), snapshot(1, b"old")),
        new("a/3"),
        new("a/4"),
        ("b".to_owned(), snapshot(1, b"old")),
    ];
    assert_eq!(store.snapshots(&chat.key, "").unwrap(), expected);
    assert_eq!(store.snapshots(&other.key, "").unwrap().len(), 4);
    assert_eq!(chat.dump(), before);
    store
        .replace_snapshots(&chat.key, "a/", &[], Vec::new())
        .unwrap();
    assert_eq!(names(&store.snapshots(&chat.key, "").unwrap()), ["b"]);
}

fn what_is_kept_must_exist(store: &dyn Storage) {
    let chat = Chat::new(store);
    let put = || vec![("a/9".to_owned(), snapshot(2, b"new"))];
    let replaced = store.replace_snapshots(&chat.key, "a/", &[], put());
    refused(replaced, ErrorKind::NotFound, "session_id");
    chat.record("t0", &["x"]).unwrap();
    store
        .put_snapshot(&chat.key, "a/1", snapshot(1, b"old"))
        .unwrap();
    let keep = ["a/1".to_owned(), "a/2".to_owned()];
    let replaced = store.replace_snapshots(&chat.key, "a/", &keep, put());
    refused(replaced, ErrorKind::Conflict, "keep");
    let replaced = store.replace_snapshots(&chat.key, "a/", &keep[1..], put());
    refused(replaced, ErrorKind::Conflict, "keep");
    assert_eq!(names(&store.snapshots(&chat.key, "").unwrap()), ["a/1"]);
}
