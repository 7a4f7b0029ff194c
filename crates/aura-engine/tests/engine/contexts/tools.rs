//! Tools chosen for a context.

use std::sync::Arc;

use aura_assembly::tools::{ToolList, ToolRegistry, Toolbox};
use aura_core::{
    BlockRef, CompiledContext, ContextPolicy, Fate, Message, Principal, RawJson, Reason, Result,
    ToolDefinition, Trust, TurnStatus,
};
use aura_engine::{ContextRequest, Engine, EngineOptions, RecordRequest};
use aura_storage::MemoryStorage;

use crate::setup::{memory_engine, session, turn_id};

fn toolbox() -> Arc<Toolbox> {
    let list = br#"[
        {"name":"send_message","description":"Sends a mail to a person","inputSchema":{"type":"object"}},
        {"name":"read_file","description":"Reads the text of a file","inputSchema":{"type":"object"}},
        {"name":"find_train","description":"Looks up trains between two cities","inputSchema":{"type":"object"}}]"#;
    let mut registry = ToolRegistry::default();
    let list = ToolList::from_json(list).unwrap();
    registry.replace("office", Trust::Untrusted, &list).unwrap();
    registry.set_group("travel", ["office/find_train"]);
    registry.toolbox()
}

fn ask(question: &str, k: u32) -> ContextRequest {
    let policy = ContextPolicy {
        tool_top_k: k,
        ..ContextPolicy::default()
    };
    let mut request = ContextRequest::ask(question).with_policy(policy);
    request.toolbox = Some(toolbox());
    request
}

fn names(context: &CompiledContext) -> Vec<&str> {
    let tools = context.tools.iter();
    tools.map(|tool| tool.name.as_str()).collect()
}

#[test]
fn a_context_offers_the_tools_its_question_wants() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let build = |request: &ContextRequest| engine.build_context(&me, &chat, request);
    let context = build(&ask("Is there a train to Graz?", 1)).unwrap();
    assert_eq!(names(&context), ["find_train"]);
    let missed = context.manifest.candidates.iter().filter(|record| {
        matches!(record.block, BlockRef::Tool(_)) && record.fate == Fate::Rejected
    });
    let reasons: Vec<Reason> = missed.map(|record| record.reason).collect();
    assert_eq!(reasons, [Reason::BeyondTopK; 2]);
    assert_eq!(
        names(&build(&ask("Is there a train?", 0)).unwrap()).len(),
        3
    );

    let mut request = ask("Read it to me", 3);
    request.tool_groups = vec!["travel".to_owned()];
    assert_eq!(names(&build(&request).unwrap()), ["find_train"]);

    let own = |name: &str| ToolDefinition {
        name: name.to_owned(),
        description: "Ends the call".to_owned(),
        parameters: RawJson::new("test", "{}").unwrap(),
        trust: Trust::Verified,
    };
    request = ask("Read the file", 1);
    request.tools = vec![own("hang_up")];
    assert_eq!(names(&build(&request).unwrap()), ["hang_up", "read_file"]);
    request.tools = vec![own("read_file")];
    assert_eq!(build(&request).unwrap_err().field(), Some("tools[0].name"));
    request.toolbox = None;
    request.tools.push(own("hang_up"));
    assert_eq!(names(&build(&request).unwrap()), ["read_file"]);
    request.tool_groups = vec!["travel".to_owned()];
    assert_eq!(build(&request).unwrap_err().field(), Some("tool_groups"));
}

#[test]
fn the_choice_stays_within_a_turn() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let turn = turn_id("t");
    let record = |messages: Vec<Message>| {
        let request = RecordRequest::of(messages)
            .with_turn_id(turn.clone())
            .with_status(TurnStatus::Open);
        engine.record_turn(&me, &chat, request).unwrap();
    };
    let question = Message::user("Is there a train to Graz?");
    record(vec![question.clone()]);
    // The question of the open turn is what the tools are chosen for.
    let mut request = ask("", 1);
    request.turn_id = Some(turn.clone());
    let first = engine.build_context(&me, &chat, &request).unwrap();
    assert_eq!(names(&first), ["find_train"]);
    record(vec![
        question,
        Message::assistant("I will read the file of times."),
    ]);
    request.question = "read the file".to_owned();
    let second = engine.build_context(&me, &chat, &request).unwrap();
    assert_eq!(names(&second), ["find_train"]);
    assert!(second.manifest.plan.reused);
    assert_eq!(
        first.manifest.tool_schema_version,
        second.manifest.tool_schema_version
    );
}

/// Each word is a dimension: enough to see that vectors are asked for and used.
struct Words;

impl aura_core::Embedder for Words {
    fn model(&self) -> &str {
        "words"
    }

    fn dimension(&self) -> usize {
        64
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let vector = |text: &&str| {
            let mut row = vec![0.001; 64];
            for word in text.split(|c: char| !c.is_alphanumeric()) {
                let place = word.bytes().map(usize::from).sum::<usize>();
                row[place % 64] += 1.0;
            }
            row
        };
        Ok(texts.iter().map(vector).collect())
    }
}

#[test]
fn meaning_takes_part_once_the_tools_have_vectors() {
    let engine = memory_engine();
    let tools = toolbox();
    assert_eq!(
        engine.embed_tools(&tools).unwrap_err().field(),
        Some("embedder")
    );
    let options = EngineOptions {
        embedder: Some(Arc::new(Words)),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
    let (me, chat) = (Principal::default(), session("chat"));
    let mut request = ask("between two cities", 1);
    request.toolbox = Some(Arc::clone(&tools));
    let dense = |request: &ContextRequest| {
        let context = engine.build_context(&me, &chat, request).unwrap();
        assert_eq!(names(&context), ["find_train"]);
        let records = context.manifest.candidates.clone();
        let tools = records.into_iter();
        tools
            .filter(|record| matches!(record.block, BlockRef::Tool(_)))
            .all(|record| record.scores.dense.is_some())
    };
    assert!(!dense(&request));
    engine.embed_tools(&tools).unwrap();
    assert!(dense(&request));
}

#[test]
fn a_replay_offers_the_same_tools() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let request = ask("Is there a train to Graz?", 1);
    let context = engine.build_context(&me, &chat, &request).unwrap();
    let replayed = engine.replay(&me, &context.manifest.request_id).unwrap();
    assert_eq!(names(&replayed), ["find_train"]);
    assert_eq!(replayed.manifest.digest, context.manifest.digest);
}
