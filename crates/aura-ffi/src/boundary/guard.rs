//! Where panics stop: none may unwind into C.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

use aura_core::{Error, ErrorKind, Result};
use safer_ffi::c_char;

use super::inbound;
use super::outbound::ErrorSlot;
use crate::bytes::aura_str;
use crate::engine::aura_engine;
use crate::status::aura_status;

/// What a thread of the engine is called, so that its panics are silent too.
const THREAD_PREFIX: &str = "aura";

thread_local! {
    /// The export that runs on this thread; empty outside.
    static CURRENT: Cell<&'static str> = const { Cell::new("") };
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// What an export may return, and what it returns after a panic.
pub(crate) trait OnPanic {
    /// The value that says that something went wrong.
    fn on_panic() -> Self;
}

impl OnPanic for aura_status {
    fn on_panic() -> Self {
        Self::Internal
    }
}

impl OnPanic for () {
    fn on_panic() {}
}

impl OnPanic for u32 {
    fn on_panic() -> Self {
        0
    }
}

impl OnPanic for usize {
    fn on_panic() -> Self {
        Self::MAX
    }
}

impl OnPanic for aura_str {
    fn on_panic() -> Self {
        Self::EMPTY
    }
}

impl OnPanic for *const c_char {
    fn on_panic() -> Self {
        c"".as_ptr().cast()
    }
}

/// Runs the body of the export `name`.
pub(crate) fn call<R: OnPanic>(name: &'static str, body: impl FnOnce() -> R) -> R {
    HOOK.call_once(install_hook);
    let _running = Running(CURRENT.replace(name));
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        discard(payload);
        R::on_panic()
    })
}

/// Runs a fallible body and writes its error where the caller asked for one.
pub(crate) fn attempt(error: ErrorSlot, body: impl FnOnce() -> Result<()>) -> aura_status {
    finish(error, caught(body, || {}))
}

/// Runs a fallible body on an engine that exists and has not panicked before; a panic poisons it.
pub(crate) fn on_engine(
    engine: Option<&aura_engine>,
    error: ErrorSlot,
    body: impl FnOnce(&aura::Engine) -> Result<()>,
) -> aura_status {
    let Some(handle) = engine else {
        return finish(error, Err(inbound::invalid("engine", "is NULL")));
    };
    if let Some(operation) = handle.poison.get() {
        let message = "an earlier call on this engine panicked; free it and open another";
        let poisoned = Error::new(ErrorKind::Internal, message).with("panicked", operation);
        return finish(error, Err(poisoned));
    }
    let poison = || {
        // The first panic is the one that is remembered.
        let _ = handle.poison.set(CURRENT.get());
    };
    finish(error, caught(|| body(&handle.engine), poison))
}

fn caught(body: impl FnOnce() -> Result<()>, panicked: impl FnOnce()) -> Result<()> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        // The payload may quote stored text, so only the place of the panic is told.
        discard(payload);
        panicked();
        let place = PLACE.with_borrow_mut(Option::take);
        let place = place.unwrap_or_else(|| "an unknown place".to_owned());
        let message = format!("a defect of the engine: it panicked at {place}");
        Err(Error::new(ErrorKind::Internal, message))
    })
}

fn finish(error: ErrorSlot, result: Result<()>) -> aura_status {
    match result {
        Ok(()) => aura_status::Ok,
        Err(failure) if failure.operation().is_empty() => error.fill(failure.during(CURRENT.get())),
        Err(failure) => error.fill(failure),
    }
}

/// Restores the outer export's name when an export called from inside another ends.
struct Running(&'static str);

impl Drop for Running {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Dropping a panic's payload may panic as well; what that second panic carries is leaked rather than dropped.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
}

/// Makes panics of the engine silent: a library has no business on the host's standard error.
fn install_hook() {
    let outer = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if is_ours() {
            remember(info);
        } else {
            outer(info);
        }
    }));
}

fn is_ours() -> bool {
    !CURRENT.get().is_empty()
        || std::thread::current()
            .name()
            .is_some_and(|name| name.starts_with(THREAD_PREFIX))
}

fn remember(info: &PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string);
    // A panic while the place is being read leaves the older place standing.
    let _ = PLACE.try_with(|slot| {
        if let Ok(mut slot) = slot.try_borrow_mut() {
            *slot = place;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use safer_ffi::prelude::repr_c;

    use crate::error::{aura_error, aura_error_message, aura_error_operation};

    /// Runs a body as an export would, and gives its status and error.
    fn run(body: impl FnOnce() -> Result<()>) -> (aura_status, Option<repr_c::Box<aura_error>>) {
        let mut error = None;
        // SAFETY: `error` lives longer than the slot.
        let slot = unsafe { ErrorSlot::new(&raw mut error) };
        let status = call("aura_test", || attempt(slot, body));
        (status, error)
    }

    fn text(given: aura_str) -> String {
        // SAFETY: lent by an object that lives.
        let text = unsafe { given.read("text") }.unwrap();
        text.unwrap_or_default().to_owned()
    }

    #[test]
    fn a_panic_becomes_an_error_that_tells_the_place_and_not_the_words() {
        let (status, error) = run(|| panic!("the secret word"));
        assert_eq!(status, aura_status::Internal);
        let error = error.unwrap();
        let message = text(aura_error_message(Some(&error)));
        assert!(message.contains("guard.rs:"), "{message}");
        assert!(!message.contains("secret"), "{message}");
        assert_eq!(CURRENT.get(), "");
    }

    #[test]
    fn a_payload_that_panics_when_dropped_is_survived() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("again");
            }
        }
        let (status, _error) = run(|| std::panic::panic_any(Bomb));
        assert_eq!(status, aura_status::Internal);
        assert_eq!(
            call("aura_test", || -> usize { panic!("once") }),
            usize::MAX
        );
    }

    #[test]
    fn an_error_keeps_its_operation_or_gets_the_name_of_the_export() {
        let failed = || Error::new(ErrorKind::Busy, "busy");
        let (status, error) = run(|| Err(failed()));
        assert_eq!(status, aura_status::Busy);
        assert_eq!(
            text(aura_error_operation(Some(&error.unwrap()))),
            "aura_test"
        );
        let (_, error) = run(|| Err(failed().during("flush")));
        assert_eq!(text(aura_error_operation(Some(&error.unwrap()))), "flush");
        let (status, error) = run(|| Ok(()));
        assert!(status == aura_status::Ok && error.is_none());
    }

    #[test]
    fn nobody_has_to_want_the_error() {
        // SAFETY: NULL is allowed.
        let slot = unsafe { ErrorSlot::new(std::ptr::null_mut()) };
        let status = call("aura_test", || attempt(slot, || panic!("unheard")));
        assert_eq!(status, aura_status::Internal);
    }
}
