//! Requests broken at random: repair always gives one that is clean, and does nothing to what is clean already.

use aura_assembly::{repair, verify};
use aura_core::Provider;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

const PROVIDERS: [Provider; 4] = [
    Provider::Openai,
    Provider::OpenaiResponses,
    Provider::Anthropic,
    Provider::Gemini,
];

fn id() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[abc]", 1 => Just(String::new()), 1 => "\\PC{1,3}"]
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => "[a-z ]{1,6}".prop_map(Value::from),
        2 => "[ \\n]{0,2}".prop_map(Value::from),
        1 => odd(),
    ]
}

/// What has no business anywhere.
fn odd() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!(7)),
        Just(json!([])),
        Just(json!({})),
        Just(json!([[]])),
        Just(json!("x")),
    ]
}

/// An object of these fields, some of which may be missing or odd.
fn object(fields: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(key, value)| {
            prop_oneof![20 => value.prop_map(Some), 1 => Just(None), 1 => odd().prop_map(Some)]
                .prop_map(move |value| value.map(|value| (key.to_owned(), value)))
        })
        .collect();
    fields
        .prop_map(|fields| Value::Object(fields.into_iter().flatten().collect()))
        .boxed()
}

fn choice(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    proptest::sample::select(words)
        .prop_map(Value::from)
        .boxed()
}

fn just(text: &'static str) -> BoxedStrategy<Value> {
    Just(Value::from(text)).boxed()
}

fn list(items: impl Strategy<Value = Value> + 'static, most: usize) -> BoxedStrategy<Value> {
    vec(items, 0..most).prop_map(Value::from).boxed()
}

fn ids() -> BoxedStrategy<Value> {
    id().prop_map(Value::from).boxed()
}

fn anthropic() -> BoxedStrategy<Value> {
    let cache = || choice(&["5m", "1h"]).prop_map(|ttl| json!({"type": "ephemeral", "ttl": ttl}));
    let words = object(vec![("type", just("text")), ("text", text().boxed())]);
    let marked = object(vec![
        ("type", just("text")),
        ("text", text().boxed()),
        ("cache_control", cache().boxed()),
    ]);
    let call = object(vec![
        ("type", choice(&["tool_use", "tool_use", "server_tool_use"])),
        ("id", ids()),
        ("name", choice(&["f", "a.b"])),
        ("input", Just(json!({})).boxed()),
    ]);
    let image = object(vec![("type", choice(&["image", "document"]))]);
    let result = object(vec![
        (
            "type",
            choice(&["tool_result", "tool_result", "web_search_tool_result"]),
        ),
        ("tool_use_id", ids()),
        (
            "content",
            prop_oneof![
                text(),
                list(prop_oneof![words.clone(), image.clone(), call.clone()], 3)
            ]
            .boxed(),
        ),
    ]);
    let thought = object(vec![
        (
            "type",
            choice(&["thinking", "redacted_thinking", "compaction"]),
        ),
        ("thinking", text().boxed()),
        ("signature", text().boxed()),
        ("data", text().boxed()),
        ("content", text().boxed()),
    ]);
    let block = prop_oneof![3 => words.clone(), 1 => marked, 4 => call, 4 => result, 1 => image, 2 => thought];
    let message = object(vec![
        (
            "role",
            choice(&[
                "user",
                "user",
                "assistant",
                "assistant",
                "system",
                "developer",
                "tool",
            ]),
        ),
        (
            "content",
            prop_oneof![1 => text(), 4 => list(block, 4)].boxed(),
        ),
    ]);
    let settings = object(vec![
        (
            "model",
            choice(&[
                "claude-opus-4-5",
                "claude-sonnet-5",
                "claude-opus-5",
                "claude-fable-5-1",
                "x",
            ]),
        ),
        ("system", prop_oneof![text(), list(words, 3)].boxed()),
        ("thinking", Just(json!({"type": "enabled"})).boxed()),
        (
            "tool_choice",
            Just(json!({"type": "tool", "name": "a.b"})).boxed(),
        ),
        (
            "tools",
            list(object(vec![("name", choice(&["f", "a.b"]))]), 3),
        ),
        ("cache_control", cache().boxed()),
    ]);
    body("messages", message, settings)
}

fn chat() -> BoxedStrategy<Value> {
    let function = object(vec![
        ("name", choice(&["f", "a.b"])),
        ("arguments", just("{}")),
    ]);
    let call = object(vec![
        ("id", ids()),
        ("type", choice(&["function", "custom"])),
        ("function", function.clone()),
    ]);
    let part = object(vec![
        ("type", choice(&["text", "image_url", "refusal"])),
        ("text", text().boxed()),
    ]);
    let content = || prop_oneof![3 => text(), 1 => list(part.clone(), 3)].boxed();
    let said = object(vec![
        (
            "role",
            choice(&[
                "system",
                "developer",
                "user",
                "assistant",
                "model",
                "function",
            ]),
        ),
        ("content", content()),
        ("name", choice(&["Ana", "Bo Li", ""])),
    ]);
    let calls = object(vec![
        ("role", just("assistant")),
        ("content", content()),
        ("tool_calls", list(call, 4)),
    ]);
    let result = object(vec![
        ("role", just("tool")),
        ("tool_call_id", ids()),
        ("content", content()),
    ]);
    let tool = object(vec![("type", just("function")), ("function", function)]);
    let settings = object(vec![
        ("tools", list(tool, 3)),
        (
            "tool_choice",
            Just(json!({"type": "function", "function": {"name": "a.b"}})).boxed(),
        ),
    ]);
    body("messages", prop_oneof![said, calls, result], settings)
}

fn responses() -> BoxedStrategy<Value> {
    let part = object(vec![
        ("type", choice(&["input_text", "output_text"])),
        ("text", text().boxed()),
        (
            "prompt_cache_breakpoint",
            Just(json!({"mode": "explicit"})).boxed(),
        ),
    ]);
    let said = object(vec![
        (
            "role",
            choice(&["user", "assistant", "system", "developer", "model"]),
        ),
        ("content", prop_oneof![text(), list(part, 4)].boxed()),
        ("phase", choice(&["commentary", "final_answer", "encore"])),
        ("id", ids()),
    ]);
    let call = object(vec![
        (
            "type",
            choice(&[
                "function_call",
                "function_call",
                "custom_tool_call",
                "shell_call",
            ]),
        ),
        ("call_id", ids()),
        ("name", choice(&["f", "a.b"])),
        ("arguments", just("{}")),
    ]);
    let output = object(vec![
        (
            "type",
            choice(&[
                "function_call_output",
                "function_call_output",
                "custom_tool_call_output",
                "shell_call_output",
            ]),
        ),
        ("call_id", ids()),
        ("output", text().boxed()),
    ]);
    let sealed = object(vec![
        (
            "type",
            choice(&["reasoning", "reasoning", "compaction", "web_search_call"]),
        ),
        ("id", ids()),
        ("summary", list(odd(), 2)),
        ("encrypted_content", text().boxed()),
    ]);
    let settings = object(vec![
        ("store", any::<bool>().prop_map(Value::from).boxed()),
        (
            "tools",
            list(
                object(vec![
                    ("type", just("function")),
                    ("name", choice(&["f", "a.b"])),
                ]),
                3,
            ),
        ),
    ]);
    let known = settings.clone().prop_map(|mut settings| {
        settings["previous_response_id"] = "resp_1".into();
        settings
    });
    body(
        "input",
        prop_oneof![said, call, output, sealed],
        prop_oneof![3 => settings, 1 => known].boxed(),
    )
}

fn gemini() -> BoxedStrategy<Value> {
    let words = object(vec![("text", text().boxed())]);
    let signed = |key: &'static str, function: BoxedStrategy<Value>| {
        object(vec![(key, function), ("thoughtSignature", just("c2ln"))])
    };
    let function = object(vec![
        ("id", ids()),
        ("name", choice(&["f", "a b"])),
        ("args", Just(json!({})).boxed()),
    ]);
    let answer = object(vec![
        ("id", ids()),
        ("name", choice(&["f", "g"])),
        (
            "response",
            prop_oneof![Just(json!({"output": 1})), odd()].boxed(),
        ),
    ]);
    let call = prop_oneof![
        signed("functionCall", function.clone()),
        object(vec![("function_call", function)]),
    ];
    let response = prop_oneof![
        object(vec![("functionResponse", answer.clone())]),
        object(vec![("function_response", answer)]),
    ];
    let content = object(vec![
        (
            "role",
            choice(&[
                "user",
                "user",
                "model",
                "model",
                "assistant",
                "system",
                "tool",
            ]),
        ),
        ("parts", list(prop_oneof![words.clone(), call, response], 4)),
    ]);
    let settings = object(vec![
        ("model", choice(&["gemini-2.5-pro", "models/gemini-3-pro"])),
        (
            "system_instruction",
            object(vec![("parts", list(words, 2))]),
        ),
        ("cachedContent", choice(&["cachedContents/x"])),
        (
            "tools",
            list(
                object(vec![(
                    "functionDeclarations",
                    list(object(vec![("name", choice(&["f", "9", ""]))]), 2),
                )]),
                2,
            ),
        ),
    ]);
    body("contents", content, settings)
}

/// A body of messages and some of the settings.
fn body(
    key: &'static str,
    message: impl Strategy<Value = Value> + 'static,
    settings: BoxedStrategy<Value>,
) -> BoxedStrategy<Value> {
    let messages = vec(prop_oneof![30 => message, 1 => odd()], 0..9);
    (messages, settings, any::<u8>())
        .prop_map(move |(messages, settings, mask)| {
            let mut body = settings;
            let Some(fields) = body.as_object_mut() else {
                unreachable!("settings are an object");
            };
            let mut bit = 0;
            fields.retain(|_, _| {
                bit += 1;
                mask >> (bit - 1) & 1 == 1
            });
            body[key] = Value::from(messages);
            body
        })
        .boxed()
}

/// What must hold of any request. Only tools that are none at all are beyond mending.
fn hold(provider: Provider, body: &Value) -> Result<(), TestCaseError> {
    let text = body.to_string();
    let found = verify(provider, &text).unwrap();
    let mended = repair(provider, &text).unwrap();
    let left = verify(provider, &mended.request).unwrap();
    prop_assert_eq!(&left, &[], "{} became {}", text, mended.request);
    prop_assert_eq!(found.is_empty(), mended.repairs.is_empty());
    if found.is_empty() {
        prop_assert_eq!(&mended.request, &text);
    }
    let resort = mended.repairs.iter().any(|repair| {
        repair.did.contains("could not be mended") && !repair.path.starts_with("/tools")
    });
    prop_assert!(
        !resort,
        "{} became {}: {:?}",
        text,
        mended.request,
        mended.repairs
    );
    let again = repair(provider, &mended.request).unwrap();
    prop_assert_eq!(again.request, mended.request);
    prop_assert!(again.repairs.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: crate::cases(1_000), ..ProptestConfig::default() })]

    #[test]
    fn broken_chat_requests_are_mended(body in chat()) {
        hold(PROVIDERS[0], &body)?;
    }

    #[test]
    fn broken_responses_requests_are_mended(body in responses()) {
        hold(PROVIDERS[1], &body)?;
    }

    #[test]
    fn broken_anthropic_requests_are_mended(body in anthropic()) {
        hold(PROVIDERS[2], &body)?;
    }

    #[test]
    fn broken_gemini_requests_are_mended(body in gemini()) {
        hold(PROVIDERS[3], &body)?;
    }
}
