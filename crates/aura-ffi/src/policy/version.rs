//! Versions of the tenant's policies: proposed, approved, listed.

use aura_core::{PolicyProposal, PolicyQuery, json};
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::repr_c;
use serde::Deserialize;

use crate::boundary::export::c_api;
use crate::boundary::guard::on_engine;
use crate::boundary::inbound;
use crate::boundary::outbound::{ErrorSlot, Slot};
use crate::bytes::aura_buffer;
use crate::engine::aura_engine;
use crate::error::aura_error;
use crate::principal::{self, aura_principal};
use crate::status::aura_status;

/// The parameter `query_json` of `aura_policy_version_list`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ListForm {
    subject: Option<String>,
    approved_only: bool,
    skip: u32,
    limit: u32,
}

/// Keeps a version of a policy of the principal's tenant, signed by the principal. Until `aura_policy_version_approve`
/// approves it no block may claim it. The same proposal again changes nothing; another text under the same version is
/// `AURA_STATUS_CONFLICT`.
/// @param principal NULL for the default.
/// @param proposal_json a JSON object: `subject`, `version`, `text`; optional `authority` (0 to 5, default 5), `source`,
///   `effective_from`, `expires_at` (times), `labels`.
/// @param proposal_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out what is stored, as a JSON object `{"policy", "proposed", "approved"}`.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_policy_version_propose(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    proposal_json: *const c_char,
    proposal_json_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, proposal): (Slot<aura_buffer>, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::text("proposal", proposal_json.cast(), proposal_json_len)?,
            )
        };
        let proposal: PolicyProposal = PolicyProposal::from_json(proposal.as_bytes())
            .map_err(|error| inbound::under("proposal", error))?;
        let stored = engine.propose_policy(&principal, proposal)?;
        out.fill(aura_buffer::new(json::to_string(&stored)?));
        Ok(())
    })
}

/// Approves a version of a policy, signed by the principal: from then on a block may claim it, and its text opens the
/// system message. Who may call this is yours to decide. Approving again changes nothing.
/// @param principal NULL for the default.
/// @param subject what the policy is about.
/// @param subject_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param version which version.
/// @param version_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out what is stored, as for `aura_policy_version_propose`.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_policy_version_approve(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    subject: *const c_char,
    subject_len: usize,
    version: *const c_char,
    version_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, subject, version): (Slot<aura_buffer>, _, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::text("subject", subject.cast(), subject_len)?,
                inbound::text("version", version.cast(), version_len)?,
            )
        };
        let stored = engine.approve_policy(&principal, subject, version)?;
        out.fill(aura_buffer::new(json::to_string(&stored)?));
        Ok(())
    })
}

/// Lists the versions of the tenant's policies that the principal may see, by subject, then in the order proposed.
/// @param principal NULL for the default.
/// @param query_json a JSON object, all of it optional: `subject`, `approved_only`, `skip`, `limit`; empty lists the
///   first 1,000.
/// @param query_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out a JSON array.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_policy_version_list(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    query_json: *const c_char,
    query_json_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, query): (Slot<aura_buffer>, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::text("query", query_json.cast(), query_json_len)?,
            )
        };
        let form: ListForm = inbound::json("query", query)?;
        let query = PolicyQuery {
            subject: form.subject,
            approved_only: form.approved_only,
            skip: form.skip,
            limit: form.limit,
        };
        let versions = engine.policies(&principal, &query)?;
        out.fill(aura_buffer::new(json::to_string(&versions)?));
        Ok(())
    })
}
