//! What is answered when a stage fails.

use aura_core::{Block, BlockKind, ErrorKind, OnFailure, Outcome, Section, Stage, Trust};

use crate::ask::{Ask, all_text, section};
use crate::world::World;

fn world(fails: &'static str) -> World {
    let mut world = World::of(&[("The lamp is red.", "ok"), ("Hello", "Hi"), ("Bye", "Ciao")]);
    world.fails = Some(fails);
    world
}

fn ask(on_failure: OnFailure) -> Ask {
    let mut ask = Ask::new("Which lamp?").recency(1);
    ask.policy.on_failure = on_failure;
    ask.system = Some("Be brief.".into());
    let mut vouched = Block::evidence("vouched", "Vouched for.").unwrap();
    vouched.trust = Trust::Verified;
    let mut demand = Block::evidence("demand", "In French.").unwrap();
    demand.trust = Trust::Verified;
    demand.kind = BlockKind::UserConstraint;
    ask.blocks = vec![
        Block::evidence("web", "From the web.").unwrap(),
        vouched,
        demand,
    ];
    ask
}

#[test]
fn the_stage_is_named() {
    for (method, stage) in [
        ("open_turn", Stage::Filter),
        ("recall", Stage::Retrieve),
        ("facts", Stage::Retrieve),
        ("message", Stage::Admit),
        ("history_tokens", Stage::Serialize),
    ] {
        let mut ask = ask(OnFailure::Error);
        ask.policy.max_facts = 3;
        let failure = ask.try_compile(&world(method)).unwrap_err();
        assert_eq!(failure.stage, stage, "{method}");
        assert_eq!(
            ask.answer(&world(method)).unwrap_err().kind(),
            ErrorKind::Unavailable
        );
    }
}

#[test]
fn the_transcript_answers_and_is_read_only() {
    for method in ["recall", "facts", "message", "history_tokens"] {
        let compiled = ask(OnFailure::FullHistory).answer(&world(method)).unwrap();
        let manifest = &compiled.context.manifest;
        assert_eq!(
            (manifest.outcome, manifest.read_only),
            (Outcome::Fallback, true)
        );
        assert_eq!(section(&compiled, Section::History).len(), 6);
        let receipt = manifest.failure.as_ref().unwrap();
        assert_eq!(receipt.error_kind(), ErrorKind::Unavailable);
        assert_eq!(receipt.correlation_id, manifest.correlation_id);
        assert!(compiled.plan.is_none(), "a fallback is never frozen");
        let text = all_text(&compiled);
        assert!(
            text.contains("In French.")
                && text.contains("Be brief.")
                && !text.contains("From the web.")
        );
    }
}

#[test]
fn a_failed_filter_never_yields_the_transcript() {
    for (method, on_failure) in [
        ("open_turn", OnFailure::FullHistory),
        ("turn", OnFailure::FullHistory),
        ("recall", OnFailure::Restricted),
    ] {
        let compiled = ask(on_failure).answer(&world(method)).unwrap();
        let manifest = &compiled.context.manifest;
        assert_eq!(
            (manifest.outcome, manifest.read_only),
            (Outcome::Restricted, true),
            "{method}"
        );
        let text = all_text(&compiled);
        assert!(!text.contains("lamp is red") && !text.contains("From the web."));
        assert!(text.contains("Vouched for.") && text.contains("Which lamp?"));
    }
}

#[test]
fn a_restricted_context_keeps_what_the_user_says_in_the_open_turn() {
    use aura_core::Message;
    let mut world = world("recall");
    world.begin(vec![
        Message::user("Which lamp?"),
        crate::sessions::calling("", &["c"]),
        crate::sessions::result("c", "red"),
        Message::user("Please hurry."),
    ]);
    let compiled = ask(OnFailure::Restricted).answer(&world).unwrap();
    let text = all_text(&compiled);
    assert!(text.contains("Please hurry.") && !text.contains("red"));
}

#[test]
fn a_failed_counter_of_the_host_is_stood_in_for() {
    use std::sync::Arc;

    use aura_assembly::{Meter, compile, fallback};
    use aura_core::{Error, Result, TokenCounter};

    struct Broken;
    impl TokenCounter for Broken {
        fn name(&self) -> &str {
            "host"
        }
        fn count(&self, _text: &str) -> Result<u32> {
            Err(Error::new(ErrorKind::Callback, "the host's counter failed"))
        }
    }
    let meter = Meter::new(Arc::new(Broken));
    let world = World::of(&[("The lamp is red.", "ok")]);
    let compiled = ask(OnFailure::FullHistory).with(|request| {
        let failure = compile(request, &world, &meter).unwrap_err();
        fallback::recover(request, &world, &meter, failure).unwrap()
    });
    assert_eq!(compiled.context.manifest.token_counter, "bytes");
    assert!(all_text(&compiled).contains("lamp is red"));
}
