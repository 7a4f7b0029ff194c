//! The one writer: whoever finds it free commits at once, whoever does not waits for the next commit of many.
//!
//! Group commit without a thread of its own. The first caller leads: it runs its write and commits. Callers that come
//! meanwhile queue; when the leader is done it hands the lead to the first of them, who runs all that wait in one
//! transaction, a savepoint each where one is needed, and wakes them after the one commit.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aura_core::{Error, ErrorKind, Result};
use parking_lot::{Condvar, Mutex};

use super::write_connection::WriteConnection;
use crate::refusal::closed;
use crate::sqlite::failure::again;

/// A batch takes in no more writes after this time.
const MAX_BATCH: Duration = Duration::from_millis(10);

type Job = Box<dyn FnOnce(&mut WriteConnection) -> Result<()> + Send>;

/// The queue before the one connection that writes.
pub(in crate::sqlite) struct Writer {
    queue: Mutex<Queue>,
    idle: Condvar,
    /// Only the leader writes with it; others may read with it while nobody leads.
    connection: Mutex<Option<WriteConnection>>,
}

#[derive(Default)]
struct Queue {
    led: bool,
    closed: bool,
    waiting: VecDeque<Arc<Ticket>>,
}

/// A write that waits.
struct Ticket {
    job: Mutex<Option<Job>>,
    state: Mutex<State>,
    changed: Condvar,
}

enum State {
    Waiting,
    Leads,
    Done(Result<()>),
}

impl Writer {
    pub(in crate::sqlite) fn new(connection: WriteConnection) -> Self {
        Self {
            queue: Mutex::default(),
            idle: Condvar::new(),
            connection: Mutex::new(Some(connection)),
        }
    }

    /// Runs `job` inside a transaction and returns once that is committed.
    pub(in crate::sqlite) fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut WriteConnection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut queue = self.queue.lock();
        if queue.closed {
            return Err(closed());
        }
        if !queue.led {
            queue.led = true;
            drop(queue);
            let _lead = Lead(self);
            return self.alone(job);
        }
        let value = Arc::new(Mutex::new(None));
        let result = Arc::clone(&value);
        let ticket = Arc::new(Ticket::new(Box::new(move |connection| {
            *result.lock() = Some(job(connection)?);
            Ok(())
        })));
        queue.waiting.push_back(Arc::clone(&ticket));
        drop(queue);
        match ticket.wait() {
            Some(result) => result?,
            None => {
                let _lead = Lead(self);
                self.together(&ticket);
                ticket.result()?;
            }
        }
        let value = value.lock().take();
        value.ok_or_else(lost)
    }

    /// Reads with the connection that writes, whose cache is warm, if nobody else uses it just now.
    pub(in crate::sqlite) fn try_read<T>(
        &self,
        read: impl FnOnce(&mut WriteConnection) -> Result<T>,
    ) -> Option<Result<T>> {
        let mut connection = self.connection.try_lock()?;
        connection.as_mut().map(read)
    }

    /// Does something while nobody uses the connection that writes.
    pub(in crate::sqlite) fn pause<T>(&self, job: impl FnOnce() -> T) -> T {
        let _connection = self.connection.lock();
        job()
    }

    /// Refuses new writes, waits for those under way, and gives up the connection; `None` if that happened before.
    pub(in crate::sqlite) fn close(&self) -> Option<WriteConnection> {
        let mut queue = self.queue.lock();
        queue.closed = true;
        while queue.led {
            self.idle.wait(&mut queue);
        }
        drop(queue);
        self.connection.lock().take()
    }

    /// One write, one transaction.
    fn alone<T>(&self, job: impl FnOnce(&mut WriteConnection) -> Result<T>) -> Result<T> {
        let mut connection = self.connection.lock();
        let connection = connection.as_mut().ok_or_else(closed)?;
        connection.begin()?;
        match job(connection) {
            Ok(value) => connection.commit().map(|()| value),
            Err(error) => {
                connection.roll_back();
                Err(error)
            }
        }
    }

    /// All that wait in one transaction, beginning with the leader's own.
    fn together(&self, own: &Arc<Ticket>) {
        let mut batch = Batch::of(Arc::clone(own));
        let mut connection = self.connection.lock();
        let outcome = match connection.as_mut() {
            Some(connection) => self.run(connection, &mut batch),
            None => Err(closed()),
        };
        drop(connection);
        batch.settle(&outcome);
    }

    fn run(&self, connection: &mut WriteConnection, batch: &mut Batch) -> Result<()> {
        connection.begin()?;
        let start = Instant::now();
        loop {
            while let Some(ticket) = batch.tickets.get(batch.results.len()) {
                let job = ticket.job.lock().take();
                let result = job.map_or_else(|| Err(lost()), |job| connection.run_shared(job));
                let broken = !connection.in_transaction();
                let cause = result.as_ref().err().filter(|_| broken).map(again);
                batch.results.push(result);
                if let Some(cause) = cause {
                    // The failure was of the medium, and took the whole transaction with it.
                    connection.roll_back();
                    return Err(cause);
                }
            }
            let before = batch.tickets.len();
            if start.elapsed() < MAX_BATCH {
                batch.tickets.extend(self.queue.lock().waiting.drain(..));
            }
            if batch.tickets.len() == before {
                return connection.commit();
            }
        }
    }
}

/// The lead, handed on when it is dropped, whatever happened.
struct Lead<'a>(&'a Writer);

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.queue.lock();
        match queue.waiting.pop_front() {
            Some(next) => {
                *next.state.lock() = State::Leads;
                next.changed.notify_one();
            }
            None => {
                queue.led = false;
                self.0.idle.notify_all();
            }
        }
    }
}

/// Writes that share a transaction. Whoever has no result when it is dropped learns that the leader died.
struct Batch {
    tickets: Vec<Arc<Ticket>>,
    /// What the first of them gave; nobody is told before the commit.
    results: Vec<Result<()>>,
}

impl Batch {
    fn of(own: Arc<Ticket>) -> Self {
        Self {
            tickets: vec![own],
            results: Vec::new(),
        }
    }

    /// Tells everybody what became of the write, now that it is known how the commit went.
    fn settle(mut self, outcome: &Result<()>) {
        let mut results = std::mem::take(&mut self.results).into_iter();
        for ticket in &self.tickets {
            let result = match (results.next(), outcome) {
                (Some(Err(error)), _) => Err(error),
                (_, Err(error)) => Err(again(error)),
                (Some(Ok(())), Ok(())) => Ok(()),
                (None, Ok(())) => Err(lost()),
            };
            *ticket.state.lock() = State::Done(result);
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        for ticket in &self.tickets {
            let mut state = ticket.state.lock();
            if matches!(&*state, State::Waiting | State::Leads) {
                *state = State::Done(Err(lost()));
            }
            drop(state);
            ticket.changed.notify_one();
        }
    }
}

impl Ticket {
    fn new(job: Job) -> Self {
        Self {
            job: Mutex::new(Some(job)),
            state: Mutex::new(State::Waiting),
            changed: Condvar::new(),
        }
    }

    /// Waits for the result; `None` when it is this caller's turn to lead.
    fn wait(&self) -> Option<Result<()>> {
        let mut state = self.state.lock();
        loop {
            match std::mem::replace(&mut *state, State::Waiting) {
                State::Waiting => self.changed.wait(&mut state),
                State::Leads => return None,
                State::Done(result) => return Some(result),
            }
        }
    }

    /// The result, after the own batch.
    fn result(&self) -> Result<()> {
        match std::mem::replace(&mut *self.state.lock(), State::Waiting) {
            State::Done(result) => result,
            State::Waiting | State::Leads => Err(lost()),
        }
    }
}

fn lost() -> Error {
    Error::new(
        ErrorKind::Internal,
        "a write was lost: the call that led its batch did not end",
    )
}
