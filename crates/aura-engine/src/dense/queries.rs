//! The vector of a question, within a time limit: from memory, or from a thread that may take longer than its caller
//! waits.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use aura_core::{Error, Result};
use lru::LruCache;
use parking_lot::{Condvar, Mutex};

use super::breaker::Breaker;
use super::model::Model;

/// How many questions' vectors are kept: 384 numbers each are 1.5 KiB.
const KEPT: NonZeroUsize = NonZeroUsize::new(1_024).expect("not zero");

/// How many questions are embedded at once; for a model of another machine this is a matter of waiting, not of computing.
const THREADS: usize = 4;

/// Waiting for less than this says nothing of the embedder, only of the deadline.
const TELLING: Duration = Duration::from_millis(100);

/// Why there is no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoVector {
    /// The call's deadline came first.
    Deadline,
    /// The embedder took longer than a call waits.
    Timeout,
    /// The embedder failed again and again, or hangs, and is not asked just now.
    Failing,
    /// The embedder failed; the name of the error's kind.
    Failed(&'static str),
}

impl NoVector {
    /// As the manifest names it.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Timeout => "timeout",
            Self::Failing => "failing",
            Self::Failed(kind) => kind,
        }
    }
}

type Vector = Arc<[f32]>;

/// A question under way.
struct Job {
    model: Arc<Model>,
    text: String,
    slot: Arc<Slot>,
}

/// Where its vector will be.
#[derive(Default)]
struct Slot {
    result: Mutex<Option<Result<Vector, NoVector>>>,
    ready: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    threads: Vec<JoinHandle<()>>,
    /// Threads that wait for a question.
    idle: usize,
    stopping: bool,
    breaker: Breaker,
}

struct Shared {
    state: Mutex<State>,
    work: Condvar,
    kept: Mutex<LruCache<(String, String), Vector>>,
}

/// Embeds questions.
pub(crate) struct Queries {
    shared: Arc<Shared>,
    /// How long a call without a deadline waits.
    pub(crate) patience: Duration,
}

/// The vector of a question that may still be under way.
pub(crate) struct Asked {
    shared: Arc<Shared>,
    slot: Arc<Slot>,
    /// Which model is asked, and what.
    pub(crate) model: Arc<Model>,
    pub(crate) text: String,
}

impl Queries {
    /// Forgets the questions kept, because one of them may have been deleted.
    pub(crate) fn forget(&self) {
        self.shared.kept.lock().clear();
    }

    pub(crate) fn new(patience: Duration) -> Self {
        Self {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                work: Condvar::new(),
                kept: Mutex::new(LruCache::new(KEPT)),
            }),
            patience,
        }
    }

    /// Begins to embed a question; whoever needs the vector waits for it later.
    pub(crate) fn ask(&self, model: &Arc<Model>, text: &str) -> Asked {
        let asked = Asked {
            shared: Arc::clone(&self.shared),
            slot: Arc::default(),
            model: Arc::clone(model),
            text: text.to_owned(),
        };
        let key = (model.id.clone(), text.to_owned());
        let kept = self.shared.kept.lock().get(&key).map(Arc::clone);
        let settled = match kept {
            Some(vector) => Some(Ok(vector)),
            None => self.queue(&asked).err().map(Err),
        };
        if settled.is_some() {
            *asked.slot.result.lock() = settled;
        }
        asked
    }

    fn queue(&self, asked: &Asked) -> Result<(), NoVector> {
        let mut state = self.shared.state.lock();
        let all_busy = state.idle == 0 && state.threads.len() == THREADS;
        // A question would wait behind ones that wait already: the embedder is slower than questions come, or hangs.
        if state.stopping || (all_busy && state.waiting.len() >= THREADS) {
            return Err(NoVector::Failing);
        }
        if !state.breaker.lets_through(Instant::now()) {
            return Err(NoVector::Failing);
        }
        if state.idle <= state.waiting.len() && state.threads.len() < THREADS {
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("aura-question".to_owned());
            match thread.spawn(move || shared.run()) {
                Ok(thread) => state.threads.push(thread),
                Err(_) if state.threads.is_empty() => return Err(NoVector::Failing),
                Err(_) => {}
            }
        }
        state.waiting.push_back(Job {
            model: Arc::clone(&asked.model),
            text: asked.text.clone(),
            slot: Arc::clone(&asked.slot),
        });
        drop(state);
        self.shared.work.notify_one();
        Ok(())
    }

    /// Ends the threads, and waits for those that embed, except where one of them closes the engine itself.
    pub(crate) fn close(&self) {
        let threads = {
            let mut state = self.shared.state.lock();
            state.stopping = true;
            state.waiting.clear();
            std::mem::take(&mut state.threads)
        };
        self.shared.work.notify_all();
        let own = std::thread::current().id();
        for thread in threads
            .into_iter()
            .filter(|thread| thread.thread().id() != own)
        {
            // It cannot have panicked: the model is guarded.
            let _ = thread.join();
        }
    }
}

impl Asked {
    /// The vector, waiting for it until a time. `by_deadline` says that the time is the caller's own wish.
    pub(crate) fn wait(&self, until: Instant, by_deadline: bool) -> Result<Vector, NoVector> {
        let begin = Instant::now();
        let mut result = self.slot.result.lock();
        while result.is_none() {
            if self.slot.ready.wait_until(&mut result, until).timed_out() && result.is_none() {
                drop(result);
                if begin.elapsed() >= TELLING {
                    self.shared.state.lock().breaker.failed(Instant::now());
                }
                return Err(if by_deadline {
                    NoVector::Deadline
                } else {
                    NoVector::Timeout
                });
            }
        }
        result.clone().unwrap_or(Err(NoVector::Failing))
    }
}

impl Shared {
    fn run(&self) {
        let mut state = self.state.lock();
        loop {
            if state.stopping {
                return;
            }
            let Some(job) = state.waiting.pop_front() else {
                state.idle += 1;
                self.work.wait(&mut state);
                state.idle -= 1;
                continue;
            };
            drop(state);
            let made = job.model.embed_query(&job.text).map(Vector::from);
            state = self.state.lock();
            match &made {
                Ok(vector) => {
                    state.breaker.succeeded();
                    let key = (job.model.id.clone(), job.text);
                    self.kept.lock().put(key, Arc::clone(vector));
                }
                Err(_) => state.breaker.failed(Instant::now()),
            }
            let made = made.map_err(|error: Error| NoVector::Failed(error.kind().as_str()));
            *job.slot.result.lock() = Some(made);
            job.slot.ready.notify_all();
        }
    }
}
