//! What holds for every session: random turns, branches, failures, budgets and modes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use aura_core::{
    CallId, CompiledContext, ContextPolicy, Message, Part, PolicyMode, PrefixMode, Principal,
    Provider, RawJson, RecallForm, ResultContent, Role, Section, ToolCall, ToolResult, Trust,
    TurnId, TurnStatus,
};
use aura_engine::{ContextRequest, Engine, RecordRequest};
use aura_storage::MemoryStorage;
use proptest::prelude::*;

use crate::setup::{self, session, turn_id};

#[derive(Debug, Clone)]
enum Step {
    Record {
        words: Vec<usize>,
        status: TurnStatus,
        tools: u8,
    },
    Extend {
        words: Vec<usize>,
    },
    Finish {
        complete: bool,
    },
    Rewind {
        to: prop::sample::Index,
    },
    Build {
        words: Vec<usize>,
        budget: u32,
        mode: PolicyMode,
        recency: u32,
        provider: Provider,
        messages: bool,
        append: bool,
    },
}

const WORDS: [&str; 20] = [
    "harbour",
    "the",
    "vermilion",
    "I live in Oslo.",
    "I just moved to Berlin.",
    "\n",
    "船は赤い",
    "Привет",
    "مرحبا",
    "👩‍👩‍👧",
    "\0",
    "</context-0>",
    "budget",
    "is",
    "42",
    "e\u{301}cole",
    "ไทยแลนด์",
    "<|endoftext|>",
    "    ",
    "the the the the the the the the",
];

fn words() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..WORDS.len(), 1..30)
}

fn step() -> impl Strategy<Value = Step> {
    let status = prop_oneof![
        5 => Just(TurnStatus::Complete),
        1 => Just(TurnStatus::Failed),
        1 => Just(TurnStatus::Open)
    ];
    let mode = prop_oneof![
        3 => Just(PolicyMode::PrioritySelective),
        1 => Just(PolicyMode::FullHistory),
        1 => Just(PolicyMode::Windowed),
        1 => Just(PolicyMode::WindowSummary)
    ];
    let provider = prop::sample::select(vec![
        Provider::Generic,
        Provider::Openai,
        Provider::OpenaiResponses,
        Provider::Anthropic,
        Provider::Gemini,
    ]);
    let budget = prop_oneof![1 => 1_u32..60, 2 => 60_u32..400, 1 => 400_u32..5000];
    prop_oneof![
        6 => (words(), status, 0_u8..3).prop_map(|(words, status, tools)| Step::Record { words, status, tools }),
        1 => words().prop_map(|words| Step::Extend { words }),
        1 => any::<bool>().prop_map(|complete| Step::Finish { complete }),
        1 => any::<prop::sample::Index>().prop_map(|to| Step::Rewind { to }),
        4 => (words(), budget, mode, 0_u32..4, provider, any::<bool>(), any::<bool>()).prop_map(
            |(words, budget, mode, recency, provider, messages, append)| Step::Build { words, budget, mode, recency, provider, messages, append }
        ),
    ]
}

fn text(words: &[usize]) -> String {
    words
        .iter()
        .map(|at| WORDS[*at])
        .collect::<Vec<_>>()
        .join(" ")
}

fn messages(words: &[usize], tools: u8) -> Vec<Message> {
    let mut messages = vec![Message::user(text(words))];
    if tools > 0 {
        let id = |at: u8| CallId::new(format!("c{at}")).unwrap();
        let calls = (0..tools).map(|at| {
            let arguments = RawJson::new("test", r#"{"q": "x"}"#).unwrap();
            Part::ToolCall(ToolCall {
                call_id: id(at),
                name: "look".into(),
                arguments,
            })
        });
        messages.push(Message {
            parts: calls.collect(),
            ..Message::assistant("")
        });
        for at in 0..tools {
            let result = ToolResult {
                call_id: id(at),
                tool: Some("look".into()),
                output_schema: None,
                trust: Trust::Untrusted,
                is_error: false,
                content: ResultContent::Text(text(words)),
            };
            messages.push(Message {
                role: Role::Tool,
                parts: vec![Part::ToolResult(result)],
                ..Message::user("")
            });
        }
    }
    messages.push(Message::assistant(text(&words[..words.len() / 2])));
    messages
}

/// What the session should be, kept beside it.
#[derive(Default)]
struct Model {
    turns: Vec<(TurnId, TurnStatus, Option<usize>, Vec<Message>)>,
    head: Option<usize>,
    open: Option<usize>,
    events: BTreeMap<u64, usize>,
}

impl Model {
    fn visible(&self) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut at = self.head;
        while let Some(index) = at {
            if self.turns[index].1 == TurnStatus::Complete {
                seen.insert(index);
            }
            at = self.turns[index].2;
        }
        seen
    }
}

fn check(context: &CompiledContext, model: &Model, question: &str) {
    let manifest = &context.manifest;
    let totals = &manifest.totals;
    match manifest.over_budget {
        None => assert!(totals.tokens <= totals.budget),
        Some(over) => assert_eq!(totals.tokens, totals.budget + over),
    }
    let last = context.messages.last().unwrap();
    assert_eq!(last.section, Section::Question);
    // Some providers refuse a text of white space.
    let refused = question.trim().is_empty() && last.content == "[empty]";
    assert!(last.content == question || refused, "{}", last.content);
    let visible = model.visible();
    let mut shown = BTreeSet::new();
    for event in context.messages.iter().flat_map(|message| &message.events) {
        assert!(shown.insert(event.0), "event {event} is shown twice");
        assert!(
            visible.contains(&model.events[&event.0]),
            "event {event} is not visible"
        );
    }
    let mut open: BTreeSet<CallId> = BTreeSet::new();
    for message in &context.messages {
        match &message.tool_call_id {
            Some(id) => assert!(open.remove(id), "an orphan result"),
            None => assert!(open.is_empty(), "a call without its result"),
        }
        open.extend(message.tool_calls.iter().map(|call| call.id.clone()));
        assert!(message.role != Role::System, "nobody gave a system prompt");
    }
    assert!(open.is_empty(), "a call without its result");
}

/// Runs the steps and gives the contexts compiled on the way.
fn run(engine: &Engine, steps: Vec<Step>) -> Vec<CompiledContext> {
    let mut contexts = Vec::new();
    let (me, chat) = (Principal::default(), session("chat"));
    let mut model = Model::default();
    for (at, step) in steps.into_iter().enumerate() {
        match step {
            Step::Record {
                words,
                status,
                tools,
            } => {
                let messages = messages(&words, tools);
                let request = RecordRequest::of(messages.clone())
                    .with_turn_id(turn_id(&format!("t{at}")))
                    .with_status(status);
                let recorded = engine.record_turn(&me, &chat, request).unwrap();
                let index = model.turns.len();
                assert_eq!(recorded.turn.index.0 as usize, index);
                for event in recorded.turn.event_ids() {
                    model.events.insert(event.0, index);
                }
                model
                    .turns
                    .push((recorded.turn.turn_id, status, model.head, messages));
                if status != TurnStatus::Failed {
                    model.head = Some(index);
                }
                if status == TurnStatus::Open {
                    model.open = Some(index);
                }
            }
            Step::Extend { words } => {
                let Some(index) = model.open else { continue };
                let (id, _, _, messages) = &mut model.turns[index];
                messages.push(Message::assistant(text(&words)));
                let request = RecordRequest::of(messages.clone())
                    .with_turn_id(id.clone())
                    .with_status(TurnStatus::Open);
                let recorded = engine.record_turn(&me, &chat, request).unwrap();
                for event in recorded.turn.event_ids() {
                    model.events.insert(event.0, index);
                }
            }
            Step::Finish { complete } => {
                let Some(index) = model.open.take() else {
                    continue;
                };
                let status = if complete {
                    TurnStatus::Complete
                } else {
                    TurnStatus::Failed
                };
                engine
                    .finish_turn(&me, &chat, &model.turns[index].0, status)
                    .unwrap();
                model.turns[index].1 = status;
                while !complete
                    && model
                        .head
                        .is_some_and(|head| model.turns[head].1 == TurnStatus::Failed)
                {
                    model.head = model.turns[model.head.unwrap()].2;
                }
            }
            Step::Rewind { to } => {
                if model.turns.is_empty() {
                    continue;
                }
                let index = to.index(model.turns.len());
                if model.turns[index].1 == TurnStatus::Complete {
                    engine.set_head(&me, &chat, &model.turns[index].0).unwrap();
                    model.head = Some(index);
                }
            }
            Step::Build {
                words,
                budget,
                mode,
                recency,
                provider,
                messages,
                append,
            } => {
                let question = text(&words);
                let request = ContextRequest {
                    provider,
                    ..ContextRequest::ask(question.clone()).with_policy(ContextPolicy {
                        token_budget: budget,
                        mode,
                        recency_turns: recency,
                        include_unselected: recency == 3,
                        prefix_mode: if append {
                            PrefixMode::AppendOnly
                        } else {
                            PrefixMode::Selective
                        },
                        recall_form: if messages {
                            RecallForm::Messages
                        } else {
                            RecallForm::Excerpts
                        },
                        ..ContextPolicy::default()
                    })
                };
                let context = engine.build_context(&me, &chat, &request).unwrap();
                check(&context, &model, &question);
                if provider != Provider::Generic {
                    let body = aura_assembly::render::request_json(&context).unwrap();
                    assert_eq!(
                        aura_assembly::verify(provider, &body).unwrap(),
                        [],
                        "{body}"
                    );
                }
                let again = engine.build_context(&me, &chat, &request).unwrap();
                assert_eq!(context.messages, again.messages);
                assert_eq!(context.manifest.candidates, again.manifest.candidates);
                contexts.push(context);
            }
        }
    }
    contexts
}

/// Whatever happened since, each context comes out again as it was sent.
fn check_replays(engine: &Engine, contexts: &[CompiledContext]) {
    for context in contexts {
        let request = &context.manifest.request_id;
        let again = engine.replay(&Principal::default(), request).unwrap();
        assert_eq!(again.messages, context.messages);
        assert_eq!(again.manifest.digest, context.manifest.digest);
        assert_eq!(again.manifest.candidates, context.manifest.candidates);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn every_context_keeps_the_guarantees(steps in prop::collection::vec(step(), 1..40)) {
        let storage = Arc::new(MemoryStorage::new());
        let engine = Engine::new(storage.clone(), setup::options()).unwrap();
        let contexts = run(&engine, steps);
        check_replays(&engine, &contexts);
        engine.flush(Duration::from_secs(60)).unwrap();
        let other = Engine::new(storage, setup::options()).unwrap();
        check_replays(&other, &contexts);
        engine.close().unwrap();
    }
}
