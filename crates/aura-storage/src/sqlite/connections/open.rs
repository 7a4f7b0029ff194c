//! Opening a file: whose it is, which version it has, how it is to be used.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aura_core::{Durability, Error, ErrorKind, Result};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::sqlite::failure::{damaged, medium};
use crate::sqlite::query::{one, together};
use crate::sqlite::statements::{COUNT_TABLES, MIGRATIONS, QUICK_CHECK};

/// What marks a file as ours: "AuRa".
const APPLICATION_ID: i32 = 0x4175_5261;
/// To how many bytes the write-ahead log is cut back when it begins anew.
const WAL_BYTES: i64 = 64 * 1024 * 1024;
/// How many statements a connection keeps prepared.
const STATEMENTS: usize = 64;

/// How a store in a file is to be used.
///
/// ```
/// use aura_core::Durability;
/// let options = aura_storage::SqliteOptions::new().durability(Durability::Normal);
/// assert_eq!(options, aura_storage::SqliteOptions::default().durability(Durability::Normal));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteOptions {
    pub(in crate::sqlite) durability: Durability,
    pub(in crate::sqlite) busy_timeout: Duration,
    pub(in crate::sqlite) readers: usize,
    pub(in crate::sqlite) cache_kib: u32,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            busy_timeout: Duration::from_secs(10),
            readers: 4,
            cache_kib: 16 * 1024,
        }
    }
}

impl SqliteOptions {
    /// Durability full, 10 s of patience, four readers, 16 MiB of page cache each.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What a write that has returned survives.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// How long to wait for another process before giving `Busy`.
    #[must_use]
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// How many reads may run at once, at least 1.
    #[must_use]
    pub fn readers(mut self, readers: usize) -> Self {
        self.readers = readers;
        self
    }

    /// How many KiB of the file each connection may keep in memory.
    #[must_use]
    pub fn cache_kib(mut self, kib: u32) -> Self {
        self.cache_kib = kib;
        self
    }

    fn check(&self) -> Result<()> {
        if self.readers == 0 {
            return Err(Error::invalid_field(
                "options",
                "readers",
                "must be at least 1",
            ));
        }
        Ok(())
    }
}

/// The absolute form of a path, which SQLite can take neither for a URI nor for a name with a meaning of its own.
///
/// # Errors
/// `Invalid` naming `path`, when it is empty.
pub(in crate::sqlite) fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .map_err(|error| Error::invalid_field("store", "path", "must name a file").caused_by(error))
}

/// Opens the connection that writes; makes the file and brings it up to date as needed.
///
/// # Errors
/// `Corrupt`, when the file is no database or newer than this code; `Invalid`, when it is another application's;
/// `Unavailable`, when it cannot be read and written; `Busy`. All name `path`.
pub(in crate::sqlite) fn writer(path: &Path, options: &SqliteOptions) -> Result<Connection> {
    options.check()?;
    let start = Instant::now();
    loop {
        // Two processes that make the same file at once may each find it locked while the other changes its mode.
        match try_writer(path, options) {
            Err(error)
                if error.kind() == ErrorKind::Busy && start.elapsed() < options.busy_timeout =>
            {
                std::thread::sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
}

fn try_writer(path: &Path, options: &SqliteOptions) -> Result<Connection> {
    let mut conn = connect(path, OpenFlags::SQLITE_OPEN_CREATE, options)?;
    // Before anything is changed: the file might be somebody else's.
    let version = together(&conn, || recognise(&conn))?;
    set(&conn, "journal_mode", "WAL")?;
    let mode: String = conn
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .map_err(medium)?;
    if mode != "wal" {
        return Err(unwritable());
    }
    set(&conn, "journal_size_limit", WAL_BYTES)?;
    match options.durability {
        Durability::Full => {
            set(&conn, "synchronous", "FULL")?;
            // Without it macOS leaves what was synced in the cache of the drive.
            set(&conn, "fullfsync", "ON")?;
        }
        Durability::Normal => set(&conn, "synchronous", "NORMAL")?,
    }
    if version < MIGRATIONS.len() {
        migrate(&mut conn)?;
    }
    Ok(conn)
}

/// Opens a connection that reads.
///
/// # Errors
/// Those of the medium.
pub(in crate::sqlite) fn reader(path: &Path, options: &SqliteOptions) -> Result<Connection> {
    let conn = connect(path, OpenFlags::empty(), options)?;
    set(&conn, "query_only", "ON")?;
    Ok(conn)
}

/// Opens the connection that moves the write-ahead log into the file.
///
/// # Errors
/// Those of the medium.
pub(in crate::sqlite) fn checkpointer(path: &Path, options: &SqliteOptions) -> Result<Connection> {
    let conn = connect(path, OpenFlags::empty(), options)?;
    if options.durability == Durability::Full {
        set(&conn, "fullfsync", "ON")?;
    }
    Ok(conn)
}

fn connect(path: &Path, more: OpenFlags, options: &SqliteOptions) -> Result<Connection> {
    // Every connection is used by one thread at a time: it needs no lock of its own.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let conn = Connection::open_with_flags(path, flags).map_err(medium)?;
    // Before anything is read: reading would make the files beside it, as little writable as this one.
    if conn.is_readonly(rusqlite::MAIN_DB).map_err(medium)? {
        return Err(unwritable());
    }
    conn.busy_timeout(options.busy_timeout).map_err(medium)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    // What is deleted must be gone from the file too.
    set(&conn, "secure_delete", "ON")?;
    set(&conn, "temp_store", "MEMORY")?;
    set(&conn, "cache_size", -i64::from(options.cache_kib))?;
    Ok(conn)
}

fn set(conn: &Connection, name: &str, value: impl rusqlite::ToSql) -> Result<()> {
    conn.pragma_update(None, name, value).map_err(medium)
}

/// The version of our schema in the file, 0 for a new one.
fn recognise(conn: &Connection) -> Result<usize> {
    let value = |name: &str| -> Result<i32> {
        conn.pragma_query_value(None, name, |row| row.get(0))
            .map_err(medium)
    };
    let (application, version) = (value("application_id")?, value("user_version")?);
    let tables: i64 = one(conn, COUNT_TABLES, [], |row| row.get(0))?.unwrap_or_default();
    match (application, version) {
        (0, 0) if tables == 0 => Ok(0),
        (APPLICATION_ID, version) => {
            let known = MIGRATIONS.len();
            match usize::try_from(version) {
                Ok(version) if version <= known => Ok(version),
                _ => Err(Error::new(
                    ErrorKind::Corrupt,
                    format!(
                        "path: the file was written by a newer version (schema {version}, known is {known})"
                    ),
                )
                .with_field("path")),
            }
        }
        _ => Err(Error::invalid_field(
            "store",
            "path",
            "the file is the database of another application",
        )),
    }
}

fn migrate(conn: &mut Connection) -> Result<()> {
    let transaction = conn
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(medium)?;
    // Another process may have done some of it while this one waited.
    let done = recognise(&transaction)?;
    for script in MIGRATIONS.iter().skip(done) {
        transaction.execute_batch(script).map_err(medium)?;
    }
    set(&transaction, "application_id", APPLICATION_ID)?;
    set(&transaction, "user_version", MIGRATIONS.len() as i64)?;
    transaction.commit().map_err(medium)
}

/// Checks that pages and indexes of the file fit together.
///
/// # Errors
/// `Corrupt`; those of the medium.
pub(in crate::sqlite) fn quick_check(conn: &Connection) -> Result<()> {
    let answer: Option<String> = one(conn, QUICK_CHECK, [], |row| row.get(0))?;
    if answer.as_deref() == Some("ok") {
        Ok(())
    } else {
        Err(damaged("the database"))
    }
}

fn unwritable() -> Error {
    Error::new(
        ErrorKind::Unavailable,
        "path: the file or its folder may not be written",
    )
    .with_field("path")
}
