//! Compiled contexts.

use std::sync::OnceLock;

use aura_core::{BlockRef, CompiledContext, Result, json};
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::{derive_ReprC, repr_c};

use crate::boundary::export::c_api;
use crate::boundary::guard::{attempt, on_engine};
use crate::boundary::inbound;
use crate::boundary::live::{Live, aura_kind};
use crate::boundary::outbound::{ErrorSlot, Slot, put};
use crate::bytes::{aura_buffer, aura_str};
use crate::engine::aura_engine;
use crate::error::aura_error;
use crate::principal::{self, aura_principal};
use crate::status::aura_status;
use block::Block;
use options::aura_context_options;

pub(crate) mod block;
pub(crate) mod message;
pub(crate) mod options;
pub(crate) mod request;
pub(crate) mod view;

/// The messages and tools for one model call, and the manifest that accounts for them. Immutable, may be read from any
/// thread, outlives its engine; free with `aura_context_free`.
#[derive_ReprC]
#[repr(opaque)]
pub struct aura_context {
    compiled: CompiledContext,
    block: Block,
    request_json: OnceLock<String>,
    messages_json: OnceLock<String>,
    tools_json: OnceLock<String>,
    manifest_json: OnceLock<String>,
    _live: Live,
}

impl aura_context {
    fn new(compiled: CompiledContext) -> Result<Self> {
        Ok(Self {
            block: Block::new(&compiled.messages)?,
            compiled,
            request_json: OnceLock::new(),
            messages_json: OnceLock::new(),
            tools_json: OnceLock::new(),
            manifest_json: OnceLock::new(),
            _live: Live::new(aura_kind::Context),
        })
    }
}

/// Compiles the context for a question: a list of messages under the policy's token budget that holds what the question
/// needs. No model is called. A session without turns gives a context with just the question.
/// @param principal NULL for the default.
/// @param session_id 1 to 256 bytes of UTF-8.
/// @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param question the question; with an open turn (`options.turn_id`) only what to search by.
/// @param question_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param options NULL for the defaults.
/// @param[out] out the context.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_build(
    engine: Option<&aura_engine>,
    principal: *const aura_principal,
    session_id: *const c_char,
    session_id_len: usize,
    question: *const c_char,
    question_len: usize,
    options: *const aura_context_options,
    out: *mut Option<repr_c::Box<aura_context>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    on_engine(engine, error, |engine| {
        // SAFETY: every parameter is as the header asks.
        let (out, principal, session, request): (Slot<aura_context>, _, _, _) = unsafe {
            let out = Slot::required(out)?;
            let question = inbound::text("question", question.cast(), question_len)?;
            (
                out,
                principal::read(principal)?,
                inbound::session(session_id.cast(), session_id_len)?,
                options::request(question, options)?,
            )
        };
        let compiled = engine.build_context(&principal, &session, &request)?;
        out.fill(aura_context::new(compiled)?);
        Ok(())
    })
}

/// Gives all that the context puts into the body of a request, as a JSON object in the form of the provider that
/// `options.provider` named: messages, tools and, where the provider wants it apart, system text. Add the model and
/// your settings.
/// @param[out] out the JSON, valid until the context is freed.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_request_json(
    context: Option<&aura_context>,
    out: *mut aura_str,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `out` and `error` are as the header asks.
    unsafe {
        lend(context, out, error, |handle| {
            once(&handle.request_json, || {
                aura::request_json(&handle.compiled)
            })
        })
    }
}

/// Gives the messages in the form of the provider that `options.provider` named, as a JSON array ready to be sent. For
/// Anthropic and Gemini the system prompt is not among them: it stands in `aura_context_request_json`.
/// @param[out] out the JSON, valid until the context is freed.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_messages_json(
    context: Option<&aura_context>,
    out: *mut aura_str,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `out` and `error` are as the header asks.
    unsafe {
        lend(context, out, error, |handle| {
            once(&handle.messages_json, || {
                aura::messages_json(&handle.compiled)
            })
        })
    }
}

/// Gives the tools that were admitted in the form of the provider, as a JSON array ready to be sent.
/// @param[out] out the JSON, valid until the context is freed.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_tools_json(
    context: Option<&aura_context>,
    out: *mut aura_str,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `out` and `error` are as the header asks.
    unsafe {
        lend(context, out, error, |handle| {
            once(&handle.tools_json, || aura::tools_json(&handle.compiled))
        })
    }
}

/// Gives the manifest: what went in, what stayed out and why, as a JSON object.
/// @param[out] out the JSON, valid until the context is freed.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_manifest_json(
    context: Option<&aura_context>,
    out: *mut aura_str,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `out` and `error` are as the header asks.
    unsafe {
        lend(context, out, error, |handle| {
            once(&handle.manifest_json, || {
                json::to_string(&*handle.compiled.manifest)
            })
        })
    }
}

/// Says whether a block was a candidate, lost, or won and was cut, as a JSON object with a `sentence`.
/// @param block the block as the manifest names it, such as `event:12`, `turn:3` or `question`.
/// @param block_len its length in bytes, or SIZE_MAX if it ends with a NUL.
/// @param[out] out the JSON.
/// @param[out] error NULL, or where an error goes.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_explain(
    context: Option<&aura_context>,
    block: *const c_char,
    block_len: usize,
    out: *mut Option<repr_c::Box<aura_buffer>>,
    error: *mut Option<repr_c::Box<aura_error>>,
) -> aura_status {
    // SAFETY: `error` is as the header asks.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: `block` and `out` are as the header asks.
        let (out, block): (Slot<aura_buffer>, _) = unsafe {
            (
                Slot::required(out)?,
                inbound::text("block", block.cast(), block_len)?,
            )
        };
        let handle = context.ok_or_else(|| inbound::invalid("context", "is NULL"))?;
        let block: BlockRef = block.parse()?;
        let answer = handle.compiled.manifest.explain(&block, &[]);
        out.fill(aura_buffer::new(json::to_string(&answer)?));
        Ok(())
    })
}

/// Frees a context; NULL is allowed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_free(context: Option<repr_c::Box<aura_context>>) {
    drop(context);
}

/// Lends a text of a context.
///
/// # Safety
/// `out` and `error` are NULL or may be written to.
unsafe fn lend(
    context: Option<&aura_context>,
    out: *mut aura_str,
    error: *mut Option<repr_c::Box<aura_error>>,
    text: impl Fn(&aura_context) -> Result<&str>,
) -> aura_status {
    // SAFETY: passed on to the caller.
    let error = unsafe { ErrorSlot::new(error) };
    attempt(error, || {
        // SAFETY: passed on to the caller.
        unsafe { put("out", out, aura_str::EMPTY) }?;
        let handle = context.ok_or_else(|| inbound::invalid("context", "is NULL"))?;
        let text = aura_str::lend(text(handle)?);
        // SAFETY: passed on to the caller.
        unsafe { put("out", out, text) }
    })
}

/// Makes a text on first demand; two threads may both make it, one is kept.
fn once(cell: &OnceLock<String>, make: impl FnOnce() -> Result<String>) -> Result<&str> {
    match cell.get() {
        Some(text) => Ok(text),
        None => {
            let text = make()?;
            Ok(cell.get_or_init(|| text))
        }
    }
}

#[cfg(test)]
mod tests;
