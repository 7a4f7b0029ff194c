//! One conversation, recorded as a session, and the contexts compiled from it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use aura::{
    Clock, CompiledContext, ContextPolicy, ContextRequest, Engine, EngineOptions, Error, ErrorKind,
    EventId, Fate, Message, Outcome, Principal, RecordRequest, Role, Section, SessionId,
    SystemClock, Timestamp, TopK,
};

use super::data::{Conversation, Question, Said};
use super::kept::Kept;
use super::outcome::{Answer, Cut};

/// The most messages of one turn; a longer run without a user message is cut.
const TURN_MESSAGES: usize = 1000;

/// How long the messages of a conversation may take to be embedded.
const EMBEDDING: Duration = Duration::from_secs(24 * 60 * 60);

/// How contexts are compiled to be measured.
///
/// Everything is recalled: no turn is shown because it is new, no fact stands in for a message, and only
/// `max_recall_tokens` (set per budget) ends the choice. All else is as by default.
pub(crate) fn base_policy() -> ContextPolicy {
    ContextPolicy {
        token_budget: 10_000_000,
        recency_turns: 0,
        facts_enabled: false,
        ..ContextPolicy::default()
    }
}

/// A clock that stands where it is set, so that a question is asked when the data say.
struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis_clamped(self.0.load(Ordering::Relaxed))
    }
}

/// A recorded conversation.
pub(crate) struct Bench<'a> {
    conversation: &'a Conversation,
    engine: Engine,
    clock: Arc<SetClock>,
    principal: Principal,
    session: SessionId,
    policy: &'a ContextPolicy,
}

impl<'a> Bench<'a> {
    /// Records a conversation as one session: turns begin at user messages and where a part of it begins.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn record(
        conversation: &'a Conversation,
        policy: &'a ContextPolicy,
        embedder: Option<Arc<Kept>>,
    ) -> Result<Self, Error> {
        let clock = Arc::new(SetClock(AtomicI64::new(0)));
        let engine = aura::in_memory_with(EngineOptions {
            clock: Some(Arc::<SetClock>::clone(&clock)),
            embedder: embedder.map(|embedder| embedder as _),
            // What is measured is what a context holds, also where the machine is busy.
            embed_timeout: EMBEDDING,
            ..EngineOptions::default()
        })?;
        let bench = Self {
            conversation,
            engine,
            clock,
            principal: Principal::default(),
            session: SessionId::new("conversation")?,
            policy,
        };
        let mut next = 1;
        for turn in turns(&conversation.messages) {
            let newest = turn.iter().filter_map(|said| said.message.time).max();
            bench.set_clock(newest);
            let messages: Vec<Message> = turn.iter().map(|said| said.message.clone()).collect();
            let request = RecordRequest::of(messages);
            let recorded = bench
                .engine
                .record_turn(&bench.principal, &bench.session, request)?;
            // Places are taken from event ids below, so these must be gapless.
            let first = recorded.turn.events.first().map(|range| range.first);
            if first != Some(EventId(next)) {
                return Err(Error::new(ErrorKind::Internal, "event ids are not gapless"));
            }
            next += turn.len() as u64;
        }
        bench.engine.flush(EMBEDDING)?;
        Ok(bench)
    }

    /// Compiles the context for a question, and says which messages stand in it whole.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn ask(&self, question: &Question, cut: Cut) -> Result<Answer, Error> {
        let mut policy = self.policy.clone();
        match cut {
            Cut::Tokens(budget) => policy.max_recall_tokens = Some(budget),
            Cut::Messages(most) => policy.top_k = TopK::AtMost(most),
        }
        self.set_clock(question.asked_at);
        let request = ContextRequest::ask(question.text.as_str()).with_policy(policy);
        let began = Instant::now();
        let context = self
            .engine
            .build_context(&self.principal, &self.session, &request)?;
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        if context.manifest.outcome != Outcome::Complete {
            return Err(Error::new(
                ErrorKind::Unavailable,
                "a context was compiled without all that was to be measured",
            ));
        }
        let mut answer = Answer {
            chosen: Vec::new(),
            tokens: context.manifest.totals.recall_tokens,
            cut_short: 0,
            micros,
        };
        for event in shown(&context) {
            match self.said(event) {
                Some((place, said)) if stands_whole(&context, event, said) => {
                    answer.chosen.push(place)
                }
                _ => answer.cut_short += 1,
            }
        }
        answer.chosen.sort_unstable();
        Ok(answer)
    }

    /// Ends the engine.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn close(self) -> Result<(), Error> {
        self.engine.close()
    }

    fn set_clock(&self, time: Option<Timestamp>) {
        let time = time.unwrap_or_else(|| SystemClock.now());
        self.clock.0.store(time.as_millis(), Ordering::Relaxed);
    }

    fn said(&self, event: EventId) -> Option<(usize, &Said)> {
        let place = usize::try_from(event.0.checked_sub(1)?).ok()?;
        Some((place, self.conversation.messages.get(place)?))
    }
}

/// Runs of messages that are recorded as one turn.
fn turns(messages: &[Said]) -> impl Iterator<Item = &[Said]> {
    let goes_on =
        |before: &Said, next: &Said| next.message.role != Role::User && before.part == next.part;
    messages
        .chunk_by(goes_on)
        .flat_map(|turn| turn.chunks(TURN_MESSAGES))
}

/// The events that a manifest says stand in the context, ascending.
fn shown(context: &CompiledContext) -> Vec<EventId> {
    let candidates = context.manifest.candidates.iter();
    let selected = candidates.filter(|record| record.fate == Fate::Selected);
    let ranges = selected.flat_map(|record| &record.events);
    let mut events: Vec<EventId> = ranges
        .flat_map(|range| (range.first.0..=range.last.0).map(EventId))
        .collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// Whether a compiled message that carries the event holds all of the text, and as evidence also who said it.
fn stands_whole(context: &CompiledContext, event: EventId, said: &Said) -> bool {
    let attributed = format!("{}: {}", said.message.speaker(), said.text);
    let carriers = context
        .messages
        .iter()
        .filter(|message| message.events.contains(&event));
    let mut contents = carriers.map(|message| match message.section {
        Section::Evidence => message.content.contains(&attributed),
        _ => message.content.contains(&said.text),
    });
    contents.any(|holds| holds)
}
