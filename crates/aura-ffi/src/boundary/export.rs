//! The macros by which an item enters the C interface.

/// Exports a function.
///
/// cbindgen reads the item as written. rustc gets it with two changes: safer-ffi exports it, so that every type in it
/// must have a C layout and the function enters safer-ffi's own registry, from which the agreement test makes a second
/// header; and its body runs inside [`guard::call`](super::guard::call), where panics stop.
///
/// The function is private to this crate: only C calls it, under the contract that the header states:
/// a pointer is NULL or points to a live object of its type, `text` with `text_len` to so many readable bytes, and
/// `out` and `error` to memory that may be written.
macro_rules! c_api {
    (
        $(#[doc = $doc:expr])*
        #[unsafe(no_mangle)]
        $(#[$meta:meta])*
        $vis:vis extern "C" fn $name:ident ( $($arg:ident : $ty:ty),* $(,)? ) $(-> $ret:ty)? $body:block
    ) => {
        $(#[doc = $doc])*
        $(#[$meta])*
        #[::safer_ffi::ffi_export]
        pub(crate) fn $name($($arg: $ty),*) $(-> $ret)? {
            $crate::boundary::guard::call(stringify!($name), move || $body)
        }
    };
}
pub(crate) use c_api;
