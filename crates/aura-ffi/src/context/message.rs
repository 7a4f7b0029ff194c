//! The messages of a context, one at a time.

use aura_core::{Role, Section};
use macro_rules_attribute::apply;
use safer_ffi::prelude::{derive_ReprC, ffi_export};

use super::aura_context;
use crate::boundary::export::c_api;
use crate::boundary::growing::{self, Growing};
use crate::bytes::aura_str;
use crate::status::aura_status;

/// Who speaks in a message.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_role {
    /// Instructions of the host.
    System = 0,
    /// The person who asks.
    User = 1,
    /// The model.
    Assistant = 2,
    /// A tool's answer.
    Tool = 3,
}

impl aura_role {
    pub(super) fn of(role: Role) -> Self {
        match role {
            Role::System => Self::System,
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
            Role::Tool => Self::Tool,
        }
    }
}

/// Which part of a context a message is.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_section {
    /// System prompt and policy.
    System = 0,
    /// Turns shown as they were.
    History = 1,
    /// What was recalled, facts and evidence, as data on the user's side.
    Evidence = 2,
    /// The question.
    Question = 3,
    /// What followed the question in the open turn.
    Tail = 4,
}

impl aura_section {
    pub(super) fn of(section: Section) -> Self {
        match section {
            Section::System => Self::System,
            Section::History => Self::History,
            Section::Evidence => Self::Evidence,
            Section::Question => Self::Question,
            Section::Tail => Self::Tail,
        }
    }
}

/// One message of a context, by `aura_context_message`. All pointers are valid until the context is freed.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_message {
    /// An `aura_role`.
    pub role: u32,
    /// An `aura_section`.
    pub section: u32,
    /// Its tokens, overhead included.
    pub tokens: u32,
    /// 1 when a tool message reports a failure, else 0.
    pub is_error: u32,
    /// The speaker's name; NULL when it has none.
    pub name: aura_str,
    /// The text; NULL where the message only calls tools.
    pub content: aura_str,
    /// A JSON object of what else the message has: `tool_calls`, `media`, `native`; NULL when there is nothing.
    pub extra_json: aura_str,
    /// The id of the call that a tool message answers; NULL otherwise.
    pub tool_call_id: aura_str,
    /// The ids of the events shown in it.
    pub events: *const u64,
    /// How many events.
    pub events_count: usize,
}

// SAFETY: C's layout, and only given out.
unsafe impl Growing for aura_message {
    const PARAMETER: &'static str = "out";
}

/// Gives one message of a context, in the order to be sent.
/// @param index from 0; past the last it is `AURA_STATUS_NOT_FOUND`.
/// @param[out] out the message.
/// @param struct_size sizeof(aura_message) as the caller was compiled with it
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_message(
    context: Option<&aura_context>,
    index: usize,
    out: *mut aura_message,
    struct_size: usize,
) -> aura_status {
    let Some(handle) = context else {
        return aura_status::Invalid;
    };
    let Some(row) = handle.block.rows().get(index) else {
        return aura_status::NotFound;
    };
    let block = &handle.block;
    let message = aura_message {
        role: row.role,
        section: row.section,
        tokens: row.tokens,
        is_error: row.is_error,
        name: block.text(row.name_off, row.name_len),
        content: block.text(row.content_off, row.content_len),
        extra_json: block.text(row.extra_off, row.extra_len),
        tool_call_id: block.text(row.tool_call_id_off, row.tool_call_id_len),
        events: block.events(row),
        events_count: row.events_count as usize,
    };
    // SAFETY: `out` is as the header asks.
    aura_status::from(unsafe { growing::write(out, struct_size, message) })
}
