//! Stored manifests: what went into a context, and why.

use aura_core::{BlockRef, ManifestQuery, RequestId, SessionId, Timestamp, json};
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

/// The parameter `query_json` of `aura_manifest_list`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ListForm {
    session_id: Option<SessionId>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    limit: u32,
}

/// Reads the manifest of a context, as a JSON object.
/// @param principal NULL for the default.
/// @param request_id the context's `request_id`.
/// @param request_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_manifest_read(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    request_id: *const c_char,
    request_id_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, request): (Slot<aura_buffer>, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::text(RequestId::FIELD, request_id.cast(), request_id_len)?,
            )
        };
        let manifest = engine.manifest(&principal, &RequestId::new(request)?)?;
        out.fill(aura_buffer::new(json::to_string(&*manifest)?));
        Ok(())
    })
}

/// Lists manifests of the principal's tenant, newest first, as a JSON array.
/// @param principal NULL for the default.
/// @param query_json a JSON object, all of it optional: `session_id`, `since`, `until` (times), `limit`; empty lists
///   the newest 100.
/// @param query_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_manifest_list(
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
        let query = ManifestQuery {
            session_id: form.session_id,
            since: form.since,
            until: form.until,
            limit: form.limit,
        };
        let manifests = engine.manifests(&principal, &query)?;
        out.fill(aura_buffer::new(json::to_string(&manifests)?));
        Ok(())
    })
}

/// Says whether a block was a candidate for a context, lost, or won and was cut, as a JSON object with a `sentence`.
/// @param principal NULL for the default.
/// @param request_id the context's `request_id`.
/// @param request_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param block the block as manifests name it, such as `event:12`, `turn:3` or `question`.
/// @param block_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_manifest_explain(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    request_id: *const c_char,
    request_id_len: usize,
    block: *const c_char,
    block_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, request, block): (Slot<aura_buffer>, _, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::text(RequestId::FIELD, request_id.cast(), request_id_len)?,
                inbound::text("block", block.cast(), block_len)?,
            )
        };
        let block: BlockRef = block.parse()?;
        let answer = engine.explain(&principal, &RequestId::new(request)?, &block)?;
        out.fill(aura_buffer::new(json::to_string(&answer)?));
        Ok(())
    })
}
