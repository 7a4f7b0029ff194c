//! The context policy, read and checked once.

pub(crate) mod version;

use std::sync::Arc;

use aura_core::{ContextPolicy, json};
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::{derive_ReprC, repr_c};

use crate::boundary::export::c_api;
use crate::boundary::guard::attempt;
use crate::boundary::inbound;
use crate::boundary::live::{Live, aura_kind};
use crate::boundary::outbound::{ErrorSlot, Slot};
use crate::bytes::aura_buffer;
use crate::error::aura_error;
use crate::status::aura_status;

/// How a context is compiled. Immutable, may be shared between threads and engines; free with `aura_policy_free`, also
/// while a call that was given it runs.
#[derive_ReprC]
#[repr(opaque)]
pub struct aura_policy {
    pub(crate) policy: Arc<ContextPolicy>,
    _live: Live,
}

/// Reads and checks a policy, such as `{"token_budget": 2000, "recency_turns": 4}`; fields left out have their
/// defaults. An unknown field or a value out of range is `AURA_STATUS_INVALID`, and the error names the field.
/// @param json a JSON object; empty is all defaults.
/// @param json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the policy.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_policy_new(
    json: *const c_char,
    json_len: usize,
    out: *mut Option<repr_c::Box<aura_policy>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: `json` and `out` are as the header asks.
        let (json, out) = unsafe {
            let out: Slot<aura_policy> = Slot::required(out)?;
            (inbound::optional("json", json.cast(), json_len)?, out)
        };
        let policy = json.map_or_else(
            || Ok(ContextPolicy::default()),
            |json| ContextPolicy::from_json(json.as_bytes()),
        )?;
        out.fill(aura_policy {
            policy: Arc::new(policy),
            _live: Live::new(aura_kind::Policy),
        });
        Ok(())
    })
}

/// Gives the whole policy as a JSON object, defaults included.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_policy_json(
    policy: Option<&aura_policy>,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: `out` is as the header asks.
        let out: Slot<aura_buffer> = unsafe { Slot::required(out) }?;
        let handle = policy.ok_or_else(|| inbound::invalid("policy", "is NULL"))?;
        out.fill(aura_buffer::new(json::to_string(&*handle.policy)?));
        Ok(())
    })
}

/// Frees a policy; NULL is allowed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_policy_free(policy: Option<repr_c::Box<aura_policy>>) {
    drop(policy);
}
