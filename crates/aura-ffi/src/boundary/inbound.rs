//! What comes in from C: texts, identifiers, JSON, numbers that stand for a choice.

use std::ffi::{CStr, c_char};

use aura_core::{Error, Result, SessionId, json};
use serde::de::DeserializeOwned;

/// The length that means "up to the terminating NUL".
pub(crate) const NUL_TERMINATED: usize = usize::MAX;

/// The error for a parameter that is wrong.
pub(crate) fn invalid(parameter: &str, problem: impl std::fmt::Display) -> Error {
    Error::invalid_field("argument", parameter, problem)
}

/// A text parameter; NULL with length 0 is empty.
///
/// # Errors
/// `Invalid` naming the parameter, when it is NULL with a length, longer than memory, or no UTF-8.
///
/// # Safety
/// `text` is NULL or points to `len` bytes (with [`NUL_TERMINATED`], to bytes that end with a NUL) that nobody
/// writes to while the result lives.
pub(crate) unsafe fn text<'a>(parameter: &str, text: *const c_char, len: usize) -> Result<&'a str> {
    let bytes = match (text.is_null(), len) {
        (_, 0) => &[],
        (true, _) => return Err(invalid(parameter, "is NULL")),
        // SAFETY: the caller vouches for a terminated text, and it is not NULL.
        (false, NUL_TERMINATED) => unsafe { CStr::from_ptr(text) }.to_bytes(),
        (false, _) if isize::try_from(len).is_err() => {
            return Err(invalid(parameter, "is longer than memory can be"));
        }
        // SAFETY: the caller vouches for `len` bytes, it is not NULL, and `len` fits an isize.
        (false, _) => unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) },
    };
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        invalid(
            parameter,
            format_args!("is not UTF-8: bad byte at offset {offset}"),
        )
    })
}

/// A text parameter that may be left out: empty is absent.
///
/// # Errors
/// As [`text`].
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn optional<'a>(
    parameter: &str,
    text: *const c_char,
    len: usize,
) -> Result<Option<&'a str>> {
    // SAFETY: passed on to the caller.
    let text = unsafe { self::text(parameter, text, len) }?;
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// The parameter `session_id`.
///
/// # Errors
/// As [`text`], and for the length of the identifier.
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn session(id: *const c_char, len: usize) -> Result<SessionId> {
    // SAFETY: passed on to the caller.
    SessionId::new(unsafe { text(SessionId::FIELD, id, len) }?)
}

/// A JSON parameter that may be left out; errors name the parameter and the field in it.
///
/// # Errors
/// `Invalid`, as `aura_core::json::parse` has it.
pub(crate) fn json<T: DeserializeOwned + Default>(
    parameter: &'static str,
    text: &str,
) -> Result<T> {
    if text.is_empty() {
        return Ok(T::default());
    }
    json::parse(parameter, text.as_bytes()).map_err(|error| under(parameter, error))
}

/// A JSON parameter that is a list of identifiers. Unlike content, they are not mended.
///
/// # Errors
/// As [`json`]; also when an identifier holds an unpaired surrogate.
pub(crate) fn ids<T: DeserializeOwned + Default>(parameter: &'static str, text: &str) -> Result<T> {
    if json::mend_surrogates(parameter, text)? != text {
        return Err(invalid(parameter, "holds an unpaired surrogate"));
    }
    json(parameter, text)
}

/// Says where in a parameter the wrong field stands: `messages[2].role` rather than `[2].role`.
pub(crate) fn under(parameter: &'static str, error: Error) -> Error {
    let path = error.field().unwrap_or_default();
    let field = match path.chars().next() {
        None => parameter.to_owned(),
        Some('[') => format!("{parameter}{path}"),
        Some(_) => format!("{parameter}.{path}"),
    };
    let problem = error.message().to_owned();
    let problem = problem
        .strip_prefix(&format!("{parameter}: {path}: "))
        .unwrap_or(&problem);
    Error::invalid_field(parameter, field, problem)
}

/// The error for a number that is none of the values of an enumeration.
pub(crate) fn unknown(parameter: &str, number: u32) -> Error {
    invalid(parameter, format_args!("{number} is none of its values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(result: Result<&str>) -> String {
        result.unwrap_err().field().unwrap().to_owned()
    }

    #[test]
    fn texts_by_length_and_by_terminator() {
        let given = c"h\xc3\xa9llo";
        // SAFETY: the bytes are a static text with a terminator.
        let read = |len| unsafe { text("text", given.as_ptr(), len) };
        assert_eq!(read(NUL_TERMINATED).unwrap(), "héllo");
        assert_eq!(read(3).unwrap(), "hé");
        assert_eq!(read(0).unwrap(), "");
        let error = read(2).unwrap_err();
        assert_eq!(error.field(), Some("text"));
        assert!(error.message().contains("offset 1"), "{error}");
        assert_eq!(field(read(usize::MAX - 1)), "text");
    }

    #[test]
    fn null_is_empty_and_nothing_else() {
        // SAFETY: NULL is allowed.
        let read = |len| unsafe { text("text", std::ptr::null(), len) };
        assert_eq!(read(0).unwrap(), "");
        assert_eq!(field(read(1)), "text");
        assert_eq!(field(read(NUL_TERMINATED)), "text");
    }

    #[test]
    fn fields_of_json_stand_below_their_parameter() {
        #[derive(serde::Deserialize, Default, Debug)]
        #[serde(deny_unknown_fields, default)]
        struct Form {
            limit: u32,
            names: Vec<String>,
        }
        let field = |text: &str| {
            let error = json::<Form>("query", text).unwrap_err();
            (
                error.field().unwrap().to_owned(),
                error.message().to_owned(),
            )
        };
        assert_eq!(json::<Form>("query", "").unwrap().limit, 0);
        assert_eq!(field(r#"{"limit":-1}"#).0, "query.limit");
        assert_eq!(field(r#"{"names":["a",1]}"#).0, "query.names[1]");
        assert_eq!(field(r#"{"colour":1}"#).0, "query.colour");
        let (place, message) = field("[");
        assert_eq!(place, "query");
        assert!(message.starts_with("query: query: "), "{message}");
        let error = json::<Vec<u32>>("list", "[1,null]").unwrap_err();
        assert_eq!(error.field(), Some("list[1]"));
    }

    #[test]
    fn identifiers_are_not_mended() {
        let whole: Vec<String> = ids("ids", r#"["a\ud83d\ude00"]"#).unwrap();
        assert_eq!(whole, ["a😀"]);
        let half: Result<Vec<String>> = ids("ids", r#"["a\ud83d"]"#);
        assert_eq!(half.unwrap_err().field(), Some("ids"));
        let content: Vec<String> = json("texts", r#"["a\ud83d"]"#).unwrap();
        assert_eq!(content, ["a\u{fffd}"]);
    }
}
