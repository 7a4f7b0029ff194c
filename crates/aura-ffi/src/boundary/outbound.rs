//! What goes out to C: handles, errors, plain values.

use std::ptr::NonNull;

use aura_core::{Error, Result};
use safer_ffi::prelude::repr_c;

use super::inbound::invalid;
use crate::error::aura_error;
use crate::status::aura_status;

/// A parameter through which the caller gets a handle.
pub(crate) type Out<T> = *mut Option<repr_c::Box<T>>;

/// Where an error goes; nowhere, when the caller passed NULL.
#[derive(Clone, Copy)]
pub(crate) struct ErrorSlot(Option<NonNull<Option<repr_c::Box<aura_error>>>>);

impl ErrorSlot {
    /// Takes the parameter `error` and writes NULL to it, so that it is right when the call succeeds.
    ///
    /// # Safety
    /// `error` is NULL or may be written to until the slot is gone.
    pub(crate) unsafe fn new(error: Out<aura_error>) -> Self {
        let slot = NonNull::new(error);
        if let Some(place) = slot {
            // SAFETY: not NULL, and the caller vouches for the memory.
            unsafe { place.write(None) };
        }
        Self(slot)
    }

    /// Hands an error over and gives its status.
    pub(crate) fn fill(self, error: Error) -> aura_status {
        let status = aura_status::of(error.kind());
        if let Some(place) = self.0 {
            let handle = Box::new(aura_error::new(&error)).into();
            // SAFETY: `new` was promised memory that may be written to.
            unsafe { place.write(Some(handle)) };
        }
        status
    }
}

/// Where a handle goes.
pub(crate) struct Slot<T>(NonNull<Option<repr_c::Box<T>>>);

impl<T> Slot<T> {
    /// Takes the parameter `out` and writes NULL to it, so that it is right when the call fails.
    ///
    /// # Errors
    /// `Invalid` naming `out`, when it is NULL.
    ///
    /// # Safety
    /// `out` is NULL or may be written to until the slot is gone.
    pub(crate) unsafe fn required(out: Out<T>) -> Result<Self> {
        // SAFETY: passed on to the caller.
        unsafe { Self::optional(out) }.ok_or_else(|| invalid("out", "is NULL"))
    }

    /// As [`Slot::required`], but NULL means that the caller does not want the handle.
    ///
    /// # Safety
    /// As [`Slot::required`].
    pub(crate) unsafe fn optional(out: Out<T>) -> Option<Self> {
        let place = NonNull::new(out)?;
        // SAFETY: not NULL, and the caller vouches for the memory.
        unsafe { place.write(None) };
        Some(Self(place))
    }

    /// Hands the value over.
    pub(crate) fn fill(self, value: T) {
        // SAFETY: the constructor was promised memory that may be written to.
        unsafe { self.0.write(Some(Box::new(value).into())) };
    }
}

/// Writes a plain value to a parameter.
///
/// # Errors
/// `Invalid` naming `parameter`, when it is NULL.
///
/// # Safety
/// `out` is NULL or may be written to.
pub(crate) unsafe fn put<T: Copy>(parameter: &str, out: *mut T, value: T) -> Result<()> {
    let place = NonNull::new(out).ok_or_else(|| invalid(parameter, "is NULL"))?;
    // SAFETY: not NULL, and the caller vouches for the memory.
    unsafe { place.write(value) };
    Ok(())
}
