//! Which version of the interface and of the library this is.

use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::ffi_export;

use crate::boundary::export::c_api;

/// Version of the interface that this header describes: major × 1000 + minor. A library serves every header of the
/// same major whose minor is not larger than its own.
#[ffi_export]
pub const AURA_ABI_VERSION: u32 = 1;

const VERSION: *const c_char = concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast();

/// Version of the loaded library, such as "0.1.0"; never freed. Compare with `AURA_VERSION`.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_version() -> *const c_char {
    VERSION
}

/// Version of the interface of the loaded library; compare its major with that of `AURA_ABI_VERSION`.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_abi_version() -> u32 {
    AURA_ABI_VERSION
}
