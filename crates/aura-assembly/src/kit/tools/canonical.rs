//! JSON in one spelling: the same value gives the same text, whatever the order of its keys and its white space.

use aura_core::{Digest, RawJson};
use serde_json::Value;

/// The JSON text of a value with sorted keys and without white space; numbers are spelt as they were read.
#[must_use]
pub fn canonical_json(json: &RawJson) -> String {
    let mut out = String::with_capacity(json.as_str().len());
    write(&json.to_value(), &mut out);
    out
}

/// The digest of a value, whatever its spelling.
pub(crate) fn digest(value: &Value) -> Digest {
    let mut out = String::new();
    write(value, &mut out);
    Digest::of(out.as_bytes())
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut keys: Vec<&String> = fields.keys().collect();
            keys.sort_unstable();
            out.push('{');
            for (at, key) in keys.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(fields.get(key).unwrap_or(&Value::Null), out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_white_space_do_not_matter() {
        let json = |text: &str| canonical_json(&RawJson::new("test", text).unwrap());
        assert_eq!(
            json("{ \"b\": [1, {\"y\":null,\"x\":\"\\u00e9\"}], \"a\" : true }"),
            r#"{"a":true,"b":[1,{"x":"é","y":null}]}"#
        );
        assert_eq!(json(r#"{"a":1,"b":2}"#), json(r#"{"b":2,"a":1}"#));
        assert_ne!(json("[1,2]"), json("[2,1]"));
    }
}
