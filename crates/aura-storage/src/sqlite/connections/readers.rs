//! Connections that read, beside the one that writes; no reader waits for a writer.

use std::path::{Path, PathBuf};

use aura_core::Result;
use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;

use super::open::{self, SqliteOptions};
use crate::refusal::closed;

/// Connections that read, opened as they are needed.
pub(in crate::sqlite) struct Readers {
    path: PathBuf,
    options: SqliteOptions,
    pool: Mutex<Pool>,
    returned: Condvar,
}

#[derive(Default)]
struct Pool {
    free: Vec<Connection>,
    /// How many are open, those in use included.
    open: usize,
    closed: bool,
}

impl Readers {
    pub(in crate::sqlite) fn new(path: PathBuf, options: SqliteOptions) -> Self {
        Self {
            path,
            options,
            pool: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Where the file is, and how it is to be used.
    pub(in crate::sqlite) fn place(&self) -> (&Path, &SqliteOptions) {
        (&self.path, &self.options)
    }

    /// Reads with a connection of one's own, waiting for one if all are in use.
    ///
    /// # Errors
    /// `Closed`; what `read` gives; those of the medium.
    pub(in crate::sqlite) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        let borrowed = Borrowed {
            connection: Some(self.take()?),
            readers: self,
        };
        borrowed
            .connection
            .as_ref()
            .map_or_else(|| Err(closed()), read)
    }

    fn take(&self) -> Result<Connection> {
        let mut pool = self.pool.lock();
        loop {
            if pool.closed {
                return Err(closed());
            }
            if let Some(connection) = pool.free.pop() {
                return Ok(connection);
            }
            if pool.open < self.options.readers {
                break;
            }
            self.returned.wait(&mut pool);
        }
        pool.open += 1;
        drop(pool);
        open::reader(&self.path, &self.options).inspect_err(|_| self.give_back(None))
    }

    fn give_back(&self, connection: Option<Connection>) {
        let mut pool = self.pool.lock();
        match connection {
            Some(connection) => pool.free.push(connection),
            None => pool.open -= 1,
        }
        self.returned.notify_all();
    }

    /// Refuses new reads, waits for those under way and closes the connections.
    pub(in crate::sqlite) fn close(&self) {
        let mut pool = self.pool.lock();
        pool.closed = true;
        while pool.free.len() < pool.open {
            self.returned.wait(&mut pool);
        }
        pool.free.clear();
        pool.open = 0;
        self.returned.notify_all();
    }
}

/// A connection in use.
struct Borrowed<'a> {
    connection: Option<Connection>,
    readers: &'a Readers,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        // One that is still inside a transaction after a failure would show old states for ever.
        let connection = self.connection.take().filter(Connection::is_autocommit);
        self.readers.give_back(connection);
    }
}
