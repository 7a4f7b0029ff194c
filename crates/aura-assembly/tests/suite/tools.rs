//! Tool pairs, native forms and names.

mod toolbox;

use aura_assembly::render;
use aura_core::{
    Media, MediaSource, Message, NativeForm, Notice, Part, Provider, RawJson, Role, Section,
};

use crate::ask::{Ask, section};
use crate::sessions::{calling, result};
use crate::verify::pairs_are_whole;
use crate::world::World;

#[test]
fn results_follow_their_call_in_its_order_and_orphans_are_left_out() {
    let mut world = World::new();
    world.say(vec![
        Message::user("Go."),
        calling("On it.", &["a", "b", "c"]),
        Message::assistant("One moment."),
        result("b", "B"),
        result("a", "A"),
        result("z", "nobody asked"),
    ]);
    let compiled = Ask::new("And?").compile(&world);
    let shown: Vec<&str> = section(&compiled, Section::History)
        .iter()
        .map(|message| message.content.as_str())
        .collect();
    assert_eq!(shown, ["Go.", "On it.", "A", "B", "One moment."]);
    pairs_are_whole(&compiled.context.messages);
    let orphans = compiled
        .context
        .manifest
        .notices
        .iter()
        .filter(|notice| matches!(notice, Notice::OrphanLeftOut { .. }));
    assert_eq!(orphans.count(), 2);
}

#[test]
fn a_waiting_call_of_the_open_turn_keeps_its_pair() {
    let mut world = World::new();
    world.begin(vec![
        Message::user("Book it."),
        calling("", &["a", "b"]),
        result("b", "done"),
    ]);
    let compiled = Ask::new("").compile(&world);
    let tail: Vec<&str> = section(&compiled, Section::Tail)
        .iter()
        .map(|message| message.content.as_str())
        .collect();
    assert_eq!(tail, ["", "[no result yet]", "done"]);
    pairs_are_whole(&compiled.context.messages);
    assert_eq!(section(&compiled, Section::Question)[0].content, "Book it.");
}

#[test]
fn native_forms_of_the_same_provider_are_spliced_unparsed() {
    let json = r#"{"role": "user",  "content": [{"type":"text","text":"Hi"}], "seed": 1.00}"#;
    let mut message = Message::user("Hi");
    message.native = Some(NativeForm {
        format: "openai".into(),
        json: RawJson::new("native", json).unwrap(),
    });
    let mut world = World::new();
    world.say(vec![message, Message::assistant("Hello")]);
    let mut ask = Ask::new("And?");
    ask.provider = Provider::Openai;
    assert!(
        render::messages_json(&ask.compile(&world).context)
            .unwrap()
            .contains(json)
    );
    ask.provider = Provider::Generic;
    assert!(
        !render::messages_json(&ask.compile(&world).context)
            .unwrap()
            .contains("1.00")
    );
}

#[test]
fn a_native_form_without_parts_is_shown_and_counted() {
    let json = r#"{"role":"assistant","content":"sealed"}"#;
    let mut message = Message::assistant("");
    message.parts.clear();
    message.native = Some(NativeForm {
        format: "openai".into(),
        json: RawJson::new("native", json).unwrap(),
    });
    let mut world = World::new();
    world.say(vec![Message::user("Hi"), message]);
    let mut ask = Ask::new("And?");
    ask.provider = Provider::Openai;
    let compiled = ask.compile(&world);
    assert!(
        render::messages_json(&compiled.context)
            .unwrap()
            .contains(json)
    );
    crate::verify::tokens_are_exact(&compiled, &world.counter);
}

#[test]
fn names_are_such_as_the_provider_takes() {
    let mut world = World::new();
    world.say(vec![
        Message::user("Hi").with_name("Bo Li <x>"),
        Message::assistant("Hello"),
    ]);
    let mut ask = Ask::new("And?");
    let name = |ask: &Ask| {
        section(&ask.compile(&world), Section::History)[0]
            .name
            .clone()
            .unwrap()
    };
    assert_eq!(name(&ask), "Bo Li <x>");
    ask.provider = Provider::Openai;
    assert_eq!(name(&ask), "Bo_Li__x_");
}

#[test]
fn media_goes_by_reference() {
    let mut message = Message::user("What is this?");
    for uri in ["https://example.org/x.png", "ftp://example.org/y.png"] {
        message.parts.push(Part::Media(Media {
            mime: "image/png".into(),
            source: MediaSource::Uri(uri.into()),
        }));
    }
    let mut world = World::new();
    world.begin(vec![message]);
    let mut ask = Ask::new("");
    ask.provider = Provider::Openai;
    let json = render::messages_json(&ask.compile(&world).context).unwrap();
    assert_eq!(
        json,
        r#"[{"content":[{"text":"What is this?","type":"text"},{"image_url":{"url":"https://example.org/x.png"},"type":"image_url"},{"text":"[image/png ftp://example.org/y.png]","type":"text"}],"role":"user"}]"#
    );
}

#[test]
fn system_messages_of_the_log_keep_their_role() {
    let mut world = World::new();
    world.say(vec![
        Message::text(Role::System, "Be brief."),
        Message::user("Hi"),
        Message::assistant("Hi"),
    ]);
    let compiled = Ask::new("And?").compile(&world);
    assert_eq!(section(&compiled, Section::History)[0].role, Role::System);
}
