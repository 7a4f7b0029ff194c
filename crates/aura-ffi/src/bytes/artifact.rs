//! The bytes that handles stand for.

use aura_core::{ArtifactHandle, Error};
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::repr_c;

use crate::boundary::export::c_api;
use crate::boundary::guard::on_engine;
use crate::boundary::inbound;
use crate::boundary::outbound::{ErrorSlot, Slot};
use crate::bytes::aura_buffer;
use crate::engine::aura_engine;
use crate::error::aura_error;
use crate::principal::{self, aura_principal};
use crate::status::aura_status;

/// Reads what a handle stands for, such as `artifact://default/report@1#5d41…`, which a context names where it shows
/// `[kept as …]`. The bytes need not be text.
/// @param principal NULL for the default; it must be of the handle's tenant.
/// @param handle the handle.
/// @param handle_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the bytes.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_artifact_read(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    handle: *const c_char,
    handle_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, handle): (Slot<aura_buffer>, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::text("handle", handle.cast(), handle_len)?,
            )
        };
        let handle: ArtifactHandle = handle
            .parse()
            .map_err(|error: Error| error.with_field("handle"))?;
        out.fill(aura_buffer::new(engine.read_artifact(&principal, &handle)?));
        Ok(())
    })
}
