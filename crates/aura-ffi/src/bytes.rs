//! Texts and bytes as they cross the boundary.

pub(crate) mod artifact;

use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::{derive_ReprC, repr_c};

use crate::boundary::export::c_api;
use crate::boundary::inbound;
use crate::boundary::live::{Live, aura_kind};
use aura_core::Result;

/// UTF-8 text by pointer and length. From the library: borrowed, not NUL-terminated, `ptr` NULL where there is none.
/// To the library: `len` may be SIZE_MAX for a NUL-terminated text, and `ptr` NULL with `len` 0 is empty.
#[derive_ReprC]
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aura_str {
    /// The first byte, or NULL.
    pub ptr: *const c_char,
    /// How many bytes.
    pub len: usize,
}

impl aura_str {
    /// No text.
    pub(crate) const EMPTY: Self = Self {
        ptr: std::ptr::null(),
        len: 0,
    };

    /// Lends a text; empty text has a pointer, absent text has none.
    pub(crate) fn lend(text: &str) -> Self {
        Self {
            ptr: text.as_ptr().cast(),
            len: text.len(),
        }
    }

    /// The text that C gave, or nothing when it is empty.
    ///
    /// # Errors
    /// As [`inbound::text`].
    ///
    /// # Safety
    /// As [`inbound::text`].
    pub(crate) unsafe fn read<'a>(self, parameter: &str) -> Result<Option<&'a str>> {
        // SAFETY: passed on to the caller.
        unsafe { inbound::optional(parameter, self.ptr.cast(), self.len) }
    }
}

/// Bytes that the library made, mostly JSON. Immutable; free with `aura_buffer_free`.
#[derive_ReprC]
#[repr(opaque)]
pub struct aura_buffer {
    bytes: Vec<u8>,
    _live: Live,
}

impl aura_buffer {
    pub(crate) fn new(content: impl Into<Vec<u8>>) -> Self {
        Self {
            bytes: content.into(),
            _live: Live::new(aura_kind::Buffer),
        }
    }
}

/// The bytes of a buffer, valid until it is freed: text, unless the function that made it says otherwise.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_buffer_text(buffer: Option<&aura_buffer>) -> aura_str {
    buffer.map_or(aura_str::EMPTY, |buffer| aura_str {
        ptr: buffer.bytes.as_ptr().cast(),
        len: buffer.bytes.len(),
    })
}

/// Frees a buffer; NULL is allowed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_buffer_free(buffer: Option<repr_c::Box<aura_buffer>>) {
    drop(buffer);
}
