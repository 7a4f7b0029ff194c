//! Opening files: what is refused, by which error, and what stays untouched.
#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

use aura_core::{
    AgentId, ArtifactWrite, CompilationStorage, Error, ErrorKind, EventId, EventRange,
    LARGE_PART_BYTES, Message, PolicyQuery, PolicyStorage, SessionId, SessionKey, Storage,
    TenantId, Timestamp, TurnId, TurnIndex, TurnStatus, TurnWrite, VectorStorage,
};
use aura_storage::{SqliteOptions, SqliteStorage};
use rusqlite::Connection;

fn key() -> SessionKey {
    SessionKey {
        tenant: TenantId::default(),
        session_id: SessionId::new("chat").unwrap(),
    }
}

fn write(turn: &str, text: &str) -> TurnWrite {
    TurnWrite {
        key: key(),
        user: None,
        agent: AgentId::default(),
        turn_id: TurnId::new(turn).unwrap(),
        fresh_id: false,
        parent: None,
        status: TurnStatus::Complete,
        messages: vec![Message::user(text)],
        recorded_at: Timestamp::from_millis_clamped(0),
        requests: Vec::new(),
    }
}

fn open(path: impl AsRef<Path>) -> Result<SqliteStorage, Error> {
    SqliteStorage::open(path, SqliteOptions::new())
}

#[track_caller]
fn refused(path: impl AsRef<Path>, kind: ErrorKind, problem: &str) {
    let error = open(path).err().unwrap();
    assert_eq!(
        (error.kind(), error.field()),
        (kind, Some("path")),
        "{error}"
    );
    assert_eq!(error.operation(), "open");
    assert!(error.message().contains(problem), "{error}");
}

#[test]
fn what_was_written_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b 日本?mode=memory&x#y.db");
    let large = "x".repeat(LARGE_PART_BYTES + 1);
    for n in 0..3 {
        let store = open(&path).unwrap();
        store.record(write(&format!("t{n}"), &large)).unwrap();
        let turns = store.turns(&key(), TurnIndex(0), 10).unwrap();
        assert_eq!(turns.len(), n + 1);
        store.check().unwrap();
        store.close().unwrap();
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "closing leaves the file alone");
    }
    let store = open(&path).unwrap();
    store.record(write("dropped", "without close")).unwrap();
    drop(store);
    assert_eq!(
        open(&path).unwrap().session(&key()).unwrap().unwrap().turns,
        4
    );
}

#[test]
fn the_file_says_whose_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    open(&path).unwrap().close().unwrap();
    let file = Connection::open(&path).unwrap();
    let value = |name: &str| -> i64 {
        file.pragma_query_value(None, name, |row| row.get(0))
            .unwrap()
    };
    assert_eq!(value("application_id").to_be_bytes(), *b"\0\0\0\0AuRa");
    assert_eq!(value("user_version"), 8);
}

#[test]
fn an_empty_file_is_as_good_as_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    std::fs::write(&path, b"").unwrap();
    open(&path).unwrap().record(write("t0", "x")).unwrap();
}

#[test]
fn a_file_that_is_no_database_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for bytes in [&b"Dear diary"[..], &[0x5A; 40_000]] {
        std::fs::write(&path, bytes).unwrap();
        refused(&path, ErrorKind::Corrupt, "not a SQLite database");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn the_database_of_another_application_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (name, script) in [
        ("plain.db", "CREATE TABLE birds (name TEXT)"),
        (
            "marked.db",
            "PRAGMA application_id = 7; CREATE TABLE birds (name TEXT)",
        ),
        ("empty.db", "PRAGMA user_version = 1"),
    ] {
        let path = folder.path().join(name);
        let other = Connection::open(&path).unwrap();
        other.execute_batch(script).unwrap();
        drop(other);
        let before = std::fs::read(&path).unwrap();
        refused(&path, ErrorKind::Invalid, "another application");
        assert_eq!(
            std::fs::read(&path).unwrap(),
            before,
            "not even its mode is changed"
        );
    }
}

#[test]
fn a_newer_file_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    open(&path).unwrap().record(write("t0", "x")).unwrap();
    let file = Connection::open(&path).unwrap();
    file.pragma_update(None, "user_version", 99).unwrap();
    refused(
        &path,
        ErrorKind::Corrupt,
        "newer version (schema 99, known is 8)",
    );
    file.pragma_update(None, "user_version", 8).unwrap();
    assert_eq!(
        open(&path).unwrap().session(&key()).unwrap().unwrap().turns,
        1
    );
}

#[test]
fn a_missing_folder_and_a_folder_for_a_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    refused(
        folder.path().join("none/test.db"),
        ErrorKind::Unavailable,
        "is there such a folder",
    );
    refused(folder.path(), ErrorKind::Unavailable, "");
    refused("", ErrorKind::Invalid, "must name a file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_where_no_file_can_be_made_is_refused() {
    // Nobody, not even root, may make files here.
    refused("/proc/self/fdinfo/test.db", ErrorKind::Unavailable, "");
}

#[cfg(unix)]
#[test]
fn a_read_only_file_and_folder_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    open(&path).unwrap().close().unwrap();
    let permit = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    permit(folder.path(), 0o555);
    if std::fs::write(folder.path().join("probe"), b"").is_ok() {
        permit(folder.path(), 0o755);
        // Permissions mean nothing to root: ask somebody else.
        const NOBODY: u32 = 65_534;
        let tried = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_read_only_file_and_folder_are_refused"])
            .uid(NOBODY)
            .output();
        match tried {
            Ok(output) => assert!(output.status.success(), "{output:?}"),
            Err(error) => eprintln!("NOT TESTED: nobody but root can run this test: {error}"),
        }
        return;
    }
    refused(folder.path().join("new.db"), ErrorKind::Unavailable, "");
    refused(&path, ErrorKind::Unavailable, "may not be written");
    permit(folder.path(), 0o755);
    permit(&path, 0o444);
    refused(&path, ErrorKind::Unavailable, "may not be written");
    permit(&path, 0o644);
    open(&path).unwrap().record(write("t0", "x")).unwrap();
}

#[test]
fn options_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions::new().readers(0);
    let error = SqliteStorage::open(folder.path().join("test.db"), options)
        .err()
        .unwrap();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Invalid, Some("readers"))
    );
}

#[test]
fn many_may_make_the_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..5 {
        let path = folder.path().join(format!("{round}.db"));
        let start = Barrier::new(6);
        std::thread::scope(|scope| {
            for n in 0..6 {
                let (path, start) = (&path, &start);
                scope.spawn(move || {
                    start.wait();
                    let store = open(path).unwrap();
                    store.record(write(&format!("t{n}"), "x")).unwrap();
                });
            }
        });
        assert_eq!(
            open(&path).unwrap().session(&key()).unwrap().unwrap().turns,
            6
        );
    }
}

#[test]
fn a_lock_held_too_long_gives_busy_and_reads_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let options = SqliteOptions::new().busy_timeout(Duration::from_millis(50));
    let store = SqliteStorage::open(&path, options).unwrap();
    store.record(write("t0", "x")).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = store.record(write("t1", "x")).unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::Busy, "record")
    );
    assert_eq!(store.session(&key()).unwrap().unwrap().turns, 1);
    let all = [EventRange::new(EventId(1), EventId(9))];
    assert_eq!(store.messages(&key(), &all).unwrap().len(), 1);
    other.execute_batch("COMMIT").unwrap();
    store.record(write("t1", "x")).unwrap();
}

#[test]
fn damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let store = open(&path).unwrap();
    let large = "x".repeat(LARGE_PART_BYTES + 1);
    store.record(write("t0", &large)).unwrap();
    store.record(write("t1", "small")).unwrap();
    let artifact = ArtifactWrite {
        session_id: None,
        user: None,
        tenant: TenantId::default(),
        name: "n".to_owned(),
        mime: None,
        bytes: b"bytes".to_vec(),
        recorded_at: Timestamp::from_millis_clamped(0),
    };
    let artifact = store.put_artifact(artifact).unwrap();
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("UPDATE blobs SET bytes = X'00'")
        .unwrap();
    other
        .execute_batch("UPDATE log SET body = X'01FFFFFF' WHERE turn = 1")
        .unwrap();
    let message = |event| {
        let range = EventRange::new(EventId(event), EventId(event));
        store.messages(&key(), &[range]).unwrap_err().kind()
    };
    assert_eq!(
        (message(1), message(2)),
        (ErrorKind::Corrupt, ErrorKind::Corrupt)
    );
    let read = store.read_artifact(&TenantId::default(), &artifact.handle);
    assert_eq!(read.unwrap_err().kind(), ErrorKind::Corrupt);
    assert_eq!(
        store.turns(&key(), TurnIndex(0), 9).unwrap().len(),
        2,
        "the rest can be read"
    );
}

#[test]
fn a_file_of_an_older_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let store = open(&path).unwrap();
    store.record(write("t0", "x")).unwrap();
    store.close().unwrap();
    let file = Connection::open(&path).unwrap();
    let later = "DROP TABLE vectors; DROP TABLE vector_sets; DROP TABLE policies; DROP TABLE deletions; \
         DROP TABLE deleted_sessions; DROP TABLE holds; DROP TABLE memories; DROP TABLE checkpoints; DROP TABLE blob_parts; DROP INDEX sessions_of_user; \
         DROP INDEX artifacts_of_user; DROP INDEX artifacts_of_session; \
         ALTER TABLE artifacts DROP COLUMN user; ALTER TABLE artifacts DROP COLUMN session_id; \
         DROP TABLE packets; DROP TABLE deliveries; DROP TABLE replays; DROP TABLE inputs; DROP TABLE input_uses; DROP TABLE outcomes; \
         ALTER TABLE plans DROP COLUMN request_id; PRAGMA user_version = 1";
    file.execute_batch(later).unwrap();
    drop(file);
    let store = open(&path).unwrap();
    assert_eq!(store.session(&key()).unwrap().unwrap().turns, 1);
    assert_eq!(store.unembedded("m", 9).unwrap(), [key()]);
    let none = store.policies(&key().tenant, &PolicyQuery::default());
    assert_eq!(none.unwrap(), []);
    let purge = aura_core::CompilationPurge::default();
    assert_eq!(store.forget_compilations(&purge).unwrap(), 0);
}
