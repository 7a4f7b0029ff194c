//! How a call ended.

use std::ffi::CStr;

use aura_core::ErrorKind;
use macro_rules_attribute::apply;
use safer_ffi::c_char;
use safer_ffi::prelude::derive_ReprC;

use crate::boundary::export::c_api;

/// How a call ended. The numbers are permanent; new ones may be added. Each calls for one reaction.
#[derive_ReprC]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum aura_status {
    /// Success.
    Ok = 0,
    /// An argument is wrong; the error names it. Correct the call.
    Invalid = 1,
    /// What was asked for does not exist (any more).
    NotFound = 2,
    /// The call contradicts what is stored, for example another turn under the same id.
    Conflict = 3,
    /// The principal may not do or see this.
    Denied = 4,
    /// Somebody else holds a lock for longer than the time-out. Retry.
    Busy = 5,
    /// The engine has been closed.
    Closed = 6,
    /// Stored bytes are damaged or of an unknown format.
    Corrupt = 7,
    /// The environment failed (disk full, file unreadable). Mend it and retry.
    Unavailable = 8,
    /// A hard limit cannot be kept.
    BudgetExceeded = 9,
    /// The caller cancelled, or the deadline passed before anything valid existed.
    Cancelled = 10,
    /// A callback of the host failed; the error holds its cause.
    Callback = 11,
    /// A defect of the engine. After a panic the engine only answers with this status; free it.
    Internal = 12,
}

impl aura_status {
    /// The status that reports an error of this kind; a kind that C does not know is `INTERNAL`.
    pub(crate) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Invalid => Self::Invalid,
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::Conflict => Self::Conflict,
            ErrorKind::Denied => Self::Denied,
            ErrorKind::Busy => Self::Busy,
            ErrorKind::Closed => Self::Closed,
            ErrorKind::Corrupt => Self::Corrupt,
            ErrorKind::Unavailable => Self::Unavailable,
            ErrorKind::BudgetExceeded => Self::BudgetExceeded,
            ErrorKind::Cancelled => Self::Cancelled,
            ErrorKind::Callback => Self::Callback,
            _ => Self::Internal,
        }
    }
}

impl From<aura_core::Result<()>> for aura_status {
    fn from(result: aura_core::Result<()>) -> Self {
        result.map_or_else(|error| Self::of(error.kind()), |()| Self::Ok)
    }
}

const NAMES: [&CStr; 13] = [
    c"ok",
    c"invalid",
    c"not-found",
    c"conflict",
    c"denied",
    c"busy",
    c"closed",
    c"corrupt",
    c"unavailable",
    c"budget-exceeded",
    c"cancelled",
    c"callback",
    c"internal",
];

/// Name of a status, such as "not-found", never freed; "unknown" for a number of a later version.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_status_name(status: i32) -> *const c_char {
    name(status).as_ptr().cast()
}

fn name(status: i32) -> &'static CStr {
    let name = usize::try_from(status).ok().and_then(|at| NAMES.get(at));
    name.copied().unwrap_or(c"unknown")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_permanent_number_and_name() {
        for kind in ErrorKind::ALL {
            let status = aura_status::of(kind) as i32;
            assert_eq!(status, kind.code(), "{kind}");
            // SAFETY: a static, terminated text.
            let name = unsafe { CStr::from_ptr(aura_status_name(status).cast()) };
            assert_eq!(name.to_str().unwrap(), kind.as_str());
        }
        assert_eq!(aura_status::Ok as i32, 0);
        for status in [-1, 13, i32::MIN, i32::MAX] {
            // SAFETY: a static, terminated text.
            let name = unsafe { CStr::from_ptr(aura_status_name(status).cast()) };
            assert_eq!(name, c"unknown");
        }
    }
}
