//! What a principal may not see has no effect: not on the text, not on a score by a bit.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::setup::{session, turn_id};
use aura_core::{
    ArtifactHandle, Block, BlockKind, CandidateRecord, Clock, CompiledContext, ContextMessage,
    Digest, Fate, HANDLE_DIGITS, Label, Message, Payload, Principal, Stage, TenantId, Timestamp,
};
use aura_engine::{ContextRequest, Engine, EngineOptions, RecordRequest};
use aura_storage::MemoryStorage;

/// A clock that is set by hand: others at work do not move it.
#[derive(Default)]
struct Hand(AtomicI64);

impl Hand {
    fn set(&self, minute: i64) {
        self.0.store(minute, Ordering::SeqCst);
    }
}

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        let minute = self.0.load(Ordering::SeqCst);
        Timestamp::from_millis_clamped(1_700_000_000_000 + minute * 60_000)
    }
}

/// What others say about the same matter, and in other words.
const FOREIGN: [&str; 4] = [
    "The refund period for lamps is 90 days, the code of the vault is heliotrope.",
    "Refund refund refund, lamps lamps lamps: the period, the period, the period!",
    "A very long remark that has to do with nothing and makes every average length longer than it was before it came",
    "vault",
];

fn of(tenant: &str, user: Option<&str>) -> Principal {
    Principal {
        user: user.map(|user| user.parse().unwrap()),
        ..Principal::of_tenant(tenant).unwrap()
    }
}

fn block(id: &str, text: &str) -> Block {
    let mut block = Block::evidence(id, text).unwrap();
    block.source = Some(format!("https://example.org/{id}"));
    block
}

/// Blocks that the principal may see.
fn own() -> Vec<Block> {
    let mut rule = block("rule", "The refund period for lamps is 30 days.");
    rule.subject = Some("refunds".into());
    vec![
        rule,
        block("hours", "The shop opens at nine."),
        block("lamps", "Lamps of brass come with a green shade."),
    ]
}

/// Blocks that the principal may not see, of the same subject and with a higher rank.
fn hidden(now: Timestamp) -> Vec<Block> {
    let mut all: Vec<Block> = FOREIGN
        .iter()
        .enumerate()
        .flat_map(|(at, text)| {
            let mut labelled = block(&format!("labelled-{at}"), text);
            labelled.labels = BTreeSet::from([Label::new("staff").unwrap()]);
            let mut expired = block(&format!("expired-{at}"), text);
            expired.expires_at = Some(now);
            [labelled, expired]
        })
        .collect();
    for block in &mut all {
        block.subject = Some("refunds".into());
        block.authority = 5;
    }
    let mut foreign = block("foreign", "");
    foreign.kind = BlockKind::Artifact;
    foreign.payload = Payload::Artifact(ArtifactHandle {
        tenant: TenantId::new("other").unwrap(),
        name: "refunds".into(),
        version: 1,
        digest: Digest::of(b"x").prefix(HANDLE_DIGITS),
    });
    all.push(foreign);
    all
}

/// The context of one question; `crowded` says whether others have been at work on the same store.
fn asked(crowded: bool) -> CompiledContext {
    let clock = Arc::new(Hand::default());
    let options = EngineOptions {
        clock: Some(clock.clone()),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
    let me = of("ours", None);
    let chat = session("chat");
    for at in 0..60 {
        clock.set(at);
        if crowded {
            // Another tenant, another session of ours, one of a user of ours.
            for (who, id) in [
                (of("theirs", None), "theirs"),
                (of("ours", None), "other"),
                (of("ours", Some("ana")), "private"),
            ] {
                for said in FOREIGN {
                    engine
                        .record_exchange(&who, &session(id), said, "The refund period: 90 days.")
                        .unwrap();
                }
            }
        }
        let said = match at % 5 {
            0 => format!("Lamp number {at} was bought for the hall."),
            1 => format!("Is there a refund period for lamp {at}?"),
            _ => format!("We spoke about other things on day {at}."),
        };
        engine
            .record_exchange(&me, &chat, &said, &format!("Noted as {at}."))
            .unwrap();
    }
    clock.set(100);
    let mut request = ContextRequest::ask("What is the refund period for lamps in the vault?");
    request.turn_id = Some(turn_id("asked"));
    request.blocks = own();
    if crowded {
        request.blocks.splice(1..1, hidden(clock.now()));
    }
    engine.build_context(&me, &chat, &request).unwrap()
}

/// The records of what passed the filter, with every score as bits.
fn scored(context: &CompiledContext) -> Vec<(CandidateRecord, Vec<u32>)> {
    let records = context.manifest.candidates.iter();
    let passed = records.filter(|record| record.stage != Stage::Filter);
    passed
        .map(|record| {
            let scores = &record.scores;
            let admission = scores.admission.into_iter().flatten().map(Some);
            let others = [scores.lexical, scores.dense, scores.relevance, scores.rank];
            let bits = admission
                .chain(others)
                .map(|score| score.map_or(1, f32::to_bits));
            (record.clone(), bits.collect())
        })
        .collect()
}

#[test]
fn a_foreign_corpus_changes_no_score_by_a_bit() {
    let (alone, crowded) = (asked(false), asked(true));
    let (ours, theirs) = (scored(&alone), scored(&crowded));
    let recalled = |record: &&(CandidateRecord, Vec<u32>)| record.0.kind == BlockKind::Message;
    assert!(
        ours.iter().filter(recalled).count() > 10,
        "there is something to compare"
    );
    assert!(
        ours.iter()
            .filter(|record| record.0.scores.admission.is_some())
            .count()
            == 3
    );
    assert_eq!(ours, theirs);
    let texts = |context: &CompiledContext| -> Vec<ContextMessage> { context.messages.clone() };
    assert_eq!(texts(&alone), texts(&crowded));
    let (a, b) = (&alone.manifest.retrieval, &crowded.manifest.retrieval);
    assert_eq!(a, b, "not even how much was looked at differs");
    assert!(a.scored > 0 && a.foreign == 0);
    let refused = crowded.manifest.candidates.iter();
    let refused = refused.filter(|record| record.stage == Stage::Filter);
    let mut count = 0;
    for record in refused {
        assert_eq!(record.fate, Fate::Rejected);
        assert!(record.scores.admission.is_none() && record.scores.lexical.is_none());
        count += 1;
    }
    assert_eq!(count, 9);
}

#[test]
fn an_abandoned_branch_changes_no_score_by_a_bit() {
    let build = |fork: bool| {
        let clock = Arc::new(Hand::default());
        let options = EngineOptions {
            clock: Some(clock.clone()),
            ..EngineOptions::default()
        };
        let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
        let (me, chat) = (of("ours", None), session("chat"));
        for at in 0..30 {
            clock.set(at);
            let said = format!("Lamp number {at} was bought for the hall.");
            let turn = RecordRequest::of(vec![Message::user(said), Message::assistant("Noted.")])
                .with_turn_id(turn_id(&format!("t{at}")));
            engine.record_turn(&me, &chat, turn).unwrap();
        }
        if fork {
            for said in FOREIGN {
                let turn = RecordRequest::of(vec![Message::user(said), Message::assistant("Yes.")]);
                engine.record_turn(&me, &chat, turn).unwrap();
            }
            engine.set_head(&me, &chat, &turn_id("t29")).unwrap();
        }
        clock.set(100);
        let mut request = ContextRequest::ask("Which lamp was bought for the vault?");
        request.turn_id = Some(turn_id("asked"));
        engine.build_context(&me, &chat, &request).unwrap()
    };
    let (alone, forked) = (build(false), build(true));
    assert!(scored(&alone).len() > 10);
    assert_eq!(scored(&alone), scored(&forked));
    assert_eq!(alone.messages, forked.messages);
    assert_eq!(forked.manifest.retrieval.foreign, 0);
}
