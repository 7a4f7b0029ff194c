use std::collections::BTreeSet;

use aura_core::{
    ArtifactHandle, Block, BlockId, ContextPolicy, Digest, HANDLE_DIGITS, Label, Payload,
    Principal, Provider, RequestId, SessionId, TenantId, Timestamp, TurnId,
};
use aura_text::{Analyzer, BuiltinCounter};

use super::*;
use crate::compile::fallback::{self, Nothing};
use crate::request::Timer;

struct Still;

impl Timer for Still {
    fn micros(&self) -> u64 {
        0
    }
}

fn block(id: &str) -> Block {
    let mut block = Block::evidence(id, format!("The refund period of {id} is 30 days.")).unwrap();
    block.source = Some("https://example.org".into());
    block
}

/// A block that may be seen, and one for each reason not to see it.
fn blocks(now: Timestamp) -> Vec<Block> {
    let mut labelled = block("labelled");
    labelled.labels = BTreeSet::from([Label::new("staff").unwrap()]);
    let mut expired = block("expired");
    expired.expires_at = Some(now);
    let mut foreign = block("foreign");
    foreign.payload = Payload::Artifact(ArtifactHandle {
        tenant: TenantId::new("other").unwrap(),
        name: "refunds".into(),
        version: 1,
        digest: Digest::of(b"x").prefix(HANDLE_DIGITS),
    });
    vec![block("mine"), labelled, expired, foreign]
}

/// What becomes of a call whose blocks pass `filter`.
fn scored(
    filter: impl for<'b> Fn(&CompileRequest<'b>, &mut Ledger) -> Vec<&'b Block>,
) -> (Result<Compiled, Failure>, Result<Compiled>) {
    let now = Timestamp::from_millis_clamped(1_700_000_000_000);
    let (principal, policy, analyzer) = (
        Principal::default(),
        ContextPolicy {
            facts_enabled: false,
            retrieval_enabled: false,
            ..ContextPolicy::default()
        },
        Analyzer::english(),
    );
    let blocks = blocks(now);
    let request = CompileRequest {
        principal: &principal,
        session_id: &SessionId::new("s").unwrap(),
        turn_id: &TurnId::new("t").unwrap(),
        request_id: &RequestId::new("r").unwrap(),
        correlation_id: None,
        agent_version: None,
        workflow_stage: None,
        policy: &policy,
        question: "What is the refund period?",
        system: None,
        tools: &[],
        tool_records: &[],
        blocks: &blocks,
        gathered: None,
        provider: Provider::Generic,
        now,
        change_seq: 0,
        distilled: 0,
        analyzer: &analyzer,
        facts: None,
        replanned: None,
        earlier: &[],
        previous: None,
        plan: None,
        timer: &Still,
    };
    let meter = Meter::new(std::sync::Arc::new(BuiltinCounter::O200kBase));
    let compile = || {
        let mut run = Run::new(&request);
        let visible = Visible {
            blocks: filter(&request, &mut run.ledger),
            open: None,
            turns: 0,
        };
        run.assemble(&Nothing, &meter, &visible, None)
    };
    let recovered =
        compile().or_else(|failure| fallback::recover(&request, &Nothing, &meter, failure));
    (compile(), recovered)
}

/// The blocks that have scores.
fn with_scores(compiled: &Compiled) -> Vec<String> {
    let records = compiled.context.manifest.candidates.iter();
    let scored = records.filter(|record| record.scores.admission.is_some());
    scored.map(|record| record.block.to_string()).collect()
}

#[test]
fn nothing_that_the_filter_refuses_is_scored() {
    let (compiled, _) = scored(filter::permitted);
    assert_eq!(with_scores(&compiled.unwrap()), ["block:mine"]);
}

#[test]
fn a_bypass_of_the_filter_is_noticed_where_scores_are_made() {
    for foreign in 1..4 {
        let (failed, recovered) = scored(|request, _| {
            let all = request.blocks.iter().enumerate();
            let passed = all.filter(|(at, _)| *at == 0 || *at == foreign);
            passed.map(|(_, block)| block).collect()
        });
        let failure = failed.unwrap_err();
        assert_eq!(
            (failure.stage, failure.error.kind()),
            (Stage::Filter, ErrorKind::Internal)
        );
        let given = failure
            .error
            .context()
            .iter()
            .find(|(key, _)| *key == "foreign");
        assert_eq!(given.unwrap().1, "1");
        // What is answered then shows nothing of it.
        let manifest = recovered.unwrap().context.manifest;
        assert_eq!(manifest.outcome, Outcome::Restricted);
        let id = BlockId::new(["labelled", "expired", "foreign"][foreign - 1]).unwrap();
        let record = manifest.candidate(&aura_core::BlockRef::Block(id)).unwrap();
        assert_eq!((record.fate, record.stage), (Fate::Rejected, Stage::Filter));
    }
}
