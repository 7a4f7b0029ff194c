//! JSON made smaller: its shape stays, and where something is missing stands how much.
//!
//! - in the place of array items: `{"$elided_items": n}`;
//! - beside an object's fields: `"$elided_fields": n`;
//! - inside a string: `head…[n characters]…tail`;
//! - at the top: `"$whole"` with the address of the whole.

use aura_core::{Result, TokenCounter};
use serde_json::{Map, Value};

use super::fit::{clip, ends, largest};

/// The mark of missing items.
pub(super) const ITEMS: &str = "$elided_items";
/// The mark of missing fields.
pub(super) const FIELDS: &str = "$elided_fields";
/// Where the whole is.
pub(super) const WHOLE: &str = "$whole";

/// Graphemes of a string for each item that is kept of an array.
const TEXT: usize = 12;
/// Fields of an object for each item that is kept of an array.
const WIDTH: usize = 6;

/// The largest form that fits; `None` where none does or the text is no JSON after all.
pub(super) fn shorter(
    text: &str,
    limit: u32,
    address: &str,
    counter: &dyn TokenCounter,
) -> Result<Option<String>> {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return Ok(None);
    };
    largest(limit, text.len(), counter, |size| {
        let kept = keep(&value, size, size.saturating_mul(2).min(DEEPEST));
        addressed(kept, address).to_string()
    })
}

/// Deeper than this nothing is nested that was read.
const DEEPEST: usize = 128;

/// What is kept of a value when arrays keep `size` items; below `depth` levels containers are only counted.
fn keep(value: &Value, size: usize, depth: usize) -> Value {
    match value {
        Value::Array(items) => {
            let (head, tail) = match depth {
                0 => (0, 0),
                _ => ends(size),
            };
            let missing = items.len().saturating_sub(head + tail);
            let within = |item: &Value| keep(item, size, depth.saturating_sub(1));
            if missing == 0 {
                return items.iter().map(within).collect();
            }
            let mut out: Vec<Value> = items.iter().take(head).map(within).collect();
            out.push(mark(ITEMS, missing));
            out.extend(items.iter().skip(items.len() - tail).map(within));
            Value::Array(out)
        }
        Value::Object(fields) => {
            let most = match depth {
                0 => 0,
                _ => size.saturating_mul(WIDTH),
            };
            let kept = fields.iter().take(most);
            let mut out: Map<String, Value> = kept
                .map(|(key, value)| (key.clone(), keep(value, size, depth.saturating_sub(1))))
                .collect();
            let missing = fields.len().saturating_sub(most);
            if missing > 0 {
                out.insert(free(FIELDS, &out), Value::from(missing));
            }
            Value::Object(out)
        }
        Value::String(text) => {
            let (head, tail) = ends(size.saturating_mul(TEXT));
            match clip(text, head, tail) {
                Some((head, missing, tail)) => {
                    Value::from(format!("{head}…[{missing} characters]…{tail}"))
                }
                None => value.clone(),
            }
        }
        plain => plain.clone(),
    }
}

fn mark(key: &str, missing: usize) -> Value {
    let mut out = Map::new();
    out.insert(key.to_owned(), Value::from(missing));
    Value::Object(out)
}

/// The key, longer where the object has it already.
fn free(key: &str, fields: &Map<String, Value>) -> String {
    let mut key = key.to_owned();
    while fields.contains_key(&key) {
        key.push('_');
    }
    key
}

/// The value with the address of the whole.
fn addressed(value: Value, address: &str) -> Value {
    match value {
        Value::Object(mut fields) => {
            fields.insert(free(WHOLE, &fields), Value::from(address));
            Value::Object(fields)
        }
        Value::Array(mut items) => {
            let mut note = Map::new();
            note.insert(WHOLE.to_owned(), Value::from(address));
            items.push(Value::Object(note));
            Value::Array(items)
        }
        Value::String(text) => Value::from(format!("{text} [whole: {address}]")),
        plain => plain,
    }
}

#[cfg(test)]
mod tests;
