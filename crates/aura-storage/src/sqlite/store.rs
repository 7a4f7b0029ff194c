//! The store: a file, the connections to it, and the trait that uses them.

mod care;

use std::path::Path;
use std::sync::Arc;

use aura_core::{
    Artifact, ArtifactHandle, ArtifactWrite, Digest, Durability, EventRange, FactCommit, FactEntry,
    Recorded, Result, Session, SessionKey, SessionQuery, Snapshot, Storage, StoredMessage,
    TenantId, Turn, TurnId, TurnIndex, TurnRecord, TurnStatus, TurnWrite,
};
use parking_lot::Mutex;
use rusqlite::Connection;

pub use self::care::{Fsck, Problem};
use super::derived::snapshots;
use super::{artifacts, facts, log, sessions, turns};
use crate::large;
use crate::sqlite::connections::{
    self, Checkpointer, Readers, SqliteOptions, WriteConnection, Writer,
};
use crate::sqlite::query::together;

/// How many messages may be read with the connection that writes, whose cache no write empties.
const QUICK: u64 = 64;

/// A [`Storage`] in a SQLite file: any number of threads and processes may use it at once.
///
/// ```
/// use aura_core::Storage;
/// use aura_storage::{SqliteOptions, SqliteStorage};
/// let folder = tempfile::tempdir()?;
/// let store = SqliteStorage::open(folder.path().join("chat.db"), SqliteOptions::default())?;
/// assert_eq!(store.name(), "sqlite");
/// store.close()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SqliteStorage {
    durability: Durability,
    writer: Writer,
    readers: Readers,
    checkpointer: Mutex<Option<Checkpointer>>,
}

impl SqliteStorage {
    /// Opens a file, making it if it does not exist.
    ///
    /// # Errors
    /// All name `path`: `Corrupt`, when the file is no database, damaged, or written by a newer version; `Invalid`, when
    /// it is the database of another application; `Unavailable`, when it cannot be read and written; `Busy`. Beside
    /// them `Invalid` naming a wrong option.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self> {
        Self::connect(path.as_ref(), options).map_err(|error| error.during("open"))
    }

    fn connect(path: &Path, options: SqliteOptions) -> Result<Self> {
        let path = connections::absolute(path)?;
        let mut writer = connections::writer(&path, &options)?;
        let other = connections::checkpointer(&path, &options)?;
        let checkpointer = Checkpointer::start(other, &mut writer)?;
        let writer = WriteConnection::new(writer, options.busy_timeout)?;
        Ok(Self {
            durability: options.durability,
            writer: Writer::new(writer),
            readers: Readers::new(path, options),
            checkpointer: Mutex::new(Some(checkpointer)),
        })
    }

    /// Checks that the pages and indexes of the file fit together; takes time in proportion to its size.
    ///
    /// # Errors
    /// `Corrupt`; those of the medium.
    pub fn check(&self) -> Result<()> {
        self.read("check", connections::quick_check)
    }

    /// Where the file is, and how it is to be used.
    pub(super) fn place(&self) -> (&Path, &SqliteOptions) {
        self.readers.place()
    }

    /// Does something while this process writes nothing.
    pub(super) fn while_nobody_writes<T>(&self, job: impl FnOnce() -> T) -> T {
        self.writer.pause(job)
    }

    pub(super) fn read<T>(
        &self,
        operation: &'static str,
        read: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        self.readers
            .read(|conn| together(conn, || read(conn)))
            .map_err(|error| error.during(operation))
    }

    pub(super) fn write<T: Send + 'static>(
        &self,
        operation: &'static str,
        write: impl FnOnce(&mut WriteConnection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.writer
            .write(write)
            .map_err(|error| error.during(operation))
    }
}

impl Storage for SqliteStorage {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn durability(&self) -> Durability {
        self.durability
    }

    fn record(&self, write: TurnWrite) -> Result<Recorded> {
        let prepared = turns::Prepared::new(write);
        self.write("record", |writer| turns::record(writer, prepared))
    }

    fn set_status(
        &self,
        key: &SessionKey,
        turn_id: &TurnId,
        status: TurnStatus,
    ) -> Result<Recorded> {
        let (key, turn_id) = (key.clone(), turn_id.clone());
        self.write("set_status", move |writer| {
            turns::set_status(writer, &key, &turn_id, status)
        })
    }

    fn set_head(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Session> {
        let (key, turn_id) = (key.clone(), turn_id.clone());
        self.write("set_head", move |writer| {
            turns::set_head(writer, &key, &turn_id)
        })
    }

    fn session(&self, key: &SessionKey) -> Result<Option<Session>> {
        let read = |writer: &mut WriteConnection| writer.committed_session(key);
        let known = match self.writer.try_read(read) {
            Some(Ok(known)) => known,
            _ => self.read("session", |conn| {
                sessions::number(conn, key)?;
                sessions::load(conn, &key.session_id)
            })?,
        };
        Ok(known.map(|known| known.session))
    }

    fn sessions(&self, tenant: &TenantId, query: &SessionQuery) -> Result<Vec<Session>> {
        self.read("sessions", |conn| sessions::list(conn, tenant, query))
    }

    fn turns(&self, key: &SessionKey, from: TurnIndex, limit: usize) -> Result<Vec<Turn>> {
        self.read("turns", |conn| match sessions::number(conn, key)? {
            Some(no) => log::turns(conn, no, from, limit),
            None => Ok(Vec::new()),
        })
    }

    fn turn_records(
        &self,
        key: &SessionKey,
        from: TurnIndex,
        limit: usize,
    ) -> Result<Vec<TurnRecord>> {
        self.read("turn_records", |conn| match sessions::number(conn, key)? {
            Some(no) => log::turn_records(conn, &key.tenant, no, from, limit),
            None => Ok(Vec::new()),
        })
    }

    fn turn(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Turn>> {
        self.read("turn", |conn| match sessions::number(conn, key)? {
            Some(no) => log::turn(conn, no, turn_id),
            None => Ok(None),
        })
    }

    fn messages(&self, key: &SessionKey, ranges: &[EventRange]) -> Result<Vec<Arc<StoredMessage>>> {
        // A few messages are read faster than a cold cache is warmed, and detain no writer for long.
        let lengths = ranges.iter().map(EventRange::len);
        let count = lengths.fold(0, u64::saturating_add);
        if count <= QUICK {
            let read = |writer: &mut WriteConnection| {
                together(writer.conn(), || log::messages(writer.conn(), key, ranges))
            };
            if let Some(Ok(messages)) = self.writer.try_read(read) {
                return Ok(messages);
            }
        }
        self.read("messages", |conn| log::messages(conn, key, ranges))
    }

    fn facts(&self, key: &SessionKey, from: u64) -> Result<Vec<FactEntry>> {
        self.read("facts", |conn| facts::read(conn, key, from))
    }

    fn commit_facts(&self, commit: FactCommit) -> Result<Session> {
        self.write("commit_facts", |writer| facts::commit(writer, commit))
    }

    fn undistilled(&self, limit: usize) -> Result<Vec<SessionKey>> {
        self.read("undistilled", |conn| facts::undistilled(conn, limit))
    }

    fn put_snapshot(&self, key: &SessionKey, name: &str, snapshot: Snapshot) -> Result<()> {
        let (key, name) = (key.clone(), name.to_owned());
        self.write("put_snapshot", move |writer| {
            writer.guard()?;
            snapshots::put(writer.conn(), &key, &name, &snapshot)
        })
    }

    fn snapshot(&self, key: &SessionKey, name: &str) -> Result<Option<Snapshot>> {
        self.read("snapshot", |conn| snapshots::get(conn, key, name))
    }

    fn snapshots(&self, key: &SessionKey, prefix: &str) -> Result<Vec<(String, Snapshot)>> {
        self.read("snapshots", |conn| snapshots::list(conn, key, prefix))
    }

    fn replace_snapshots(
        &self,
        key: &SessionKey,
        prefix: &str,
        keep: &[String],
        put: Vec<(String, Snapshot)>,
    ) -> Result<()> {
        let (key, prefix, keep) = (key.clone(), prefix.to_owned(), keep.to_vec());
        self.write("replace_snapshots", move |writer| {
            writer.guard()?;
            snapshots::replace(writer.conn(), &key, &prefix, &keep, &put)
        })
    }

    fn put_artifact(&self, write: ArtifactWrite) -> Result<Artifact> {
        large::check_name(&write.name).map_err(|error| error.during("put_artifact"))?;
        let digest = Digest::of(&write.bytes);
        self.write("put_artifact", move |writer| {
            writer.guard()?;
            artifacts::put(writer.conn(), &write, digest)
        })
    }

    fn artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Option<Artifact>> {
        self.read("artifact", |conn| artifacts::get(conn, tenant, handle))
    }

    fn read_artifact(&self, tenant: &TenantId, handle: &ArtifactHandle) -> Result<Vec<u8>> {
        self.read("read_artifact", |conn| {
            artifacts::bytes(conn, tenant, handle)
        })
    }

    fn close(&self) -> Result<()> {
        let Some(connection) = self.writer.close() else {
            return Ok(());
        };
        self.readers.close();
        drop(self.checkpointer.lock().take());
        connection.close().map_err(|error| error.during("close"))
    }
}
