//! What a context is, in numbers.

use aura_core::Outcome;
use macro_rules_attribute::apply;
use safer_ffi::prelude::{derive_ReprC, ffi_export};

use super::aura_context;
use super::block::aura_message_row;
use super::options::aura_provider;
use crate::boundary::export::c_api;
use crate::boundary::growing::{self, Growing};
use crate::bytes::aura_str;
use crate::status::aura_status;

/// How a compilation ended.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_outcome {
    /// All optional work was done.
    Complete = 0,
    /// Valid, but some optional work was skipped.
    Degraded = 1,
    /// Policy and verified blocks only.
    Restricted = 2,
    /// The transcript, after a failure.
    Fallback = 3,
}

impl aura_outcome {
    fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Complete => Self::Complete,
            Outcome::Degraded => Self::Degraded,
            Outcome::Restricted => Self::Restricted,
            Outcome::Fallback => Self::Fallback,
        }
    }
}

/// A context, by `aura_context_describe`. All pointers are valid until the context is freed.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_context_view {
    /// The messages in one block, to copy whole: first the rows, then their bytes. Aligned to 8.
    pub block: *const u8,
    /// Bytes of the block.
    pub block_len: usize,
    /// How many messages.
    pub row_count: usize,
    /// Bytes from one row (`aura_message_row`) to the next.
    pub row_size: usize,
    /// Where in the block the bytes begin that the offsets of the rows count from.
    pub bytes_off: usize,
    /// This compilation, by which its manifest is found and a recorded turn says what it answers.
    pub request_id: aura_str,
    /// The turn the context is for.
    pub turn_id: aura_str,
    /// What the whole visible history with the same question would take, in tokens.
    pub history_tokens: u64,
    /// What the context takes, in tokens: system text, tools, messages, overhead.
    pub tokens: u32,
    /// What it may take, in tokens.
    pub budget: u32,
    /// By how many tokens it exceeds the budget; 0 when it does not.
    pub over_budget: u32,
    /// What the tools take of `tokens`.
    pub tool_tokens: u32,
    /// An `aura_outcome`.
    pub outcome: u32,
    /// 1 when the model should take no action on it, else 0.
    pub read_only: u32,
    /// An `aura_provider`.
    pub provider: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: C's layout, and only given out.
unsafe impl Growing for aura_context_view {
    const PARAMETER: &'static str = "out";
}

/// Describes a context.
/// @param[out] out the description.
/// @param struct_size sizeof(aura_context_view) as the caller was compiled with it
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_context_describe(
    context: Option<&aura_context>,
    out: *mut aura_context_view,
    struct_size: usize,
) -> aura_status {
    let Some(handle) = context else {
        return aura_status::Invalid;
    };
    let manifest = &handle.compiled.manifest;
    let view = aura_context_view {
        block: handle.block.as_ptr(),
        block_len: handle.block.len(),
        row_count: handle.block.rows().len(),
        row_size: size_of::<aura_message_row>(),
        bytes_off: handle.block.bytes_off(),
        request_id: aura_str::lend(manifest.request_id.as_str()),
        turn_id: aura_str::lend(manifest.turn_id.as_str()),
        history_tokens: manifest.totals.history_tokens,
        tokens: manifest.totals.tokens,
        budget: manifest.totals.budget,
        over_budget: manifest.over_budget.unwrap_or_default(),
        tool_tokens: manifest.totals.tool_tokens,
        outcome: aura_outcome::of(manifest.outcome) as u32,
        read_only: manifest.read_only.into(),
        provider: aura_provider::of(handle.compiled.provider) as u32,
        reserved: 0,
    };
    // SAFETY: `out` is as the header asks.
    aura_status::from(unsafe { growing::write(out, struct_size, view) })
}
