//! Random sessions: tool calls in any state, long parts, all scripts, several speakers.

use aura_core::{
    ArtifactHandle, CallId, Digest, HANDLE_DIGITS, LargePart, Message, Part, RawJson,
    ResultContent, Role, TenantId, ToolCall, ToolResult, Trust,
};
use proptest::collection::vec;
use proptest::prelude::*;

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
}

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
