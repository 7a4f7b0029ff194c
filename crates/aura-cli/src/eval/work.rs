//! Every question of every conversation, on all cores.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aura::{ContextPolicy, Error, ErrorKind};

use super::baseline::{Baseline, Bm25Alone, DenseAlone, Recency, fill};
use super::bench::Bench;
use super::data::{Conversation, Data};
use super::kept::Kept;
use super::outcome::{Answer, Cut};

/// What is asked of each question.
pub(crate) struct Plan {
    /// How contexts are compiled.
    pub(crate) policy: ContextPolicy,
    /// Where each choice ends.
    pub(crate) cuts: Vec<Cut>,
    /// Whether baselines are measured too.
    pub(crate) baselines: bool,
    /// What makes vectors, if they take part.
    pub(crate) embedder: Option<Arc<Kept>>,
}

/// The methods, in the order of their answers.
pub(crate) const METHODS: [&str; 5] = ["aura", "bm25 stemmed", "bm25 plain", "recency", "dense"];

/// The answers of one conversation: by question, method and cut.
pub(crate) type Answers = Vec<Vec<Vec<Answer>>>;

/// Answers every question; the result is in the order of the conversations.
///
/// # Errors
/// The first failure of an engine.
pub(crate) fn run_all(data: &Data, plan: &Plan) -> Result<Vec<Answers>, Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done: Mutex<Vec<(usize, Result<Answers, Error>)>> = Mutex::new(Vec::new());
    let work = || {
        while !failed.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(conversation) = data.conversations.get(at) else {
                break;
            };
            let answers = one(conversation, plan);
            failed.fetch_or(answers.is_err(), Ordering::Relaxed);
            if let Ok(mut done) = done.lock() {
                done.push((at, answers));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(data.conversations.len()) {
            scope.spawn(work);
        }
        work();
    });
    let lost = |_| Error::new(ErrorKind::Internal, "an evaluation thread was lost");
    let mut done = done.into_inner().map_err(lost)?;
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answers)| answers).collect()
}

fn one(conversation: &Conversation, plan: &Plan) -> Result<Answers, Error> {
    let bench = Bench::record(conversation, &plan.policy, plan.embedder.clone())?;
    let mut baselines: Vec<Box<dyn Baseline>> = Vec::new();
    if plan.baselines {
        baselines.push(Box::new(Bm25Alone::stemmed(conversation)?));
        baselines.push(Box::new(Bm25Alone::plain(conversation)?));
        baselines.push(Box::new(Recency::of(conversation)));
        if let Some(embedder) = &plan.embedder {
            let embedder = Arc::clone(embedder);
            baselines.push(Box::new(DenseAlone::of(conversation, embedder)?));
        }
    }
    let mut answers = Vec::with_capacity(conversation.questions.len());
    for question in &conversation.questions {
        let compiled = plan.cuts.iter().map(|&cut| bench.ask(question, cut));
        let mut methods = vec![compiled.collect::<Result<Vec<_>, _>>()?];
        for baseline in &baselines {
            let order = baseline.order(question);
            let cuts = plan.cuts.iter();
            methods.push(cuts.map(|&cut| fill(conversation, &order, cut)).collect());
        }
        answers.push(methods);
    }
    bench.close()?;
    Ok(answers)
}
