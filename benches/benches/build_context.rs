//! The whole of `build_context`, each time after a newly recorded turn and with a question not asked before, against
//! tantivy's bare query on the same text.
//!
//! `AURA_BENCH_TURNS=1000,10000` chooses the sizes.
#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use aura::{ContextRequest, Engine, Message, OpenOptions, Principal, RecordRequest, SessionId};
use aura_benches::TantivyPeer;
use aura_testkit::zipf::ZipfCorpus;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

const WORDS: usize = 60;

fn sizes() -> Vec<usize> {
    let given =
        std::env::var("AURA_BENCH_TURNS").unwrap_or_else(|_| "1000,10000,100000".to_owned());
    given
        .split(',')
        .map(|size| size.trim().parse().unwrap())
        .collect()
}

fn recorded(engine: &Engine, me: &Principal, chat: &SessionId, texts: &[String]) {
    for text in texts {
        let turn = RecordRequest::of(vec![Message::user(text.as_str())]);
        engine.record_turn(me, chat, turn).unwrap();
    }
    engine.flush(Duration::from_secs(600)).unwrap();
}

fn options() -> OpenOptions {
    OpenOptions {
        durability: aura::Durability::Normal,
        ..OpenOptions::default()
    }
}

fn build_context(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build_context");
    group
        .sample_size(50)
        .measurement_time(Duration::from_secs(6));
    for size in sizes() {
        let mut corpus = ZipfCorpus::new(size as u64);
        let texts = corpus.turns(size, WORDS);
        let folder = tempfile::tempdir().unwrap();
        let (me, chat) = (Principal::default(), SessionId::new("bench").unwrap());
        let engine = aura::open_with(folder.path().join("bench.db"), options()).unwrap();
        recorded(&engine, &me, &chat, &texts);
        let peer = TantivyPeer::new(texts.iter().map(String::as_str)).unwrap();
        assert_eq!(peer.segments(), 1);

        let corpus = RefCell::new(corpus);
        let question = || corpus.borrow_mut().questions(1, 8).pop().unwrap();
        let record = || recorded_one(&engine, &me, &chat, corpus.borrow_mut().turn(WORDS));
        let idle = || engine.flush(Duration::from_secs(60)).unwrap();
        let build = |question: String| {
            black_box(
                engine
                    .build_context(&me, &chat, &ContextRequest::ask(question))
                    .unwrap(),
            )
        };
        let search = |question: String| black_box(peer.search(&question, 20).unwrap());
        // At once after the write: the call itself counts and distils the new turn.
        group.bench_function(BenchmarkId::new("aura, at once", size), |bencher| {
            bencher.iter_batched(
                || {
                    record();
                    question()
                },
                build,
                BatchSize::PerIteration,
            );
        });
        // After the pause that a model's answer takes: the background thread has done its work.
        group.bench_function(BenchmarkId::new("aura", size), |bencher| {
            bencher.iter_batched(
                || {
                    record();
                    idle();
                    question()
                },
                build,
                BatchSize::PerIteration,
            );
        });
        // The peer in the same rhythm: what an agent does between two questions leaves its caches as cold as ours.
        let name = BenchmarkId::new("tantivy query alone, same rhythm", size);
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || {
                    record();
                    build(question());
                    idle();
                    question()
                },
                search,
                BatchSize::PerIteration,
            );
        });
        group.bench_function(BenchmarkId::new("tantivy query alone", size), |bencher| {
            bencher.iter_batched(question, search, BatchSize::PerIteration);
        });
        engine.close().unwrap();
    }
    group.finish();
}

fn recorded_one(engine: &Engine, me: &Principal, chat: &SessionId, text: String) {
    engine
        .record_turn(me, chat, RecordRequest::of(vec![Message::user(text)]))
        .unwrap();
}

/// Opening a file and compiling the first context in it.
fn open_and_build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("open_and_first_context");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(8));
    for size in sizes() {
        let mut corpus = ZipfCorpus::new(size as u64);
        let texts = corpus.turns(size, WORDS);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench.db");
        let (me, chat) = (Principal::default(), SessionId::new("bench").unwrap());
        let engine = aura::open_with(&path, options()).unwrap();
        recorded(&engine, &me, &chat, &texts);
        engine.close().unwrap();
        group.bench_function(BenchmarkId::new("aura", size), |bencher| {
            bencher.iter_batched(
                || ContextRequest::ask(corpus.questions(1, 8).pop().unwrap()),
                |request| {
                    let engine = aura::open_with(&path, options()).unwrap();
                    let context = engine.build_context(&me, &chat, &request).unwrap();
                    // Closing is not part of it, and happens when the pair is dropped after the measurement.
                    (engine, context)
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, build_context, open_and_build);
criterion_main!(benches);
