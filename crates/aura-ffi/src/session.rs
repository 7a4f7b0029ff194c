//! Sessions: what records in them.

use aura::RecordRequest;
use aura_core::{Error, RequestId, Result, TurnId};
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::repr_c;

use crate::boundary::export::c_api;
use crate::boundary::growing;
use crate::boundary::guard::on_engine;
use crate::boundary::inbound;
use crate::boundary::outbound::{ErrorSlot, Slot};
use crate::engine::aura_engine;
use crate::error::aura_error;
use crate::principal::{self, aura_principal};
use crate::status::aura_status;
use crate::turn::{aura_turn, aura_turn_options, aura_turn_status};

mod read;

/// Records a user's message and the assistant's answer as one complete turn. The session begins with its first turn.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param user what the user said.
/// @param user_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param assistant what the assistant answered.
/// @param assistant_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the turn; NULL if it is not wanted.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_record_exchange(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    user: *const c_char,
    user_len: usize,
    assistant: *const c_char,
    assistant_len: usize,
    out: *mut Option<repr_c::Box<aura_turn>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session, user, assistant) = unsafe {
            (
                Slot::optional(out),
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
                inbound::text("user", user.cast(), user_len)?,
                inbound::text("assistant", assistant.cast(), assistant_len)?,
            )
        };
        let recorded = engine.record_exchange(&principal, &session, user, assistant)?;
        if let Some(out) = out {
            out.fill(aura_turn::new(recorded));
        }
        Ok(())
    })
}

/// Records messages as a turn, or extends an open turn. With a turn id the call may be repeated: the same messages
/// again change nothing, more messages extend an open turn, and anything else is `AURA_STATUS_CONFLICT`.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param messages_json all messages of the turn from the first on, as a JSON array such as
///   `[{"role":"user","text":"Hi"},{"role":"assistant","parts":[{"type":"text","text":"Hello"}]}]`.
/// @param messages_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param options NULL for the defaults.
/// @param[out] out the turn; NULL if it is not wanted.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_record_turn(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    messages_json: *const c_char,
    messages_json_len: usize,
    options: *const aura_turn_options,
    out: *mut Option<repr_c::Box<aura_turn>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session, messages, options) = unsafe {
            (
                Slot::optional(out),
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
                inbound::text("messages", messages_json.cast(), messages_json_len)?,
                growing::read(options)?,
            )
        };
        // SAFETY: the texts of `options` are as the header asks.
        let request = unsafe { request(messages, &options) }?;
        let recorded = engine.record_turn(&principal, &session, request)?;
        if let Some(out) = out {
            out.fill(aura_turn::new(recorded));
        }
        Ok(())
    })
}

/// # Safety
/// The texts of `options` are as [`inbound::text`] asks.
unsafe fn request(messages: &str, options: &aura_turn_options) -> Result<RecordRequest> {
    // SAFETY: passed on to the caller.
    let (turn_id, parent, requests) = unsafe {
        (
            options.turn_id.read("options.turn_id")?,
            options.parent.read("options.parent")?,
            options.requests_json.read("options.requests_json")?,
        )
    };
    if options.reserved != 0 {
        return Err(inbound::invalid("options.reserved", "must be 0"));
    }
    let requests: Vec<RequestId> =
        inbound::ids("options.requests_json", requests.unwrap_or_default())?;
    Ok(RecordRequest {
        turn_id: turn_id.map(TurnId::new).transpose()?,
        parent: parent.map(TurnId::new).transpose().map_err(of_parent)?,
        status: aura_turn_status::read("options.status", options.status)?,
        messages: inbound::json("messages", messages)?,
        requests,
    })
}

/// The error of an id names the kind of id; here it must name the field.
fn of_parent(error: Error) -> Error {
    inbound::invalid("options.parent", error.message().to_owned())
}

/// Moves an open turn to complete or failed; repeating the call changes nothing.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param turn_id the turn.
/// @param turn_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param status an `aura_turn_status`, complete or failed.
/// @param[out] out the turn; NULL if it is not wanted.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_finish_turn(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    turn_id: *const c_char,
    turn_id_len: usize,
    status: u32,
    out: *mut Option<repr_c::Box<aura_turn>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session, turn) = unsafe {
            (
                Slot::optional(out),
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
                inbound::text(TurnId::FIELD, turn_id.cast(), turn_id_len)?,
            )
        };
        let status = aura_turn_status::read("status", status)?;
        let turn = TurnId::new(turn)?;
        let recorded = engine.finish_turn(&principal, &session, &turn, status)?;
        if let Some(out) = out {
            out.fill(aura_turn::new(recorded));
        }
        Ok(())
    })
}

/// Makes a turn the head of its session: the next turn follows it, and contexts, recall and facts see only it and its
/// ancestors. So a conversation is rewound, or a branch taken up again.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param turn_id the turn.
/// @param turn_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_session_set_head(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    turn_id: *const c_char,
    turn_id_len: usize,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (principal, session, turn) = unsafe {
            (
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
                inbound::text(TurnId::FIELD, turn_id.cast(), turn_id_len)?,
            )
        };
        engine.set_head(&principal, &session, &TurnId::new(turn)?)?;
        Ok(())
    })
}
