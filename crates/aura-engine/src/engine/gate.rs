//! The gate through which every call passes, so that closing can refuse new calls and wait for those under way.

use std::cell::Cell;

use aura_core::{Error, ErrorKind, Result};
use parking_lot::{Condvar, Mutex};
use tracing::span::EnteredSpan;

thread_local! {
    /// How many calls of this thread are under way, so that a host may close from inside a callback.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

#[derive(Default)]
struct State {
    closed: bool,
    calls: u64,
}

/// Counts the calls under way and refuses new ones once closed.
#[derive(Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    idle: Condvar,
}

/// A call under way; leaving the scope ends it.
pub(crate) struct Pass<'a> {
    gate: &'a Gate,
    /// What a host that traces sees of the call.
    _span: Option<EnteredSpan>,
}

impl Pass<'_> {
    /// The same with a span for the call.
    pub(crate) fn within(mut self, operation: &'static str) -> Self {
        self._span = Some(tracing::debug_span!("aura.call", operation).entered());
        self
    }
}

impl Gate {
    /// Begins a call; `Closed` after [`Gate::close`].
    pub(crate) fn enter(&self, operation: &'static str) -> Result<Pass<'_>> {
        let mut state = self.state.lock();
        if state.closed {
            return Err(Error::new(ErrorKind::Closed, "the engine is closed").during(operation));
        }
        state.calls += 1;
        DEPTH.set(DEPTH.get() + 1);
        Ok(Pass {
            gate: self,
            _span: None,
        })
    }

    /// Refuses new calls. The first caller waits for the calls of other threads and gets `true`.
    ///
    /// From inside a callback the calls of this very thread cannot end first, so they are not waited for.
    pub(crate) fn close(&self) -> bool {
        let mut state = self.state.lock();
        if state.closed {
            return false;
        }
        state.closed = true;
        if DEPTH.get() == 0 {
            self.idle.wait_while(&mut state, |state| state.calls > 0);
        }
        true
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
        let mut state = self.gate.state.lock();
        state.calls = state.calls.saturating_sub(1);
        if state.calls == 0 {
            self.gate.idle.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn closing_waits_for_other_threads_and_refuses_new_calls() {
        let gate = Arc::new(Gate::default());
        let (entered, has_entered) = std::sync::mpsc::channel();
        let worker = std::thread::spawn({
            let gate = Arc::clone(&gate);
            move || {
                let _pass = gate.enter("work").unwrap();
                entered.send(()).unwrap();
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        has_entered.recv().unwrap();
        assert!(gate.close());
        assert_eq!(gate.state.lock().calls, 0);
        assert!(!gate.close());
        assert_eq!(gate.enter("work").err().unwrap().kind(), ErrorKind::Closed);
        worker.join().unwrap();
    }

    #[test]
    fn closing_inside_a_call_of_the_same_thread_does_not_wait_for_it() {
        let gate = Gate::default();
        let pass = gate.enter("callback").unwrap();
        assert!(gate.close());
        drop(pass);
        assert_eq!(gate.state.lock().calls, 0);
    }
}
