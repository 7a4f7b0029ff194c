//! Facts by a model: asked in the background, read with salvage, held to the rules, and replaced by the heuristic extractor
//! where it fails.

mod breaker;
#[cfg(feature = "llm-extract")]
mod http;
mod operations;
mod prompt;
mod veto;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aura_core::{
    Digest, EventId, Fact, FactExtractor, FactId, FactOp, MAX_ID_BYTES, Part, Result, Role, Trust,
    TurnRecord,
};
use aura_text::Analyzer;

use crate::HeuristicExtractor;
use breaker::Breaker;
#[cfg(feature = "llm-extract")]
pub use http::{DEFAULT_EXTRACTOR_MODEL, HttpModel, HttpOptions, MODEL_VARIABLES};
use operations::Operation;

/// Answers kept until their turn is distilled.
const KEPT: usize = 256;

/// A model that completes a prompt: whatever the host has, behind whatever interface.
///
/// Contract: it may be called from several threads; it ends by itself, with an error where it takes too long. The answer is
/// data: nothing in it is trusted.
pub trait Model: Send + Sync {
    /// The name, as it becomes part of the extractor's.
    fn name(&self) -> &str;

    /// Completes a prompt.
    ///
    /// # Errors
    /// `Busy` and `Unavailable` where trying again may help; any other.
    fn complete(&self, prompt: &str) -> Result<String>;
}

/// How a [`ModelExtractor`] treats its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelOptions {
    /// How often a call that failed for a passing reason is tried again.
    pub retries: u32,
    /// The first pause before that; each further one is twice as long, and all vary by a half.
    pub pause: Duration,
    /// After how many failed turns in a row the model is left alone.
    pub failures: u32,
    /// For how long.
    pub rest: Duration,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            retries: 2,
            pause: Duration::from_millis(250),
            failures: 5,
            rest: Duration::from_secs(60),
        }
    }
}

/// Draws facts with a model. The model is asked when a turn is prepared in the background; a turn that is read before that,
/// or for which the model gave nothing usable, is left to the heuristic extractor.
///
/// Of what the model proposes only that stands which the user's own words support: a fact must share words with them, and
/// a fact is ended only if they name what it is about.
pub struct ModelExtractor {
    model: Arc<dyn Model>,
    options: ModelOptions,
    name: String,
    heuristic: HeuristicExtractor,
    analyzer: Analyzer,
    breaker: Mutex<Breaker>,
    prepared: Mutex<BTreeMap<(String, u32), Vec<Operation>>>,
}

impl ModelExtractor {
    /// An extractor on a model.
    #[must_use]
    pub fn new(model: Arc<dyn Model>, options: ModelOptions) -> Self {
        let heuristic = HeuristicExtractor::new();
        Self {
            name: format!("model/1 {} + {}", model.name(), heuristic.name()),
            model,
            options,
            heuristic,
            analyzer: Analyzer::default(),
            breaker: Mutex::default(),
            prepared: Mutex::default(),
        }
    }

    /// Asks the model, again where that may help; `None` where nothing usable came.
    fn ask(&self, prompt: &str) -> Option<Vec<Operation>> {
        let mut pause = self.options.pause;
        for attempt in 0..=self.options.retries {
            match self.model.complete(prompt) {
                Ok(answer) => {
                    if let Some(found) = operations::parse(&answer) {
                        return Some(found);
                    }
                }
                Err(error) if !error.kind().is_retryable() => return None,
                Err(_) => {}
            }
            if attempt < self.options.retries {
                std::thread::sleep(breaker::vary(pause));
                pause = pause.saturating_mul(2);
            }
        }
        None
    }

    fn changes(
        &self,
        session: &str,
        turn: &TurnRecord,
        current: &[Fact],
        found: Vec<Operation>,
    ) -> Vec<FactOp> {
        let Some(said) = Said::of(turn, &self.analyzer) else {
            return Vec::new();
        };
        let mut changes = Vec::new();
        let mut ended: HashSet<&FactId> = HashSet::new();
        let mut added: Vec<FactId> = Vec::new();
        for operation in &found {
            match operation {
                Operation::Add { text, subject } if said.supports(text, &self.analyzer) => {
                    let known = current
                        .iter()
                        .any(|fact| fact.text.eq_ignore_ascii_case(text));
                    let id = fact_id(session, said.event, added.len()).filter(|_| !known);
                    if let Some(fact_id) = id {
                        added.push(fact_id.clone());
                        let fact = said.fact(fact_id, text, subject);
                        changes.push(FactOp::Add { fact });
                    }
                }
                Operation::Revise { fact, text } if said.supports(text, &self.analyzer) => {
                    let named = current
                        .get(*fact)
                        .filter(|fact| !ended.contains(&fact.fact_id));
                    changes.extend(named.map(|fact| FactOp::Revise {
                        fact_id: fact.fact_id.clone(),
                        event: said.event,
                        text: text.clone(),
                        at: said.recorded,
                    }));
                }
                Operation::Invalidate { fact } => {
                    let named = current
                        .get(*fact)
                        .filter(|fact| veto::may_end(fact, current, &said.text, &self.analyzer));
                    if let Some(fact) = named
                        && ended.insert(&fact.fact_id)
                    {
                        changes.push(FactOp::Invalidate {
                            fact_id: fact.fact_id.clone(),
                            event: said.event,
                            replaced_by: None,
                            valid_to: said.valid,
                            at: said.recorded,
                        });
                    }
                }
                _ => {}
            }
        }
        changes
    }
}

impl FactExtractor for ModelExtractor {
    fn name(&self) -> &str {
        &self.name
    }

    fn prepares(&self) -> bool {
        true
    }

    fn prepare(&self, session: &str, turn: &TurnRecord, current: &[Fact]) {
        if !hold(&self.breaker).allows(self.options.rest) {
            return;
        }
        let Some(said) = Said::of(turn, &self.analyzer) else {
            return;
        };
        let found = self.ask(&prompt::write(&said.text, current));
        hold(&self.breaker).note(found.is_some(), self.options.failures);
        let Some(found) = found else {
            return;
        };
        let mut prepared = hold(&self.prepared);
        while prepared.len() >= KEPT {
            prepared.pop_first();
        }
        prepared.insert((session.to_owned(), turn.turn.index.0), found);
    }

    fn extract(&self, session: &str, turn: &TurnRecord, current: &[Fact]) -> Result<Vec<FactOp>> {
        let key = (session.to_owned(), turn.turn.index.0);
        let found = hold(&self.prepared).remove(&key);
        match found {
            Some(found) => Ok(self.changes(session, turn, current, found)),
            None => self.heuristic.extract(session, turn, current),
        }
    }
}

/// A lock whose holder may have panicked: what it guards is whole all the same.
fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the user said in a turn.
struct Said {
    text: String,
    terms: HashSet<String>,
    event: EventId,
    trust: Trust,
    valid: aura_core::Timestamp,
    recorded: aura_core::Timestamp,
}

impl Said {
    fn of(turn: &TurnRecord, analyzer: &Analyzer) -> Option<Self> {
        let mut own = turn
            .messages
            .iter()
            .filter(|one| one.message.role == Role::User);
        let texts: Vec<&str> = own
            .clone()
            .flat_map(|one| one.message.parts.iter().filter_map(Part::plain_text))
            .collect();
        let text = texts.join("\n");
        let last = own.next_back()?;
        let terms = terms(&text, analyzer);
        (!terms.is_empty()).then(|| Self {
            text,
            terms,
            event: last.event_id,
            trust: last.trust(),
            valid: last.time(),
            recorded: last.recorded_at,
        })
    }

    /// Whether at least half of what a fact says was said.
    fn supports(&self, text: &str, analyzer: &Analyzer) -> bool {
        let mut own = terms(text, analyzer);
        own.remove("user");
        let shared = own.intersection(&self.terms).count();
        shared > 0 && shared * 2 >= own.len()
    }

    fn fact(&self, fact_id: FactId, text: &str, subject: &str) -> Fact {
        Fact {
            fact_id,
            text: text.to_owned(),
            subject: subject.to_owned(),
            sources: vec![self.event],
            trust: self.trust,
            valid_from: self.valid,
            valid_to: None,
            recorded_at: self.recorded,
            invalidated_at: None,
            invalidated_by: None,
            replaced_by: None,
        }
    }
}

/// The content words of a text.
fn terms(text: &str, analyzer: &Analyzer) -> HashSet<String> {
    let query = analyzer.query(text);
    match query.only_stop_words {
        true => HashSet::new(),
        false => query.texts().map(str::to_owned).collect(),
    }
}

fn fact_id(session: &str, event: EventId, n: usize) -> Option<FactId> {
    let literal = format!("{session}/{event}/m{n}");
    if literal.len() <= MAX_ID_BYTES {
        return FactId::new(literal).ok();
    }
    FactId::new(format!("{}/{event}/m{n}", Digest::of(session.as_bytes()))).ok()
}

#[cfg(test)]
mod tests;
