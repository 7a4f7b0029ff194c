//! What the engine counts and measures, through the `metrics` facade: nothing is kept or sent unless the host installs a
//! recorder.

use std::time::Duration;

use aura_core::{CompiledContext, Error, Manifest, OutcomeReport, Result, Usage};
use metrics::{counter, histogram};

use crate::request::RecordedTurn;

/// How a metric behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// It only grows.
    Counter,
    /// A distribution.
    Histogram,
}

/// A metric, as `docs/observability.md` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// How it behaves.
    pub kind: MetricKind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// What it says.
    pub help: &'static str,
}

const fn metric(
    name: &'static str,
    kind: MetricKind,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric {
        name,
        kind,
        labels,
        help,
    }
}

use MetricKind::{Counter, Histogram};

const TURNS: Metric = metric(
    "aura_turns_total",
    Counter,
    &["effect"],
    "turns recorded, by what the call did",
);
const RECORD_SECONDS: Metric = metric(
    "aura_record_seconds",
    Histogram,
    &[],
    "time to record a turn durably",
);
const CONTEXTS: Metric = metric(
    "aura_contexts_total",
    Counter,
    &["mode", "provider", "outcome"],
    "contexts compiled, by how they ended",
);
const CONTEXT_SECONDS: Metric = metric(
    "aura_context_seconds",
    Histogram,
    &["mode"],
    "time to compile a context",
);
const STAGE_SECONDS: Metric = metric(
    "aura_stage_seconds",
    Histogram,
    &["stage"],
    "time of a stage",
);
const CONTEXT_TOKENS: Metric = metric(
    "aura_context_tokens",
    Histogram,
    &["mode"],
    "tokens of a context",
);
const OVER_BUDGET: Metric = metric(
    "aura_over_budget_total",
    Counter,
    &["mode"],
    "contexts whose mandatory part exceeds the budget",
);
const FAILURES: Metric = metric(
    "aura_failures_total",
    Counter,
    &["stage", "kind", "given"],
    "failures on the read path, by what was given instead",
);
const SKIPPED: Metric = metric(
    "aura_skipped_total",
    Counter,
    &["work", "reason"],
    "optional work left out of a context",
);
const REPLANS: Metric = metric(
    "aura_replans_total",
    Counter,
    &["reason"],
    "frozen plans made anew within a turn",
);
const COMPACTIONS: Metric = metric(
    "aura_compactions_total",
    Counter,
    &["reason"],
    "append-only lists selected anew",
);
const CACHE_KEYS: Metric = metric(
    "aura_cache_keys_total",
    Counter,
    &["hit", "agent_version", "workflow_stage"],
    "contexts after another of the same agent version and workflow stage, by whether they have its cache key",
);
const PREFIX_TOKENS: Metric = metric(
    "aura_prefix_tokens_total",
    Counter,
    &["kept", "agent_version", "workflow_stage"],
    "tokens of contexts, by whether they stand in the prefix that is the same as in the call before",
);
const OUTCOMES: Metric = metric(
    "aura_outcomes_total",
    Counter,
    &["success", "agent_version", "workflow_stage"],
    "outcomes that hosts reported",
);
const PROVIDER_TOKENS: Metric = metric(
    "aura_provider_tokens_total",
    Counter,
    &["kind", "agent_version", "workflow_stage"],
    "tokens that providers counted, by kind: input, cached, cache-write, output",
);
const BACKGROUND_FAILURES: Metric = metric(
    "aura_background_failures_total",
    Counter,
    &["operation", "kind"],
    "failures of work in the background",
);

/// All metrics of the engine.
pub const METRICS: &[Metric] = &[
    TURNS,
    RECORD_SECONDS,
    CONTEXTS,
    CONTEXT_SECONDS,
    STAGE_SECONDS,
    CONTEXT_TOKENS,
    OVER_BUDGET,
    FAILURES,
    SKIPPED,
    REPLANS,
    COMPACTIONS,
    CACHE_KEYS,
    PREFIX_TOKENS,
    OUTCOMES,
    PROVIDER_TOKENS,
    BACKGROUND_FAILURES,
];

/// Tells the recorder that is installed what each metric says and in which unit.
pub fn describe_metrics() {
    use metrics::{Unit, describe_counter, describe_histogram};
    for metric in METRICS {
        match metric.kind {
            Counter => describe_counter!(metric.name, metric.help),
            Histogram if metric.name.ends_with("_seconds") => {
                describe_histogram!(metric.name, Unit::Seconds, metric.help);
            }
            Histogram => describe_histogram!(metric.name, Unit::Count, metric.help),
        }
    }
}

/// What a label says where nothing is known.
const NONE: &str = "";

fn name(text: Option<&str>) -> String {
    text.unwrap_or(NONE).to_owned()
}

/// A turn was recorded.
pub(crate) fn recorded(result: &Result<RecordedTurn>, took: Duration) {
    let effect = match result {
        Ok(recorded) => match recorded.effect {
            aura_core::WriteEffect::Created => "created",
            aura_core::WriteEffect::Extended => "extended",
            aura_core::WriteEffect::Unchanged => "unchanged",
        },
        Err(_) => "refused",
    };
    counter!(TURNS.name, "effect" => effect).increment(1);
    histogram!(RECORD_SECONDS.name).record(took);
}

/// A context was compiled, or was not.
pub(crate) fn compiled(result: &Result<CompiledContext>, took: Duration) {
    match result {
        Ok(context) => context_given(&context.manifest, took),
        Err(error) => {
            let kind = error.kind().as_str();
            counter!(FAILURES.name, "stage" => NONE, "kind" => kind, "given" => "error")
                .increment(1);
            tracing::debug!(kind, "no context is given");
        }
    }
}

fn context_given(manifest: &Manifest, took: Duration) {
    let (mode, outcome) = (manifest.mode.as_str(), manifest.outcome.as_str());
    let provider = manifest.provider.as_str();
    counter!(CONTEXTS.name, "mode" => mode, "provider" => provider, "outcome" => outcome)
        .increment(1);
    histogram!(CONTEXT_SECONDS.name, "mode" => mode).record(took);
    histogram!(CONTEXT_TOKENS.name, "mode" => mode).record(manifest.totals.tokens);
    for time in &manifest.stages {
        let took = Duration::from_micros(time.micros);
        histogram!(STAGE_SECONDS.name, "stage" => time.stage.as_str()).record(took);
    }
    if manifest.over_budget.is_some() {
        counter!(OVER_BUDGET.name, "mode" => mode).increment(1);
    }
    for skipped in &manifest.retrieval.skipped {
        let (work, reason) = (skipped.work.clone(), skipped.reason.clone());
        counter!(SKIPPED.name, "work" => work, "reason" => reason).increment(1);
    }
    if let Some(why) = manifest.plan.replanned {
        counter!(REPLANS.name, "reason" => why.as_str()).increment(1);
    }
    if let Some(why) = manifest.cache.compaction {
        counter!(COMPACTIONS.name, "reason" => why.as_str()).increment(1);
    }
    prefix_kept(manifest);
    if let Some(failure) = &manifest.failure {
        let (stage, kind) = (failure.stage.as_str(), failure.error_kind().as_str());
        counter!(FAILURES.name, "stage" => stage, "kind" => kind, "given" => outcome).increment(1);
        tracing::warn!(
            request_id = manifest.request_id.as_str(),
            stage,
            kind,
            outcome,
            "a stage failed and something else is given"
        );
    } else if manifest.outcome != aura_core::Outcome::Complete {
        tracing::info!(
            request_id = manifest.request_id.as_str(),
            outcome,
            "optional work was left out"
        );
    }
}

/// How much of a context is the same as in the call before it.
fn prefix_kept(manifest: &Manifest) {
    let cache = &manifest.cache;
    let truth = |truth: bool| if truth { "true" } else { "false" };
    if cache.previous.is_some() {
        let (agent, stage) = labels(manifest);
        counter!(CACHE_KEYS.name, "hit" => truth(cache.hit), "agent_version" => agent, "workflow_stage" => stage)
            .increment(1);
    }
    let fresh = manifest.totals.tokens.saturating_sub(cache.kept_tokens);
    for (kept, tokens) in [(true, cache.kept_tokens), (false, fresh)] {
        let (agent, stage) = labels(manifest);
        counter!(PREFIX_TOKENS.name, "kept" => truth(kept), "agent_version" => agent, "workflow_stage" => stage)
            .increment(tokens.into());
    }
}

fn labels(manifest: &Manifest) -> (String, String) {
    (
        name(manifest.agent_version.as_deref()),
        name(manifest.workflow_stage.as_deref()),
    )
}

/// A host reported what came of a context.
pub(crate) fn reported(manifest: &Manifest, report: &OutcomeReport) {
    let labels = || labels(manifest);
    if let Some(success) = report.success {
        let (agent, stage) = labels();
        let success = if success { "true" } else { "false" };
        counter!(OUTCOMES.name, "success" => success, "agent_version" => agent, "workflow_stage" => stage)
            .increment(1);
    }
    let Some(Usage {
        input_tokens,
        cached_tokens,
        cache_write_tokens,
        output_tokens,
    }) = report.usage
    else {
        return;
    };
    for (kind, tokens) in [
        ("input", input_tokens),
        ("cached", cached_tokens),
        ("cache-write", cache_write_tokens),
        ("output", output_tokens),
    ] {
        let (agent, stage) = labels();
        counter!(PROVIDER_TOKENS.name, "kind" => kind, "agent_version" => agent, "workflow_stage" => stage)
            .increment(tokens);
    }
}

/// Work in the background failed.
pub(crate) fn failed_behind(error: &Error) {
    let (operation, kind) = (error.operation().to_owned(), error.kind().as_str());
    tracing::warn!(
        operation = operation.as_str(),
        kind,
        "work in the background failed"
    );
    counter!(BACKGROUND_FAILURES.name, "operation" => operation, "kind" => kind).increment(1);
}
