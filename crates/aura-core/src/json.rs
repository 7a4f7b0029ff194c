//! Reading JSON from hosts: errors that name the field, and the lone surrogates of JavaScript and Python mended.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::error::{Error, Result};

/// Keys whose strings are identifiers: an unpaired surrogate in one is refused, elsewhere it becomes U+FFFD.
const ID_KEYS: &[&str] = &[
    "tenant",
    "agent",
    "user",
    "labels",
    "session_id",
    "turn_id",
    "parent",
    "call_id",
    "request_id",
    "request_ids",
    "correlation_id",
    "block_id",
    "fact_id",
    "memory_id",
    "deletion_id",
    "hold_id",
    "checkpoint_id",
    "checkpoints",
    "packet_id",
    "message_id",
    "tool_call_id",
    "id",
];

/// Reads a value from JSON text; `object` names it in errors, which carry the path of the wrong field.
///
/// Escapes of unpaired surrogates (`"\ud83d"`) are read as U+FFFD in content and refused in keys and identifiers.
///
/// # Errors
/// `Invalid` with the field's path, when the text is no JSON or does not fit the type.
pub fn parse<T: DeserializeOwned>(object: &'static str, text: &[u8]) -> Result<T> {
    let text = std::str::from_utf8(text).map_err(|error| {
        Error::invalid_field(
            object,
            "",
            format_args!("is not UTF-8: bad byte at offset {}", error.valid_up_to()),
        )
    })?;
    let text = mend_surrogates(object, text)?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        let field = named_field(&inner.to_string(), &path);
        Error::invalid_field(object, field, describe(&inner))
    })?;
    reader
        .end()
        .map_err(|error| Error::invalid_field(object, "", describe(&error)))?;
    Ok(value)
}

/// serde's words without the quoted value: a value may be stored text, which errors never carry.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let cut = text
        .strip_prefix("invalid type: ")
        .or_else(|| text.strip_prefix("invalid value: "));
    match cut.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => {
            let kind = found.split([' ', '"', '`']).next().unwrap_or("value");
            format!("is a {kind}, expected {expected}")
        }
        None => text,
    }
}

/// An unknown or missing field is named by serde in the message, not in the path.
fn named_field(message: &str, path: &str) -> String {
    let quoted = ["unknown field `", "missing field `", "duplicate field `"]
        .iter()
        .find_map(|start| message.strip_prefix(start))
        .and_then(|rest| rest.split('`').next());
    match quoted {
        Some(field) if path == "." || path.is_empty() => field.to_owned(),
        Some(field) if path.ends_with(field) => path.to_owned(),
        Some(field) => format!("{path}.{field}"),
        None if path == "." => String::new(),
        None => path.to_owned(),
    }
}

/// Replaces escapes of unpaired surrogates by `\ufffd`.
///
/// # Errors
/// `Invalid`, when one stands in a key or in the value of an identifier.
pub fn mend_surrogates<'a>(object: &'static str, text: &'a str) -> Result<Cow<'a, str>> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len());
    let mut key = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('"') {
        let (before, from_quote) = rest.split_at(open);
        out.push_str(before);
        let (string, after) = take_string(from_quote);
        let mended = mend_string(string);
        let is_key = after.trim_start().starts_with(':');
        if let Cow::Owned(_) = mended
            && (is_key || ID_KEYS.contains(&key.as_str()))
        {
            let field = if is_key { "key" } else { key.as_str() };
            return Err(Error::invalid_field(
                object,
                field,
                "holds an unpaired surrogate",
            ));
        }
        if is_key {
            key.clear();
            key.push_str(string.trim_matches('"'));
        }
        out.push_str(&mended);
        rest = after;
    }
    out.push_str(rest);
    Ok(Cow::Owned(out))
}

/// Splits text that begins with a quote behind the string's closing quote (or at the end, if it never closes).
fn take_string(text: &str) -> (&str, &str) {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return text.split_at(at + 1),
            _ => {}
        }
    }
    (text, "")
}

fn mend_string(string: &str) -> Cow<'_, str> {
    let mut out: Option<String> = None;
    let mut kept = 0;
    let mut at = 0;
    let unit_at = |at: usize| -> Option<u16> {
        let digits = string.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    while let Some(found) = string.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        match unit_at(at) {
            Some(0xD800..=0xDBFF) if matches!(unit_at(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                let out = out.get_or_insert_default();
                out.push_str(string.get(kept..at).unwrap_or_default());
                out.push_str("\\ufffd");
                at += 6;
                kept = at;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    match out {
        Some(mut out) => {
            out.push_str(string.get(kept..).unwrap_or_default());
            Cow::Owned(out)
        }
        None => Cow::Borrowed(string),
    }
}

/// A JSON value kept as the text it came in, byte for byte.
///
/// Tool arguments, native forms and metadata are spliced back unparsed, so numbers, key order and white space survive.
#[derive(Clone)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// Takes JSON text.
    ///
    /// # Errors
    /// `Invalid`, when it is not one JSON value.
    pub fn new(object: &'static str, text: &str) -> Result<Self> {
        let text = mend_surrogates(object, text)?;
        RawValue::from_string(text.into_owned())
            .map(Self)
            .map_err(|error| Error::invalid_field(object, "json", describe(&error)))
    }

    /// The JSON text of a value.
    ///
    /// # Errors
    /// `Invalid`, when the value cannot be written as JSON (a map with keys that are no strings, say).
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self> {
        serde_json::value::to_raw_value(value)
            .map(Self)
            .map_err(|error| Error::invalid_field("json", "value", describe(&error)))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The parsed value.
    #[must_use]
    pub fn to_value(&self) -> serde_json::Value {
        serde_json::from_str(self.0.get()).unwrap_or(serde_json::Value::Null)
    }

    /// Whether the value is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.as_str().trim_start().starts_with('{')
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

/// Writes a value as JSON text with its fields in their declared order; the engine's own types cannot fail here.
///
/// # Errors
/// `Internal`, when a type of ours cannot be written, which is a defect.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| {
        Error::new(
            crate::error::ErrorKind::Internal,
            "a value could not be written as JSON",
        )
        .caused_by(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Thing {
        text: String,
        #[serde(default)]
        session_id: String,
    }

    #[test]
    fn lone_surrogates_become_replacement_characters_in_content_only() {
        let thing: Thing = parse(
            "thing",
            br#"{"text":"a\ud83d b\udc00\\ud83d \ud83d\ude00"}"#,
        )
        .unwrap();
        assert_eq!(thing.text, "a\u{fffd} b\u{fffd}\\ud83d 😀");
        let error = parse::<Thing>("thing", br#"{"text":"","session_id":"x\ud83d"}"#).unwrap_err();
        assert_eq!(error.field(), Some("session_id"));
        let pair: Thing = parse("thing", br#"{"text":"","session_id":"x\ud83d\ude00"}"#).unwrap();
        assert_eq!(pair.session_id, "x😀");
        assert!(parse::<Thing>("thing", br#"{"te\ud83dxt":""}"#).is_err());
    }

    #[test]
    fn errors_name_the_field_and_not_the_value() {
        let field = |json: &str| {
            parse::<Thing>("thing", json.as_bytes())
                .unwrap_err()
                .field()
                .map(str::to_owned)
        };
        assert_eq!(field(r#"{"text":1}"#).as_deref(), Some("text"));
        assert_eq!(
            field(r#"{"text":"","colour":1}"#).as_deref(),
            Some("colour")
        );
        assert_eq!(field(r"{}").as_deref(), Some("text"));
        let error = parse::<Thing>("thing", br#"{"text":["secret"]}"#).unwrap_err();
        assert!(!error.to_string().contains("secret"));
        let error = parse::<Thing>("thing", br#"{"text":"","session_id":7123456}"#).unwrap_err();
        assert!(!error.to_string().contains("7123456"), "{error}");
    }

    #[test]
    fn raw_json_keeps_every_byte() {
        let raw: RawJson = serde_json::from_str("{ \"b\": 1.00, \"a\" : 1e400 }").unwrap();
        assert_eq!(
            serde_json::to_string(&raw).unwrap(),
            "{ \"b\": 1.00, \"a\" : 1e400 }"
        );
    }
}
