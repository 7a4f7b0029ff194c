//! Every stage fails, and the store too: what is given, and what the receipt says.

use std::sync::Arc;
use std::time::Duration;

use aura_core::{
    Block, CompiledContext, ContextPolicy, CorrelationId, ErrorKind, Message, OnFailure, Outcome,
    Principal, Result, Section, Stage, Trust, TurnStatus,
};
use aura_engine::{ContextRequest, Engine, EngineOptions, RecordRequest};
use aura_storage::MemoryStorage;
use aura_testkit::fault::{FaultStages, FaultStorage, Times};

use crate::setup::{all_text, session, turn_id};

const STAGES: [Stage; 6] = [
    Stage::Filter,
    Stage::Retrieve,
    Stage::Resolve,
    Stage::Admit,
    Stage::Order,
    Stage::Serialize,
];

const MODES: [OnFailure; 3] = [
    OnFailure::FullHistory,
    OnFailure::Restricted,
    OnFailure::Error,
];

/// Words that stand in turns, blocks and the question, and must not stand in a receipt.
const SECRETS: [&str; 3] = ["labradorite", "vouchedword", "amulet"];

struct World {
    engine: Engine,
    stages: Arc<FaultStages>,
    storage: Arc<FaultStorage>,
}

fn world() -> World {
    let storage = Arc::new(FaultStorage::new(Arc::new(MemoryStorage::new())));
    let stages = Arc::new(FaultStages::default());
    let options = EngineOptions {
        probe: Some(Arc::clone(&stages) as _),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::clone(&storage) as _, options).unwrap();
    let me = Principal::default();
    for text in ["The ring holds a labradorite.", "Filler.", "More filler."] {
        engine
            .record_exchange(&me, &session("chat"), text, "Noted.")
            .unwrap();
    }
    World {
        engine,
        stages,
        storage,
    }
}

fn request(on_failure: OnFailure) -> ContextRequest {
    let mut vouched = Block::evidence("vouched", "A vouchedword.").unwrap();
    vouched.trust = Trust::Verified;
    vouched.source = Some("https://example.org/vouched".to_owned());
    let mut web = Block::evidence("web", "From the web.").unwrap();
    web.source = Some("https://example.org/web".to_owned());
    ContextRequest {
        system: Some("Be brief.".to_owned()),
        blocks: vec![vouched, web],
        correlation_id: Some(CorrelationId::new("trace-7").unwrap()),
        ..ContextRequest::ask("Which stone is in the amulet or the ring?").with_policy(
            ContextPolicy {
                on_failure,
                recency_turns: 1,
                policy_version: "p-9".to_owned(),
                ..ContextPolicy::default()
            },
        )
    }
}

impl World {
    fn ask(&self, request: &ContextRequest) -> Result<CompiledContext> {
        self.engine
            .build_context(&Principal::default(), &session("chat"), request)
    }
}

/// What holds of every answer after a failure.
fn check(context: &CompiledContext, stage: Stage, kind: ErrorKind, outcome: Outcome) {
    let manifest = &context.manifest;
    let place = format!("{stage:?} {kind:?}");
    assert_eq!(manifest.outcome, outcome, "{place}");
    assert!(manifest.read_only, "{place}: nobody is to act on it");
    let receipt = manifest.failure.as_ref().unwrap();
    assert_eq!((receipt.stage, receipt.error_kind()), (stage, kind));
    assert_eq!(receipt.policy_version, "p-9");
    assert_eq!(
        receipt.correlation_id.as_ref().map(CorrelationId::as_str),
        Some("trace-7")
    );
    let written = serde_json::to_string(receipt).unwrap();
    for secret in SECRETS {
        assert!(!written.contains(secret), "{place}: {written}");
    }
    let text = all_text(context);
    assert!(text.contains("Be brief.") && text.contains("amulet"));
    assert!(!text.contains("From the web."), "{place}: nobody vouches");
    match outcome {
        Outcome::Fallback => assert!(text.contains("labradorite")),
        _ => {
            assert!(!text.contains("labradorite") && !text.contains("filler"));
            assert!(text.contains("vouchedword"));
            let history = |message: &aura_core::ContextMessage| message.section == Section::History;
            assert!(!context.messages.iter().any(history));
        }
    }
    assert!(manifest.totals.tokens <= manifest.totals.budget);
}

#[test]
fn each_failed_stage_gives_what_the_policy_says() {
    let world = world();
    for stage in STAGES {
        for kind in [
            ErrorKind::Unavailable,
            ErrorKind::Busy,
            ErrorKind::Corrupt,
            ErrorKind::Callback,
            ErrorKind::Internal,
        ] {
            for on_failure in MODES {
                world.stages.fail(stage, kind, Times::Next(1));
                let given = world.ask(&request(on_failure));
                let outcome = match on_failure {
                    OnFailure::Error => {
                        let error = given.unwrap_err();
                        assert_eq!((error.kind(), error.operation()), (kind, "build_context"));
                        continue;
                    }
                    OnFailure::FullHistory if stage != Stage::Filter => Outcome::Fallback,
                    _ => Outcome::Restricted,
                };
                check(&given.unwrap(), stage, kind, outcome);
                // The failure leaves nothing behind.
                let sound = world.ask(&request(on_failure)).unwrap();
                assert_eq!(sound.manifest.outcome, Outcome::Complete);
                assert!(sound.manifest.failure.is_none() && !sound.manifest.read_only);
            }
        }
    }
}

#[test]
fn a_transcript_that_fails_too_gives_what_is_vouched_for() {
    let world = world();
    for stage in STAGES {
        let kind = ErrorKind::Unavailable;
        world.stages.fail(stage, kind, Times::Next(2));
        let given = world.ask(&request(OnFailure::FullHistory));
        check(&given.unwrap(), stage, kind, Outcome::Restricted);
        world.stages.fail(stage, kind, Times::Always);
        let error = world.ask(&request(OnFailure::FullHistory)).unwrap_err();
        assert_eq!(error.kind(), kind, "{stage:?}");
        world.stages.heal();
    }
}

#[test]
fn refusals_and_cancelling_are_no_failures() {
    let world = world();
    for stage in STAGES {
        for kind in [
            ErrorKind::Cancelled,
            ErrorKind::Denied,
            ErrorKind::Invalid,
            ErrorKind::Conflict,
        ] {
            world.stages.fail(stage, kind, Times::Next(1));
            let given = world.ask(&request(OnFailure::FullHistory));
            assert_eq!(given.unwrap_err().kind(), kind, "{stage:?}");
        }
    }
}

#[test]
fn a_session_that_cannot_be_read_shows_nothing_of_itself() {
    let world = world();
    for kind in [ErrorKind::Unavailable, ErrorKind::Corrupt] {
        for on_failure in MODES {
            world.storage.fail("session", kind, Times::Next(1));
            let given = world.ask(&request(on_failure));
            world.storage.heal();
            match on_failure {
                OnFailure::Error => assert_eq!(given.unwrap_err().kind(), kind),
                _ => check(&given.unwrap(), Stage::Filter, kind, Outcome::Restricted),
            }
        }
    }
}

#[test]
fn what_can_be_done_without_is_left_out_and_said() {
    let world = world();
    let (me, chat, turn) = (Principal::default(), session("chat"), turn_id("open"));
    let messages = vec![Message::user("Which stone is in the ring?")];
    let open = RecordRequest::of(messages)
        .with_turn_id(turn.clone())
        .with_status(TurnStatus::Open);
    world.engine.record_turn(&me, &chat, open).unwrap();
    world.engine.flush(Duration::from_secs(60)).unwrap();
    let ask = ContextRequest {
        turn_id: Some(turn),
        ..ContextRequest::default()
    };
    // Engines that have read nothing yet; the first to go closes the store.
    let mut engines = Vec::new();
    for (work, ask) in [
        ("facts", ContextRequest::ask("Which stone is in the ring?")),
        ("plan", ask),
    ] {
        // The method of the store is named like the work.
        world
            .storage
            .fail(work, ErrorKind::Unavailable, Times::Always);
        let fresh = Engine::new(Arc::clone(&world.storage) as _, EngineOptions::default()).unwrap();
        let context = fresh.build_context(&me, &chat, &ask).unwrap();
        world.storage.heal();
        let manifest = &context.manifest;
        assert_eq!(manifest.outcome, Outcome::Degraded, "{work}");
        let skipped = &manifest.retrieval.skipped;
        assert!(
            skipped
                .iter()
                .any(|one| one.work == work && one.reason == "unavailable"),
            "{work}: {skipped:?}"
        );
        assert!(all_text(&context).contains("labradorite"));
        engines.push(fresh);
    }
}

#[test]
fn a_passed_deadline_gives_a_valid_context_and_says_what_is_missing() {
    let world = world();
    let late = ContextRequest {
        deadline: Some(Duration::ZERO),
        ..request(OnFailure::Error)
    };
    let context = world.ask(&late).unwrap();
    let manifest = &context.manifest;
    assert_eq!(manifest.outcome, Outcome::Degraded);
    let skipped = &manifest.retrieval.skipped;
    assert!(!skipped.is_empty() && skipped.iter().all(|one| one.reason == "deadline"));
    assert_eq!(
        manifest.coverage.skipped_for_deadline as usize,
        skipped.len()
    );
    assert!(manifest.totals.tokens <= manifest.totals.budget);
    assert!(all_text(&context).trim_end().ends_with("the ring?"));
    let begun = world.stages.begun();
    let all = STAGES.iter().all(|stage| begun.contains(stage));
    assert!(all, "no stage is skipped as a whole: {begun:?}");
    let patient = ContextRequest {
        deadline: Some(Duration::from_secs(60)),
        ..late
    };
    let context = world.ask(&patient).unwrap();
    assert_eq!(context.manifest.outcome, Outcome::Complete);
}
