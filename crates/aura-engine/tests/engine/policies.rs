//! Policies: proposed, approved, claimed by blocks.

use std::collections::BTreeSet;

use crate::setup::{all_text, evidence, memory_engine, session};
use aura_core::{
    Block, BlockKind, BlockRef, CompiledContext, ErrorKind, Fate, Label, Notice, Payload,
    PolicyProposal, PolicyQuery, PolicyRef, Principal, Reason, Role, Section, Stage, Timestamp,
    Trust,
};
use aura_engine::{ContextRequest, Engine};

fn propose(engine: &Engine, version: &str, text: &str) {
    let proposal = PolicyProposal::new("refunds", version, text);
    engine
        .propose_policy(&Principal::default(), proposal)
        .unwrap();
}

fn approve(engine: &Engine, version: &str) {
    let me = Principal::default();
    engine.approve_policy(&me, "refunds", version).unwrap();
}

/// A block that stands for a version of the policy on refunds.
fn claim(id: &str, version: Option<&str>) -> Block {
    let mut block = Block::evidence(id, "").unwrap();
    block.kind = BlockKind::Policy;
    block.payload = Payload::Policy(PolicyRef {
        subject: "refunds".into(),
        version: version.map(str::to_owned),
    });
    block
}

fn ask(engine: &Engine, blocks: Vec<Block>) -> aura_core::Result<CompiledContext> {
    let mut request = ContextRequest::ask("What is the refund period?");
    request.system = Some("You help.".into());
    request.blocks = blocks;
    engine.build_context(&Principal::default(), &session("chat"), &request)
}

fn reason(context: &CompiledContext, id: &str) -> (Fate, Stage, Reason) {
    let block: BlockRef = format!("block:{id}").parse().unwrap();
    let record = context.manifest.candidate(&block).unwrap();
    (record.fate, record.stage, record.reason)
}

#[test]
fn only_an_approved_version_is_policy() {
    let engine = memory_engine();
    propose(&engine, "v17", "Refunds within 30 days.");
    let by_text = |text: &str, trust, kind| {
        let mut block = Block::evidence("p", text).unwrap();
        (block.trust, block.kind) = (trust, kind);
        block.subject = Some("refunds".into());
        block.version = Some("v17".into());
        block
    };
    let good = "Refunds within 30 days.";
    let claims = || {
        vec![
            claim("p", Some("v17")),
            claim("p", None),
            by_text(good, Trust::Untrusted, BlockKind::Policy),
            by_text(good, Trust::Policy, BlockKind::Evidence),
        ]
    };
    let denied = |block: Block| {
        let harmless = Block::evidence("e", "x").unwrap();
        let error = ask(&engine, vec![harmless, block]).unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Denied, Some("blocks[1].trust")),
            "{error}"
        );
        assert!(!error.to_string().contains("30 days"));
    };
    claims().into_iter().for_each(denied);
    approve(&engine, "v17");
    for block in claims() {
        let context = ask(&engine, vec![block]).unwrap();
        let first = &context.messages[0];
        assert_eq!((first.role, first.section), (Role::System, Section::System));
        assert_eq!(
            first.content,
            "Policy on refunds, version v17:\nRefunds within 30 days.\n\nYou help."
        );
        assert_eq!(
            reason(&context, "p"),
            (Fate::Selected, Stage::Admit, Reason::Given)
        );
        assert!(!context.manifest.read_only);
    }
    for text in ["Refunds within 90 days.", "refunds within 30 days.", ""] {
        denied(by_text(text, Trust::Policy, BlockKind::Policy));
    }
    let mut nameless = by_text(good, Trust::Policy, BlockKind::Policy);
    nameless.subject = None;
    denied(nameless);
    denied(claim("p", Some("v18")));
    let other = Principal::of_tenant("other").unwrap();
    let mut request = ContextRequest::ask("?");
    request.blocks = vec![claim("p", Some("v17"))];
    let error = engine
        .build_context(&other, &session("theirs"), &request)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Denied, "another tenant's policy");
}

#[test]
fn the_newest_version_in_force_counts() {
    let engine = memory_engine();
    for version in ["v9", "v17", "v20"] {
        propose(&engine, version, &format!("Rule {version}."));
    }
    let mut later = PolicyProposal::new("refunds", "v18", "Rule v18.");
    later.effective_from = Some(Timestamp::parse_lenient("2100-01-01T00:00:00Z").unwrap());
    let me = Principal::default();
    engine.propose_policy(&me, later).unwrap();
    for version in ["v17", "v9", "v18"] {
        approve(&engine, version);
    }
    let context = ask(&engine, vec![claim("p", None)]).unwrap();
    assert!(
        all_text(&context).contains("Rule v17."),
        "17 > 9; 20 is not approved, 18 not in force"
    );
    let stale = vec![claim("old", Some("v9")), claim("new", Some("v17"))];
    let context = ask(&engine, stale).unwrap();
    assert_eq!(reason(&context, "old").2, Reason::Outranked);
    assert!(!all_text(&context).contains("Rule v9."));
    let context = ask(&engine, vec![claim("p", Some("v18"))]).unwrap();
    assert_eq!(
        reason(&context, "p"),
        (Fate::Rejected, Stage::Resolve, Reason::NotInForce)
    );
    assert!(!all_text(&context).contains("Rule v18."));
}

#[test]
fn no_evidence_outranks_a_policy() {
    let engine = memory_engine();
    propose(&engine, "v17", "Refunds within 30 days.");
    approve(&engine, "v17");
    let mut loud = Block::evidence("loud", "Refund period refund period: 90 days!").unwrap();
    loud.subject = Some("refunds".into());
    loud.authority = 5;
    loud.version = Some("v99".into());
    loud.trust = Trust::Verified;
    let context = ask(&engine, vec![loud, claim("p", Some("v17"))]).unwrap();
    assert_eq!(
        reason(&context, "loud"),
        (Fate::Rejected, Stage::Resolve, Reason::Outranked)
    );
    assert!(!all_text(&context).contains("90 days"));
}

#[test]
fn policies_in_conflict_count_as_data_and_make_the_context_read_only() {
    let engine = memory_engine();
    let me = Principal::default();
    // "v1.0" and "v1.00" are the same number, and nothing else tells them apart.
    for (version, text) in [("v1.0", "30 days."), ("v1.00", "60 days.")] {
        let mut proposal = PolicyProposal::new("refunds", version, text);
        proposal.effective_from = Some(Timestamp::from_millis_clamped(0));
        engine.propose_policy(&me, proposal).unwrap();
    }
    approve(&engine, "v1.0");
    approve(&engine, "v1.00");
    let context = ask(
        &engine,
        vec![claim("a", Some("v1.0")), claim("b", Some("v1.00"))],
    )
    .unwrap();
    assert_eq!(context.messages[0].content, "You help.");
    let manifest = &context.manifest;
    assert!(manifest.read_only);
    assert!(matches!(&manifest.notices[0], Notice::Conflict { blocks, .. } if blocks.len() == 2));
    let data = evidence(&context);
    assert!(data.contains("30 days.") && data.contains("60 days."));
    assert!(data.contains("trust=\"verified\"") && !data.contains("trust=\"policy\""));
}

#[test]
fn labels_are_needed_to_propose_approve_list_and_see() {
    let engine = memory_engine();
    let staff = Principal {
        labels: BTreeSet::from([Label::new("staff").unwrap()]),
        ..Principal::default()
    };
    let nobody = Principal::default();
    let mut proposal = PolicyProposal::new("refunds", "v1", "Staff may refund at once.");
    proposal.labels.clone_from(&staff.labels);
    let refused = engine
        .propose_policy(&nobody, proposal.clone())
        .unwrap_err();
    assert_eq!(
        (refused.kind(), refused.field()),
        (ErrorKind::Denied, Some("labels"))
    );
    let stored = engine.propose_policy(&staff, proposal.clone()).unwrap();
    assert_eq!(engine.propose_policy(&staff, proposal).unwrap(), stored);
    let refused = engine.approve_policy(&nobody, "refunds", "v1").unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Denied);
    let approved = engine.approve_policy(&staff, "refunds", "v1").unwrap();
    assert_eq!(approved.approved.unwrap().agent, staff.agent);
    let all = PolicyQuery::default();
    assert!(engine.policies(&nobody, &all).unwrap().is_empty());
    assert_eq!(engine.policies(&staff, &all).unwrap().len(), 1);
    let context = ask(&engine, vec![claim("p", None)]).unwrap();
    assert_eq!(
        reason(&context, "p"),
        (Fate::Rejected, Stage::Filter, Reason::LabelNotHeld)
    );
    assert!(!all_text(&context).contains("at once"));
    let missing = engine.approve_policy(&staff, "refunds", "v2").unwrap_err();
    assert_eq!(
        (missing.kind(), missing.field()),
        (ErrorKind::NotFound, Some("version"))
    );
}
