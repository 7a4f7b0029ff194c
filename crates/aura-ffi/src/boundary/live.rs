//! How many objects the caller holds, so that the tests of every binding can end at none.

use std::sync::atomic::{AtomicUsize, Ordering};

use safer_ffi::prelude::{derive_ReprC, ffi_export};

/// A kind of object, for `aura_debug_live`.
#[ffi_export]
#[derive_ReprC]
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_kind {
    /// Objects of every kind.
    All = 0,
    /// `aura_engine`
    Engine = 1,
    /// `aura_policy`
    Policy = 2,
    /// `aura_context`
    Context = 3,
    /// `aura_turn`
    Turn = 4,
    /// `aura_cancel`
    Cancel = 5,
    /// `aura_buffer`
    Buffer = 6,
    /// `aura_error`
    Error = 7,
}

const KINDS: usize = 8;

/// By kind; the place of `All` is their sum.
static COUNTS: [AtomicUsize; KINDS] = [const { AtomicUsize::new(0) }; KINDS];

/// A part of an object that counts it for as long as it lives.
#[derive(Debug)]
pub(crate) struct Live(aura_kind);

impl Live {
    /// Counts one more.
    pub(crate) fn new(kind: aura_kind) -> Self {
        for place in [kind, aura_kind::All] {
            if let Some(count) = COUNTS.get(place as usize) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
        Self(kind)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        for place in [self.0, aura_kind::All] {
            if let Some(count) = COUNTS.get(place as usize) {
                count.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

/// How many objects of a kind live; `None` for a number that is no kind.
pub(crate) fn count(kind: u32) -> Option<usize> {
    let place = usize::try_from(kind).ok()?;
    COUNTS.get(place).map(|count| count.load(Ordering::Relaxed))
}
