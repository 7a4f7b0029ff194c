//! The dense index: the ten nearest of many vectors, exactly and by graph, beside USearch; and what vectors add to a context.
//!
//! `AURA_BENCH_VECTORS=FILE` gives real vectors, `AURA_BENCH_SIZES=1000,10000` chooses how many. Recall is measured before
//! the times, against the exact answer in 32 bits, and printed.
#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aura::{ContextRequest, Engine, EngineOptions, Principal, SessionId};
use aura_benches::{DIMENSION, Vectors};
use aura_core::{
    Calibration, Embedder, EventId, EventRange, Result, VectorBackend, VectorIndex, VectorRequest,
};
use aura_retrieval::{DenseBackend, DenseIndex, GraphKind};
use aura_testkit::zipf::ZipfCorpus;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

const BEST: usize = 10;
const QUERIES: usize = 500;

fn sizes() -> Vec<usize> {
    let given =
        std::env::var("AURA_BENCH_SIZES").unwrap_or_else(|_| "1000,10000,100000".to_owned());
    given
        .split(',')
        .map(|size| size.trim().parse().unwrap())
        .collect()
}

/// What finds the nearest vectors; they are numbered from 0.
trait Finder {
    fn find(&self, query: &[f32]) -> Vec<u64>;
    fn bytes(&self) -> usize;
}

struct Ours(DenseIndex);

impl Ours {
    fn new(rows: &[Vec<f32>], graph: Option<GraphKind>) -> Self {
        let backend = DenseBackend::default()
            .with_graph(graph)
            .with_graph_from(1_000);
        let mut index = backend.new_index(DIMENSION).unwrap();
        for (row, event) in rows.iter().zip(1..) {
            let bytes = backend
                .encode(DIMENSION, std::slice::from_ref(row))
                .unwrap();
            index.insert(EventId(event), &bytes).unwrap();
        }
        while index.advance() {}
        Self(index)
    }
}

impl Finder for Ours {
    fn find(&self, query: &[f32]) -> Vec<u64> {
        let visible = [EventRange::new(EventId(1), EventId(u64::MAX))];
        let request = VectorRequest {
            query,
            visible: &visible,
            limit: BEST,
            reader: None,
        };
        let found = self.0.search(&request).unwrap();
        found.hits.iter().map(|hit| hit.event_id.0 - 1).collect()
    }

    fn bytes(&self) -> usize {
        self.0.memory()
    }
}

/// USearch as its documentation has it: 16 neighbours, 128 candidates to build with and 64 to search with.
struct Peer(Index);

impl Peer {
    fn new(rows: &[Vec<f32>], quantization: ScalarKind) -> Self {
        let options = IndexOptions {
            dimensions: DIMENSION,
            metric: MetricKind::IP,
            quantization,
            connectivity: 16,
            expansion_add: 128,
            expansion_search: 64,
            multi: false,
        };
        let index = Index::new(&options).unwrap();
        index.reserve(rows.len()).unwrap();
        for (row, key) in rows.iter().zip(0..) {
            index.add(key, row).unwrap();
        }
        Self(index)
    }
}

impl Finder for Peer {
    fn find(&self, query: &[f32]) -> Vec<u64> {
        self.0.search(query, BEST).unwrap().keys
    }

    fn bytes(&self) -> usize {
        self.0.memory_usage()
    }
}

/// The true nearest, in 32 bits.
fn nearest(rows: &[Vec<f32>], query: &[f32]) -> Vec<u64> {
    let product = |row: &Vec<f32>| row.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
    let mut all: Vec<(f32, u64)> = rows.iter().map(product).zip(0..).collect();
    all.select_nth_unstable_by(BEST - 1, |a, b| b.0.total_cmp(&a.0));
    all.truncate(BEST);
    all.into_iter().map(|(_, row)| row).collect()
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("the 10 nearest");
    group
        .sample_size(30)
        .measurement_time(Duration::from_secs(3));
    for size in sizes() {
        let vectors = Vectors::new(size, QUERIES);
        println!(
            "{size} vectors, {}; {}",
            vectors.source,
            usearch::hardware_acceleration_available()
        );
        let truth: Vec<Vec<u64>> = vectors
            .queries
            .iter()
            .map(|query| nearest(&vectors.rows, query))
            .collect();
        type Make<'a> = (&'a str, Box<dyn Fn() -> Box<dyn Finder> + 'a>);
        let rows = &vectors.rows;
        let makers: [Make<'_>; 5] = [
            ("aura, exact", Box::new(|| Box::new(Ours::new(rows, None)))),
            (
                "aura, hnsw_rs",
                Box::new(|| Box::new(Ours::new(rows, Some(GraphKind::Hnsw)))),
            ),
            (
                "aura, USearch",
                Box::new(|| Box::new(Ours::new(rows, Some(GraphKind::Usearch)))),
            ),
            (
                "USearch f32",
                Box::new(|| Box::new(Peer::new(rows, ScalarKind::F32))),
            ),
            (
                "USearch bf16",
                Box::new(|| Box::new(Peer::new(rows, ScalarKind::BF16))),
            ),
        ];
        for (name, make) in makers {
            let begin = Instant::now();
            let finder = make();
            let built = begin.elapsed();
            let found: usize = vectors
                .queries
                .iter()
                .zip(&truth)
                .map(|(query, truth)| {
                    let found = finder.find(query);
                    truth.iter().filter(|row| found.contains(row)).count()
                })
                .sum();
            println!(
                "{name}: recall@{BEST} {:.3}, {:.0} bytes and {:.0} µs to add a vector",
                found as f64 / (BEST * QUERIES) as f64,
                finder.bytes() as f64 / size as f64,
                built.as_secs_f64() * 1e6 / size as f64,
            );
            let mut queries = vectors.queries.iter().cycle();
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| black_box(finder.find(queries.next().unwrap())));
            });
        }
    }
    group.finish();
}

/// Vectors from a digest of the first words, in no time: what is measured is the engine's part.
struct Instantly;

impl Embedder for Instantly {
    fn model(&self) -> &str {
        "instantly"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let vector = |text: &&str| {
            let mut vector = vec![0.01; DIMENSION];
            for word in text.split(' ') {
                let at = word.bytes().fold(7_usize, |sum, byte| {
                    sum.wrapping_mul(31).wrapping_add(usize::from(byte))
                });
                vector
                    .iter_mut()
                    .cycle()
                    .skip(at % DIMENSION)
                    .step_by(97)
                    .take(6)
                    .for_each(|number| *number += 1.0);
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }

    fn calibration(&self) -> Option<Calibration> {
        Some(Calibration {
            mean: 0.2,
            deviation: 0.05,
            related: 0.9,
        })
    }
}

/// A context with and without vectors, each after a newly recorded turn and with a question not asked before.
fn hybrid(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build_context with vectors");
    group
        .sample_size(30)
        .measurement_time(Duration::from_secs(5));
    let turns = 10_000;
    for (name, embedder) in [
        ("aura, words alone", None),
        ("aura, words and vectors", Some(Instantly)),
    ] {
        let options = EngineOptions {
            embedder: embedder.map(|embedder| Arc::new(embedder) as Arc<dyn Embedder>),
            ..EngineOptions::default()
        };
        let engine = aura::in_memory_with(options).unwrap();
        let (me, chat) = (Principal::default(), SessionId::new("chat").unwrap());
        let mut corpus = ZipfCorpus::new(1);
        let mut say = |engine: &Engine| {
            let (user, assistant) = (corpus.turn(20), corpus.turn(40));
            engine
                .record_exchange(&me, &chat, &user, &assistant)
                .unwrap();
        };
        for _ in 0..turns {
            say(&engine);
        }
        engine.flush(Duration::from_secs(600)).unwrap();
        let mut questions = ZipfCorpus::new(2);
        group.bench_function(BenchmarkId::new(name, turns), |bencher| {
            bencher.iter_custom(|rounds| {
                let mut spent = Duration::ZERO;
                for _ in 0..rounds {
                    say(&engine);
                    let request = ContextRequest::ask(questions.turn(8));
                    let begin = Instant::now();
                    black_box(engine.build_context(&me, &chat, &request).unwrap());
                    spent += begin.elapsed();
                }
                spent
            });
        });
    }
    group.finish();
}

criterion_group!(dense, search, hybrid);
criterion_main!(dense);
