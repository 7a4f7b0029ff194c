//! What a model answered: the operations that can be made out, whatever stands around them or was cut off.

use serde_json::Value;

/// Bytes of a statement at most.
const LONGEST: usize = 1_024;
/// Operations taken of one answer at most.
const MOST: usize = 64;

/// A change that a model proposes; facts are named by their number in the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operation {
    Add { text: String, subject: String },
    Revise { fact: usize, text: String },
    Invalidate { fact: usize },
}

/// The operations of an answer; `None`, when it has none and does not say so.
pub(super) fn parse(answer: &str) -> Option<Vec<Operation>> {
    let found: Vec<Operation> = objects(answer)
        .filter_map(|object| serde_json::from_str::<Value>(object).ok())
        .filter_map(|object| operation(&object))
        .take(MOST)
        .collect();
    let says_none = || {
        let bare: String = answer.chars().filter(|c| !c.is_whitespace()).collect();
        bare.contains("\"operations\":[]") || bare == "[]"
    };
    (!found.is_empty() || says_none()).then_some(found)
}

/// The innermost objects of a text, each from its brace to the one that closes it; strings may hold braces.
fn objects(text: &str) -> impl Iterator<Item = &str> {
    let mut open: Option<usize> = None;
    let mut in_string = false;
    let mut escaped = false;
    text.char_indices().filter_map(move |(at, c)| {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            return None;
        }
        match c {
            // Outside of an object a quotation mark is prose.
            '"' if open.is_some() => in_string = true,
            '{' => open = Some(at),
            '}' => return text.get(open.take()?..=at),
            _ => {}
        }
        None
    })
}

fn operation(object: &Value) -> Option<Operation> {
    let text = |name: &str| {
        let text = object.get(name)?.as_str()?.trim();
        (!text.is_empty() && text.len() <= LONGEST).then(|| text.to_owned())
    };
    let fact = || {
        let number = object.get("fact").or_else(|| object.get("id"))?;
        let number = number
            .as_u64()
            .or_else(|| number.as_str()?.trim().parse().ok())?;
        usize::try_from(number).ok()
    };
    let op = object.get("op").or_else(|| object.get("operation"))?;
    match op.as_str()?.to_lowercase().as_str() {
        "add" | "new" => Some(Operation::Add {
            text: text("text")?,
            subject: text("subject").unwrap_or_else(|| "model/statement".to_owned()),
        }),
        "revise" | "update" => Some(Operation::Revise {
            fact: fact()?,
            text: text("text")?,
        }),
        "invalidate" | "delete" | "remove" => Some(Operation::Invalidate { fact: fact()? }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(text: &str) -> Operation {
        Operation::Add {
            text: text.to_owned(),
            subject: "s".to_owned(),
        }
    }

    #[test]
    fn what_can_be_made_out_is_taken() {
        let one = r#"{"op":"add","text":"Lives in {Oslo}","subject":"s"}"#;
        let oslo = add("Lives in {Oslo}");
        for answer in [
            format!(r#"{{"operations":[{one}]}}"#),
            format!("[{one}]"),
            format!(
                "Sure! Here \"it\" is:\n```json\n{{\"operations\": [{one},]}}\n```\nAnything else?"
            ),
            format!(r#"{{"operations":[{one},{{"op":"add","text":"Has a c"#),
            format!(
                r#"{one}{{"op":"fly","text":"x"}}{{"op":"add"}}{{"op":"revise","fact":-1,"text":"x"}}"#
            ),
        ] {
            assert_eq!(parse(&answer), Some(vec![oslo.clone()]), "{answer}");
        }
        let answer =
            r#"{"op":"invalidate","fact":"7"} {"operation":"UPDATE","id":2,"text":" more "}"#;
        let expected = vec![
            Operation::Invalidate { fact: 7 },
            Operation::Revise {
                fact: 2,
                text: "more".to_owned(),
            },
        ];
        assert_eq!(parse(answer), Some(expected));
    }

    #[test]
    fn nothing_and_nonsense_differ() {
        for nothing in [
            r#"{"operations": []}"#,
            "[]",
            "```\n{ \"operations\" : [ ] }\n```",
        ] {
            assert_eq!(parse(nothing), Some(Vec::new()));
        }
        for nonsense in [
            "",
            "I cannot do that.",
            "{\"operations\":",
            "{}",
            "}{",
            "\"{\"",
        ] {
            assert_eq!(parse(nonsense), None, "{nonsense}");
        }
    }
}
