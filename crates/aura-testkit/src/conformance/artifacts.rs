//! Artifacts: versions, digests, handles.

pub mod large;

use aura_core::{ArtifactHandle, ArtifactWrite, Digest, ErrorKind, Storage, TenantId};

use super::{Case, at, refused};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("bytes come back", bytes_come_back),
    (
        "the same bytes make no new version",
        the_same_bytes_make_no_new_version,
    ),
    (
        "other bytes make a new version",
        other_bytes_make_a_new_version,
    ),
    ("names are checked", names_are_checked),
    (
        "a handle must match the digest",
        a_handle_must_match_the_digest,
    ),
    (
        "the same bytes may bear two names",
        the_same_bytes_may_bear_two_names,
    ),
    ("parts make a whole", parts_make_a_whole),
    ("ranges are cut", ranges_are_cut),
];

pub(super) fn write(tenant: &str, name: &str, bytes: &[u8]) -> ArtifactWrite {
    ArtifactWrite {
        user: None,
        session_id: None,
        tenant: TenantId::new(tenant).unwrap(),
        name: name.to_owned(),
        mime: Some("text/plain".to_owned()),
        bytes: bytes.to_vec(),
        recorded_at: at(3),
    }
}

fn bytes_come_back(store: &dyn Storage) {
    let tenant = TenantId::default();
    let big: Vec<u8> = (0..2_000_000_u32).flat_map(u32::to_le_bytes).collect();
    for (name, bytes) in [
        ("a/b@c#d %", &b"\0\xff\xfe"[..]),
        ("日本\0", b""),
        ("big", &big),
    ] {
        let artifact = store.put_artifact(write("default", name, bytes)).unwrap();
        assert_eq!(artifact.handle.name, name);
        assert_eq!(
            (artifact.handle.version, artifact.bytes),
            (1, bytes.len() as u64)
        );
        assert_eq!(artifact.digest, Digest::of(bytes));
        assert!(artifact.handle.matches(&artifact.digest));
        assert_eq!(artifact.mime.as_deref(), Some("text/plain"));
        assert_eq!(artifact.recorded_at, at(3));
        let handle: ArtifactHandle = artifact.handle.to_string().parse().unwrap();
        assert_eq!(store.artifact(&tenant, &handle).unwrap(), Some(artifact));
        assert_eq!(store.read_artifact(&tenant, &handle).unwrap(), bytes);
    }
}

fn the_same_bytes_make_no_new_version(store: &dyn Storage) {
    let first = store.put_artifact(write("default", "n", b"one")).unwrap();
    let again = ArtifactWrite {
        recorded_at: at(9),
        mime: None,
        ..write("default", "n", b"one")
    };
    assert_eq!(store.put_artifact(again).unwrap(), first);
}

fn other_bytes_make_a_new_version(store: &dyn Storage) {
    let tenant = TenantId::default();
    let put = |n: u32| {
        store
            .put_artifact(write("default", "n", &n.to_le_bytes()))
            .unwrap()
    };
    let versions: Vec<_> = (0..12).map(put).collect();
    for (n, artifact) in (0_u32..).zip(&versions) {
        assert_eq!(artifact.handle.version, n + 1);
        let bytes = store.read_artifact(&tenant, &artifact.handle).unwrap();
        assert_eq!(bytes, n.to_le_bytes(), "every version stays");
    }
    assert_eq!(put(11).handle.version, 12, "versions compare as numbers");
    assert_eq!(
        put(0).handle.version,
        13,
        "an old one made anew is a new version"
    );
}

fn names_are_checked(store: &dyn Storage) {
    for name in ["", &"n".repeat(257), "part:0123"] {
        let put = store.put_artifact(write("default", name, b"x"));
        refused(put, ErrorKind::Invalid, "name");
    }
    assert!(
        store
            .put_artifact(write("default", &"n".repeat(256), b"x"))
            .is_ok()
    );
}

fn a_handle_must_match_the_digest(store: &dyn Storage) {
    let tenant = TenantId::default();
    let artifact = store.put_artifact(write("default", "n", b"one")).unwrap();
    let wrong = [
        ArtifactHandle {
            digest: Digest::of(b"two").prefix(32),
            ..artifact.handle.clone()
        },
        ArtifactHandle {
            version: 2,
            ..artifact.handle.clone()
        },
        ArtifactHandle {
            name: "m".to_owned(),
            ..artifact.handle.clone()
        },
        ArtifactHandle {
            version: 0,
            ..artifact.handle
        },
    ];
    for handle in wrong {
        assert_eq!(store.artifact(&tenant, &handle).unwrap(), None);
        let read = store.read_artifact(&tenant, &handle);
        refused(read, ErrorKind::NotFound, "handle");
    }
}

fn the_same_bytes_may_bear_two_names(store: &dyn Storage) {
    for tenant in ["default", "other"] {
        for name in ["a", "b"] {
            let artifact = store.put_artifact(write(tenant, name, b"same")).unwrap();
            assert_eq!(
                (artifact.handle.name.as_str(), artifact.handle.version),
                (name, 1)
            );
            let tenant = TenantId::new(tenant).unwrap();
            let bytes = store.read_artifact(&tenant, &artifact.handle).unwrap();
            assert_eq!(bytes, b"same");
        }
    }
}

fn upload(store: &dyn Storage, parts: &[&[u8]]) -> Vec<aura_core::ArtifactHandle> {
    let put = |part: &&[u8]| {
        let write = write("default", "upload:1", part);
        store.put_artifact(write).unwrap().handle
    };
    parts.iter().map(put).collect()
}

fn parts_make_a_whole(store: &dyn Storage) {
    let tenant = TenantId::default();
    let parts = upload(store, &[b"one ", b"two ", b"two ", b"three"]);
    let whole = store
        .compose_artifact(write("default", "all", b""), &parts)
        .unwrap();
    let text = b"one two two three";
    assert_eq!((whole.bytes, whole.digest), (17, Digest::of(text)));
    assert_eq!(store.read_artifact(&tenant, &whole.handle).unwrap(), text);
    assert_eq!(
        store.artifact(&tenant, &parts[0]).unwrap(),
        None,
        "it was but a part"
    );
    // The same bytes in one piece are the same version, and another name may have them too.
    let again = store.put_artifact(write("default", "all", text)).unwrap();
    assert_eq!(again.handle, whole.handle);
    let other = store.put_artifact(write("default", "other", text)).unwrap();
    assert_eq!(store.read_artifact(&tenant, &other.handle).unwrap(), text);
    let next = store
        .put_artifact(write("default", "all", b"next"))
        .unwrap();
    let versions = store.artifact_versions(&tenant, "all").unwrap();
    assert_eq!(versions, [whole, next]);
    assert_eq!(store.artifact_versions(&tenant, "none").unwrap(), []);
    let foreign = store.compose_artifact(write("other", "all", b""), &parts);
    refused(foreign, ErrorKind::Denied, "handle");
    let gone = store.compose_artifact(write("default", "all", b""), &parts);
    refused(gone, ErrorKind::NotFound, "handle");
}

fn ranges_are_cut(store: &dyn Storage) {
    let tenant = TenantId::default();
    let single = store
        .put_artifact(write("default", "single", b"0123456789"))
        .unwrap();
    let parts = upload(store, &[b"012", b"3456", b"789"]);
    let composed = store
        .compose_artifact(write("default", "composed", b""), &parts)
        .unwrap();
    let fresh = upload(store, &[b"abc", b"def"]);
    let never_whole = store
        .compose_artifact(write("default", "letters", b""), &fresh)
        .unwrap();
    let read = |handle, offset, limit| {
        store
            .artifact_range(&tenant, handle, offset, limit)
            .unwrap()
    };
    for artifact in [&single, &composed] {
        for (offset, limit, expected) in [
            (0, 10, "0123456789"),
            (2, 3, "234"),
            (7, 99, "789"),
            (3, 4, "3456"),
            (10, 1, ""),
            (99, 1, ""),
            (4, 0, ""),
        ] {
            assert_eq!(read(&artifact.handle, offset, limit), expected.as_bytes());
        }
    }
    assert_eq!(read(&never_whole.handle, 2, 2), b"cd");
    assert_eq!(read(&never_whole.handle, 1, usize::MAX), b"bcdef");
}
