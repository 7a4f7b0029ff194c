//! The lexical index alone: searching and adding, against tantivy and SQLite FTS5 on the same text.
//!
//! Turns of about 60 words of a Zipf vocabulary, questions of 8 words drawn alike and never asked twice, the 20 best.
//! `AURA_BENCH_TURNS=1000,10000` chooses the sizes. FTS5 is left out above 10,000 turns unless `AURA_BENCH_FTS5=all`: it
//! needs a tenth of a second for one query then.
#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use std::hint::black_box;
use std::time::Duration;

use aura_benches::TantivyPeer;
use aura_core::{
    AnalyzedMessage, EventId, EventRange, LexicalBackend, LexicalHits, LexicalIndex,
    LexicalMessage, LexicalRequest, RankingWeights, Role, TurnIndex,
};
use aura_retrieval::{Bm25Backend, SessionIndex};
use aura_testkit::zipf::ZipfCorpus;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use rusqlite::Connection;

const WORDS: usize = 60;
const BEST: usize = 20;
const SITTING_GAP: i64 = 6 * 60 * 60 * 1_000;

fn sizes() -> Vec<usize> {
    let given =
        std::env::var("AURA_BENCH_TURNS").unwrap_or_else(|_| "1000,10000,100000".to_owned());
    given
        .split(',')
        .map(|size| size.trim().parse().unwrap())
        .collect()
}

/// Our index with what it needs to be filled and asked.
struct Ours {
    backend: Bm25Backend,
    index: SessionIndex,
    message: AnalyzedMessage,
}

impl Ours {
    fn new(texts: &[String]) -> Self {
        let backend = Bm25Backend::default();
        let index = backend.new_index();
        let mut ours = Self {
            backend,
            index,
            message: AnalyzedMessage::default(),
        };
        texts.iter().for_each(|text| ours.add(text));
        ours
    }

    fn add(&mut self, text: &str) {
        let event = self.index.last_event().map_or(EventId(1), EventId::next);
        let message = LexicalMessage {
            event_id: event,
            turn: TurnIndex(event.0 as u32),
            role: Role::User,
            speaker: "",
            text,
            tokens: 80,
            time: None,
        };
        self.backend.analyze(&message, &mut self.message);
        self.index.append(&self.message).unwrap();
    }

    fn ask(&self, question: &str, how: impl FnOnce(&LexicalRequest<'_>) -> LexicalHits) -> usize {
        let visible = [EventRange::new(EventId(1), EventId(u64::MAX))];
        let request = LexicalRequest {
            query: &self.backend.query(question),
            visible: &visible,
            limit: BEST,
            room: None,
            corpus: None,
            neighbours: None,
            weights: RankingWeights::default(),
            dense: None,
            reader: None,
        };
        how(&request).hits.len()
    }
}

/// SQLite's full-text index in memory, as its documentation has it.
struct Fts5(Connection);

impl Fts5 {
    fn new(texts: &[String]) -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE VIRTUAL TABLE turns USING fts5(text); BEGIN")
            .unwrap();
        let peer = Self(connection);
        texts.iter().for_each(|text| peer.add(text));
        peer.0
            .execute_batch("COMMIT; INSERT INTO turns(turns) VALUES ('optimize')")
            .unwrap();
        peer
    }

    fn add(&self, text: &str) {
        self.0
            .prepare_cached("INSERT INTO turns(text) VALUES (?)")
            .unwrap()
            .execute([text])
            .unwrap();
    }

    fn search(&self, question: &str) -> usize {
        let any = question.split(' ').collect::<Vec<_>>().join(" OR ");
        let mut best = self
            .0
            .prepare_cached("SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT 20")
            .unwrap();
        best.query_map([any], |row| row.get::<_, i64>(0))
            .unwrap()
            .count()
    }
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lexical search");
    group
        .sample_size(40)
        .measurement_time(Duration::from_secs(4));
    for size in sizes() {
        let mut corpus = ZipfCorpus::new(size as u64);
        let texts = corpus.turns(size, WORDS);
        let mut case = |name: &str, run: &mut dyn FnMut(&str) -> usize| {
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter_batched(
                    || corpus.questions(1, 8).pop().unwrap(),
                    |question| black_box(run(&question)),
                    BatchSize::SmallInput,
                );
            });
        };
        let ours = Ours::new(&texts);
        case("aura", &mut |question| {
            ours.ask(question, |request| ours.index.search(request))
        });
        case("aura, exhaustive", &mut |question| {
            ours.ask(question, |request| ours.index.search_exhaustively(request))
        });
        for limit in [BEST, 64, 200] {
            case(
                &format!("aura, {limit} ranked by neighbours"),
                &mut |question| {
                    let neighbours = Some(SITTING_GAP);
                    ours.ask(question, |request| {
                        ours.index.search(&LexicalRequest {
                            limit,
                            room: None,
                            neighbours,
                            ..*request
                        })
                    })
                },
            );
        }
        let tantivy = TantivyPeer::new(texts.iter().map(String::as_str)).unwrap();
        assert_eq!(tantivy.segments(), 1);
        case("tantivy", &mut |question| {
            tantivy.search(question, BEST).unwrap()
        });
        if size <= 10_000 || std::env::var("AURA_BENCH_FTS5").is_ok() {
            let fts5 = Fts5::new(&texts);
            case("SQLite FTS5", &mut |question| fts5.search(question));
        }
    }
    group.finish();
}

fn add(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lexical add one turn");
    group
        .sample_size(20)
        .measurement_time(Duration::from_secs(3));
    for size in sizes() {
        let mut corpus = ZipfCorpus::new(size as u64);
        let texts = corpus.turns(size, WORDS);
        let mut case = |name: &str, run: &mut dyn FnMut(&str)| {
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter_batched(
                    || corpus.turn(WORDS),
                    |turn| run(&turn),
                    BatchSize::SmallInput,
                );
            });
        };
        let mut ours = Ours::new(&texts);
        case("aura, analysis included", &mut |turn| ours.add(turn));
        let mut tantivy = TantivyPeer::new(texts.iter().map(String::as_str)).unwrap();
        case("tantivy, committed", &mut |turn| tantivy.add(turn).unwrap());
        let fts5 = Fts5::new(&texts);
        case("SQLite FTS5, committed", &mut |turn| fts5.add(turn));
    }
    group.finish();
}

/// An index as bytes: all of it, and its newest 256 messages.
fn segment(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lexical segment");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    for size in sizes() {
        let ours = Ours::new(&ZipfCorpus::new(size as u64).turns(size, WORDS));
        let last = EventId(size as u64);
        let newest = EventId(last.0.saturating_sub(255).max(1));
        let mut bytes = Vec::new();
        for (name, first) in [("write 256", newest), ("write all", EventId(1))] {
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| {
                    bytes.clear();
                    let events = EventRange::new(first, last);
                    ours.index.write_segment(events, &mut bytes);
                });
            });
        }
        group.bench_function(BenchmarkId::new("read all", size), |bencher| {
            bencher.iter_with_large_drop(|| {
                let mut index = ours.backend.new_index();
                index.append_segments(&[&bytes]).unwrap();
                index
            });
        });
        println!(
            "{size} turns: {} bytes a turn in a segment, {} in memory",
            bytes.len() / size,
            ours.index.memory() / size
        );
    }
    group.finish();
}

criterion_group!(benches, search, add, segment);
criterion_main!(benches);
