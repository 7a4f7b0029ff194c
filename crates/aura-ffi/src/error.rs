//! The error object: what went wrong, for people and programs.

use std::error::Error as StdError;

use aura_core::Error;
use macro_rules_attribute::apply;
use safer_ffi::prelude::{derive_ReprC, repr_c};

use crate::boundary::export::c_api;
use crate::boundary::live::{Live, aura_kind};
use crate::bytes::aura_str;
use crate::status::aura_status;

/// What went wrong. Immutable, may be read from any thread; free with `aura_error_free`. Its texts never hold stored
/// text.
#[derive_ReprC]
#[repr(opaque)]
pub struct aura_error {
    status: aura_status,
    operation: String,
    message: String,
    field: Option<String>,
    context: String,
    causes: Vec<String>,
    _live: Live,
}

impl aura_error {
    pub(crate) fn new(error: &Error) -> Self {
        let first = StdError::source(error);
        let causes = std::iter::successors(first, |&cause| cause.source());
        // Keys may repeat, so the context is a list of pairs and no object.
        let context: Vec<[&str; 2]> = (error.context().iter())
            .map(|(key, value)| [*key, value.as_str()])
            .collect();
        Self {
            status: aura_status::of(error.kind()),
            operation: error.operation().to_owned(),
            message: error.message().to_owned(),
            field: error.field().map(str::to_owned),
            context: aura_core::json::to_string(&context).unwrap_or_default(),
            causes: causes.map(ToString::to_string).collect(),
            _live: Live::new(aura_kind::Error),
        }
    }
}

fn lend(error: Option<&aura_error>, read: impl Fn(&aura_error) -> Option<&str>) -> aura_str {
    error.and_then(read).map_or(aura_str::EMPTY, aura_str::lend)
}

/// Status of the call that gave this error; `AURA_STATUS_OK` for NULL.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_error_status(error: Option<&aura_error>) -> aura_status {
    error.map_or(aura_status::Ok, |error| error.status)
}

/// What failed, in words for a person; valid until the error is freed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_error_message(error: Option<&aura_error>) -> aura_str {
    lend(error, |error| Some(&error.message))
}

/// The operation that failed; valid until the error is freed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_error_operation(error: Option<&aura_error>) -> aura_str {
    lend(error, |error| Some(&error.operation))
}

/// The parameter or field that was wrong, such as `session_id` or `messages[2].role`; NULL when it was none. Valid
/// until the error is freed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_error_field(error: Option<&aura_error>) -> aura_str {
    lend(error, |error| error.field.as_deref())
}

/// What else is known, as a JSON array of `[key, value]` pairs; valid until the error is freed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_error_context(error: Option<&aura_error>) -> aura_str {
    lend(error, |error| Some(&error.context))
}

/// The cause of the error (index 0), the cause of that (index 1) and so on; NULL past the last. Valid until the error
/// is freed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_error_cause(error: Option<&aura_error>, index: usize) -> aura_str {
    lend(error, |error| error.causes.get(index).map(String::as_str))
}

/// Frees an error; NULL is allowed.
#[apply(c_api)]
#[unsafe(no_mangle)]
pub extern "C" fn aura_error_free(error: Option<repr_c::Box<aura_error>>) {
    drop(error);
}
