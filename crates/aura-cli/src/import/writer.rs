//! Turns to the store, from several threads at once.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use aura::{Engine, Error, ErrorKind, Principal};

use super::gate::Gate;
use super::grouper::Group;
use super::recorder::Recorder;
use super::refusal::{Refusal, Refusals};
use super::tally::Tally;

/// Turns that may wait for one thread.
const QUEUE: usize = 256;

/// Bytes of turns that may wait for all threads together.
const IN_FLIGHT_BYTES: usize = 64 * 1024 * 1024;

/// Threads that record turns. All turns of a session go through the same thread, so they keep their order, and the
/// store commits what several threads bring in one batch.
pub(crate) struct Writer {
    shared: Arc<Shared>,
    queues: Vec<SyncSender<Load>>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    gate: Gate,
    tally: Mutex<Tally>,
    refusals: Mutex<Refusals>,
    failure: Mutex<Option<Error>>,
    stopped: AtomicBool,
}

/// A turn on its way, which gives its room back when it is dropped, wherever that happens.
struct Load {
    shared: Arc<Shared>,
    size: usize,
    group: Option<Group>,
}

impl Drop for Load {
    fn drop(&mut self) {
        self.shared.gate.leave(self.size);
    }
}

impl Writer {
    /// Starts `threads` threads that record for `principal`.
    ///
    /// # Errors
    /// `Unavailable`, when a thread cannot be started.
    pub(crate) fn start(
        engine: &Engine,
        principal: &Principal,
        threads: NonZeroUsize,
        refusals: Refusals,
    ) -> Result<Self, Error> {
        let shared = Arc::new(Shared {
            gate: Gate::new(IN_FLIGHT_BYTES),
            tally: Mutex::default(),
            refusals: Mutex::new(refusals),
            failure: Mutex::default(),
            stopped: AtomicBool::new(false),
        });
        let mut writer = Self {
            shared,
            queues: Vec::new(),
            threads: Vec::new(),
        };
        for number in 0..threads.get() {
            let (queue, loads) = sync_channel(QUEUE);
            let mut recorder = Recorder::new(engine.clone(), principal.clone());
            let shared = Arc::clone(&writer.shared);
            let thread = thread::Builder::new()
                .name(format!("import-{number}"))
                .spawn(move || work(&mut recorder, &shared, &loads))
                .map_err(|error| {
                    Error::new(ErrorKind::Unavailable, "a thread could not be started")
                        .caused_by(error)
                })?;
            writer.queues.push(queue);
            writer.threads.push(thread);
        }
        Ok(writer)
    }

    /// Hands a turn over; waits while too much is on its way. `false` once recording has failed.
    pub(crate) fn send(&self, group: Group) -> bool {
        let hash = BuildHasherDefault::<DefaultHasher>::new().hash_one(&group.session_id);
        let at = usize::try_from(hash % self.queues.len() as u64).unwrap_or_default();
        let Some(queue) = self.queues.get(at) else {
            return false;
        };
        self.shared.gate.enter(group.size);
        let load = Load {
            shared: Arc::clone(&self.shared),
            size: group.size,
            group: Some(group),
        };
        queue.send(load).is_ok() && !self.shared.stopped.load(Ordering::Relaxed)
    }

    /// Notes a line that was refused before it came to a turn.
    pub(crate) fn refuse(&self, refusal: Refusal) {
        lock(&self.shared.refusals).add(refusal);
    }

    /// How many lines have been refused.
    pub(crate) fn refused(&self) -> u64 {
        lock(&self.shared.refusals).total()
    }

    /// Waits until all is recorded; gives what was done, and the error that ended it early if one did.
    pub(crate) fn finish(mut self) -> (Tally, Refusals, Option<Error>) {
        self.queues.clear();
        let mut failure = None;
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                failure = Some(Error::new(
                    ErrorKind::Internal,
                    "a thread that records turns died",
                ));
            }
        }
        let failure = lock(&self.shared.failure).take().or(failure);
        let refusals = std::mem::replace(&mut *lock(&self.shared.refusals), Refusals::new(0, None));
        let tally = *lock(&self.shared.tally);
        (tally, refusals, failure)
    }
}

fn work(recorder: &mut Recorder, shared: &Shared, loads: &Receiver<Load>) {
    for mut load in loads {
        // After a failure the rest is let through, so that whoever waits to hand over more is not left waiting.
        if shared.stopped.load(Ordering::Relaxed) {
            continue;
        }
        let Some(group) = load.group.take() else {
            continue;
        };
        let mut refused = Vec::new();
        match recorder.record(group, &mut refused) {
            Ok(tally) => lock(&shared.tally).add(&tally),
            Err(error) => {
                shared.stopped.store(true, Ordering::Relaxed);
                lock(&shared.failure).get_or_insert(error);
            }
        }
        for refusal in refused {
            lock(&shared.refusals).add(refusal);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
