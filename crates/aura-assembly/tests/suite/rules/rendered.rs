//! What each provider is shown of the same session, and what is lost on the way.

use aura_assembly::{Compiled, FrozenPlan, render, verify};
use aura_core::{
    Loss, Message, NativeForm, Notice, Part, Provider, RawJson, Reasoning, Replan, Role, Section,
};
use serde_json::Value;

use crate::ask::{Ask, section};
use crate::sessions::{calling, result, with_native};
use crate::verify::tokens_are_exact;
use crate::world::World;

const PROVIDERS: [Provider; 4] = [
    Provider::Openai,
    Provider::OpenaiResponses,
    Provider::Anthropic,
    Provider::Gemini,
];

const THOUGHT: &str = r#"{"type":"thinking", "thinking":"Hm, let me see.","signature":"c2ln"}"#;

/// A step of one call with sealed thinking, in Anthropic's own form.
fn thoughtful(id: &str) -> (Message, String) {
    let json = format!(
        r#"{{"role":"assistant", "content":[{THOUGHT},{{"type":"tool_use","id":"{id}","name":"find","input":{{"q": [1, 2.0]}}}}]}}"#
    );
    (native(calling("", &[id]), "anthropic", &json), json)
}

fn native(mut message: Message, format: &str, json: &str) -> Message {
    message.native = Some(NativeForm {
        format: format.into(),
        json: RawJson::new("native", json).unwrap(),
    });
    message
}

fn ask(provider: Provider, question: &str) -> Ask {
    let mut ask = Ask::new(question);
    ask.provider = provider;
    ask
}

fn request(compiled: &Compiled) -> String {
    let request = render::request_json(&compiled.context).unwrap();
    assert_eq!(verify(compiled.context.provider, &request).unwrap(), []);
    request
}

fn lost(compiled: &Compiled) -> Vec<(Loss, String, usize)> {
    let notices = compiled.context.manifest.notices.iter();
    notices
        .filter_map(|notice| match notice {
            Notice::Lost { what, from, events } => Some((*what, from.clone(), events.len())),
            _ => None,
        })
        .collect()
}

#[test]
fn a_session_may_move_from_provider_to_provider() {
    let mut world = World::new();
    let (step, _) = thoughtful("a b");
    world.say(vec![
        Message::user("Go."),
        step,
        result("a b", "12"),
        Message::assistant("Done."),
    ]);
    let search = r#"[{"type":"web_search_call","id":"ws_1","status":"completed"},{"type":"message","role":"assistant","content":"Found."}]"#;
    world.say(vec![
        Message::user("And?"),
        native(Message::assistant("Found."), "openai-responses", search),
    ]);
    for provider in PROVIDERS {
        let compiled = ask(provider, "And now?").compile(&world);
        let request = request(&compiled);
        assert!(!request.contains("c2ln"), "{request}");
        assert_eq!(
            request.contains("ws_1"),
            provider == Provider::OpenaiResponses
        );
        let mut expected = vec![(Loss::Reasoning, "anthropic".to_owned(), 1)];
        if provider != Provider::OpenaiResponses {
            expected.push((Loss::ProviderTool, "openai-responses".to_owned(), 1));
        }
        assert_eq!(lost(&compiled), expected, "{provider:?}");
        let again = ask(provider, "And now?").compile(&world);
        assert_eq!(render::request_json(&again.context).unwrap(), request);
        tokens_are_exact(&compiled, &world.counter);
    }
    assert_eq!(
        lost(&ask(Provider::Generic, "And now?").compile(&world)),
        []
    );
}

#[test]
fn reasoning_stays_in_the_open_turn_and_leaves_with_it() {
    let mut world = World::new();
    let (step, _) = thoughtful("a");
    world.say(vec![
        Message::user("Go."),
        step,
        result("a", "12"),
        Message::assistant("Done."),
    ]);
    let (step, json) = thoughtful("b");
    world.begin(vec![Message::user("And?"), step, result("b", "13")]);
    let with = |reasoning: Reasoning| {
        let mut ask = ask(Provider::Anthropic, "");
        ask.policy.reasoning = reasoning;
        let compiled = ask.compile(&world);
        tokens_are_exact(&compiled, &world.counter);
        let request = request(&compiled);
        let kept = request.matches(THOUGHT).count();
        let state = compiled.context.manifest.reasoning;
        assert_eq!(state.choice, reasoning);
        assert_eq!(state.tokens > 0, kept > 0, "{state:?}");
        (kept, request.contains(&json), lost(&compiled).len())
    };
    assert_eq!(with(Reasoning::Keep), (1, true, 1));
    assert_eq!(with(Reasoning::DropBlock), (2, true, 0));
    assert_eq!(with(Reasoning::StripAll), (0, false, 1));
}

#[test]
fn a_turn_that_is_planned_anew_loses_the_reasoning_bound_to_its_old_prefix() {
    let mut world = World::of(&[("The red lamp is in the attic.", "ok")]);
    let mut ask = ask(Provider::Anthropic, "Where is the lamp?");
    let planned = ask.compile(&world);
    ask.plan = planned.plan;
    let (step, _) = thoughtful("a");
    world.begin(vec![
        Message::user("Where is the lamp?"),
        step,
        result("a", "12"),
    ]);
    let later = ask.compile(&world);
    assert!(later.context.manifest.plan.reused && request(&later).contains(THOUGHT));
    ask.system = Some("Be brief.".into());
    let anew = ask.compile(&world);
    assert_eq!(anew.context.manifest.plan.replanned, Some(Replan::Changed));
    assert!(!request(&anew).contains(THOUGHT));
    assert_eq!(lost(&anew), [(Loss::Reasoning, "anthropic".to_owned(), 1)]);
}

#[test]
fn reasoning_has_its_price() {
    let mut world = World::new();
    let (step, _) = thoughtful("a");
    world.begin(vec![Message::user("Go."), step, result("a", "12")]);
    let tokens = |provider| {
        let compiled = ask(provider, "").compile(&world);
        section(&compiled, Section::Tail)[0].tokens
    };
    let thought = aura_core::TokenCounter::count(&world.counter, "Hm, let me see.").unwrap();
    assert_eq!(
        tokens(Provider::Anthropic),
        tokens(Provider::Generic) + thought
    );
}

#[test]
fn later_calls_append_to_the_request_byte_for_byte() {
    for provider in PROVIDERS {
        let mut world = World::of(&[("The red lamp is in the attic.", "ok"), ("Hi", "Hello")]);
        let mut ask = ask(provider, "Where are the lamps?").recency(1);
        ask.system = Some("Be brief.".into());
        let planned = ask.compile(&world);
        let bytes = planned.plan.as_ref().unwrap().to_bytes().unwrap();
        ask.plan = Some(
            FrozenPlan::from_bytes(&bytes, |_| Ok(Some(planned.context.manifest.clone()))).unwrap(),
        );
        let mut short = render::messages_json(&planned.context).unwrap();
        world.begin(vec![Message::user("Where are the lamps?")]);
        for id in ["a", "b"] {
            world.extend(vec![calling("", &[id]), result(id, "12")]);
            let later = ask.compile(&world);
            assert!(later.context.manifest.plan.reused);
            request(&later);
            let long = render::messages_json(&later.context).unwrap();
            assert!(
                long.starts_with(short.trim_end_matches(']')),
                "{short}\n{long}"
            );
            short = long;
        }
    }
}

#[test]
fn the_user_speaks_first_and_last_where_that_is_demanded() {
    let mut world = World::new();
    world.say(vec![Message::assistant("Welcome.")]);
    for (provider, expected) in [
        (Provider::Openai, vec!["Welcome."]),
        (
            Provider::Anthropic,
            vec!["[the beginning is not shown]", "Welcome.", "Continue."],
        ),
        (
            Provider::Gemini,
            vec!["[the beginning is not shown]", "Welcome.", "Continue."],
        ),
    ] {
        let ask = ask(provider, "");
        let compiled = ask.compile(&world);
        request(&compiled);
        tokens_are_exact(&compiled, &world.counter);
        let said: Vec<&str> = { compiled.context.messages.iter() }
            .map(|message| message.content.as_str())
            .collect();
        assert_eq!(said, expected);
        // The placeholders are no part of the plan.
        let mut next = ask.clone();
        next.plan = compiled.plan;
        assert_eq!(
            next.compile(&world).context.messages,
            compiled.context.messages
        );
    }
    for provider in PROVIDERS {
        let empty = ask(provider, " ").compile(&World::new());
        assert_eq!(empty.context.messages.len(), 1);
        request(&empty);
        let nothing = ask(provider, "").compile(&World::new());
        assert_eq!(nothing.context.messages[0].content, "Continue.");
        request(&nothing);
    }
}

#[test]
fn ids_are_rewritten_alike_every_time_whatever_else_is_shown() {
    let mut world = World::new();
    for text in ["One.", "Two.", "Three."] {
        world.say(vec![
            Message::user(text),
            calling("", &["same id"]),
            result("same id", text),
        ]);
    }
    let ids = |turns: u32| -> Vec<String> {
        let compiled = ask(Provider::Anthropic, "And?")
            .recency(turns)
            .compile(&world);
        let body: Value = serde_json::from_str(&request(&compiled)).unwrap();
        let messages = body["messages"].as_array().unwrap().clone();
        let blocks = messages
            .iter()
            .filter_map(|message| message["content"].as_array());
        let calls = blocks.flatten().filter_map(|block| block["id"].as_str());
        calls.map(str::to_owned).collect()
    };
    let (all, newest) = (ids(3), ids(1));
    assert_eq!((all.len(), newest.len()), (3, 1));
    assert_eq!(all[2], newest[0]);
    assert!(all[0] != all[1] && all[1] != all[2]);
}

#[test]
fn a_native_form_that_breaks_a_rule_is_shown_by_its_parts_and_the_others_stay() {
    let unsigned = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"Well."}]}"#;
    let (step, json) = thoughtful("a");
    let mut world = World::new();
    world.begin(vec![
        Message::user("Go."),
        native(Message::assistant("Well."), "anthropic", unsigned),
        Message::user("Go on."),
        step,
        result("a", "12"),
    ]);
    let compiled = ask(Provider::Anthropic, "").compile(&world);
    let request = request(&compiled);
    assert!(
        request.contains(&json) && !request.contains(r#""Hm.""#),
        "{request}"
    );
    let refused = Notice::NativeRefused {
        rule: "A-THINK".into(),
        path: "/messages/1/content/0".into(),
    };
    assert_eq!(compiled.context.manifest.notices, [refused]);
    tokens_are_exact(&compiled, &world.counter);
}

#[test]
fn native_results_of_several_calls_stay_native_each() {
    for format in ["anthropic", "gemini", "openai-responses"] {
        let mut both = result("a", "A");
        both.role = Role::User;
        both.parts.extend(result("b", "B").parts);
        let mut world = World::new();
        world.begin(vec![
            Message::user("Go."),
            with_native(calling("Well.", &["a", "b"]), format),
            with_native(both, format),
        ]);
        let compiled = ask(format.parse().unwrap(), "").compile(&world);
        let natives = compiled
            .context
            .messages
            .iter()
            .filter(|message| message.native.is_some());
        assert_eq!(natives.count(), 3, "{format}");
        request(&compiled);
    }
}

#[test]
fn what_a_tool_shows_goes_with_its_result() {
    let picture = |id: &str| {
        let mut shown = result(id, "Here.");
        shown.parts.push(Part::Media(aura_core::Media {
            mime: "image/png".into(),
            source: aura_core::MediaSource::Uri("https://example.org/x.png".into()),
        }));
        shown
    };
    let mut world = World::new();
    world.say(vec![
        Message::user("Go."),
        picture("stray"),
        calling("", &["a"]),
        picture("a"),
    ]);
    for provider in PROVIDERS {
        let json = request(&ask(provider, "And?").compile(&world));
        assert_eq!(
            json.matches("https://example.org/x.png").count(),
            1,
            "{json}"
        );
    }
}

/// The paths of all cache breakpoints in a request.
fn breakpoints(json: &Value, path: &str, out: &mut Vec<String>) {
    match json {
        Value::Object(pairs) => {
            for (key, value) in pairs {
                match key.as_str() {
                    "cache_control" => out.push(path.to_owned()),
                    _ => breakpoints(value, &format!("{path}/{key}"), out),
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                breakpoints(item, &format!("{path}/{at}"), out);
            }
        }
        _ => {}
    }
}

fn marked(compiled: &Compiled) -> Vec<String> {
    let mut out = Vec::new();
    breakpoints(
        &serde_json::from_str(&request(compiled)).unwrap(),
        "",
        &mut out,
    );
    out.sort();
    out
}

#[test]
fn anthropic_is_asked_to_keep_what_stays() {
    let words = "amber basalt cobalt dolomite epidote fluorite garnet halite ".repeat(160);
    let mut world = World::of(&[(words.as_str(), "Noted."), ("And now?", "Now this.")]);
    world.begin(vec![
        Message::user("Which stones?"),
        calling("", &["c1"]),
        result("c1", "amber"),
    ]);
    let mut ask = ask(Provider::Anthropic, "");
    ask.policy.token_budget = 100_000;
    ask.system = Some(words.clone());
    let compiled = ask.compile(&world);
    let all = marked(&compiled);
    // Behind the system prompt, the turns before, and the list; behind the last for the next call of the loop.
    assert_eq!(
        all,
        [
            "/messages/3/content/0",
            "/messages/6/content/0",
            "/system/0"
        ]
    );
    assert_eq!(compiled.context.manifest.cache.breakpoints, [1, 5, 8]);
    // Without system text behind the tools; and nowhere where the prefix is too short to be kept.
    ask.system = None;
    ask.tools.push(aura_core::ToolDefinition {
        name: "find".into(),
        description: words.clone(),
        parameters: RawJson::new("parameters", r#"{"type":"object"}"#).unwrap(),
        trust: aura_core::Trust::default(),
    });
    assert!(marked(&ask.compile(&world)).contains(&"/tools/0".to_owned()));
    let short = World::of(&[("Hello.", "Hi.")]);
    let mut brief = Ask::new("And?");
    brief.provider = Provider::Anthropic;
    assert_eq!(marked(&brief.compile(&short)), Vec::<String>::new());
    // Other providers have none.
    ask.provider = Provider::Openai;
    assert_eq!(marked(&ask.compile(&world)), Vec::<String>::new());
    // Where the host places its own, none is added.
    ask.provider = Provider::Anthropic;
    let own = r#"{"role":"user","content":[{"type":"text","text":"Mine.","cache_control":{"type":"ephemeral"}}]}"#;
    world.open = None;
    world.say(vec![
        native(Message::user("Mine."), "anthropic", own),
        Message::assistant("Yours."),
    ]);
    let mut theirs = ask.clone();
    theirs.question = "And now?".into();
    assert_eq!(marked(&theirs.compile(&world)).len(), 1);
}
