//! What the tests of a binding need: a count of live objects, and a panic on demand.

use macro_rules_attribute::apply;
use safer_ffi::prelude::repr_c;

use crate::boundary::export::c_api;
use crate::boundary::guard::on_engine;
use crate::boundary::live;
use crate::boundary::outbound::ErrorSlot;
use crate::engine::aura_engine;
use crate::error::aura_error;
use crate::status::aura_status;

/// How many objects of a kind (an `aura_kind`) the caller holds; SIZE_MAX for a number that is no kind.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_debug_live(kind: u32) -> usize {
    live::count(kind).unwrap_or(usize::MAX)
}

/// Panics inside the engine on purpose, so that a binding can test that the process survives: gives
/// `AURA_STATUS_INTERNAL` and leaves an engine that can only be freed.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_debug_panic(
    engine: Option<&aura_engine>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |_| panic_on_purpose())
}

#[expect(clippy::panic, reason = "that is what it is for")]
fn panic_on_purpose() -> aura_core::Result<()> {
    panic!("asked for by aura_debug_panic")
}
