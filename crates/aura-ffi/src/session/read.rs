//! Sessions: what reads them.

use aura::AsOf;
use aura_core::{
    AgentId, EventId, EventRange, SessionId, SessionQuery, Timestamp, TurnIndex, UserId, json,
};
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

/// The parameter `query_json` of `aura_session_list`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ListForm {
    user: Option<UserId>,
    agent: Option<AgentId>,
    after: Option<SessionId>,
    limit: u32,
}

/// The parameter `as_of_json` of `aura_session_facts`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct AsOfForm {
    valid: Option<Timestamp>,
    known: Option<Timestamp>,
}

/// Lists sessions of the principal's tenant in the order of their ids, as a JSON array.
/// @param principal NULL for the default.
/// @param query_json a JSON object, all of it optional: `user`, `agent`, `after` (a session id, for the next page),
///   `limit`; empty lists the first 1,000.
/// @param query_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_list(
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
        let query = SessionQuery {
            user: form.user,
            agent: form.agent,
            after: form.after,
            limit: form.limit,
        };
        let sessions = engine.sessions(&principal, &query)?;
        out.fill(aura_buffer::new(json::to_string(&sessions)?));
        Ok(())
    })
}

/// Describes a session, as a JSON object.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_describe(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session): (Slot<aura_buffer>, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
            )
        };
        let session = engine.session(&principal, &session)?;
        out.fill(aura_buffer::new(json::to_string(&session)?));
        Ok(())
    })
}

/// Reads turns with their messages, as a JSON array in the order of their indexes.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param from the index of the first turn.
/// @param limit how many turns at most.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_turns(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    from: u32,
    limit: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session): (Slot<aura_buffer>, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
            )
        };
        let turns = engine.turns(&principal, &session, TurnIndex(from), limit)?;
        out.fill(aura_buffer::new(json::to_string(&turns)?));
        Ok(())
    })
}

/// Reads messages by their event ids, as a JSON array in their order.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param first_event the first event id, from 1.
/// @param last_event the last event id, itself included.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_messages(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    first_event: u64,
    last_event: u64,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session): (Slot<aura_buffer>, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
            )
        };
        let range = EventRange::new(EventId(first_event), EventId(last_event));
        let messages = engine.messages(&principal, &session, range)?;
        out.fill(aura_buffer::new(json::to_string(&messages)?));
        Ok(())
    })
}

/// Reads the facts of a session, as a JSON array.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param as_of_json empty for all facts, past ones too; or a JSON object with two times, `valid` (what was true
///   then) and `known` (as far as the engine knew then; the same time if left out), such as
///   `{"valid":"2026-05-03T10:00:00Z"}`.
/// @param as_of_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_facts(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    as_of_json: *const c_char,
    as_of_json_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session, as_of): (Slot<aura_buffer>, _, _, _) = unsafe {
            (
                Slot::required(out)?,
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
                inbound::text("as_of", as_of_json.cast(), as_of_json_len)?,
            )
        };
        let form: AsOfForm = inbound::json("as_of", as_of)?;
        let as_of = match (form.valid, form.known) {
            (None, None) => None,
            (Some(valid), known) => Some(AsOf {
                valid,
                known: known.unwrap_or(valid),
            }),
            (None, Some(known)) => Some(AsOf {
                valid: known,
                known,
            }),
        };
        let facts = engine.facts(&principal, &session, as_of)?;
        out.fill(aura_buffer::new(json::to_string(&facts)?));
        Ok(())
    })
}
