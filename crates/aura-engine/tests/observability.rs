//! What a host that listens gets to hear: a program of its own, since it listens to all of it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use aura_core::{
    ContextPolicy, ErrorKind, OnFailure, OutcomeReport, Principal, SessionId, Stage, TurnId,
    TurnStatus, Usage,
};
use aura_engine::{
    ContextRequest, Engine, EngineOptions, METRICS, MetricKind, RecordRequest, describe_metrics,
};
use aura_storage::MemoryStorage;
use aura_testkit::fault::{FaultStages, FaultStorage, Times};
use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, Unit,
};
use tracing::field::{Field, Visit};
use tracing::span;

/// Who listens first decides what a place in the code is worth telling: one after the other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn session(id: &str) -> SessionId {
    SessionId::new(id).unwrap()
}

fn turn_id(id: &str) -> TurnId {
    TurnId::new(id).unwrap()
}

/// What was emitted: kind and labels by name.
type Emitted = Arc<Mutex<BTreeMap<String, (MetricKind, BTreeSet<String>)>>>;

/// Hears everything that this test program emits.
#[derive(Clone, Default)]
struct Ear {
    emitted: Emitted,
    described: Arc<Mutex<BTreeSet<String>>>,
}

/// Counts nothing that matters.
struct Hand;

impl CounterFn for Hand {
    fn increment(&self, _value: u64) {}
    fn absolute(&self, _value: u64) {}
}

impl HistogramFn for Hand {
    fn record(&self, _value: f64) {}
}

impl Ear {
    fn hear(&self, key: &Key, kind: MetricKind) {
        let labels = key.labels().map(|label| label.key().to_owned()).collect();
        let mut emitted = self.emitted.lock().unwrap();
        let before = emitted.insert(key.name().to_owned(), (kind, labels));
        let after = &emitted[key.name()];
        assert!(
            before.is_none_or(|before| before == *after),
            "{}",
            key.name()
        );
    }
}

impl Recorder for Ear {
    fn describe_counter(&self, key: KeyName, _unit: Option<Unit>, _help: SharedString) {
        self.described
            .lock()
            .unwrap()
            .insert(key.as_str().to_owned());
    }

    fn describe_gauge(&self, _key: KeyName, _unit: Option<Unit>, _help: SharedString) {}

    fn describe_histogram(&self, key: KeyName, _unit: Option<Unit>, _help: SharedString) {
        self.described
            .lock()
            .unwrap()
            .insert(key.as_str().to_owned());
    }

    fn register_counter(&self, key: &Key, _metadata: &Metadata<'_>) -> Counter {
        self.hear(key, MetricKind::Counter);
        Counter::from_arc(Arc::new(Hand))
    }

    fn register_gauge(&self, key: &Key, _metadata: &Metadata<'_>) -> Gauge {
        panic!("{} is no counter and no histogram", key.name())
    }

    fn register_histogram(&self, key: &Key, _metadata: &Metadata<'_>) -> Histogram {
        self.hear(key, MetricKind::Histogram);
        Histogram::from_arc(Arc::new(Hand))
    }
}

fn ear() -> &'static Ear {
    static EAR: OnceLock<Ear> = OnceLock::new();
    EAR.get_or_init(|| {
        let ear = Ear::default();
        metrics::set_global_recorder(ear.clone()).unwrap();
        ear
    })
}

/// An engine in which everything that is counted happens once.
fn eventful() {
    let (me, chat) = (Principal::default(), session("chat"));
    let stages = Arc::new(FaultStages::default());
    let storage = Arc::new(FaultStorage::new(Arc::new(MemoryStorage::new())));
    let options = EngineOptions {
        probe: Some(Arc::clone(&stages) as _),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::clone(&storage) as _, options).unwrap();
    engine
        .record_exchange(&me, &chat, "The ring holds a labradorite.", "A stone.")
        .unwrap();
    let ask = ContextRequest::ask("Which stone?");
    let context = engine.build_context(&me, &chat, &ask).unwrap();
    let report = OutcomeReport {
        success: Some(true),
        usage: Some(Usage::default()),
        ..OutcomeReport::default()
    };
    engine
        .record_outcome(&me, &context.manifest.request_id, report)
        .unwrap();
    let late = ContextRequest {
        deadline: Some(Duration::ZERO),
        ..ask.clone()
    };
    engine.build_context(&me, &chat, &late).unwrap();
    let tight = ask.clone().with_policy(ContextPolicy {
        token_budget: 1,
        ..ContextPolicy::default()
    });
    engine.build_context(&me, &chat, &tight).unwrap();
    for on_failure in [OnFailure::FullHistory, OnFailure::Error] {
        stages.fail(Stage::Admit, ErrorKind::Internal, Times::Next(1));
        let policy = ContextPolicy {
            on_failure,
            ..ContextPolicy::default()
        };
        let _ = engine.build_context(&me, &chat, &ask.clone().with_policy(policy));
    }
    let open = RecordRequest::of(vec![aura_core::Message::user("Which stone?")])
        .with_turn_id(turn_id("open"))
        .with_status(TurnStatus::Open);
    engine.record_turn(&me, &chat, open).unwrap();
    for budget in [4096, 4000] {
        let again = ContextRequest {
            turn_id: Some(turn_id("open")),
            ..ContextRequest::default()
        };
        let again = again.with_policy(ContextPolicy {
            token_budget: budget,
            ..ContextPolicy::default()
        });
        engine.build_context(&me, &chat, &again).unwrap();
    }
    let appended = ask.clone().with_policy(ContextPolicy {
        prefix_mode: aura_core::PrefixMode::AppendOnly,
        ..ContextPolicy::default()
    });
    engine.build_context(&me, &chat, &appended).unwrap();
    storage.fail("put_compilations", ErrorKind::Corrupt, Times::Next(1));
    engine.build_context(&me, &chat, &ask).unwrap();
    let _ = engine.flush(Duration::from_secs(60));
}

#[test]
fn every_metric_is_emitted_as_it_is_listed_and_no_other() {
    let _turn = ONE_AT_A_TIME.lock();
    let ear = ear();
    eventful();
    describe_metrics();
    let emitted = ear.emitted.lock().unwrap();
    let names: BTreeSet<String> = METRICS.iter().map(|one| one.name.to_owned()).collect();
    assert_eq!(emitted.keys().cloned().collect::<BTreeSet<_>>(), names);
    assert_eq!(*ear.described.lock().unwrap(), names);
    for metric in METRICS {
        let labels = metric.labels.iter().map(|label| (*label).to_owned());
        let listed = (metric.kind, labels.collect::<BTreeSet<_>>());
        assert_eq!(emitted[metric.name], listed, "{}", metric.name);
    }
}

#[test]
fn the_page_lists_the_metrics() {
    const BEGIN: &str = "<!-- metrics: written by UPDATE_GOLDEN=1 cargo test -p aura-engine --test observability -->\n";
    const END: &str = "<!-- end of metrics -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/observability.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let mut table = String::from("| name | kind | labels | says |\n| --- | --- | --- | --- |\n");
    for metric in METRICS {
        let kind = match metric.kind {
            MetricKind::Counter => "counter",
            MetricKind::Histogram => "histogram",
        };
        let labels: Vec<String> = metric.labels.iter().map(|one| format!("`{one}`")).collect();
        let (name, labels, help) = (metric.name, labels.join(", "), metric.help);
        writeln!(table, "| `{name}` | {kind} | {labels} | {help} |").unwrap();
    }
    let wanted = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), wanted);
}

/// Spans and events as lines, each span indented below its parent.
#[derive(Default)]
struct Notebook {
    lines: Mutex<Vec<String>>,
    depth: AtomicU64,
    next: AtomicU64,
    names: Mutex<BTreeMap<u64, String>>,
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

struct Writer(Arc<Notebook>);

impl tracing::Subscriber for Writer {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("aura")
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed) + 1;
        let mut fields = Fields(attributes.metadata().name().to_owned());
        attributes.record(&mut fields);
        self.0.names.lock().unwrap().insert(id, fields.0);
        span::Id::from_u64(id)
    }

    fn record(&self, _span: &span::Id, _values: &span::Record<'_>) {}

    fn record_follows_from(&self, _span: &span::Id, _follows: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut fields = Fields(event.metadata().level().to_string());
        event.record(&mut fields);
        self.0.lines.lock().unwrap().push(fields.0);
    }

    fn enter(&self, span: &span::Id) {
        let depth = self.0.depth.fetch_add(1, Ordering::Relaxed);
        let name = self.0.names.lock().unwrap()[&span.into_u64()].clone();
        let line = format!("{}{name}", "  ".repeat(depth as usize));
        self.0.lines.lock().unwrap().push(line);
    }

    fn exit(&self, _span: &span::Id) {
        self.0.depth.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn spans_go_by_stage_and_carry_no_stored_text() {
    let _turn = ONE_AT_A_TIME.lock();
    let (me, chat) = (Principal::default(), session("chat"));
    let stages = Arc::new(FaultStages::default());
    let options = EngineOptions {
        probe: Some(Arc::clone(&stages) as _),
        ..EngineOptions::default()
    };
    let engine = Engine::new(Arc::new(MemoryStorage::new()), options).unwrap();
    let notebook = Arc::new(Notebook::default());
    tracing::subscriber::with_default(Writer(Arc::clone(&notebook)), || {
        engine
            .record_exchange(&me, &chat, "The ring holds a labradorite.", "A stone.")
            .unwrap();
        let ask = ContextRequest::ask("Which stone is it, labradorite?");
        engine.build_context(&me, &chat, &ask).unwrap();
        stages.fail(Stage::Admit, ErrorKind::Internal, Times::Next(1));
        engine.build_context(&me, &chat, &ask).unwrap();
    });
    let lines = notebook.lines.lock().unwrap();
    let sound = [
        "aura.call operation=\"record_exchange\"",
        "aura.call operation=\"build_context\"",
        "  aura.stage stage=\"filter\"",
        "  aura.stage stage=\"retrieve\"",
        "  aura.stage stage=\"resolve\"",
        "  aura.stage stage=\"admit\"",
        "  aura.stage stage=\"order\"",
        "  aura.stage stage=\"serialize\"",
    ];
    assert_eq!(lines[..sound.len()], sound);
    let warned = |line: &&String| line.starts_with("WARN");
    let warning = lines.iter().find(warned).unwrap();
    for part in [
        "stage=\"admit\"",
        "kind=\"internal\"",
        "outcome=\"fallback\"",
    ] {
        assert!(warning.contains(part), "{warning}");
    }
    assert!(!lines.concat().contains("labradorite"));
}
