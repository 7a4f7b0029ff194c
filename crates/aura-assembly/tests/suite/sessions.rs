//! Random sessions: tool calls in any state, long parts, all scripts, several speakers.

use aura_core::{
    ArtifactHandle, CallId, Digest, HANDLE_DIGITS, LargePart, Media, MediaSource, Message,
    NativeForm, Opaque, Part, RawJson, ResultContent, Role, TenantId, ToolCall, ToolResult, Trust,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::World;

/// Parts from this many bytes on are kept as artifacts; smaller than in the store, so that tests meet many.
const LARGE: usize = 600;

pub fn large_parts(message: &Message) -> Vec<LargePart> {
    let parts = message.parts.iter().enumerate();
    let large = parts.filter(|(_, part)| part.plain_text().is_some_and(|text| text.len() > LARGE));
    large
        .map(|(at, part)| LargePart {
            part: u32::try_from(at).unwrap(),
            handle: ArtifactHandle {
                tenant: TenantId::default(),
                name: "large".into(),
                version: 1,
                digest: Digest::of(part.plain_text().unwrap().as_bytes()).prefix(HANDLE_DIGITS),
            },
        })
        .collect()
}

pub fn call(id: &str, name: &str) -> Part {
    Part::ToolCall(ToolCall {
        call_id: CallId::new(id).unwrap(),
        name: name.into(),
        arguments: RawJson::new("arguments", r#"{"q": [1, 2.0]}"#).unwrap(),
    })
}

pub fn result(id: &str, text: &str) -> Message {
    let mut message = Message::text(Role::Tool, "");
    message.parts = vec![Part::ToolResult(ToolResult {
        call_id: CallId::new(id).unwrap(),
        tool: Some("find".into()),
        output_schema: None,
        trust: Trust::Untrusted,
        is_error: false,
        content: ResultContent::Text(text.into()),
    })];
    message
}

/// A call whose name, arguments and id some providers refuse.
fn odd_call(id: &str) -> Part {
    Part::ToolCall(ToolCall {
        call_id: CallId::new(id).unwrap(),
        name: "files/read all".into(),
        arguments: RawJson::new(
            "arguments",
            if id.len().is_multiple_of(2) {
                "null"
            } else {
                "[1]"
            },
        )
        .unwrap(),
    })
}

fn media(uri: &str, mime: &str) -> Part {
    Part::Media(Media {
        mime: mime.into(),
        source: MediaSource::Uri(uri.into()),
    })
}

/// The message in the form of a provider, with what only that provider understands: sealed reasoning, tools of its own.
pub fn with_native(mut message: Message, format: &str) -> Message {
    let assistant = message.role == Role::Assistant;
    let mut list: Vec<Value> = Vec::new();
    match format {
        "anthropic" if assistant => {
            list.push(
                json!({"type": "thinking", "thinking": "Hm, let me see.", "signature": "c2ln"}),
            );
        }
        "openai-responses" if assistant => {
            list.push(json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "eHh4"}));
        }
        _ => {}
    }
    let role = message.role.as_str();
    for part in &message.parts {
        list.push(match (part, format) {
            (Part::Text { text }, "anthropic") if text.trim().is_empty() => continue,
            (Part::Text { text }, "gemini") if text.is_empty() => continue,
            (Part::Text { text }, "anthropic") => json!({"type": "text", "text": text}),
            (Part::Text { text }, "gemini") => json!({"text": text}),
            (Part::Text { text }, _) => json!({"type": "message", "role": role, "content": text}),
            (Part::ToolCall(call), "anthropic") => json!({
                "type": "tool_use", "id": call.call_id, "name": call.name, "input": call.arguments,
            }),
            (Part::ToolCall(call), "gemini") => json!({
                "functionCall": {"name": call.name, "args": call.arguments}, "thoughtSignature": "c2ln",
            }),
            (Part::ToolCall(call), _) => json!({
                "type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments.as_str(),
            }),
            (Part::ToolResult(result), "anthropic") => {
                json!({"type": "tool_result", "tool_use_id": result.call_id})
            }
            (Part::ToolResult(result), "gemini") => {
                json!({"functionResponse": {"name": result.tool, "response": {"output": "x"}}})
            }
            (Part::ToolResult(result), _) => {
                json!({"type": "function_call_output", "call_id": result.call_id, "output": "x"})
            }
            _ => continue,
        });
    }
    let json = match format {
        "anthropic" => {
            json!({"role": if assistant { "assistant" } else { "user" }, "content": list})
        }
        "gemini" => json!({"role": if assistant { "model" } else { "user" }, "parts": list}),
        "openai-responses" => json!(list),
        _ => json!({"role": role, "content": message.plain_text()}),
    };
    message.native = Some(NativeForm {
        format: format.into(),
        json: RawJson::of(&json).unwrap(),
    });
    message
}

/// Several results in one message, as Anthropic and Gemini have them.
fn results(ids: &[&str], text: &str, failed: bool) -> Message {
    let mut message = Message::text(Role::User, "");
    message.parts.clear();
    for id in ids {
        let mut one = result(id, text).parts;
        if let Some(Part::ToolResult(result)) = one.first_mut() {
            result.is_error = failed;
        }
        message.parts.append(&mut one);
    }
    message
}

pub fn calling(text: &str, ids: &[&str]) -> Message {
    let mut message = Message::assistant(text);
    if text.is_empty() {
        message.parts.clear();
    }
    message.parts.extend(ids.iter().map(|id| call(id, "find")));
    message
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z]{2,8}( [a-z]{2,8}){0,12}[.?!]?",
        2 => "(cats|Oslo|budget|deadline|piano|garden)( (cats|Oslo|budget|deadline|piano|garden)){0,5}",
        1 => "[\u{4e00}-\u{4e40}]{1,20}",
        1 => "[а-я]{2,9}( [а-я]{2,9}){0,6}",
        1 => "[\u{0600}-\u{0640}]{1,12}",
        1 => "(👍|🏽|é|\u{200d}|\u{300}|ß){1,6}",
        1 => "\\PC{0,40}",
        1 => "( |\n|\t|\r|/|<context-0 |</context-0>|\\[2024-05-03 10:00\\] user: ){1,6}[a-z]{0,6}",
        1 => "([a-z]{3,9} ){120,260}",
    ]
}

/// What may stand in a turn beside its question.
#[derive(Debug, Clone)]
enum Step {
    Say(String),
    Call {
        text: String,
        count: usize,
        answered: usize,
        late: bool,
        outputs: Vec<String>,
    },
    Stray(String),
    User(String),
    System(String),
    /// A picture that a tool or the user shows.
    Picture(bool),
    /// Calls that are answered in one message, in the form of a provider.
    Native(&'static str, String, usize),
    /// A call that uses an id again, and its failure.
    Odd(&'static str),
    /// Parts that only one provider understands.
    Opaque(&'static str, &'static str),
}

const FORMATS: [&str; 4] = ["anthropic", "openai-responses", "gemini", "openai"];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let call = (
        words(),
        1..4_usize,
        0..4_usize,
        any::<bool>(),
        vec(words(), 4),
    );
    let step = prop_oneof![
        4 => words().prop_map(Step::Say),
        3 => call.prop_map(|(text, count, answered, late, outputs)| Step::Call {
            text: if text.len() % 2 == 0 { String::new() } else { text },
            count, answered, late, outputs
        }),
        1 => words().prop_map(Step::Stray),
        1 => words().prop_map(Step::User),
        1 => words().prop_map(Step::System),
        1 => any::<bool>().prop_map(Step::Picture),
        3 => (proptest::sample::select(&FORMATS[..]), words(), 0..4_usize)
            .prop_map(|(format, text, count)| Step::Native(format, text, count)),
        1 => proptest::sample::select(vec!["again", "call 1", "\u{e9}", "a.b"]).prop_map(Step::Odd),
        1 => proptest::sample::select(vec![
            ("anthropic", r#"{"type":"thinking","thinking":"Hm.","signature":"c2ln"}"#),
            ("anthropic", r#"{"type":"thinking","thinking":"Unsigned."}"#),
            ("openai-responses", r#"{"type":"web_search_call","id":"ws_1","status":"completed"}"#),
            ("gemini", r#"{"text":"Hm.","thought":true}"#),
            ("langgraph", "[7]"),
        ])
        .prop_map(|(provider, json)| Step::Opaque(provider, json)),
    ];
    vec(step, 0..4)
}

fn messages(question: String, speaker: u8, steps: Vec<Step>, turn: usize) -> Vec<Message> {
    let mut first = Message::user(question);
    if !speaker.is_multiple_of(3) {
        first = first.with_name(if speaker % 3 == 1 { "Ana" } else { "Bo Li <x>" });
    }
    let mut out = vec![first];
    for (at, step) in steps.into_iter().enumerate() {
        match step {
            Step::Say(text) => out.push(Message::assistant(text)),
            Step::User(text) => out.push(Message::user(text)),
            Step::Stray(text) => out.push(result("stray", &text)),
            Step::System(text) => out.push(Message::text(Role::System, text)),
            Step::Picture(by_tool) => {
                let picture = media("https://example.org/x.png", "image/png");
                if by_tool {
                    let id = format!("p{turn}-{at}");
                    out.push(calling("", &[&id]));
                    let mut shown = result(&id, "Here.");
                    shown.parts.push(picture);
                    shown
                        .parts
                        .push(media("data:video/mp4;base64,AAAA", "video/mp4"));
                    out.push(shown);
                } else {
                    let mut asked = Message::user("");
                    asked.parts = vec![picture];
                    out.push(asked);
                }
            }
            Step::Native(format, text, count) => {
                let ids: Vec<String> = (0..count).map(|n| format!("n{turn}-{at}-{n}")).collect();
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                out.push(with_native(calling(&text, &ids), format));
                if count > 0 {
                    out.push(with_native(results(&ids, &text, false), format));
                }
            }
            Step::Odd(id) => {
                let mut call = Message::assistant(" ");
                call.parts.push(odd_call(id));
                out.push(call);
                out.push(results(&[id], "no such file", true));
            }
            Step::Opaque(provider, json) => {
                let mut message = Message::assistant("Well.").with_name("researcher");
                let opaque = Opaque {
                    provider: provider.into(),
                    json: RawJson::new("opaque", json).unwrap(),
                };
                message.parts.insert(0, Part::Opaque(opaque));
                out.push(message);
            }
            Step::Call {
                text,
                count,
                answered,
                late,
                outputs,
            } => {
                let ids: Vec<String> = (0..count).map(|n| format!("c{turn}-{at}-{n}")).collect();
                let names: Vec<&str> = ids.iter().map(String::as_str).collect();
                out.push(calling(&text, &names));
                if late {
                    out.push(Message::assistant("One moment."));
                }
                let answers = names.iter().zip(outputs).take(answered);
                let mut answers: Vec<Message> =
                    answers.map(|(id, output)| result(id, &output)).collect();
                if late {
                    answers.reverse();
                }
                out.extend(answers);
            }
        }
    }
    out
}

fn turn() -> impl Strategy<Value = (String, u8, Vec<Step>)> {
    (words(), any::<u8>(), steps())
}

/// A random session, with facts about some of its messages and perhaps an open turn.
pub fn world() -> impl Strategy<Value = World> {
    let facts = vec(
        (any::<prop::sample::Index>(), any::<bool>(), any::<bool>()),
        0..12,
    );
    (vec(turn(), 0..14), proptest::option::of(turn()), facts).prop_map(|(turns, open, facts)| {
        let mut world = World::new();
        let mut events = Vec::new();
        for (at, (question, speaker, steps)) in turns.into_iter().enumerate() {
            events.extend(world.say(messages(question, speaker, steps, at)));
        }
        if let Some((question, speaker, steps)) = open {
            world.begin(messages(question, speaker, steps, 99));
        }
        if events.is_empty() {
            return world;
        }
        for (n, (source, ended, replaced)) in facts.into_iter().enumerate() {
            let source = *source.get(&events);
            let old = world.fact(
                &format!("f{n}"),
                &format!("fact number {n} about cats"),
                &[source],
            );
            if ended {
                let last = *events.last().unwrap();
                let new = replaced.then(|| {
                    world.fact(
                        &format!("g{n}"),
                        &format!("newer fact {n} about cats"),
                        &[last],
                    )
                });
                world.supersede(old, new);
            }
        }
        world
    })
}
