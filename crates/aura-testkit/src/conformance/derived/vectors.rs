//! Vectors of messages.

use aura_core::{ErrorKind, EventId, Storage, StoredVector, VectorSet, VectorWrite};

use crate::conformance::{Case, Chat, key, refused};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    (
        "vectors come back in event order",
        vectors_come_back_in_event_order,
    ),
    (
        "a new vector replaces the old one",
        a_new_vector_replaces_the_old_one,
    ),
    (
        "the watermark never goes back",
        the_watermark_never_goes_back,
    ),
    ("models do not see each other", models_do_not_see_each_other),
    (
        "another dimension is refused whole",
        another_dimension_is_refused_whole,
    ),
    ("a dropped set is gone", a_dropped_set_is_gone),
    (
        "sessions that lack vectors are listed",
        sessions_that_lack_vectors_are_listed,
    ),
    ("it needs a session", it_needs_a_session),
    ("it changes nothing else", it_changes_nothing_else),
];

fn vector(event: u64, bytes: &[u8]) -> StoredVector {
    StoredVector {
        event_id: EventId(event),
        bytes: bytes.to_vec(),
    }
}

/// A write of vectors of two numbers.
pub(crate) fn write(
    chat: &Chat<'_>,
    model: &str,
    vectors: &[(u64, &[u8])],
    next: u64,
) -> VectorWrite {
    VectorWrite {
        key: chat.key.clone(),
        model: model.to_owned(),
        dimension: 2,
        vectors: vectors
            .iter()
            .map(|(event, bytes)| vector(*event, bytes))
            .collect(),
        next: EventId(next),
    }
}

fn set(model: &str, next: u64) -> VectorSet {
    VectorSet {
        model: model.to_owned(),
        dimension: 2,
        next: EventId(next),
    }
}

fn all(chat: &Chat<'_>, model: &str) -> Vec<StoredVector> {
    let from = EventId(0);
    chat.store
        .vectors(&chat.key, model, from, usize::MAX)
        .unwrap()
}

fn vectors_come_back_in_event_order(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"; 9]).unwrap();
    let other = Chat::named(store, "other");
    other.record("t0", &["x"]).unwrap();
    let big = vec![7; 100_000];
    store
        .put_vectors(write(&chat, "m", &[(5, b"\0\xff"), (2, b"")], 6))
        .unwrap();
    store
        .put_vectors(write(&other, "m", &[(3, b"other")], 4))
        .unwrap();
    store
        .put_vectors(write(&chat, "m", &[(9, &big), (7, b"seven")], 10))
        .unwrap();
    let stored = [
        vector(2, b""),
        vector(5, b"\0\xff"),
        vector(7, b"seven"),
        vector(9, &big),
    ];
    assert_eq!(all(&chat, "m"), stored);
    let read = |from, limit| store.vectors(&chat.key, "m", EventId(from), limit).unwrap();
    assert_eq!(read(5, 2), stored[1..3]);
    assert_eq!(read(6, usize::MAX), stored[2..]);
    assert!(read(10, 9).is_empty() && read(u64::MAX, 9).is_empty() && read(0, 0).is_empty());
    assert_eq!(all(&other, "m"), [vector(3, b"other")]);
}

fn a_new_vector_replaces_the_old_one(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x", "y"]).unwrap();
    store
        .put_vectors(write(&chat, "m", &[(1, b"old"), (2, b"kept")], 3))
        .unwrap();
    store
        .put_vectors(write(&chat, "m", &[(1, b"new")], 3))
        .unwrap();
    assert_eq!(all(&chat, "m"), [vector(1, b"new"), vector(2, b"kept")]);
}

fn the_watermark_never_goes_back(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"; 9]).unwrap();
    for (next, expected) in [(4, 4), (2, 4), (10, 10), (1, 10)] {
        store.put_vectors(write(&chat, "m", &[], next)).unwrap();
        assert_eq!(store.vector_sets(&chat.key).unwrap(), [set("m", expected)]);
    }
}

fn models_do_not_see_each_other(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x", "y"]).unwrap();
    store
        .put_vectors(write(&chat, "z", &[(1, b"z")], 2))
        .unwrap();
    store
        .put_vectors(write(&chat, "nul\0 日本", &[(1, b"a"), (2, b"b")], 3))
        .unwrap();
    assert_eq!(all(&chat, "z"), [vector(1, b"z")]);
    assert_eq!(all(&chat, "nul\0 日本"), [vector(1, b"a"), vector(2, b"b")]);
    assert!(all(&chat, "none").is_empty());
    let sets = store.vector_sets(&chat.key).unwrap();
    assert_eq!(
        sets,
        [set("z", 2), set("nul\0 日本", 3)],
        "the one begun first first"
    );
}

fn another_dimension_is_refused_whole(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"; 9]).unwrap();
    store
        .put_vectors(write(&chat, "m", &[(1, b"a")], 2))
        .unwrap();
    let other = VectorWrite {
        dimension: 3,
        ..write(&chat, "m", &[(1, b"b"), (2, b"c")], 9)
    };
    refused(store.put_vectors(other), ErrorKind::Conflict, "dimension");
    assert_eq!(all(&chat, "m"), [vector(1, b"a")]);
    assert_eq!(store.vector_sets(&chat.key).unwrap(), [set("m", 2)]);
}

fn a_dropped_set_is_gone(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    for model in ["a", "b"] {
        store
            .put_vectors(write(&chat, model, &[(1, model.as_bytes())], 2))
            .unwrap();
    }
    assert!(store.drop_vectors(&chat.key, "a").unwrap());
    assert!(!store.drop_vectors(&chat.key, "a").unwrap());
    assert!(all(&chat, "a").is_empty());
    assert_eq!(all(&chat, "b"), [vector(1, b"b")]);
    assert_eq!(store.vector_sets(&chat.key).unwrap(), [set("b", 2)]);
    // Begun anew it is empty, and may have another dimension.
    let anew = VectorWrite {
        dimension: 3,
        ..write(&chat, "a", &[], 1)
    };
    store.put_vectors(anew).unwrap();
    assert!(all(&chat, "a").is_empty());
    assert_eq!(store.unembedded("a", 9).unwrap(), [chat.key]);
}

fn sessions_that_lack_vectors_are_listed(store: &dyn Storage) {
    let lacking = |model: &str, limit| -> Vec<String> {
        let keys = store.unembedded(model, limit).unwrap();
        keys.iter().map(|key| key.session_id.to_string()).collect()
    };
    assert!(lacking("m", 9).is_empty());
    let [late, early] = ["a", "z"].map(|name| Chat::named(store, name));
    early.record("t0", &["x", "y"]).unwrap();
    late.open("t0", &["x"]).unwrap();
    assert_eq!(
        lacking("m", 9),
        ["z", "a"],
        "oldest session first, open turns too"
    );
    assert_eq!(lacking("m", 1), ["z"]);
    assert!(lacking("m", 0).is_empty());
    store
        .put_vectors(write(&early, "m", &[(1, b"v")], 2))
        .unwrap();
    assert_eq!(lacking("m", 9), ["z", "a"]);
    store.put_vectors(write(&early, "m", &[], 3)).unwrap();
    assert_eq!(lacking("m", 9), ["a"]);
    assert_eq!(lacking("other", 9), ["z", "a"]);
    store.put_vectors(write(&late, "m", &[], 2)).unwrap();
    assert!(lacking("m", 9).is_empty());
    early.record("t1", &["x"]).unwrap();
    assert_eq!(lacking("m", 9), ["z"]);
    assert_eq!(store.unembedded("m", 9).unwrap(), [key("default", "z")]);
}

fn it_needs_a_session(store: &dyn Storage) {
    let chat = Chat::new(store);
    let put = store.put_vectors(write(&chat, "m", &[(1, b"v")], 2));
    refused(put, ErrorKind::NotFound, "session_id");
    let dropped = store.drop_vectors(&chat.key, "m");
    refused(dropped, ErrorKind::NotFound, "session_id");
    assert!(all(&chat, "m").is_empty());
    assert!(store.vector_sets(&chat.key).unwrap().is_empty());
}

fn it_changes_nothing_else(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let before = chat.dump();
    store
        .put_vectors(write(&chat, "m", &[(1, b"v")], 2))
        .unwrap();
    store.drop_vectors(&chat.key, "m").unwrap();
    assert_eq!(chat.dump(), before);
}
