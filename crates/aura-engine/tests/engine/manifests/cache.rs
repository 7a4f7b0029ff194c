//! How much of a context stays the same from call to call.

use aura_core::{ContextPolicy, ManifestQuery, OutcomeReport, Principal, RequestId, Usage};
use aura_engine::{ContextRequest, Engine};

use crate::setup::{memory_engine, session};

fn ask(engine: &Engine, question: &str, version: &str, stage: &str) -> aura_core::CompiledContext {
    let request = ContextRequest {
        system: Some("You sort stones by colour and by weight.".to_owned()),
        agent_version: Some("a1".to_owned()),
        workflow_stage: Some(stage.to_owned()),
        ..ContextRequest::ask(question).with_policy(ContextPolicy {
            policy_version: version.to_owned(),
            ..ContextPolicy::default()
        })
    };
    engine
        .build_context(&Principal::default(), &session("chat"), &request)
        .unwrap()
}

#[test]
fn each_call_is_compared_with_the_one_before_it_of_its_kind() {
    let engine = memory_engine();
    let me = Principal::default();
    let say = |text: &str| {
        engine
            .record_exchange(&me, &session("chat"), text, "Noted.")
            .unwrap();
    };
    say("Amber is light.");
    let first = ask(&engine, "And basalt?", "v1", "plan");
    let cache = &first.manifest.cache;
    assert_eq!(
        (cache.previous.clone(), cache.hit, cache.kept_tokens),
        (None, false, 0)
    );
    // The same again: all of it is kept.
    let second = ask(&engine, "And basalt?", "v1", "plan");
    let cache = &second.manifest.cache;
    assert_eq!(cache.previous.as_ref(), Some(&first.manifest.request_id));
    assert!(cache.hit);
    assert_eq!(cache.key, first.manifest.cache.key);
    let sent: u32 = second.messages.iter().map(|message| message.tokens).sum();
    assert_eq!(cache.kept_tokens, sent);
    // Another question: all but the question.
    let third = ask(&engine, "And cobalt?", "v1", "plan");
    let question = third.messages.last().unwrap().tokens;
    assert!(third.manifest.cache.hit);
    assert_eq!(third.manifest.cache.kept_tokens, sent - question);
    // Another stage has a prefix of its own.
    let other = ask(&engine, "And cobalt?", "v1", "act");
    assert_eq!(other.manifest.cache.previous, None);
    // Another version of the policy: the same bytes, and another key.
    let fourth = ask(&engine, "And cobalt?", "v2", "plan");
    assert!(!fourth.manifest.cache.hit && fourth.manifest.cache.kept_tokens > 0);
    // The window moves on: only what stands before it stays.
    say("Basalt is heavy.");
    say("Cobalt is blue.");
    let fifth = ask(&engine, "And cobalt?", "v2", "plan");
    let system = fifth.messages.first().unwrap().tokens;
    assert!(!fifth.manifest.cache.hit);
    assert_eq!(fifth.manifest.cache.kept_tokens, system);
    let usage = Usage {
        input_tokens: 1_000,
        cached_tokens: 900,
        ..Usage::default()
    };
    let report = OutcomeReport {
        usage: Some(usage),
        ..OutcomeReport::default()
    };
    let request: &RequestId = &second.manifest.request_id;
    engine.record_outcome(&me, request, report).unwrap();
    let report = engine.cache_report(&me, &ManifestQuery::default()).unwrap();
    let lines: Vec<(&str, u64, u64, u64, u64)> = report
        .lines
        .iter()
        .map(|line| {
            let sums = line.sums;
            let stage = line.workflow_stage.as_str();
            (
                stage,
                sums.contexts,
                sums.followed,
                sums.hits,
                sums.cached_tokens,
            )
        })
        .collect();
    assert_eq!(lines, [("act", 1, 0, 0, 0), ("plan", 5, 4, 2, 900)]);
}
