//! The tool calls of a line, in the two shapes in use.

use aura::{CallId, RawJson, ToolCall};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::refusal::Refusal;

/// Either shape: `{"id","type":"function","function":{"name","arguments"}}` or `{"id","name","arguments"}`.
#[derive(Deserialize)]
struct Form<'a> {
    #[serde(default)]
    id: Option<String>,
    #[serde(default, borrow)]
    function: Option<Function<'a>>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, borrow)]
    arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(default)]
    name: Option<String>,
    #[serde(default, borrow)]
    arguments: Option<&'a RawValue>,
}

/// Reads the field `tool_calls`.
pub(crate) fn parse(line: u64, raw: &RawValue) -> Result<Vec<ToolCall>, Refusal> {
    let refuse = |field: String, reason: &str| Refusal::of_field(line, field, reason);
    let forms: Vec<Form<'_>> = serde_json::from_str(raw.get())
        .map_err(|_| refuse("tool_calls".to_owned(), "must be a list of tool calls"))?;
    let mut calls: Vec<ToolCall> = Vec::with_capacity(forms.len());
    for (at, form) in forms.into_iter().enumerate() {
        let (inner, name, arguments) = match form.function {
            Some(function) => (".function", function.name, function.arguments),
            None => ("", form.name, form.arguments),
        };
        let field = |name: &str| format!("tool_calls[{at}]{name}");
        let id = form.id.ok_or_else(|| refuse(field(".id"), "is missing"))?;
        let call_id = CallId::new(&id).map_err(|error| named(line, field(".id"), &error))?;
        if calls.iter().any(|call| call.call_id == call_id) {
            return Err(refuse(
                field(".id"),
                "is the id of another call of this message",
            ));
        }
        let name = name
            .filter(|name| !name.is_empty())
            .ok_or_else(|| refuse(field(&format!("{inner}.name")), "is missing"))?;
        let arguments = json(arguments).ok_or_else(|| {
            refuse(
                field(&format!("{inner}.arguments")),
                "must be JSON, or a text that holds JSON",
            )
        })?;
        calls.push(ToolCall {
            call_id,
            name,
            arguments,
        });
    }
    Ok(calls)
}

/// Arguments are JSON, or a text that holds JSON; none at all, or an empty text, mean `{}`.
fn json(arguments: Option<&RawValue>) -> Option<RawJson> {
    let raw = arguments.map_or("{}", RawValue::get);
    if !raw.starts_with('"') {
        return RawJson::new("tool call", raw).ok();
    }
    let text: String = serde_json::from_str(raw).ok()?;
    let text = if text.trim().is_empty() {
        "{}"
    } else {
        text.trim()
    };
    RawJson::new("tool call", text).ok()
}

fn named(line: u64, field: String, error: &aura::Error) -> Refusal {
    Refusal {
        field: Some(field),
        ..Refusal::of_error(line, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<ToolCall>, Refusal> {
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        parse(7, raw)
    }

    #[test]
    fn both_shapes_give_the_same_call() {
        let nested =
            r#"[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1.0}"}}]"#;
        let plain = r#"[{"id":"c1","name":"f","arguments":{"a":1.0}}]"#;
        assert_eq!(read(nested).unwrap(), read(plain).unwrap());
        let call = read(nested).unwrap().remove(0);
        assert_eq!(
            (call.name.as_str(), call.arguments.as_str()),
            ("f", r#"{"a":1.0}"#)
        );
    }

    #[test]
    fn no_arguments_are_an_empty_object() {
        for text in [
            r#"[{"id":"c","name":"f"}]"#,
            r#"[{"id":"c","name":"f","arguments":null}]"#,
            r#"[{"id":"c","function":{"name":"f","arguments":""}}]"#,
        ] {
            let arguments = read(text).unwrap().remove(0).arguments;
            assert_eq!(arguments.as_str(), "{}", "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, field) in [
            (r#"{}"#, "tool_calls"),
            (r#"[{"name":"f"}]"#, "tool_calls[0].id"),
            (r#"[{"id":"","name":"f"}]"#, "tool_calls[0].id"),
            (r#"[{"id":"c"}]"#, "tool_calls[0].name"),
            (
                r#"[{"id":"c","function":{}}]"#,
                "tool_calls[0].function.name",
            ),
            (
                r#"[{"id":"c","name":"f"},{"id":"c","name":"g"}]"#,
                "tool_calls[1].id",
            ),
            (
                r#"[{"id":"c","function":{"name":"f","arguments":"{a"}}]"#,
                "tool_calls[0].function.arguments",
            ),
        ] {
            let refusal = read(text).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some(field), "{text}");
            assert_eq!(refusal.line, 7);
        }
    }
}
