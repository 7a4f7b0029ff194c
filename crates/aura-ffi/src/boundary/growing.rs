//! Structs that may grow: both sides say how large they know them to be.
//!
//! Fields are only ever appended, and 0 is their default. What the caller does not know is 0 here; what this library
//! does not know must be 0 there.

use std::ptr::NonNull;

use aura_core::Result;

use super::inbound::invalid;

/// A larger `struct_size` is memory that was never initialised rather than a struct of the future.
const MAX_SIZE: usize = 4096;

/// A struct that begins with `struct_size`, or that the library writes in the caller's size.
///
/// # Safety
/// Only for `#[repr(C)]` structs for which all zeroes is a value, and the default where it comes in. Where it comes
/// in, the first field is `struct_size: usize`.
pub(crate) unsafe trait Growing: Copy {
    /// The parameter that carries it.
    const PARAMETER: &'static str;
}

/// Whether a caller may know the struct by this size: no field is cut in two.
fn check<T: Growing>(size: usize) -> Result<()> {
    let whole = size.is_multiple_of(align_of::<T>());
    if size < size_of::<usize>() || size > MAX_SIZE || !whole {
        let field = format!("{}.struct_size", T::PARAMETER);
        return Err(invalid(
            &field,
            "is no size of this struct; use the _init function",
        ));
    }
    Ok(())
}

/// Reads what the caller gave; NULL is all defaults.
///
/// # Errors
/// `Invalid` naming `struct_size` when it cannot be right, or when fields that this library does not know are not 0.
///
/// # Safety
/// `given` is NULL or points to a struct whose first field, `struct_size`, says how many of its bytes may be read.
pub(crate) unsafe fn read<T: Growing>(given: *const T) -> Result<T> {
    // SAFETY: the trait asks that all zeroes be a value.
    let mut own: T = unsafe { std::mem::zeroed() };
    if given.is_null() {
        return Ok(own);
    }
    // SAFETY: not NULL, and the first field of every such struct is its size.
    let size = unsafe { given.cast::<usize>().read_unaligned() };
    check::<T>(size)?;
    let known = size.min(size_of::<T>());
    // SAFETY: the caller vouches for `size` bytes, `known` fits both, and the two do not overlap.
    unsafe {
        std::ptr::copy_nonoverlapping(given.cast::<u8>(), (&raw mut own).cast::<u8>(), known);
    }
    for offset in known..size {
        // SAFETY: below `size`, for which the caller vouches.
        if unsafe { given.cast::<u8>().add(offset).read() } != 0 {
            let field = format!("{}.struct_size", T::PARAMETER);
            return Err(invalid(
                &field,
                "the struct uses fields that this library does not know",
            ));
        }
    }
    Ok(own)
}

/// Writes the defaults.
///
/// # Errors
/// `Invalid`, when the parameter is NULL or the size cannot be right.
///
/// # Safety
/// `out` is NULL or may be written to for `size` bytes.
pub(crate) unsafe fn init<T: Growing>(out: *mut T, size: usize) -> Result<()> {
    let place = NonNull::new(out).ok_or_else(|| invalid(T::PARAMETER, "is NULL"))?;
    check::<T>(size)?;
    // SAFETY: not NULL, and the caller vouches for `size` bytes, which hold at least the size.
    unsafe {
        place.cast::<u8>().write_bytes(0, size);
        place.cast::<usize>().write_unaligned(size);
    }
    Ok(())
}

/// Writes as much of a value as the caller knows, and 0 to what only the caller knows.
///
/// # Errors
/// `Invalid`, when the parameter is NULL or the size cannot be right.
///
/// # Safety
/// `out` is NULL or may be written to for `size` bytes.
pub(crate) unsafe fn write<T: Growing>(out: *mut T, size: usize, value: T) -> Result<()> {
    let place = NonNull::new(out).ok_or_else(|| invalid(T::PARAMETER, "is NULL"))?;
    check::<T>(size)?;
    let known = size.min(size_of::<T>());
    // SAFETY: not NULL, the caller vouches for `size` bytes, and `known` fits both.
    unsafe {
        let bytes = place.cast::<u8>();
        bytes.write_bytes(0, size);
        bytes.copy_from_nonoverlapping(NonNull::from(&value).cast::<u8>(), known);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Old {
        struct_size: usize,
        a: u64,
    }

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct New {
        struct_size: usize,
        a: u64,
        b: u64,
    }

    // SAFETY: plain numbers in C's layout, the size first.
    unsafe impl Growing for Old {
        const PARAMETER: &'static str = "options";
    }

    // SAFETY: plain numbers in C's layout, the size first.
    unsafe impl Growing for New {
        const PARAMETER: &'static str = "options";
    }

    #[test]
    fn an_older_caller_gets_defaults_for_what_it_does_not_know() {
        let old = Old {
            struct_size: size_of::<Old>(),
            a: 7,
        };
        // SAFETY: a live struct that says its size.
        let read = unsafe { read((&raw const old).cast::<New>()) }.unwrap();
        assert_eq!((read.a, read.b), (7, 0));
        // SAFETY: NULL is allowed.
        let defaults = unsafe { super::read::<New>(std::ptr::null()) }.unwrap();
        assert_eq!((defaults.a, defaults.b), (0, 0));
    }

    #[test]
    fn a_newer_caller_may_only_use_what_is_known() {
        let mut new = New {
            struct_size: size_of::<New>(),
            a: 7,
            b: 0,
        };
        // SAFETY: a live struct that says its size.
        let read_by_old = unsafe { read((&raw const new).cast::<Old>()) };
        assert_eq!(read_by_old.unwrap().a, 7);
        new.b = 1 << 40;
        // SAFETY: a live struct that says its size.
        let error = unsafe { read((&raw const new).cast::<Old>()) }.unwrap_err();
        assert_eq!(error.field(), Some("options.struct_size"));
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        for struct_size in [0, 4, 20, 1 << 40, usize::MAX] {
            let old = Old { struct_size, a: 0 };
            // SAFETY: the size is refused before anything behind it is read.
            let error = unsafe { read(&raw const old) }.unwrap_err();
            assert_eq!(error.field(), Some("options.struct_size"));
        }
    }

    #[test]
    fn both_sides_write_what_they_know() {
        let value = New {
            struct_size: 1,
            a: 2,
            b: 3,
        };
        let mut old = [9u64; 3];
        // SAFETY: two of the three numbers may be written.
        unsafe { write(old.as_mut_ptr().cast::<New>(), 16, value) }.unwrap();
        assert_eq!(old, [1, 2, 9]);
        let mut new = [9u64; 4];
        // SAFETY: all four numbers may be written.
        unsafe { write(new.as_mut_ptr().cast::<New>(), 32, value) }.unwrap();
        assert_eq!(new, [1, 2, 3, 0]);
        // SAFETY: all four numbers may be written.
        unsafe { init(new.as_mut_ptr().cast::<Old>(), 32) }.unwrap();
        assert_eq!(new, [32, 0, 0, 0]);
    }
}
