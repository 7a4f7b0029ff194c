//! Moving the write-ahead log into the file, on a thread of its own so that no caller waits for it.

use std::sync::Arc;
use std::thread::JoinHandle;

use aura_core::{Error, ErrorKind, Result};
use parking_lot::{Condvar, Mutex};
use rusqlite::Connection;
use rusqlite::wal::CheckpointMode;

use crate::sqlite::failure::medium;

/// From this many pages in the log on (4 MiB) the thread moves them.
const WANTED: i32 = 1_000;
/// From this many on (64 MiB) the writer does it itself after a commit. Under steady load the thread never quite catches up
/// with the writer, and only a log that was moved to its end can begin anew.
const FORCED: i32 = 16_000;

/// The thread; it stops when this is dropped.
pub(in crate::sqlite) struct Checkpointer {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    wanted: bool,
    stopped: bool,
}

impl Checkpointer {
    /// Starts the thread with a connection of its own and has `writer` wake it.
    ///
    /// # Errors
    /// `Unavailable`, when there can be no more threads; those of the medium.
    pub(in crate::sqlite) fn start(
        connection: Connection,
        writer: &mut Connection,
    ) -> Result<Self> {
        let signal = Arc::new(Signal::default());
        let theirs = Arc::clone(&signal);
        let thread = std::thread::Builder::new()
            .name("aura-checkpoint".to_owned())
            .spawn(move || theirs.serve(&connection))
            .map_err(|error| {
                Error::new(ErrorKind::Unavailable, "no thread could be started").caused_by(error)
            })?;
        let checkpointer = Self {
            signal: Arc::clone(&signal),
            thread: Some(thread),
        };
        let hook = move |wal: &mut rusqlite::hooks::Wal, pages| {
            if pages >= FORCED {
                // The commit stands, whether this works or not, and must not seem to have failed.
                let _ = wal.checkpoint();
            } else if pages >= WANTED {
                signal.want();
            }
            Ok(())
        };
        writer.wal_hook(Some(hook)).map_err(medium)?;
        Ok(checkpointer)
    }
}

impl Signal {
    fn want(&self) {
        let mut state = self.state.lock();
        if !state.wanted {
            state.wanted = true;
            self.changed.notify_one();
        }
    }

    fn serve(&self, connection: &Connection) {
        loop {
            let mut state = self.state.lock();
            while !state.wanted && !state.stopped {
                self.changed.wait(&mut state);
            }
            if state.stopped {
                return;
            }
            drop(state);
            // Where it fails, as on a full disk, the log keeps everything and the next commit asks again.
            let _ = connection.wal_checkpoint_v2::<&str>(None, CheckpointMode::PASSIVE);
            self.state.lock().wanted = false;
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.signal.state.lock().stopped = true;
        self.signal.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
