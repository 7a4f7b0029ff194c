//! The connection that writes, and what it knows of sessions without asking.

use std::cell::Cell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use aura_core::{Error, ErrorKind, Result, SessionId, SessionKey};
use rusqlite::Connection;
use rusqlite::wal::CheckpointMode;

use crate::refusal::check_tenant;
use crate::sqlite::failure::medium;
use crate::sqlite::query::{one, run, together};
use crate::sqlite::sessions::{self, Known};
use crate::sqlite::statements::{
    BEGIN_WRITE, COMMIT, DATA_VERSION, RELEASE, ROLLBACK, ROLLBACK_TO, SAVEPOINT,
};

/// How many sessions are kept in mind.
const KEPT: usize = 1_024;
/// The shortest and the longest pause before asking again for a lock that another process holds.
const PAUSES: (Duration, Duration) = (Duration::from_micros(20), Duration::from_millis(2));

/// How long closing waits at most for others to let go of the write-ahead log.
const CLOSING: Duration = Duration::from_secs(1);

/// The connection that writes.
pub(in crate::sqlite) struct WriteConnection {
    conn: Connection,
    busy_timeout: Duration,
    /// Sessions as of `version`, this connection's own writes included.
    known: HashMap<SessionId, Known>,
    /// SQLite's count of what other connections committed.
    version: i64,
    guard: Cell<Guard>,
}

/// What a write does not share with others it can take back by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// It has the transaction to itself.
    Alone,
    /// It shares the transaction and has changed nothing that it might have to take back.
    Shared,
    /// It shares the transaction, behind a savepoint.
    Saved,
}

impl WriteConnection {
    /// Takes over a connection; how it waits for other processes is its own affair from now on.
    ///
    /// # Errors
    /// Those of the medium.
    pub(in crate::sqlite) fn new(conn: Connection, busy_timeout: Duration) -> Result<Self> {
        // SQLite would sleep for milliseconds at once, in which many a short transaction fits.
        conn.busy_timeout(Duration::ZERO).map_err(medium)?;
        Ok(Self {
            conn,
            busy_timeout,
            known: HashMap::new(),
            version: 0,
            guard: Cell::new(Guard::Alone),
        })
    }

    /// The connection, to run statements inside the transaction.
    pub(in crate::sqlite) fn conn(&self) -> &Connection {
        &self.conn
    }

    /// The session of a key, inside a transaction.
    ///
    /// # Errors
    /// `Denied`, if it is another tenant's; those of the medium.
    pub(in crate::sqlite) fn session(&mut self, key: &SessionKey) -> Result<Option<Known>> {
        let known = match self.known.get(&key.session_id) {
            Some(known) => known.clone(),
            None => {
                let Some(known) = sessions::load(&self.conn, &key.session_id)? else {
                    return Ok(None);
                };
                self.remember(known.clone());
                known
            }
        };
        check_tenant(&known.session.tenant, key)?;
        Ok(Some(known))
    }

    /// The session of a key as it is committed just now, outside a transaction.
    ///
    /// # Errors
    /// Those of [`WriteConnection::session`]; `Internal` inside a transaction.
    pub(in crate::sqlite) fn committed_session(
        &mut self,
        key: &SessionKey,
    ) -> Result<Option<Known>> {
        if self.in_transaction() {
            return Err(Error::new(ErrorKind::Internal, "a write is under way"));
        }
        self.refresh()?;
        if !self.known.contains_key(&key.session_id) {
            let id = &key.session_id;
            let found = together(&self.conn, || sessions::load(&self.conn, id))?;
            match found {
                Some(known) => self.remember(known),
                None => return Ok(None),
            }
        }
        self.session(key)
    }

    /// Keeps a session as a write left it; the last step of a write, after which it cannot fail.
    pub(in crate::sqlite) fn remember(&mut self, known: Known) {
        if self.known.len() >= KEPT && !self.known.contains_key(&known.session.session_id) {
            self.known.clear();
        }
        self.known.insert(known.session.session_id.clone(), known);
    }

    /// Forgets what is known of sessions, because some may be gone.
    pub(in crate::sqlite) fn forget_sessions(&mut self) {
        self.known.clear();
    }

    /// Begins a transaction that may write, waiting for other processes up to the time-out.
    ///
    /// # Errors
    /// `Busy`; those of the medium.
    pub(in crate::sqlite) fn begin(&mut self) -> Result<()> {
        if self.in_transaction() {
            self.roll_back();
        }
        let mut pause = PAUSES.0;
        let mut since = None;
        loop {
            match run(&self.conn, BEGIN_WRITE, []) {
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Busy => {
                    let since = since.get_or_insert_with(Instant::now);
                    if since.elapsed() >= self.busy_timeout {
                        return Err(error);
                    }
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(PAUSES.1);
                }
                Err(error) => return Err(error),
            }
        }
        self.refresh().inspect_err(|_| {
            let _ = run(&self.conn, ROLLBACK, []);
        })
    }

    /// Forgets what is known if another connection committed meanwhile.
    fn refresh(&mut self) -> Result<()> {
        let version = one(&self.conn, DATA_VERSION, [], |row| row.get(0))?;
        let version = version.unwrap_or_default();
        if version != self.version {
            self.known.clear();
            self.version = version;
        }
        Ok(())
    }

    pub(in crate::sqlite) fn in_transaction(&self) -> bool {
        !self.conn.is_autocommit()
    }

    /// Commits; where that fails nothing of the transaction stays.
    ///
    /// # Errors
    /// Those of the medium.
    pub(in crate::sqlite) fn commit(&mut self) -> Result<()> {
        run(&self.conn, COMMIT, []).map(drop).inspect_err(|_| {
            self.roll_back();
        })
    }

    /// Ends the transaction as if it had not begun.
    pub(in crate::sqlite) fn roll_back(&mut self) {
        self.known.clear();
        if self.in_transaction() {
            // What cannot be rolled back now is rolled back when the next transaction begins.
            let _ = run(&self.conn, ROLLBACK, []);
        }
    }

    /// Runs one write of several in a transaction; its failure leaves the others alone, if it called
    /// [`WriteConnection::guard`] before what it may have to take back.
    ///
    /// # Errors
    /// What `job` gives; those of the medium, which may end the transaction.
    pub(in crate::sqlite) fn run_shared(
        &mut self,
        job: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.guard.set(Guard::Shared);
        let result = job(self);
        let guard = self.guard.replace(Guard::Alone);
        if guard != Guard::Saved || !self.in_transaction() {
            return result;
        }
        let ended = match &result {
            Ok(()) => run(&self.conn, RELEASE, []),
            Err(_) => run(&self.conn, ROLLBACK_TO, []).and_then(|_| run(&self.conn, RELEASE, [])),
        };
        if let Err(error) = ended {
            self.roll_back();
            return Err(error);
        }
        result
    }

    /// Called by a write before the first change that it may have to take back. Not needed before a single statement
    /// after which the write cannot fail: a statement is all or nothing by itself.
    ///
    /// # Errors
    /// Those of the medium.
    pub(in crate::sqlite) fn guard(&self) -> Result<()> {
        if self.guard.get() == Guard::Shared {
            run(&self.conn, SAVEPOINT, [])?;
            self.guard.set(Guard::Saved);
        }
        Ok(())
    }

    /// Moves everything from the write-ahead log into the file and closes both.
    ///
    /// # Errors
    /// Those of the medium; the connection is closed all the same.
    pub(in crate::sqlite) fn close(self) -> Result<()> {
        let patience = self.busy_timeout.min(CLOSING);
        let waits = self.conn.busy_timeout(patience);
        let moved = waits.and_then(|()| {
            self.conn
                .wal_checkpoint_v2::<&str>(None, CheckpointMode::TRUNCATE)
        });
        let moved = match moved.map_err(medium) {
            // Another process reads or writes and will do it in its turn; what we wrote is synced nevertheless.
            Err(error) if error.kind() == ErrorKind::Busy => Ok(()),
            moved => moved.map(drop),
        };
        let closed = self.conn.close().map_err(|(_, error)| medium(error));
        moved.and(closed)
    }
}
