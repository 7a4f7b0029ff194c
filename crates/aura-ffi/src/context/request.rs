//! Bodies of requests: the rules of their providers checked, and what breaks them mended.

use aura_core::{Error, Provider, Result, json};
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::repr_c;

use crate::boundary::export::c_api;
use crate::boundary::guard::attempt;
use crate::boundary::inbound;
use crate::boundary::outbound::{ErrorSlot, Slot};
use crate::bytes::aura_buffer;
use crate::context::options::aura_provider;
use crate::error::aura_error;
use crate::status::aura_status;

/// Checks the body of a request, made by whomever, against the rules of its provider. Needs no engine.
/// @param provider an `aura_provider`; `AURA_PROVIDER_GENERIC` has no rules.
/// @param request the JSON body: an object with `messages`, `input` or `contents`. Where it names a `model`, rules that
/// hold for some models only are checked for that one, else for the newest.
/// @param request_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out a JSON array of `{"rule", "path", "meaning"}`, where `path` is a JSON pointer; `[]` when no rule is
/// broken.
/// @param[out] error NULL, or where an error goes; it names `request` when there is nothing that could be checked.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_verify(
    provider: u32,
    request: *const c_char,
    request_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: `request` and `out` are as the header asks.
        let (out, request): (Slot<aura_buffer>, _) = unsafe {
            (
                Slot::required(out)?,
                inbound::text("request", request.cast(), request_len)?,
            )
        };
        let provider = ruled(provider)?;
        let violations = aura::verify(provider, request).map_err(of_request)?;
        out.fill(aura_buffer::new(json::to_string(&violations)?));
        Ok(())
    })
}

/// Mends the body of a request so that `aura_verify` finds nothing, with the least loss: what is misplaced is moved, what
/// is missing gets a placeholder, what can neither be moved nor completed is taken out. A body that breaks no rule stays
/// as it is, byte for byte.
/// @param provider as for `aura_verify`.
/// @param request as for `aura_verify`.
/// @param request_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the mended body.
/// @param[out] repairs NULL, or what was done: a JSON array of `{"rule", "path", "did"}`.
/// @param[out] error NULL, or where an error goes; it names `request` when there is nothing that could be mended.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_repair(
    provider: u32,
    request: *const c_char,
    request_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    repairs: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: `repairs` is as the header asks; it is seen to first, so that it is right when the call fails.
        let repairs: Option<Slot<aura_buffer>> = unsafe { Slot::optional(repairs) };
        // SAFETY: `request` and `out` are as the header asks.
        let (out, request): (Slot<aura_buffer>, _) = unsafe {
            (
                Slot::required(out)?,
                inbound::text("request", request.cast(), request_len)?,
            )
        };
        let provider = ruled(provider)?;
        let repaired = aura::repair(provider, request).map_err(of_request)?;
        let done = json::to_string(&repaired.repairs)?;
        out.fill(aura_buffer::new(repaired.request));
        if let Some(repairs) = repairs {
            repairs.fill(aura_buffer::new(done));
        }
        Ok(())
    })
}

/// A provider that has rules.
fn ruled(number: u32) -> Result<Provider> {
    match aura_provider::read("provider", number)? {
        Provider::Generic => Err(inbound::invalid("provider", "has no rules to check")),
        provider => Ok(provider),
    }
}

/// The error of a body names a field of it; here it must name the parameter too.
fn of_request(error: Error) -> Error {
    inbound::under("request", error)
}
