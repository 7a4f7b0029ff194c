//! Where panics stop, and where the interpreter's lock is given up.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use aura::{Error, ErrorKind, Result};
use pyo3::prelude::*;

use crate::error;

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics silent: an extension has no business on the host's standard error. Every panic of this module's own
/// copy of the standard library is the engine's.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        // A panic while the place is being read leaves the older place standing.
        let _ = PLACE.try_with(|slot| {
            if let Ok(mut slot) = slot.try_borrow_mut() {
                *slot = place;
            }
        });
    }));
}

/// Runs a body without the interpreter's lock and raises its error.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    operation: &'static str,
    body: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    py.detach(|| caught(body))
        .map_err(|failure| error::raise(py, operation, failure))
}

/// Runs a short body with the lock held and raises its error.
pub(crate) fn attached<T>(
    py: Python<'_>,
    operation: &'static str,
    body: impl FnOnce() -> Result<T>,
) -> PyResult<T> {
    caught(body).map_err(|failure| error::raise(py, operation, failure))
}

/// Turns a panic into an error of kind `Internal`.
pub(crate) fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        // The payload may quote stored text, so only the place of the panic is told.
        discard(payload);
        let place = PLACE.with_borrow_mut(Option::take);
        let place = place.unwrap_or_else(|| "an unknown place".to_owned());
        let message = format!("a defect of the engine: it panicked at {place}");
        Err(Error::new(ErrorKind::Internal, message).with("panicked_at", place))
    })
}

/// Drops a value whose dropping may wait for threads that want the lock, or panic.
pub(crate) fn release<T: Send>(value: T) {
    let drop_it = move || {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(move || drop(value))) {
            discard(payload);
        }
    };
    let mut waiting = Some(drop_it);
    let done = Python::try_attach(|py| {
        if let Some(drop_it) = waiting.take() {
            py.detach(drop_it);
        }
    });
    // Without an interpreter there is no lock to give up.
    if let (None, Some(drop_it)) = (done, waiting.take()) {
        drop_it();
    }
}

/// Dropping a panic's payload may panic as well; what that second panic carries is leaked rather than dropped.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
}
