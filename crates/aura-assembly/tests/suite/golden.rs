//! Golden files: set `UPDATE_GOLDEN` to write them anew, and review the difference.

use std::path::PathBuf;

use aura_assembly::{render, verify};
use aura_core::{
    Block, Media, MediaSource, Message, Part, Provider, RawJson, Role, ToolDefinition, Trust,
};

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

const PROVIDERS: [Provider; 4] = [
    Provider::Openai,
    Provider::OpenaiResponses,
    Provider::Anthropic,
    Provider::Gemini,
];

fn check_requests(suffix: &str, world: &World, mut ask: Ask) {
    for provider in PROVIDERS {
        ask.provider = provider;
        let request = render::request_json(&ask.compile(world).context).unwrap();
        assert_eq!(verify(provider, &request).unwrap(), []);
        let name = format!("{}-{suffix}.json", provider.as_str());
        check(&name, &pretty(&request));
    }
}

#[test]
fn requests_with_all_that_a_context_may_hold() {
    let (world, ask) = everything();
    check_requests("request", &world, ask);
}

#[test]
fn requests_with_parallel_calls_and_media() {
    let mut world = World::new();
    let media = |mime: &str, uri: &str| {
        Part::Media(Media {
            mime: mime.into(),
            source: MediaSource::Uri(uri.into()),
        })
    };
    let mut question = Message::user("What are these?");
    question.parts.extend([
        media("image/png", "https://example.org/x.png"),
        media("image/jpeg", "data:image/jpeg;base64,/9j/"),
        media("application/pdf", "data:application/pdf;base64,JVBE"),
        media("audio/wav", "data:audio/wav;base64,UklG"),
        media("image/tiff", "ftp://example.org/y.tiff"),
    ]);
    let mut photo = result("b", "A photo:");
    photo
        .parts
        .push(media("image/png", "data:image/png;base64,iVBO"));
    let mut failed = result("c", "no such file");
    if let Part::ToolResult(result) = &mut failed.parts[0] {
        result.is_error = true;
    }
    world.say(vec![
        question,
        calling("Let me see.", &["a", "b", "c"]),
        photo,
        result("a", ""),
        failed,
        Message::assistant("A lamp."),
    ]);
    world.say(vec![
        Message::text(Role::System, "The shop has closed."),
        Message::user("Thanks").with_name("Ana"),
        Message::assistant("Welcome.").with_name("helper"),
    ]);
    check_requests("media", &world, Ask::new("And this one?").budget(20_000));
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
