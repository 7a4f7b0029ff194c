//! The options of a compilation.

use std::sync::Arc;
use std::time::Duration;

use aura::ContextRequest;
use aura_core::{CorrelationId, Error, Provider, Result, TurnId};
use macro_rules_attribute::apply;
use safer_ffi::prelude::{derive_ReprC, ffi_export};

use crate::boundary::export::c_api;
use crate::boundary::growing::{self, Growing};
use crate::boundary::inbound;
use crate::bytes::aura_str;
use crate::cancel::aura_cancel;
use crate::policy::aura_policy;
use crate::status::aura_status;

/// The form of `aura_context_messages_json` and `aura_context_request_json`, and whose rules `aura_verify` checks.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_provider {
    /// Aura's own form, near to what all share.
    Generic = 0,
    /// OpenAI chat completions.
    Openai = 1,
    /// The OpenAI Responses API.
    OpenaiResponses = 2,
    /// The Anthropic Messages API.
    Anthropic = 3,
    /// The Gemini API.
    Gemini = 4,
}

impl aura_provider {
    /// The provider that a number stands for.
    pub(crate) fn read(parameter: &str, number: u32) -> Result<Provider> {
        match number {
            0 => Ok(Provider::Generic),
            1 => Ok(Provider::Openai),
            2 => Ok(Provider::OpenaiResponses),
            3 => Ok(Provider::Anthropic),
            4 => Ok(Provider::Gemini),
            _ => Err(inbound::unknown(parameter, number)),
        }
    }

    /// The number of a provider; one that C does not know has the form that all share.
    pub(super) fn of(provider: Provider) -> Self {
        match provider {
            Provider::Openai => Self::Openai,
            Provider::OpenaiResponses => Self::OpenaiResponses,
            Provider::Anthropic => Self::Anthropic,
            Provider::Gemini => Self::Gemini,
            _ => Self::Generic,
        }
    }
}

/// Options of `aura_context_build`. Fill with `aura_context_options_init`, then change what you need; 0 is the default.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_context_options {
    /// sizeof(aura_context_options) as the caller was compiled with it; set by `aura_context_options_init`.
    pub struct_size: usize,
    /// How to compile; NULL for the default policy.
    pub policy: *const aura_policy,
    /// Stops the call from another thread; NULL for nothing.
    pub cancel: *const aura_cancel,
    /// The turn the context is for; empty makes an id. If that turn is open, its first user message is the question.
    pub turn_id: aura_str,
    /// The id of the turn whose ancestors, itself included, are visible; empty is the head of the session.
    pub head: aura_str,
    /// The system prompt; empty is none.
    pub system: aura_str,
    /// The tools to offer, as a JSON array of `{"name", "description", "parameters"}`; empty is none.
    pub tools_json: aura_str,
    /// More blocks of the host, as a JSON array of `{"block_id", "kind", "payload", …}`, where the payload is one of
    /// `{"text": …}`, `{"tool_result": {"tool", "is_error", "text"}}`, `{"artifact": handle}` and, with the kind
    /// `policy`, `{"policy": {"subject", "version"}}`; empty is none. `docs/blocks.md` has all fields.
    pub blocks_json: aura_str,
    /// What joins the manifest with the host's logs; empty is none.
    pub correlation_id: aura_str,
    /// The host's agent version, for the manifest; empty is none.
    pub agent_version: aura_str,
    /// The host's workflow stage, for the manifest; empty is none.
    pub workflow_stage: aura_str,
    /// How long the call may take, in milliseconds; past it optional work is skipped. 0 is no limit.
    pub deadline_ms: u64,
    /// An `aura_provider`.
    pub provider: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: C's layout, the size first, and all zeroes are its defaults.
unsafe impl Growing for aura_context_options {
    const PARAMETER: &'static str = "options";
}

/// Writes the defaults to `options`.
/// @param struct_size sizeof(aura_context_options)
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_options_init(
    options: *mut aura_context_options,
    struct_size: usize,
) -> aura_status {
    // SAFETY: `options` is as the header asks.
    aura_status::from(unsafe { growing::init(options, struct_size) })
}

/// What the engine is asked for.
///
/// # Errors
/// `Invalid` naming the field below `options`.
///
/// # Safety
/// `given` is NULL or points to a struct that says its size, whose handles are NULL or live, and whose texts are as
/// [`inbound::text`] asks.
pub(super) unsafe fn request(
    question: &str,
    given: *const aura_context_options,
) -> Result<ContextRequest> {
    // SAFETY: passed on to the caller.
    let options = unsafe { growing::read(given) }?;
    if options.reserved != 0 {
        return Err(inbound::invalid("options.reserved", "must be 0"));
    }
    // SAFETY: passed on to the caller.
    let (policy, cancel) = unsafe { (options.policy.as_ref(), options.cancel.as_ref()) };
    // SAFETY: passed on to the caller.
    let (turn_id, head, system, tools, blocks) = unsafe {
        (
            options.turn_id.read("options.turn_id")?,
            options.head.read("options.head")?,
            options.system.read("options.system")?,
            options.tools_json.read("options.tools_json")?,
            options.blocks_json.read("options.blocks_json")?,
        )
    };
    // SAFETY: passed on to the caller.
    let (correlation_id, agent_version, workflow_stage) = unsafe {
        (
            options.correlation_id.read("options.correlation_id")?,
            options.agent_version.read("options.agent_version")?,
            options.workflow_stage.read("options.workflow_stage")?,
        )
    };
    Ok(ContextRequest {
        question: question.to_owned(),
        turn_id: turn_id.map(TurnId::new).transpose()?,
        head: head.map(TurnId::new).transpose().map_err(of_head)?,
        policy: policy.map_or_else(Arc::default, |handle| Arc::clone(&handle.policy)),
        system: system.map(str::to_owned),
        tools: inbound::json("options.tools_json", tools.unwrap_or_default())?,
        blocks: inbound::json("options.blocks_json", blocks.unwrap_or_default())?,
        provider: aura_provider::read("options.provider", options.provider)?,
        deadline: (options.deadline_ms > 0).then(|| Duration::from_millis(options.deadline_ms)),
        correlation_id: correlation_id.map(CorrelationId::new).transpose()?,
        agent_version: agent_version.map(str::to_owned),
        workflow_stage: workflow_stage.map(str::to_owned),
        cancel: cancel.map(|handle| handle.cancel.clone()),
        ..ContextRequest::default()
    })
}

/// The error of an id names the kind of id; here it must name the field.
fn of_head(error: Error) -> Error {
    inbound::invalid("options.head", error.message().to_owned())
}
