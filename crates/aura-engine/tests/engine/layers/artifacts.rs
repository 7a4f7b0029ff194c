//! Artifacts through the engine: versions, handles, and bytes piece by piece.

use std::io::Write;

use aura_core::{Digest, ErrorKind, Layer, Principal, UserId};
use aura_engine::DeletionRequest;

use crate::setup::memory_engine;

fn ann() -> Principal {
    Principal::default().with_user("ann").unwrap()
}

#[test]
fn names_have_versions_and_handles_open_them() {
    let engine = memory_engine();
    let put = |bytes: &[u8]| {
        let mime = Some("text/plain");
        engine
            .put_artifact(&ann(), "notes", mime, bytes.to_vec())
            .unwrap()
    };
    let (one, two) = (put(b"one"), put(b"two"));
    assert_eq!(put(b"two"), two);
    assert_eq!((one.handle.version, two.handle.version), (1, 2));
    assert_eq!(two.digest, Digest::of(b"two"));
    assert_eq!(
        engine.artifact_versions(&ann(), "notes").unwrap(),
        [one.clone(), two]
    );
    let handle = one.handle.to_string().parse().unwrap();
    assert_eq!(engine.read_artifact(&ann(), &handle).unwrap(), b"one");
    let other = Principal::of_tenant("other").unwrap();
    let denied = engine.read_artifact(&other, &handle).unwrap_err();
    assert_eq!(
        (denied.kind(), denied.field()),
        (ErrorKind::Denied, Some("handle"))
    );
    for name in ["part:x", "upload:x", ""] {
        let refused = engine
            .put_artifact(&ann(), name, None, Vec::new())
            .unwrap_err();
        assert_eq!(
            (refused.kind(), refused.field()),
            (ErrorKind::Invalid, Some("name"))
        );
    }
}

#[test]
fn large_bytes_are_written_and_read_piece_by_piece() {
    let engine = memory_engine();
    let line = |n: u32| format!("line {n} of a very long log\n");
    let mut writer = engine.artifact_writer(&ann(), "build.log", None).unwrap();
    let mut whole = Vec::new();
    for n in 0..120_000 {
        writer.write_all(line(n).as_bytes()).unwrap();
        whole.extend_from_slice(line(n).as_bytes());
    }
    let artifact = writer.finish().unwrap();
    assert_eq!(
        (artifact.bytes, artifact.digest),
        (whole.len() as u64, Digest::of(&whole))
    );
    let mut read = Vec::new();
    loop {
        let offset = read.len() as u64;
        let handle = &artifact.handle;
        let piece = engine
            .read_artifact_range(&ann(), handle, offset, 700_001)
            .unwrap();
        if piece.is_empty() {
            break;
        }
        read.extend(piece);
    }
    assert!(read == whole, "the pieces must join to the whole");
    let empty = engine
        .artifact_writer(&ann(), "empty", None)
        .unwrap()
        .finish()
        .unwrap();
    assert_eq!(engine.read_artifact(&ann(), &empty.handle).unwrap(), b"");
    let mut unfinished = engine.artifact_writer(&ann(), "never", None).unwrap();
    unfinished.write_all(&vec![7; 3 << 20]).unwrap();
    drop(unfinished);
    let user = UserId::new("ann").unwrap();
    let subject = aura_core::DeletionSubject::User { user };
    let gone = engine
        .delete(&Principal::default(), DeletionRequest::of(subject))
        .unwrap();
    assert!(gone.count(Layer::Artifacts) >= 3);
    assert!(engine.read_artifact(&ann(), &artifact.handle).is_err());
}
