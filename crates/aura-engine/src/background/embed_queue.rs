//! Which sessions wait for vectors.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use aura_core::{Error, ErrorKind, EventId, Result, SessionKey};
use parking_lot::{Condvar, Mutex};

use crate::engine::metrics;

/// How long a session rests before its newest messages are embedded, so that a few of them share a batch and a write.
const REST: Duration = Duration::from_millis(100);

/// A session that waits.
#[derive(Debug)]
pub(crate) struct Lacking {
    pub(crate) key: SessionKey,
    /// Messages whose stored vectors are damaged.
    pub(crate) damaged: Vec<EventId>,
}

#[derive(Debug)]
struct Entry {
    since: Instant,
    damaged: Vec<EventId>,
}

#[derive(Default)]
struct State {
    order: VecDeque<SessionKey>,
    entries: HashMap<SessionKey, Entry>,
    working: bool,
    stopping: bool,
    /// Somebody waits for all to be done.
    hurry: bool,
    failure: Option<Error>,
}

impl State {
    fn is_idle(&self) -> bool {
        !self.working && self.order.is_empty()
    }
}

/// The queue of the thread that embeds.
pub(crate) struct EmbedQueue {
    state: Mutex<State>,
    ready: Condvar,
    idle: Condvar,
}

impl EmbedQueue {
    /// A queue whose thread is still looking for what was left to do.
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                working: true,
                ..State::default()
            }),
            ready: Condvar::new(),
            idle: Condvar::new(),
        }
    }

    /// Lets a session have its vectors made; `damaged` are messages that need theirs again.
    pub(crate) fn push(&self, key: &SessionKey, damaged: Vec<EventId>) {
        let mut state = self.state.lock();
        match state.entries.get_mut(key) {
            Some(entry) => entry.damaged.extend(damaged),
            None => {
                let since = Instant::now();
                state.entries.insert(key.clone(), Entry { since, damaged });
                state.order.push_back(key.clone());
                self.ready.notify_one();
            }
        }
    }

    /// Waits for a session; `None` when it is time to end. The one before is over with this call.
    pub(crate) fn next(&self) -> Option<Lacking> {
        let mut state = self.state.lock();
        state.working = false;
        loop {
            if state.stopping {
                self.idle.notify_all();
                return None;
            }
            let Some(key) = state.order.front() else {
                state.hurry = false;
                self.idle.notify_all();
                self.ready.wait(&mut state);
                continue;
            };
            let due = state.entries.get(key).map(|entry| entry.since + REST);
            if let Some(due) = due.filter(|due| !state.hurry && *due > Instant::now()) {
                self.ready.wait_until(&mut state, due);
                continue;
            }
            let Some(key) = state.order.pop_front() else {
                continue;
            };
            let damaged = state.entries.remove(&key).map(|entry| entry.damaged);
            state.working = true;
            return Some(Lacking {
                key,
                damaged: damaged.unwrap_or_default(),
            });
        }
    }

    /// Puts a session back behind the others, with more to do.
    pub(crate) fn again(&self, key: SessionKey) {
        let mut state = self.state.lock();
        let entry = Entry {
            // It has rested.
            since: Instant::now()
                .checked_sub(REST)
                .unwrap_or_else(Instant::now),
            damaged: Vec::new(),
        };
        if state.entries.insert(key.clone(), entry).is_none() {
            state.order.push_back(key);
        }
    }

    /// Puts a session back that failed for a passing reason, and waits a little, or until somebody waits for the queue.
    pub(crate) fn put_back(&self, lacking: Lacking, failure: Error, pause: Duration) {
        let mut state = self.state.lock();
        state.failure = Some(failure);
        let Lacking { key, mut damaged } = lacking;
        let since = Instant::now();
        let entry = state.entries.entry(key.clone());
        let before = matches!(entry, std::collections::hash_map::Entry::Occupied(_));
        let entry = entry.or_insert(Entry {
            since,
            damaged: Vec::new(),
        });
        entry.damaged.append(&mut damaged);
        if !before {
            state.order.push_front(key);
        }
        if !state.stopping {
            self.ready.wait_for(&mut state, pause);
        }
    }

    /// Keeps a failure for the next flush to report.
    pub(crate) fn report(&self, failure: Error) {
        metrics::failed_behind(&failure);
        self.state.lock().failure = Some(failure);
    }

    /// Waits until every message has its vectors.
    ///
    /// # Errors
    /// `Busy`, when it takes longer than `timeout`; else the last failure since the last flush.
    pub(crate) fn flush(&self, timeout: Duration) -> Result<()> {
        let until = Instant::now().checked_add(timeout);
        let mut state = self.state.lock();
        while !state.is_idle() && !state.stopping {
            state.hurry = true;
            self.ready.notify_one();
            match until {
                Some(until) if self.idle.wait_until(&mut state, until).timed_out() => break,
                Some(_) => {}
                None => self.idle.wait(&mut state),
            }
        }
        let failure = state.failure.take();
        if state.is_idle() || state.stopping {
            return failure.map_or(Ok(()), Err);
        }
        let error = Error::new(
            ErrorKind::Busy,
            "messages were not embedded within the time-out",
        );
        Err(match failure {
            Some(cause) => error.caused_by(cause),
            None => error,
        })
    }

    /// Tells the thread to end; what waits is found again after the next start.
    pub(crate) fn stop(&self) {
        self.state.lock().stopping = true;
        self.ready.notify_all();
        self.idle.notify_all();
    }
}
