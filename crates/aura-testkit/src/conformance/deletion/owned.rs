//! What goes with its owner: artifacts, and all that is a user's.

use aura_core::{
    Artifact, ArtifactWrite, DeletionSubject, ErrorKind, LARGE_PART_BYTES, Layer, MemoryQuery,
    Storage, TenantId, UserId,
};

use super::{carry_out, delete, events, fill, order, session, texts, user};
use crate::conformance::{Chat, artifacts, memories, refused};

pub(super) fn artifact(
    store: &dyn Storage,
    name: &str,
    user: Option<&str>,
    bytes: &[u8],
) -> Artifact {
    let write = ArtifactWrite {
        user: user.map(|user| UserId::new(user).unwrap()),
        ..artifacts::write("default", name, bytes)
    };
    store.put_artifact(write).unwrap()
}

pub(super) fn a_user_takes_everything_along(store: &dyn Storage) {
    let of = |session: &str, user: Option<&str>| {
        let mut chat = Chat::named(store, session);
        chat.user = user.map(|user| UserId::new(user).unwrap());
        chat.record("t0", &["one", "two"]).unwrap();
        chat
    };
    let (a, b) = (of("a", Some("ann")), of("b", Some("ann")));
    let (c, d) = (of("c", Some("bob")), of("d", None));
    fill(&b);
    let memories = [("m1", Some("ann")), ("m2", Some("bob")), ("m3", None)];
    let memories = memories.map(|(id, user)| (memories::memory("default", id, user), None));
    store.put_memories(memories.into()).unwrap();
    let hers = artifact(store, "hers", Some("ann"), b"notes");
    let his = artifact(store, "his", Some("bob"), b"notes");
    let receipt = delete(store, user("ann"));
    assert_eq!(receipt.count(Layer::Sessions), 2);
    assert_eq!(receipt.count(Layer::Events), 5);
    assert_eq!(receipt.count(Layer::Artifacts), 2);
    for gone in [a, b] {
        assert_eq!(store.session(&gone.key).unwrap(), None);
    }
    for stays in [c, d] {
        assert_eq!(texts(&stays, &[(1, 9)]).len(), 2);
    }
    let tenant = TenantId::default();
    assert_eq!(receipt.count(Layer::Memories), 1);
    let left = store.memories(&tenant, &MemoryQuery::default()).unwrap();
    assert_eq!(left.len(), 2);
    assert_eq!(store.artifact(&tenant, &hers.handle).unwrap(), None);
    assert_eq!(store.read_artifact(&tenant, &his.handle).unwrap(), b"notes");
}

pub(super) fn bytes_go_with_their_last_holder(store: &dyn Storage) {
    let big = "a large part of a message ".repeat(LARGE_PART_BYTES / 20);
    let (a, b) = (Chat::named(store, "a"), Chat::named(store, "b"));
    a.record("t0", &[&big, "small", &big]).unwrap();
    let recorded = b.record("t0", &[&big]).unwrap();
    let handle = recorded.appended[0].large_parts[0].handle.clone();
    let named = artifact(store, "copy", None, big.as_bytes());
    let tenant = TenantId::default();
    let first = delete(store, events("a", 1, 1));
    assert_eq!(first.count(Layer::Artifacts), 0);
    assert_eq!(texts(&a, &[(3, 3)])[0].1, big);
    carry_out(store, order("2", session("a"))).unwrap();
    assert_eq!(
        store.read_artifact(&tenant, &handle).unwrap(),
        big.as_bytes()
    );
    let last = carry_out(store, order("3", session("b"))).unwrap();
    assert_eq!(last.count(Layer::Artifacts), 1);
    assert_eq!(store.artifact(&tenant, &handle).unwrap(), None);
    // A caller's own artifact holds the same bytes on its own account.
    assert_eq!(
        store.read_artifact(&tenant, &named.handle).unwrap(),
        big.as_bytes()
    );
    let again = Chat::named(store, "c").record("t0", &[&big]).unwrap();
    assert_eq!(again.appended[0].large_parts[0].handle, handle);
    assert_eq!(
        store.read_artifact(&tenant, &handle).unwrap(),
        big.as_bytes()
    );
}

pub(super) fn versions_of_artifacts_are_not_used_again(store: &dyn Storage) {
    let tenant = TenantId::default();
    let versions = [b"one", b"two", b"six"].map(|bytes| artifact(store, "log", None, bytes));
    let subject = |version| DeletionSubject::Artifact {
        name: "log".to_owned(),
        version,
    };
    let receipt = delete(store, subject(Some(3)));
    assert_eq!(receipt.layers[0].ids, ["log@3"]);
    assert_eq!(store.artifact(&tenant, &versions[2].handle).unwrap(), None);
    refused(
        store.read_artifact(&tenant, &versions[2].handle),
        ErrorKind::NotFound,
        "handle",
    );
    assert_eq!(
        store.read_artifact(&tenant, &versions[1].handle).unwrap(),
        b"two"
    );
    assert_eq!(artifact(store, "log", None, b"six").handle.version, 4);
    let rest = carry_out(store, order("rest", subject(None))).unwrap();
    assert_eq!(rest.count(Layer::Artifacts), 3);
    assert_eq!(artifact(store, "log", None, b"one").handle.version, 5);
}
