//! The fields of one line, unparsed.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::refusal::Refusal;

/// A JSON object whose values are left as the text they are, so that what is kept beside a message keeps every byte.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    line: u64,
    fields: Vec<(String, &'a RawValue)>,
}

impl<'a> Fields<'a> {
    /// Reads the object on line `line`.
    pub(crate) fn parse(line: u64, text: &'a str) -> Result<Self, Refusal> {
        let map: Map<'a> =
            serde_json::from_str(text).map_err(|error| Refusal::of_line(line, describe(&error)))?;
        Ok(Self {
            line,
            fields: map.0,
        })
    }

    /// Takes a text field out; `null` is as good as absent.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Refusal> {
        let Some(raw) = self.raw(name) else {
            return Ok(None);
        };
        serde_json::from_str(raw.get())
            .map(Some)
            .map_err(|_| self.refuse(name, "must be a JSON string"))
    }

    /// Takes a text field out that must be there.
    pub(crate) fn needed_text(&mut self, name: &'static str) -> Result<String, Refusal> {
        self.text(name)?
            .ok_or_else(|| self.refuse(name, "is missing"))
    }

    /// Takes a field out, unless it is `null` or absent.
    pub(crate) fn raw(&mut self, name: &'static str) -> Option<&'a RawValue> {
        let at = self.fields.iter().position(|(key, _)| key == name)?;
        let (_, raw) = self.fields.remove(at);
        (raw.get() != "null").then_some(raw)
    }

    /// A refusal of this line for a field.
    pub(crate) fn refuse(&self, field: impl Into<String>, reason: impl Into<String>) -> Refusal {
        Refusal::of_field(self.line, field, reason)
    }

    /// What has not been taken out, as a JSON object that begins with the message's id.
    pub(crate) fn rest(self, message_id: &str) -> String {
        let mut json = String::from("{\"message_id\":");
        push_text(&mut json, message_id);
        for (key, raw) in self.fields {
            json.push(',');
            push_text(&mut json, &key);
            json.push(':');
            json.push_str(raw.get());
        }
        json.push('}');
        json
    }
}

fn push_text(json: &mut String, text: &str) {
    json.push_str(&serde_json::Value::from(text).to_string());
}

/// serde's words without values, which may be text of the conversation.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // "at line 1" is the place within the one line that was given, and would mislead beside its number in the file.
    let (text, column) = match text.rsplit_once(" at line ") {
        Some((text, place)) => (text, place.split_once(" column ").map(|(_, column)| column)),
        None => (text.as_str(), None),
    };
    match column {
        _ if text.starts_with("invalid type") => "is not a JSON object".to_owned(),
        _ if text.starts_with("the field") => text.to_owned(),
        Some(column) => format!("is not JSON: {text} at column {column}"),
        None => format!("is not JSON: {text}"),
    }
}

struct Map<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Map<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Map<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields: Vec<(String, &'de RawValue)> = Vec::with_capacity(12);
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if fields.iter().any(|(known, _)| *known == key) {
                        return Err(A::Error::custom(format_args!(
                            "the field `{key}` is given twice"
                        )));
                    }
                    fields.push((key, value));
                }
                Ok(Map(fields))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
