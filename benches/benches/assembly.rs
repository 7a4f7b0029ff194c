//! What a compilation costs beside recall itself: a warm session of 10,000 turns of 60 words, a pool of 200 candidates, a
//! budget of 4,096 tokens, a question not asked before.
#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]
#![expect(
    clippy::indexing_slicing,
    reason = "a bench stops at the first surprise"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use aura_assembly::{CompileRequest, FactIndex, Meter, Timer, compile, excerpt};
use aura_core::{
    ContextPolicy, EventId, EventRange, Fact, History, Message, MessageView, Principal, Provider,
    Recall, RecallCandidate, RecallRequest, RequestId, Result, Scores, SessionId, StoredMessage,
    Timestamp, Trust, Turn, TurnId, TurnIndex, TurnStatus, TurnView,
};
use aura_testkit::zipf::ZipfCorpus;
use aura_text::{Analyzer, BuiltinCounter};
use criterion::{Criterion, criterion_group, criterion_main};

struct Session {
    turns: Vec<TurnView>,
    pool: Vec<RecallCandidate>,
    facts: Arc<Vec<Fact>>,
    tokens: u64,
}

struct Clock(Instant);

impl Timer for Clock {
    fn micros(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(0)
    }
}

impl History for Session {
    fn turn_count(&self) -> usize {
        self.turns.len()
    }

    fn turn(&self, position: usize) -> Result<TurnView> {
        Ok(self.turns[position].clone())
    }

    fn message(&self, event: EventId) -> Result<MessageView> {
        let at = usize::try_from(event.0 - 1).unwrap();
        Ok(self.turns[at / 2].messages[at % 2].clone())
    }

    fn history_tokens(&self, _overhead: u32) -> Result<u64> {
        Ok(self.tokens)
    }

    fn recall(&self, _request: &RecallRequest<'_>) -> Result<Recall> {
        Ok(Recall {
            candidates: self.pool.clone(),
            ..Recall::default()
        })
    }

    fn facts(&self) -> Result<Arc<Vec<Fact>>> {
        Ok(self.facts.clone())
    }

    fn open_turn(&self) -> Result<Option<TurnView>> {
        Ok(None)
    }
}

fn session(count: usize, facts: usize) -> Session {
    let mut corpus = ZipfCorpus::new(7);
    let counter = BuiltinCounter::O200kBase;
    let mut turns = Vec::new();
    for index in 0..count {
        let first = u64::try_from(index * 2 + 1).unwrap();
        let texts = [corpus.turn(20), corpus.turn(40)];
        let messages = [Message::user(&texts[0]), Message::assistant(&texts[1])];
        let views = messages.into_iter().enumerate().map(|(at, message)| {
            let stored = StoredMessage {
                event_id: EventId(first + u64::try_from(at).unwrap()),
                turn: TurnIndex(u32::try_from(index).unwrap()),
                recorded_at: Timestamp::from_millis_clamped(
                    1_700_000_000_000 + i64::try_from(first).unwrap() * 60_000,
                ),
                message,
                large_parts: Vec::new(),
            };
            MessageView {
                tokens: excerpt::count(&stored, &counter).unwrap(),
                stored: Arc::new(stored),
            }
        });
        turns.push(TurnView {
            messages: views.collect(),
            turn: Arc::new(Turn {
                turn_id: TurnId::new(format!("t{index}")).unwrap(),
                index: TurnIndex(u32::try_from(index).unwrap()),
                status: TurnStatus::Complete,
                parent: None,
                events: vec![EventRange::new(EventId(first), EventId(first + 1))],
                recorded_at: Timestamp::from_millis_clamped(0),
            }),
        });
    }
    let pool = (0..200_usize).map(|nth| {
        let position = nth * (count - 10) / 200;
        let view = &turns[position].messages[nth % 2];
        RecallCandidate {
            event_id: view.stored.event_id,
            turn: view.stored.turn,
            position,
            scores: Scores {
                lexical: Some(9.0),
                relevance: Some(0.5),
                rank: Some(1.0 - nth as f32 / 200.0),
                ..Scores::default()
            },
            tokens: view.tokens,
        }
    });
    let facts = (0..facts).map(|n| {
        let time = Timestamp::from_millis_clamped(0);
        Fact {
            fact_id: format!("f{n}").parse().unwrap(),
            text: corpus.turn(8),
            subject: format!("s{n}"),
            sources: vec![EventId(u64::try_from(n * 7 + 1).unwrap())],
            trust: Trust::Verified,
            valid_from: time,
            valid_to: None,
            recorded_at: time,
            invalidated_at: None,
            invalidated_by: None,
            replaced_by: None,
        }
    });
    let facts = Arc::new(facts.collect());
    Session {
        pool: pool.collect(),
        facts,
        tokens: 1,
        turns,
    }
}

fn assembly(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("assembly");
    for (name, facts) in [("no facts", 0), ("200 facts", 200), ("2000 facts", 2000)] {
        let session = session(10_000, facts);
        let analyzer = Analyzer::english();
        let mut index = FactIndex::new(analyzer.clone());
        index.sync(&session.facts);
        let meter = Meter::new(Arc::new(BuiltinCounter::O200kBase));
        let policy = ContextPolicy::default();
        let principal = Principal::default();
        let session_id = SessionId::new("s").unwrap();
        let turn_id = TurnId::new("now").unwrap();
        let request_id = RequestId::new("r").unwrap();
        let clock = Clock(Instant::now());
        let mut corpus = ZipfCorpus::new(11);
        let questions: Vec<String> = corpus.turns(512, 8);
        let mut nth = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                nth += 1;
                let request = CompileRequest {
                    principal: &principal,
                    session_id: &session_id,
                    turn_id: &turn_id,
                    request_id: &request_id,
                    correlation_id: None,
                    agent_version: None,
                    workflow_stage: None,
                    policy: &policy,
                    question: &questions[nth % questions.len()],
                    system: Some("You are a helpful assistant."),
                    tools: &[],
                    tool_records: &[],
                    blocks: &[],
                    gathered: None,
                    provider: Provider::Generic,
                    now: Timestamp::from_millis_clamped(1_800_000_000_000),
                    change_seq: 1,
                    distilled: 1,
                    analyzer: &analyzer,
                    facts: Some(&index),
                    replanned: None,
                    earlier: &[],
                    previous: None,
                    plan: None,
                    timer: &clock,
                };
                black_box(compile(&request, &session, &meter).unwrap())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, assembly);
criterion_main!(benches);
