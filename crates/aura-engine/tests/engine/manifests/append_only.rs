//! Prefix mode `append-only`: what was sent is sent again unchanged, until a compaction point.

use std::collections::BTreeSet;
use std::sync::Arc;

use aura_assembly::{render, verify};
use aura_core::{
    Block, Compaction, CompiledContext, ContextPolicy, DeletionSubject, EventRange, Label, Message,
    PrefixMode, Principal, Provider, Timestamp, TurnStatus,
};
use aura_engine::{ContextRequest, DeletionRequest, Engine, RecordRequest};
use aura_storage::MemoryStorage;

use crate::setup::{all_text, memory_engine, options, session, turn_id};

const PROVIDERS: [Provider; 5] = [
    Provider::Generic,
    Provider::Openai,
    Provider::OpenaiResponses,
    Provider::Anthropic,
    Provider::Gemini,
];

fn request(question: &str, budget: u32) -> ContextRequest {
    ContextRequest {
        system: Some("You sort stones.".to_owned()),
        ..ContextRequest::ask(question).with_policy(ContextPolicy {
            prefix_mode: PrefixMode::AppendOnly,
            token_budget: budget,
            ..ContextPolicy::default()
        })
    }
}

fn facts_alone(question: &str) -> ContextRequest {
    request(question, 4000).with_policy(ContextPolicy {
        prefix_mode: PrefixMode::AppendOnly,
        retrieval_enabled: false,
        ..ContextPolicy::default()
    })
}

fn build(engine: &Engine, request: &ContextRequest) -> CompiledContext {
    engine
        .build_context(&Principal::default(), &session("chat"), request)
        .unwrap()
}

fn say(engine: &Engine, user: &str, assistant: &str) {
    engine
        .record_exchange(&Principal::default(), &session("chat"), user, assistant)
        .unwrap();
}

/// The messages of a request, without the bracket that ends them.
fn sent(context: &CompiledContext) -> String {
    let json = render::messages_json(context).unwrap();
    json.strip_suffix(']').unwrap().to_owned()
}

fn compaction(context: &CompiledContext) -> Option<Compaction> {
    context.manifest.cache.compaction
}

const QUESTIONS: [&str; 6] = [
    "I live in Oslo. Which stone is blue?",
    "And which one is red?",
    "I just moved to Berlin. Which stone is heavy?",
    "Where do I live?",
    "Is amber a stone?",
    "What did I say first?",
];

fn stones(engine: &Engine) {
    for at in 0..12 {
        let text = format!(
            "Stone {at} is {} and lies in drawer {at}.",
            ["blue", "red", "heavy"][at % 3]
        );
        say(engine, &text, "Noted.");
    }
}

#[test]
fn what_was_sent_is_sent_again_byte_for_byte() {
    for provider in PROVIDERS {
        let engine = memory_engine();
        stones(&engine);
        let mut before: Option<CompiledContext> = None;
        for question in QUESTIONS {
            let ask = ContextRequest {
                provider,
                ..request(question, 6000)
            };
            let context = build(&engine, &ask);
            let cache = &context.manifest.cache;
            if provider != Provider::Generic {
                let body = render::request_json(&context).unwrap();
                assert_eq!(verify(provider, &body).unwrap(), [], "{body}");
            }
            match &before {
                None => assert_eq!(cache.compaction, Some(Compaction::First)),
                Some(before) => {
                    assert_eq!(cache.compaction, None, "{provider:?} {question}");
                    assert_eq!(cache.continues.as_ref(), Some(&before.manifest.request_id));
                    let count = before.messages.len();
                    for (old, new) in before.messages.iter().zip(&context.messages) {
                        assert_eq!(
                            (old.role, &old.content, &old.name),
                            (new.role, &new.content, &new.name)
                        );
                    }
                    assert!(context.messages.len() > count);
                    if provider != Provider::Anthropic {
                        assert!(sent(&context).starts_with(&sent(before)), "{provider:?}");
                    }
                    let whole: u32 = before.messages.iter().map(|message| message.tokens).sum();
                    assert!(
                        cache.kept_tokens >= whole,
                        "{} of {whole}",
                        cache.kept_tokens
                    );
                }
            }
            let mut seen = BTreeSet::new();
            for event in context.messages.iter().flat_map(|message| &message.events) {
                assert!(seen.insert(*event), "event {event} is shown twice");
            }
            assert!(context.manifest.totals.tokens <= context.manifest.totals.budget);
            say(&engine, question, "Let me think.");
            before = Some(context);
        }
    }
}

#[test]
fn a_fact_shown_before_is_corrected_behind_it() {
    let engine = memory_engine();
    say(&engine, "I live in Oslo.", "Nice.");
    for at in 0..4 {
        say(&engine, &format!("Filler {at}"), "Yes.");
    }
    let first = build(&engine, &facts_alone("Where do I live?"));
    assert!(all_text(&first).contains("lives in Oslo"));
    say(&engine, "Where do I live?", "In Oslo.");
    say(&engine, "I just moved to Berlin.", "Oh.");
    let second = build(&engine, &facts_alone("And now?"));
    assert_eq!(compaction(&second), None);
    let text = all_text(&second);
    let (old, new) = (
        text.find("lives in Oslo").unwrap(),
        text.rfind("lives in Berlin").unwrap(),
    );
    assert!(
        old < new && text.contains("before: lives in Oslo"),
        "{text}"
    );
    say(&engine, "And now?", "Berlin.");
    // Said once, it need not be said again.
    let third = build(&engine, &facts_alone("Thanks"));
    assert_eq!(compaction(&third), None);
    assert_eq!(all_text(&third).matches("before: lives in Oslo").count(), 1);
}

#[test]
fn a_retry_or_another_wording_continues_the_list_before() {
    let engine = memory_engine();
    stones(&engine);
    let first = build(&engine, &request("Which stone is blue?", 6000));
    say(&engine, "Which stone is blue?", "Stone 0.");
    let tried = build(&engine, &request("And red?", 6000));
    let again = build(&engine, &request("And heavy?", 6000));
    for context in [&tried, &again] {
        assert_eq!(
            context.manifest.cache.continues.as_ref(),
            Some(&first.manifest.request_id)
        );
    }
    say(&engine, "And red?", "Stone 1.");
    let next = build(&engine, &request("Thanks", 6000));
    assert_eq!(
        next.manifest.cache.continues.as_ref(),
        Some(&tried.manifest.request_id)
    );
}

#[test]
fn the_list_is_selected_anew_when_it_must_be() {
    let fresh = || {
        let engine = memory_engine();
        stones(&engine);
        let first = build(&engine, &request("Which stone is blue?", 3000));
        assert_eq!(compaction(&first), Some(Compaction::First));
        say(&engine, "Which stone is blue?", "Stone 0.");
        (engine, first)
    };
    let (engine, _) = fresh();
    let mut changed = request("And red?", 3000);
    changed.system = Some("You weigh stones.".to_owned());
    assert_eq!(
        compaction(&build(&engine, &changed)),
        Some(Compaction::Changed)
    );

    let (engine, _) = fresh();
    let long = "granite ".repeat(2600);
    let open = RecordRequest::of(vec![Message::user("Long?"), Message::assistant(long)])
        .with_status(TurnStatus::Complete);
    engine
        .record_turn(&Principal::default(), &session("chat"), open)
        .unwrap();
    let context = build(&engine, &request("And red?", 3000));
    assert_eq!(compaction(&context), Some(Compaction::Overflow));
    assert!(context.manifest.totals.tokens <= 3000);

    let (engine, first) = fresh();
    let shown = first
        .messages
        .iter()
        .flat_map(|message| &message.events)
        .next();
    let shown = *shown.unwrap();
    let subject = DeletionSubject::Events {
        session_id: session("chat"),
        range: EventRange::new(shown, shown),
    };
    let gone = first
        .messages
        .iter()
        .find(|message| message.events.contains(&shown));
    let gone = gone.unwrap().content.clone();
    engine
        .delete(&Principal::default(), DeletionRequest::of(subject))
        .unwrap();
    let context = build(&engine, &request("And red?", 3000));
    assert_eq!(compaction(&context), Some(Compaction::Deletion));
    assert!(
        !context
            .messages
            .iter()
            .any(|message| message.content == gone)
    );

    let (engine, _) = fresh();
    engine
        .record_turn(
            &Principal::default(),
            &session("chat"),
            RecordRequest::of(vec![Message::user("Other"), Message::assistant("Yes.")])
                .with_turn_id(turn_id("other")),
        )
        .unwrap();
    let turns = engine
        .turns(
            &Principal::default(),
            &session("chat"),
            aura_core::TurnIndex(0),
            100,
        )
        .unwrap();
    engine
        .set_head(
            &Principal::default(),
            &session("chat"),
            &turns[3].turn.turn_id,
        )
        .unwrap();
    let context = build(&engine, &request("And red?", 3000));
    assert_eq!(compaction(&context), Some(Compaction::Branch));
}

#[test]
fn blocks_that_no_longer_count_end_the_list() {
    let label = Label::new("secret").unwrap();
    let block = |id: &str, text: &str| {
        let mut block = Block::evidence(id, text).unwrap();
        block.source = Some("https://example.org".to_owned());
        block.subject = Some("lamp".to_owned());
        block
    };
    let run = |first: Block, change: &dyn Fn(&mut ContextRequest, &mut Principal)| {
        let engine = memory_engine();
        let mut me = Principal::default();
        me.labels.insert(label.clone());
        let mut ask = request("Where is the lamp?", 3000);
        ask.blocks = vec![first];
        let context = engine.build_context(&me, &session("chat"), &ask).unwrap();
        assert!(all_text(&context).contains("The lamp is"));
        say(&engine, "Where is the lamp?", "There.");
        ask.question = "Sure about the lamp?".to_owned();
        change(&mut ask, &mut me);
        let context = engine.build_context(&me, &session("chat"), &ask).unwrap();
        (compaction(&context), all_text(&context))
    };
    let plain = || block("b", "The lamp is red.");
    let (why, text) = run(plain(), &|_, _| {});
    assert_eq!((why, text.matches("The lamp is red.").count()), (None, 1));
    let (why, text) = run(plain(), &|ask, _| ask.blocks.clear());
    assert_eq!((why, text.matches("The lamp is red.").count()), (None, 1));
    let (why, _) = run(plain(), &|ask, _| {
        ask.blocks = vec![block("b", "The lamp is blue.")]
    });
    assert_eq!(why, Some(Compaction::Changed));
    let newer = |ask: &mut ContextRequest, _: &mut Principal| {
        let mut better = block("c", "The lamp is green.");
        better.authority = 5;
        ask.blocks.push(better);
    };
    let (why, text) = run(plain(), &newer);
    assert_eq!(why, Some(Compaction::Outranked));
    assert!(!text.contains("The lamp is red."), "{text}");
    let mut secret = plain();
    secret.labels.insert(label.clone());
    let (why, text) = run(secret, &|_, me| me.labels.clear());
    assert_eq!(why, Some(Compaction::Revoked));
    assert!(!text.contains("The lamp is red."));
    let mut brief = plain();
    brief.expires_at = Some(Timestamp::from_millis_clamped(1_700_000_000_001));
    let (why, text) = run(brief, &|_, _| {});
    assert_eq!(why, Some(Compaction::Expiry));
    assert!(!text.contains("The lamp is red."));
}

#[test]
fn a_chain_is_replayed_and_goes_on_after_a_restart() {
    let store = Arc::new(MemoryStorage::new());
    let engine = Engine::new(store.clone(), options()).unwrap();
    stones(&engine);
    let mut contexts = Vec::new();
    for question in QUESTIONS {
        contexts.push(build(&engine, &request(question, 2500)));
        say(&engine, question, "Let me think.");
    }
    engine.flush(std::time::Duration::from_secs(60)).unwrap();
    let other = Engine::new(store, options()).unwrap();
    for context in &contexts {
        let again = other
            .replay(&Principal::default(), &context.manifest.request_id)
            .unwrap();
        assert_eq!(again.messages, context.messages);
    }
    let next = build(&other, &request("Still there?", 2500));
    let last = &contexts.last().unwrap().manifest;
    if next.manifest.cache.compaction.is_none() {
        assert_eq!(
            next.manifest.cache.continues.as_ref(),
            Some(&last.request_id)
        );
    } else {
        assert_eq!(next.manifest.cache.compaction, Some(Compaction::Overflow));
    }
}
