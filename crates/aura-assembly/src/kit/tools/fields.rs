//! The words of a definition, field by field.

use aura_core::RawJson;
use serde_json::Value;

/// How deep a schema is read: deeper parameters say little of what a tool is for.
const DEEPEST: usize = 4;

/// How many parameters are read: some servers list hundreds.
const MOST: usize = 64;

/// The names and descriptions of the parameters in a schema.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// Their names, one a line.
    pub(super) names: String,
    /// What is said of them, one a line.
    pub(super) texts: String,
    count: usize,
}

impl Parameters {
    /// Those of a JSON Schema.
    pub(super) fn of(schema: &RawJson) -> Self {
        let mut out = Self::default();
        out.read(&schema.to_value(), 0);
        out
    }

    fn read(&mut self, schema: &Value, depth: usize) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return;
        };
        if depth > DEEPEST {
            return;
        }
        for (name, property) in properties {
            if self.count >= MOST {
                return;
            }
            self.count += 1;
            self.names.push_str(name);
            self.names.push('\n');
            if let Some(text) = property.get("description").and_then(Value::as_str) {
                self.texts.push_str(text);
                self.texts.push('\n');
            }
            self.read(property, depth + 1);
            if let Some(items) = property.get("items") {
                self.read(items, depth + 1);
            }
        }
    }
}

/// Writes an identifier in words: `getStock_price` as `get stock price`.
pub(super) fn words(identifier: &str, out: &mut String) {
    let mut before: Option<char> = None;
    for c in identifier.chars() {
        let turns = before.is_some_and(|before| before.is_lowercase() && c.is_uppercase());
        if !c.is_alphanumeric() {
            out.push(' ');
        } else {
            if turns {
                out.push(' ');
            }
            out.extend(c.to_lowercase());
        }
        before = Some(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_become_words() {
        let say = |name: &str| {
            let mut out = String::new();
            words(name, &mut out);
            out
        };
        assert_eq!(say("getStock_price"), "get stock price");
        assert_eq!(say("trends-hub.rank2"), "trends hub rank2");
    }

    #[test]
    fn parameters_are_found_inside_lists_and_objects() {
        let schema = r#"{"type":"object","properties":{"to":{"description":"who"},
            "lines":{"type":"array","items":{"properties":{"text":{"description":"what"}}}},"odd":true}}"#;
        let found = Parameters::of(&RawJson::new("test", schema).unwrap());
        let mut names: Vec<&str> = found.names.lines().collect();
        names.sort_unstable();
        assert_eq!(names, ["lines", "odd", "text", "to"]);
        assert!(found.texts.contains("who") && found.texts.contains("what"));
    }
}
