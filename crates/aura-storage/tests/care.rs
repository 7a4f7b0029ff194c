//! Checking files, and copying them while they are used.
#![cfg(feature = "sqlite")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop at the first surprise"
)]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use aura_core::{
    AgentId, ArtifactWrite, ErrorKind, EventId, EventRange, LARGE_PART_BYTES, Message, SessionId,
    SessionKey, Storage, TenantId, Timestamp, TurnId, TurnStatus, TurnWrite,
};
use aura_storage::{Fsck, SqliteOptions, SqliteStorage};

fn open(path: &Path) -> SqliteStorage {
    SqliteStorage::open(path, SqliteOptions::new()).unwrap()
}

fn key() -> SessionKey {
    SessionKey {
        tenant: TenantId::default(),
        session_id: SessionId::new("s").unwrap(),
    }
}

fn record(store: &SqliteStorage, turn: usize, text: &str) {
    let write = TurnWrite {
        key: key(),
        user: None,
        agent: AgentId::default(),
        turn_id: TurnId::new(format!("t{turn}")).unwrap(),
        fresh_id: false,
        parent: None,
        status: TurnStatus::Complete,
        messages: vec![Message::user(text)],
        recorded_at: Timestamp::MIN,
        requests: Vec::new(),
    };
    store.record(write).unwrap();
}

fn artifact(store: &SqliteStorage, name: &str, bytes: &[u8]) {
    let write = ArtifactWrite {
        tenant: TenantId::default(),
        name: name.to_owned(),
        mime: None,
        user: None,
        session_id: None,
        bytes: bytes.to_vec(),
        recorded_at: Timestamp::MIN,
    };
    store.put_artifact(write).unwrap();
}

fn fill(store: &SqliteStorage) {
    for turn in 0..20 {
        record(store, turn, &format!("message number {turn}"));
    }
    let large = "the large part of a message, ".repeat(LARGE_PART_BYTES / 20);
    record(store, 20, &large);
    record(store, 21, &large);
    artifact(
        store,
        "build.log",
        &b"a line of the build log\n".repeat(500),
    );
}

/// Overwrites a byte in the first place of the file where a text stands.
fn flip(path: &Path, text: &[u8]) {
    let mut file = std::fs::read(path).unwrap();
    let at = file.windows(text.len()).position(|window| window == text);
    file[at.unwrap() + 3] ^= 0x20;
    std::fs::write(path, file).unwrap();
}

fn problems(found: &Fsck) -> Vec<(&str, &str)> {
    let problems = found.problems.iter();
    problems.map(|one| (one.place, one.id.as_str())).collect()
}

#[test]
fn a_sound_file_has_no_problems_and_a_flipped_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let store = open(&path);
    fill(&store);
    let found = store.fsck().unwrap();
    assert!(found.is_sound(), "{:?}", found.problems);
    assert_eq!(
        (found.sessions, found.messages, found.artifacts),
        (1, 22, 2)
    );
    store.close().unwrap();
    flip(&path, b"line of the build log");
    let store = open(&path);
    let found = store.fsck().unwrap();
    assert_eq!(problems(&found), [("artifact", "build.log@1")]);
    store.close().unwrap();
    flip(&path, b"large part of a message");
    let store = open(&path);
    let found = store.fsck().unwrap();
    let places: Vec<&str> = problems(&found).iter().map(|(place, _)| *place).collect();
    assert_eq!(places, ["message", "message", "artifact", "artifact"]);
}

#[test]
fn counts_that_do_not_fit_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let store = open(&path);
    fill(&store);
    store.close().unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "UPDATE artifacts SET refs = 7 WHERE name LIKE 'part:%';
         DELETE FROM log WHERE pos & 4294967295 = 5;
         INSERT INTO blobs (tenant, digest, bytes) VALUES ('default', zeroblob(32), x'00')",
    )
    .unwrap();
    drop(file);
    let found = open(&path).fsck().unwrap();
    let places: Vec<&str> = problems(&found).iter().map(|(place, _)| *place).collect();
    assert_eq!(places, ["message", "artifact", "bytes"]);
}

#[test]
fn a_copy_is_of_one_moment_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("x.db"));
    fill(&store);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut turn = 100;
            while !done.load(Ordering::Acquire) {
                record(&store, turn, "written meanwhile");
                turn += 1;
            }
        });
        for copy in 0..3 {
            let to = folder.path().join(format!("copy{copy}.db"));
            assert!(store.backup(&to).unwrap() > 0);
            let copied = open(&to);
            assert!(copied.fsck().unwrap().is_sound());
            let session = copied.session(&key()).unwrap().unwrap();
            let all = EventRange::new(EventId(1), session.last_event);
            let messages = copied.messages(&key(), &[all]).unwrap();
            assert_eq!(messages.len() as u64, session.last_event.0);
        }
        done.store(true, Ordering::Release);
    });
    let taken = store.backup(folder.path().join("copy0.db")).unwrap_err();
    assert_eq!(
        (taken.kind(), taken.field()),
        (ErrorKind::Invalid, Some("to"))
    );
}
