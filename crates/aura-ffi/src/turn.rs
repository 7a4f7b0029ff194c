//! Recorded turns.

use aura::RecordedTurn;
use aura_core::{Result, TurnId, TurnStatus, WriteEffect};
use macro_rules_attribute::apply;
use safer_ffi::prelude::{derive_ReprC, ffi_export, repr_c};

use crate::boundary::export::c_api;
use crate::boundary::growing::{self, Growing};
use crate::boundary::inbound;
use crate::boundary::live::{Live, aura_kind};
use crate::bytes::aura_str;
use crate::status::aura_status;

/// Where a turn stands.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_turn_status {
    /// Ended well: feeds facts and recall.
    Complete = 0,
    /// More messages may follow.
    Open = 1,
    /// Ended badly: feeds nothing, and no turn follows it by default.
    Failed = 2,
}

impl aura_turn_status {
    /// The status that a number stands for.
    ///
    /// # Errors
    /// `Invalid` naming `parameter`.
    pub(crate) fn read(parameter: &str, number: u32) -> Result<TurnStatus> {
        match number {
            0 => Ok(TurnStatus::Complete),
            1 => Ok(TurnStatus::Open),
            2 => Ok(TurnStatus::Failed),
            _ => Err(inbound::unknown(parameter, number)),
        }
    }

    fn of(status: TurnStatus) -> Self {
        match status {
            TurnStatus::Complete => Self::Complete,
            TurnStatus::Open => Self::Open,
            TurnStatus::Failed => Self::Failed,
        }
    }
}

/// What recording a turn did.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_effect {
    /// A new turn was appended.
    Created = 0,
    /// Messages were appended to an open turn, or its status moved.
    Extended = 1,
    /// All of it was stored before.
    Unchanged = 2,
}

impl aura_effect {
    fn of(effect: WriteEffect) -> Self {
        match effect {
            WriteEffect::Created => Self::Created,
            WriteEffect::Extended => Self::Extended,
            WriteEffect::Unchanged => Self::Unchanged,
        }
    }
}

/// Options of `aura_session_record_turn`. Fill with `aura_turn_options_init`, then change what you need; 0 is the
/// default.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_turn_options {
    /// sizeof(aura_turn_options) as the caller was compiled with it; set by `aura_turn_options_init`.
    pub struct_size: usize,
    /// The turn's id, so that a repeated call is recognised; empty makes one.
    pub turn_id: aura_str,
    /// The id of the turn it follows; empty is the head of the session.
    pub parent: aura_str,
    /// The contexts it answers, as a JSON array of request ids; empty is none.
    pub requests_json: aura_str,
    /// An `aura_turn_status`.
    pub status: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: C's layout, the size first, and all zeroes are its defaults.
unsafe impl Growing for aura_turn_options {
    const PARAMETER: &'static str = "options";
}

/// Writes the defaults to `options`.
/// @param struct_size sizeof(aura_turn_options)
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_turn_options_init(
    options: *mut aura_turn_options,
    struct_size: usize,
) -> aura_status {
    // SAFETY: `options` is as the header asks.
    aura_status::from(unsafe { growing::init(options, struct_size) })
}

/// A turn as it was recorded. Immutable; free with `aura_turn_free`.
#[derive_ReprC]
#[repr(opaque)]
pub struct aura_turn {
    recorded: RecordedTurn,
    _live: Live,
}

impl aura_turn {
    pub(crate) fn new(recorded: RecordedTurn) -> Self {
        Self {
            recorded,
            _live: Live::new(aura_kind::Turn),
        }
    }
}

/// A recorded turn, by `aura_turn_describe`.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_turn_view {
    /// Its id, valid until the turn is freed.
    pub turn_id: aura_str,
    /// Its first event; 0 if it has none.
    pub first_event: u64,
    /// Its last event; 0 if it has none.
    pub last_event: u64,
    /// How many messages it has.
    pub message_count: u64,
    /// How many mutations the session had seen with this one.
    pub change_seq: u64,
    /// When it was first recorded, in milliseconds since 1970-01-01T00:00:00Z.
    pub recorded_at_ms: i64,
    /// Its number in the session, from 0.
    pub index: u32,
    /// An `aura_turn_status`.
    pub status: u32,
    /// An `aura_effect`.
    pub effect: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: C's layout, and only given out.
unsafe impl Growing for aura_turn_view {
    const PARAMETER: &'static str = "out";
}

/// Describes a recorded turn.
/// @param[out] out the description.
/// @param struct_size sizeof(aura_turn_view) as the caller was compiled with it
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_turn_describe(
    turn: Option<&aura_turn>,
    out: *mut aura_turn_view,
    struct_size: usize,
) -> aura_status {
    let Some(handle) = turn else {
        return aura_status::Invalid;
    };
    let recorded = &handle.recorded;
    let view = aura_turn_view {
        turn_id: aura_str::lend(TurnId::as_str(&recorded.turn.turn_id)),
        first_event: recorded.turn.first_event().map_or(0, |event| event.0),
        last_event: recorded.turn.last_event().map_or(0, |event| event.0),
        message_count: recorded.turn.message_count(),
        change_seq: recorded.change_seq,
        recorded_at_ms: recorded.turn.recorded_at.as_millis(),
        index: recorded.turn.index.0,
        status: aura_turn_status::of(recorded.turn.status) as u32,
        effect: aura_effect::of(recorded.effect) as u32,
        reserved: 0,
    };
    // SAFETY: `out` is as the header asks.
    aura_status::from(unsafe { growing::write(out, struct_size, view) })
}

/// Frees a recorded turn; NULL is allowed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_turn_free(turn: Option<repr_c::Box<aura_turn>>) {
    drop(turn);
}
