//! What comes in from Python: texts, identifiers, JSON.

use std::borrow::Cow;

use aura::{Error, Result, SessionId, TurnId, json};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serde::de::DeserializeOwned;

use crate::error::invalid;

/// Words, in which an unpaired surrogate becomes U+FFFD.
pub(crate) fn content<'t>(text: &'t Bound<'_, PyString>) -> PyResult<Cow<'t, str>> {
    if let Ok(text) = text.to_cow() {
        return Ok(text);
    }
    let encoded = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let encoded = encoded.cast::<PyBytes>()?;
    let units = encoded.as_bytes().chunks_exact(2).map(|pair| match pair {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    });
    let chars = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    Ok(Cow::Owned(chars.collect()))
}

/// An identifier, in which an unpaired surrogate is refused.
pub(crate) fn identifier<'t>(
    parameter: &str,
    text: &'t Bound<'_, PyString>,
) -> Result<Cow<'t, str>> {
    text.to_cow()
        .map_err(|_| invalid(parameter, "holds an unpaired surrogate"))
}

/// The parameter `session_id`.
pub(crate) fn session(text: &Bound<'_, PyString>) -> Result<SessionId> {
    SessionId::new(identifier(SessionId::FIELD, text)?.as_ref())
}

/// The id of a turn.
pub(crate) fn turn(text: &Bound<'_, PyString>) -> Result<TurnId> {
    TurnId::new(identifier(TurnId::FIELD, text)?.as_ref())
}

/// A parameter in JSON that may be left out; errors name the parameter and the field in it.
pub(crate) fn parse<T: DeserializeOwned + Default>(
    parameter: &'static str,
    text: Option<&str>,
) -> Result<T> {
    match text {
        None => Ok(T::default()),
        Some(text) => {
            json::parse(parameter, text.as_bytes()).map_err(|error| under(parameter, error))
        }
    }
}

/// Says where in a parameter the wrong field stands: `blocks[2].kind` rather than `[2].kind`.
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
