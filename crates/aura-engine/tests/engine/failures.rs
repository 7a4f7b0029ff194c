//! What is given when something fails.

mod faults;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aura_core::{
    ContextPolicy, Error, ErrorKind, Fact, FactExtractor, FactOp, Outcome, Principal, Result,
    Stage, TokenCounter, TurnRecord,
};
use aura_engine::{ContextRequest, Engine, EngineOptions};
use aura_storage::MemoryStorage;
use aura_text::BuiltinCounter;

use crate::setup::{all_text, session};

/// A counter of a host that fails for texts with a certain word while told to.
struct Moody {
    failing: AtomicBool,
}

impl TokenCounter for Moody {
    fn name(&self) -> &str {
        "moody"
    }

    fn count(&self, text: &str) -> Result<u32> {
        if self.failing.load(Ordering::SeqCst) && text.contains("labradorite") {
            return Err(Error::new(ErrorKind::Callback, "the host's counter failed"));
        }
        BuiltinCounter::CharsDiv4.count(text)
    }
}

fn conversation(engine: &Engine, me: &Principal) {
    let chat = session("chat");
    engine
        .record_exchange(me, &chat, "The ring holds a labradorite.", "A fine stone.")
        .unwrap();
    for at in 0..5 {
        engine
            .record_exchange(me, &chat, &format!("Filler {at}"), "Yes.")
            .unwrap();
    }
}

#[test]
fn on_failure_decides_what_is_given_instead() {
    let counter = Arc::new(Moody {
        failing: AtomicBool::new(true),
    });
    let options = EngineOptions {
        counter: Some(Arc::clone(&counter) as _),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
    let (me, chat) = (Principal::default(), session("chat"));
    conversation(&engine, &me);
    let ask = |on_failure: &str, budget: u32| {
        let policy = format!(r#"{{"on_failure":"{on_failure}","token_budget":{budget}}}"#);
        let policy = ContextPolicy::from_json(policy.as_bytes()).unwrap();
        engine.build_context(
            &me,
            &chat,
            &ContextRequest::ask("Which stone is in the ring?").with_policy(policy),
        )
    };
    let error = ask("error", 4096).unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::Callback, "build_context")
    );
    let context = ask("restricted", 4096).unwrap();
    assert_eq!(
        (context.manifest.outcome, context.manifest.read_only),
        (Outcome::Restricted, true)
    );
    let failure = context.manifest.failure.as_ref().unwrap();
    assert_eq!(
        (failure.stage, failure.error_kind()),
        (Stage::Retrieve, ErrorKind::Callback)
    );
    assert!(!all_text(&context).contains("labradorite"));
    assert!(all_text(&context).contains("Which stone"));
    // A small budget holds the newest turns only, so the one that cannot be counted is not needed.
    let context = ask("full-history", 60).unwrap();
    assert_eq!(
        (context.manifest.outcome, context.manifest.read_only),
        (Outcome::Fallback, true)
    );
    assert!(context.manifest.totals.tokens <= 60 && all_text(&context).contains("Filler 4"));
    counter.failing.store(false, Ordering::SeqCst);
    let context = ask("error", 4096).unwrap();
    assert_eq!(context.manifest.outcome, Outcome::Complete);
    assert!(all_text(&context).contains("labradorite"));
}

/// An extractor that cannot work.
struct Broken;

impl FactExtractor for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn extract(
        &self,
        _session: &str,
        _turn: &TurnRecord,
        _current: &[Fact],
    ) -> Result<Vec<FactOp>> {
        Err(Error::new(
            ErrorKind::Callback,
            "the host's extractor failed",
        ))
    }
}

#[test]
fn a_failing_extractor_stops_neither_writes_nor_reads() {
    let options = EngineOptions {
        extractor: Some(Arc::new(Broken)),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
    let me = Principal::default();
    conversation(&engine, &me);
    let ask = ContextRequest::ask("Which stone is in the ring?");
    let context = engine.build_context(&me, &session("chat"), &ask).unwrap();
    assert!(all_text(&context).contains("labradorite"));
    assert_eq!(context.manifest.outcome, Outcome::Degraded);
    assert!(
        context
            .manifest
            .retrieval
            .skipped
            .iter()
            .any(|skipped| skipped.work == "distillation")
    );
    let error = engine
        .flush(std::time::Duration::from_secs(10))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Callback);
}
