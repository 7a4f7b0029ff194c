//! What waits for the background thread.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aura_core::{Error, ErrorKind, RequestId, Result, SessionKey, TurnId};
use parking_lot::{Condvar, Mutex};

use crate::background::waiting::Waiting;
use crate::engine::metrics;
use crate::session::bodies::Serial;
use crate::session::entry::SessionEntry;

/// Compilations that may wait in memory; beyond it the caller stores its own, so that memory stays bounded.
const MAX_COMPILATIONS: usize = 1024;

/// How long the background thread dozes between looks at the queue while it is in use. Waking a thread costs the
/// caller several µs, a doze costs nothing, and nothing that waits here is needed by a reader.
const DOZE: Duration = Duration::from_millis(5);

/// How many dozes without work make the thread sleep until it is woken.
const DOZES_BEFORE_SLEEP: u32 = 200;

/// One round of work.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) compilations: Vec<Arc<Waiting>>,
    /// Sessions with messages to count or turns to distil.
    pub(crate) sessions: HashMap<Serial, Arc<SessionEntry>>,
}

impl Work {
    pub(crate) fn is_empty(&self) -> bool {
        self.compilations.is_empty() && self.sessions.is_empty()
    }
}

#[derive(Default)]
struct State {
    waiting: Work,
    /// Compilations being stored just now; readers must still find them.
    in_flight: Vec<Arc<Waiting>>,
    working: bool,
    asleep: bool,
    stopping: bool,
    failure: Option<Error>,
}

impl State {
    fn is_idle(&self) -> bool {
        !self.working && self.waiting.is_empty()
    }

    fn compilations(&self) -> impl DoubleEndedIterator<Item = &Arc<Waiting>> {
        self.in_flight.iter().chain(&self.waiting.compilations)
    }
}

/// The queue of the background thread.
pub(crate) struct Queue {
    state: Mutex<State>,
    ready: Condvar,
    idle: Condvar,
}

impl Queue {
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

    /// Lets the background thread count and distil a session.
    pub(crate) fn push_session(&self, entry: &Arc<SessionEntry>) {
        let mut state = self.state.lock();
        let before = state.waiting.sessions.len();
        let waiting = state.waiting.sessions.entry(entry.serial);
        waiting.or_insert_with(|| Arc::clone(entry));
        if state.waiting.sessions.len() > before {
            self.wake(&mut state);
        }
    }

    /// Lets the background thread store a compilation; gives it back when too many wait.
    pub(crate) fn push_compilation(
        &self,
        record: Arc<Waiting>,
    ) -> std::result::Result<(), Arc<Waiting>> {
        let mut state = self.state.lock();
        if state.waiting.compilations.len() >= MAX_COMPILATIONS {
            return Err(record);
        }
        state.waiting.compilations.push(record);
        self.wake(&mut state);
        Ok(())
    }

    fn wake(&self, state: &mut State) {
        if state.asleep {
            state.asleep = false;
            self.ready.notify_one();
        }
    }

    /// A compilation that is not stored yet.
    pub(crate) fn compilation(&self, request: &RequestId) -> Option<Arc<Waiting>> {
        let state = self.state.lock();
        let found = state
            .compilations()
            .rev()
            .find(|record| record.manifest.request_id == *request);
        found.cloned()
    }

    /// The newest plan of a turn that is not stored yet.
    pub(crate) fn plan(&self, key: &SessionKey, turn: &TurnId) -> Option<Arc<Waiting>> {
        let state = self.state.lock();
        let found = state
            .compilations()
            .rev()
            .find(|record| record.plan.is_some() && record.turn_id == *turn && record.key == *key);
        found.cloned()
    }

    /// Whether any compilation waits to be stored.
    pub(crate) fn has_compilations(&self) -> bool {
        self.state.lock().compilations().next().is_some()
    }

    /// Waits until nothing is left to do; `false` when that takes longer than `timeout`.
    pub(crate) fn wait_idle(&self, timeout: Duration) -> bool {
        let until = Instant::now().checked_add(timeout);
        let mut state = self.state.lock();
        if !state.is_idle() {
            state.asleep = false;
            self.ready.notify_one();
        }
        while !state.is_idle() {
            match until {
                Some(until) if self.idle.wait_until(&mut state, until).timed_out() => {
                    return state.is_idle();
                }
                Some(_) => {}
                None => self.idle.wait(&mut state),
            }
        }
        true
    }

    /// Waits until nothing is left to do.
    ///
    /// # Errors
    /// `Busy`, when it takes longer than `timeout`; else the last failure since the last flush.
    pub(crate) fn flush(&self, timeout: Duration) -> Result<()> {
        let idle = self.wait_idle(timeout);
        let failure = self.state.lock().failure.take();
        match (idle, failure) {
            (true, None) => Ok(()),
            (true, Some(failure)) => Err(failure),
            (false, cause) => {
                let error = Error::new(
                    ErrorKind::Busy,
                    "background work did not end within the time-out",
                );
                Err(match cause {
                    Some(cause) => error.caused_by(cause),
                    None => error,
                })
            }
        }
    }

    /// Tells the background thread to end after what waits now.
    pub(crate) fn stop(&self) {
        let mut state = self.state.lock();
        state.stopping = true;
        self.ready.notify_one();
    }

    /// Whether the background thread is to end.
    pub(crate) fn is_stopping(&self) -> bool {
        self.state.lock().stopping
    }

    /// Waits for work; `None` when it is time to end. The previous round is over with this call.
    pub(crate) fn next(&self) -> Option<Work> {
        let mut state = self.state.lock();
        state.working = false;
        state.in_flight.clear();
        let mut dozes = 0;
        loop {
            if !state.waiting.is_empty() {
                let work = std::mem::take(&mut state.waiting);
                state.in_flight.clone_from(&work.compilations);
                state.working = true;
                return Some(work);
            }
            self.idle.notify_all();
            if state.stopping {
                return None;
            }
            if dozes < DOZES_BEFORE_SLEEP {
                dozes += 1;
                self.ready.wait_for(&mut state, DOZE);
            } else {
                state.asleep = true;
                self.ready.wait(&mut state);
                dozes = 0;
            }
        }
    }

    /// Puts work back that failed for a passing reason, and waits a little; `false` when there is no time for that.
    pub(crate) fn put_back(&self, work: Work, failure: Error, pause: Duration) -> bool {
        metrics::failed_behind(&failure);
        let mut state = self.state.lock();
        state.failure = Some(failure);
        if state.stopping {
            return false;
        }
        let mut compilations = work.compilations;
        compilations.append(&mut state.waiting.compilations);
        state.waiting.compilations = compilations;
        state.waiting.sessions.extend(work.sessions);
        self.ready.wait_for(&mut state, pause);
        true
    }

    /// Keeps a failure for the next flush to report.
    pub(crate) fn report(&self, failure: Error) {
        metrics::failed_behind(&failure);
        self.state.lock().failure = Some(failure);
    }
}
