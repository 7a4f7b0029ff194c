//! Stopping calls that run.

use aura::Cancel;
use macro_rules_attribute::apply;
use safer_ffi::prelude::{derive_ReprC, repr_c};

use crate::boundary::export::c_api;
use crate::boundary::guard::attempt;
use crate::boundary::live::{Live, aura_kind};
use crate::boundary::outbound::{ErrorSlot, Slot};
use crate::error::aura_error;
use crate::status::aura_status;

/// Stops the calls that were given it. May be shared between threads and freed while such a call runs.
#[derive_ReprC]
#[repr(opaque)]
pub struct aura_cancel {
    pub(crate) cancel: Cancel,
    _live: Live,
}

/// Makes a cancel token; free it with `aura_cancel_free`.
/// @param[out] out the token.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_cancel_new(
    out: *mut Option<repr_c::Box<aura_cancel>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: `out` is as the header asks.
        let out: Slot<aura_cancel> = unsafe { Slot::required(out) }?;
        out.fill(aura_cancel {
            cancel: Cancel::new(),
            _live: Live::new(aura_kind::Cancel),
        });
        Ok(())
    })
}

/// Stops every call that was given the token, those to come too. Any thread; NULL does nothing.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_cancel_trigger(cancel: Option<&aura_cancel>) {
    if let Some(handle) = cancel {
        handle.cancel.cancel();
    }
}

/// Frees a token; NULL is allowed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_cancel_free(cancel: Option<repr_c::Box<aura_cancel>>) {
    drop(cancel);
}
