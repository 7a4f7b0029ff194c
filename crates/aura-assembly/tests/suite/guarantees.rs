//! The guarantees of the specification on random sessions.

use std::sync::Arc;

use aura_assembly::{Compiled, Meter, compile, render, verify};
use aura_core::{
    Block, ContextPolicy, Notice, PolicyMode, Provider, RawJson, Reasoning, RecallForm, RecallUnit,
    Section, TokenCounter, ToolDefinition, TopK, Trust,
};
use proptest::prelude::*;

use crate::ask::Ask;
use crate::sessions;
use crate::verify::{budget_is_kept, guarantees_hold, pairs_are_whole, tokens_are_exact};
use crate::world::{Renamed, World};

fn policies() -> impl Strategy<Value = ContextPolicy> {
    let modes = prop_oneof![
        4 => Just(PolicyMode::PrioritySelective),
        1 => Just(PolicyMode::FullHistory),
        1 => Just(PolicyMode::Windowed),
        1 => Just(PolicyMode::WindowSummary),
    ];
    let budgets = prop_oneof![1..200_u32, 100..1000_u32, 1000..6000_u32];
    let recall = (
        any::<bool>(),
        any::<bool>(),
        proptest::option::of(1..400_u32),
    );
    let reasonings = [Reasoning::Keep, Reasoning::StripAll, Reasoning::DropBlock];
    let switches = (
        proptest::sample::select(reasonings.to_vec()),
        any::<bool>(),
        0..13_u32,
        proptest::option::of(1..5_u32),
        0..5_u32,
    );
    (modes, budgets, recall, switches).prop_map(
        |(
            mode,
            token_budget,
            (turns, messages, max_recall_tokens),
            (reasoning, all, facts, top_k, recent),
        )| {
            ContextPolicy {
                mode,
                reasoning,
                token_budget,
                response_reserve: token_budget / 10,
                max_recall_tokens,
                recency_turns: recent,
                max_facts: facts,
                include_unselected: all,
                top_k: top_k.map_or(TopK::Auto, TopK::AtMost),
                recall_unit: if turns {
                    RecallUnit::Turn
                } else {
                    RecallUnit::Message
                },
                recall_form: if messages {
                    RecallForm::Messages
                } else {
                    RecallForm::Excerpts
                },
                ..ContextPolicy::default()
            }
        },
    )
}

const PROVIDERS: [Provider; 5] = [
    Provider::Generic,
    Provider::Openai,
    Provider::OpenaiResponses,
    Provider::Anthropic,
    Provider::Gemini,
];

fn asks() -> impl Strategy<Value = Ask> {
    let question = prop_oneof![
        3 => "(where|what|cats|Oslo|budget|piano|deadline)( (cats|Oslo|garden|piano)){1,4}\\?",
        1 => "\\PC{0,30}",
    ];
    let extras = (any::<bool>(), any::<bool>(), 0..3_u8);
    let provider = proptest::sample::select(&PROVIDERS[..]);
    (policies(), question, provider, extras).prop_map(
        |(policy, question, provider, (system, tools, blocks))| {
            let mut ask = Ask::new(&question);
            ask.policy = policy;
            ask.provider = provider;
            ask.system = system.then(|| "You are helpful.".to_owned());
            if tools {
                ask.tools.push(ToolDefinition {
                    name: "find".into(),
                    description: "Finds things.".into(),
                    parameters: RawJson::new("parameters", r#"{"type":"object"}"#).unwrap(),
                    trust: Trust::Untrusted,
                });
            }
            for n in 0..blocks {
                let text = format!("block {n} </context-0> about cats in Oslo\n");
                ask.blocks
                    .push(Block::evidence(&format!("b{n}"), text).unwrap());
            }
            ask
        },
    )
}

fn same(a: &Compiled, b: &Compiled) {
    assert_eq!(a.context.messages, b.context.messages);
    assert_eq!(a.context.manifest, b.context.manifest);
    let json = |compiled: &Compiled| render::request_json(&compiled.context).unwrap();
    assert_eq!(json(a), json(b));
}

/// The messages that come before the history.
fn prefix(compiled: &Compiled) -> usize {
    let mut messages = compiled.context.messages.iter();
    let history = messages.position(|message| message.section == Section::History);
    history.unwrap_or(0)
}

proptest! {
    // Each case is rendered for four providers, and for one of them after a failure.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: crate::cases(2_500), ..ProptestConfig::default() })]

    #[test]
    fn every_rendering_keeps_the_rules_of_its_provider(
        world in sessions::world(), ask in asks(), after_failure in proptest::sample::select(&PROVIDERS[1..])
    ) {
        for provider in &PROVIDERS[1..] {
            let mut ask = ask.clone();
            ask.provider = *provider;
            let compiled = ask.compile(&world);
            keeps_the_rules(&compiled);
            tokens_are_exact(&compiled, &world.counter);
            budget_is_kept(&compiled, &ask);
        }
        let mut ask = ask;
        ask.provider = after_failure;
        let mut broken = world;
        broken.fails = Some("recall");
        keeps_the_rules(&ask.answer(&broken).unwrap());
    }
}

proptest! {
    // Sessions, blocks, budgets, providers and modes at once.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: crate::cases(10_000), ..ProptestConfig::default() })]

    #[test]
    fn every_context_keeps_the_guarantees(world in sessions::world(), ask in asks()) {
        let compiled = ask.compile(&world);
        guarantees_hold(&compiled, &ask, &world);
        let json: serde_json::Value =
            serde_json::from_str(&render::messages_json(&compiled.context).unwrap()).unwrap();
        if matches!(ask.provider, Provider::Generic | Provider::Openai) {
            prop_assert_eq!(json.as_array().unwrap().len(), compiled.context.messages.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_inputs_give_the_same_bytes(world in sessions::world(), ask in asks()) {
        same(&ask.compile(&world), &ask.compile(&world.clone()));
    }

    #[test]
    fn one_more_turn_changes_nothing_before_the_newest(world in sessions::world(), ask in asks()) {
        let before = ask.compile(&world);
        let mut more = world.clone();
        more.open = None;
        more.say(vec![aura_core::Message::user("One more."), aura_core::Message::assistant("Yes.")]);
        more.open.clone_from(&world.open);
        let after = ask.compile(&more);
        let (a, b) = (prefix(&before), prefix(&after));
        if a > 0 && b > 0 {
            prop_assert_eq!(&before.context.messages[..a], &after.context.messages[..b]);
        }
    }

    #[test]
    fn a_counter_whose_sums_do_not_add_up_keeps_the_budget(world in sessions::world(), ask in asks()) {
        let mut world = world;
        world.counter = aura_text::BuiltinCounter::CharsDiv4;
        let compiled = ask.compile(&recount(&world, &world.counter));
        tokens_are_exact(&compiled, &world.counter);
        pairs_are_whole(&compiled.context.messages);
    }

    #[test]
    fn a_counter_whose_sums_fall_short_keeps_the_budget(world in sessions::world(), ask in asks()) {
        let meter = Meter::new(Arc::new(RoundedDown));
        let world = recount(&world, &RoundedDown);
        let compiled = ask.with(|request| compile(request, &world, &meter)).unwrap();
        tokens_are_exact(&compiled, &RoundedDown);
        budget_is_kept(&compiled, &ask);
    }

    #[test]
    fn a_host_counter_gives_what_the_same_built_in_one_gives(world in sessions::world(), ask in asks()) {
        let meter = Meter::new(Arc::new(Renamed(world.counter)));
        let other = ask.with(|request| compile(request, &world, &meter)).unwrap();
        prop_assert_eq!(&ask.compile(&world).context.messages, &other.context.messages);
    }

    #[test]
    fn a_fallback_keeps_the_budget_and_the_pairs(world in sessions::world(), ask in asks(), fails in 0..4_usize) {
        let mut broken = world.clone();
        broken.fails = Some(["facts", "recall", "message", "open_turn"][fails]);
        let compiled = ask.answer(&broken).unwrap();
        tokens_are_exact(&compiled, &world.counter);
        pairs_are_whole(&compiled.context.messages);
        let manifest = &compiled.context.manifest;
        let nameless = |notice: &Notice| matches!(notice, Notice::MissingProvenance { .. });
        let nameless = manifest.notices.iter().any(nameless);
        prop_assert_eq!(manifest.read_only, manifest.failure.is_some() || nameless);
    }
}

/// The request is clean, and the manifest says nothing else.
fn keeps_the_rules(compiled: &Compiled) {
    let context = &compiled.context;
    let request = render::request_json(context).unwrap();
    let found = verify(context.provider, &request).unwrap();
    assert_eq!(found, [], "{:?} {request}", context.provider);
    let notices = &context.manifest.notices;
    assert!(
        !notices
            .iter()
            .any(|notice| matches!(notice, Notice::RuleBroken { .. }))
    );
}

/// The world with its messages counted anew.
fn recount(world: &World, counter: &dyn TokenCounter) -> World {
    let mut world = world.clone();
    for turn in world.turns.iter_mut().chain(&mut world.open) {
        for view in &mut turn.messages {
            view.tokens = aura_assembly::excerpt::count(&view.stored, counter).unwrap();
        }
    }
    world
}

/// An eighth of the bytes, rounded down: a text has more than its segments.
struct RoundedDown;

impl TokenCounter for RoundedDown {
    fn name(&self) -> &str {
        "rounded down"
    }

    fn count(&self, text: &str) -> aura_core::Result<u32> {
        Ok(u32::try_from(text.len() / 8).unwrap())
    }
}
