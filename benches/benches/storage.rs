//! Writing and reading turns of 60 words in a SQLite file, against bare rusqlite on the same bytes in the same folder.
//!
//! - `record, normal`: one turn a call, against one prepared `INSERT` a transaction into a plain table.
//! - `record, full, 16 writers`: sixteen threads at once, against one such insert and so one fsync a turn.
//! - `session` and `40 messages`: what a read costs right after a turn was recorded.
//!
//! Files go to the folder for temporary files; set `TMPDIR` to measure another disk.
#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use aura_core::{
    AgentId, Durability, EventId, EventRange, IdSource, Message, SessionId, SessionKey, Storage,
    TenantId, Timestamp, TurnId, TurnStatus, TurnWrite,
};
use aura_storage::{MemoryStorage, SqliteOptions, SqliteStorage};
use aura_testkit::zipf::ZipfCorpus;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rusqlite::Connection;

const WORDS: usize = 60;
const WRITERS: u64 = 16;
/// Turns in the session that reads are measured on.
const TURNS: usize = 10_000;

/// Turns without end: the texts repeat, the ids do not.
struct Turns {
    texts: Vec<String>,
    next: AtomicU64,
}

impl Turns {
    fn new() -> Self {
        Self {
            texts: ZipfCorpus::new(1).turns(1_000, WORDS),
            next: AtomicU64::new(0),
        }
    }

    fn text(&self, n: u64) -> &str {
        let at = usize::try_from(n).unwrap() % self.texts.len();
        self.texts.get(at).unwrap()
    }

    fn write(&self) -> TurnWrite {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let text = self.text(n);
        let half = text.len() / 2;
        let half = (half..).find(|at| text.is_char_boundary(*at)).unwrap();
        let (question, answer) = text.split_at(half);
        TurnWrite {
            key: key(),
            user: None,
            agent: AgentId::default(),
            turn_id: TurnId::new(Ids.next_id(at(n))).unwrap(),
            fresh_id: true,
            parent: None,
            status: TurnStatus::Complete,
            messages: vec![Message::user(question), Message::assistant(answer)],
            recorded_at: at(n),
            requests: Vec::new(),
        }
    }
}

/// Ids as the engine makes them: UUIDv7 that ascend.
struct Ids;

impl IdSource for Ids {
    fn next_id(&self, now: Timestamp) -> String {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let millis = now.as_millis();
        format!(
            "{:08x}-{:04x}-7{:03x}-8000-{count:012x}",
            millis >> 16,
            millis & 0xFFFF,
            count & 0xFFF
        )
    }
}

fn at(n: u64) -> Timestamp {
    Timestamp::from_millis_clamped(1_700_000_000_000 + i64::try_from(n).unwrap())
}

fn key() -> SessionKey {
    SessionKey {
        tenant: TenantId::default(),
        session_id: SessionId::new("chat").unwrap(),
    }
}

fn store(folder: &Path, durability: Durability) -> SqliteStorage {
    let options = SqliteOptions::new().durability(durability);
    SqliteStorage::open(folder.join("aura.db"), options).unwrap()
}

/// The peer: a plain table and one prepared insert a transaction.
struct Bare {
    connection: Connection,
    next: i64,
}

impl Bare {
    fn open(folder: &Path, synchronous: &str) -> Self {
        let connection = Connection::open(folder.join("bare.db")).unwrap();
        for (name, value) in [("journal_mode", "WAL"), ("synchronous", synchronous)] {
            connection.pragma_update(None, name, value).unwrap();
        }
        let table =
            "CREATE TABLE turns (session TEXT, idx INTEGER, text TEXT, PRIMARY KEY (session, idx))";
        connection.execute_batch(table).unwrap();
        Self {
            connection,
            next: 0,
        }
    }

    fn insert(&mut self, text: &str) {
        let run = |sql| self.connection.prepare_cached(sql).unwrap();
        run("BEGIN IMMEDIATE").execute([]).unwrap();
        let row = ("chat", self.next, text);
        run("INSERT INTO turns VALUES (?1, ?2, ?3)")
            .execute(row)
            .unwrap();
        run("COMMIT").execute([]).unwrap();
        self.next += 1;
    }
}

fn record_normal(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("record, normal");
    let turns = Turns::new();
    let folder = tempfile::tempdir().unwrap();
    let aura = store(folder.path(), Durability::Normal);
    let timed = |mut write: Box<dyn FnMut(TurnWrite) + '_>, count: u64| {
        let mut spent = Duration::ZERO;
        for _ in 0..count {
            let turn = turns.write();
            let start = Instant::now();
            write(turn);
            spent += start.elapsed();
        }
        spent
    };
    group.bench_function("aura", |bencher| {
        bencher.iter_custom(|count| {
            timed(
                Box::new(|turn| drop(black_box(aura.record(turn).unwrap()))),
                count,
            )
        });
    });
    let mut bare = Bare::open(folder.path(), "NORMAL");
    group.bench_function("rusqlite", |bencher| {
        bencher.iter_custom(|count| {
            let mut spent = Duration::ZERO;
            for n in 0..count {
                let start = Instant::now();
                bare.insert(turns.text(n));
                spent += start.elapsed();
            }
            spent
        });
    });
    let memory = MemoryStorage::new();
    group.bench_function("memory", |bencher| {
        bencher.iter_custom(|count| {
            timed(
                Box::new(|turn| drop(black_box(memory.record(turn).unwrap()))),
                count,
            )
        });
    });
    group.finish();
}

fn record_full(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("record, full");
    group.sample_size(10).throughput(Throughput::Elements(1));
    let turns = Turns::new();
    let folder = tempfile::tempdir().unwrap();
    let aura = store(folder.path(), Durability::Full);
    for writers in [1, WRITERS] {
        group.bench_function(BenchmarkId::new("aura, writers", writers), |bencher| {
            bencher.iter_custom(|count| {
                let each = count.div_ceil(writers).max(8);
                let start = Instant::now();
                std::thread::scope(|scope| {
                    for _ in 0..writers {
                        scope.spawn(|| {
                            for _ in 0..each {
                                aura.record(turns.write()).unwrap();
                            }
                        });
                    }
                });
                let done = u32::try_from(each * writers).unwrap();
                start.elapsed() * u32::try_from(count).unwrap() / done
            });
        });
    }
    let mut bare = Bare::open(folder.path(), "FULL");
    group.bench_function("rusqlite, one fsync a turn", |bencher| {
        let mut n = 0;
        bencher.iter(|| {
            n += 1;
            bare.insert(turns.text(n));
        });
    });
    group.finish();
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read after a write");
    let turns = Turns::new();
    let folder = tempfile::tempdir().unwrap();
    let sqlite = store(folder.path(), Durability::Normal);
    let memory = MemoryStorage::new();
    let stores: [(&str, &dyn Storage); 2] = [("aura", &sqlite), ("memory", &memory)];
    for (name, store) in stores {
        for _ in 0..TURNS {
            store.record(turns.write()).unwrap();
        }
        let timed = |read: &dyn Fn(), count: u64| {
            let mut spent = Duration::ZERO;
            for _ in 0..count {
                store.record(turns.write()).unwrap();
                let start = Instant::now();
                read();
                spent += start.elapsed();
            }
            spent
        };
        group.bench_function(BenchmarkId::new("session", name), |bencher| {
            bencher.iter_custom(|count| {
                timed(&|| drop(black_box(store.session(&key()).unwrap())), count)
            });
        });
        let scattered: Vec<EventRange> = (0..40_u64)
            .map(|n| EventId(1 + n * 7_919 % (2 * TURNS as u64)))
            .map(|event| EventRange::new(event, event))
            .collect();
        group.bench_function(BenchmarkId::new("40 messages", name), |bencher| {
            bencher.iter_custom(|count| {
                let read = || {
                    let found = store.messages(&key(), &scattered).unwrap();
                    assert_eq!(black_box(found).len(), 40);
                };
                timed(&read, count)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, record_normal, record_full, read);
criterion_main!(benches);
