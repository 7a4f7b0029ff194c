//! Who is asking.

use std::collections::BTreeSet;

use aura_core::{AgentId, Label, Principal, Result, TenantId, UserId};
use macro_rules_attribute::apply;
use safer_ffi::prelude::derive_ReprC;

use crate::boundary::export::c_api;
use crate::boundary::growing::{self, Growing};
use crate::boundary::inbound;
use crate::bytes::aura_str;
use crate::status::aura_status;

/// Who is asking. NULL stands for the default agent of the default tenant, and so do empty fields.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_principal {
    /// sizeof(aura_principal) as the caller was compiled with it; set by `aura_principal_init`.
    pub struct_size: usize,
    /// The isolation boundary; empty is `default`.
    pub tenant: aura_str,
    /// The agent that asks; empty is `default`.
    pub agent: aura_str,
    /// The user on whose behalf it asks; empty is none.
    pub user: aura_str,
    /// The labels it holds, as a JSON array of strings; empty is none.
    pub labels_json: aura_str,
}

// SAFETY: C's layout, the size first, and all zeroes are its defaults.
unsafe impl Growing for aura_principal {
    const PARAMETER: &'static str = "principal";
}

/// Reads the parameter `principal`.
///
/// # Errors
/// `Invalid` naming the field below `principal`.
///
/// # Safety
/// `given` is NULL or points to a struct that says its size and whose texts are as [`inbound::text`] asks.
pub(crate) unsafe fn read(given: *const aura_principal) -> Result<Principal> {
    // SAFETY: passed on to the caller.
    let given = unsafe { growing::read(given) }?;
    // SAFETY: passed on to the caller.
    let (tenant, agent, user, labels) = unsafe {
        (
            given.tenant.read("principal.tenant")?,
            given.agent.read("principal.agent")?,
            given.user.read("principal.user")?,
            given.labels_json.read("principal.labels_json")?,
        )
    };
    let labels: BTreeSet<Label> =
        inbound::ids("principal.labels_json", labels.unwrap_or_default())?;
    let default = Principal::default();
    Ok(Principal {
        tenant: tenant.map_or(Ok(default.tenant), TenantId::new)?,
        agent: agent.map_or(Ok(default.agent), AgentId::new)?,
        user: user.map(UserId::new).transpose()?,
        labels,
    })
}

/// Writes the defaults to `principal`.
/// @param struct_size sizeof(aura_principal)
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_principal_init(
    principal: *mut aura_principal,
    struct_size: usize,
) -> aura_status {
    // SAFETY: `principal` is as the header asks.
    aura_status::from(unsafe { growing::init(principal, struct_size) })
}
