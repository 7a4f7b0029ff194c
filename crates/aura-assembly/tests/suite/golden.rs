//! Golden files: set `UPDATE_GOLDEN` to write them anew, and review the difference.

use std::path::PathBuf;

use aura_assembly::render;
use aura_core::{Block, Message, Provider, RawJson, ToolDefinition, Trust};

use crate::ask::Ask;
use crate::sessions::{calling, result};
use crate::world::World;

fn check(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    let text = format!("{text}\n");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(golden, text, "{} differs", path.display());
}

fn pretty(json: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

/// A session with all that a context may hold, and a question for it.
fn everything() -> (World, Ask) {
    let mut world = World::of(&[
        (
            "I live in Oslo and I have two cats, Miso and Nori.",
            "Lovely!",
        ),
        ("What is the capital of France?", "Paris."),
        ("I just moved to Berlin.", "How exciting."),
    ]);
    world.say(vec![
        Message::user("Find me a vet.").with_name("Ana"),
        calling("Looking.", &["c1"]),
        result("c1", r#"{"vet": "Dr. Katz", "tel": 1234}"#),
        Message::assistant("Dr. Katz is near you."),
    ]);
    let first = world.turns[0].turn.first_event().unwrap();
    let third = world.turns[2].turn.first_event().unwrap();
    let oslo = world.fact("home-1", "lives in Oslo", &[first]);
    world.fact("cats", "has two cats, Miso and Nori", &[first]);
    let berlin = world.fact("home-2", "lives in Berlin", &[third]);
    world.supersede(oslo, Some(berlin));
    world.begin(vec![
        Message::user("Where do I live now, and what are my cats called?"),
        calling("", &["c2"]),
    ]);
    let mut ask = Ask::new("").recency(1);
    ask.system = Some("You are a helpful assistant.".into());
    ask.tools.push(ToolDefinition {
        name: "find".into(),
        description: "Finds things.".into(),
        parameters: RawJson::new("parameters", r#"{"type":"object","properties":{}}"#).unwrap(),
        trust: Trust::Untrusted,
    });
    let mut document = Block::evidence("doc-1", "Vets in Berlin treat cats.").unwrap();
    document.source = Some("https://example.org/vets".into());
    ask.blocks.push(document);
    (world, ask)
}

#[test]
fn generic_messages() {
    let (world, ask) = everything();
    let context = ask.compile(&world).context;
    check(
        "generic.json",
        &pretty(&render::messages_json(&context).unwrap()),
    );
    check("generic-tools.json", &render::tools_json(&context).unwrap());
}

#[test]
fn openai_messages() {
    let (world, mut ask) = everything();
    ask.provider = Provider::Openai;
    let context = ask.compile(&world).context;
    check(
        "openai.json",
        &pretty(&render::messages_json(&context).unwrap()),
    );
    check("openai-tools.json", &render::tools_json(&context).unwrap());
}

#[test]
fn manifest() {
    let (world, ask) = everything();
    let manifest = ask.compile(&world).context.manifest;
    let json = serde_json::to_string_pretty(&*manifest).unwrap();
    check(
        "manifest.json",
        &json.replace(aura_assembly::COMPILER_VERSION, "aura-<version>"),
    );
}
