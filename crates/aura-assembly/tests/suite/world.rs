//! A session in plain vectors.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use aura_assembly::excerpt;
use aura_core::{
    Digest, Error, ErrorKind, EventId, EventRange, Fact, History, Message, MessageTokens,
    MessageView, Recall, RecallCandidate, RecallRequest, Result, RetrievalReceipt, Scores,
    StoredMessage, Timestamp, TokenCounter, Trust, Turn, TurnId, TurnIndex, TurnStatus, TurnView,
};
use aura_text::{Analyzer, Bm25Set, BuiltinCounter};

/// A history for tests: every answer can be made to fail, and every message to be deleted.
#[derive(Clone)]
pub struct World {
    pub turns: Vec<TurnView>,
    pub open: Option<TurnView>,
    pub facts: Vec<Fact>,
    pub deleted: BTreeSet<EventId>,
    /// The name of the method that fails.
    pub fails: Option<&'static str>,
    /// How often recall was asked.
    pub recalls: Cell<u32>,
    pub counter: BuiltinCounter,
    events: u64,
}

pub fn at(text: &str) -> Timestamp {
    Timestamp::parse_lenient(text).unwrap()
}

impl World {
    pub fn new() -> Self {
        Self {
            turns: Vec::new(),
            open: None,
            facts: Vec::new(),
            deleted: BTreeSet::new(),
            fails: None,
            recalls: Cell::new(0),
            counter: BuiltinCounter::O200kBase,
            events: 0,
        }
    }

    pub fn of(exchanges: &[(&str, &str)]) -> Self {
        let mut world = Self::new();
        for (user, assistant) in exchanges {
            world.say(vec![Message::user(*user), Message::assistant(*assistant)]);
        }
        world
    }

    /// Adds a complete turn and gives its events.
    pub fn say(&mut self, messages: Vec<Message>) -> Vec<EventId> {
        let view = self.view(messages, TurnStatus::Complete);
        let events = view.turn.event_ids().collect();
        self.turns.push(view);
        events
    }

    /// Sets the open turn.
    pub fn begin(&mut self, messages: Vec<Message>) {
        self.open = Some(self.view(messages, TurnStatus::Open));
    }

    /// Adds messages to the open turn.
    pub fn extend(&mut self, messages: Vec<Message>) {
        let more = self.view(messages, TurnStatus::Open);
        let open = self.open.as_mut().unwrap();
        open.messages.extend(more.messages);
    }

    /// Adds a fact taken from events.
    pub fn fact(&mut self, id: &str, text: &str, sources: &[EventId]) -> usize {
        let time = at("2024-05-03T10:00:00Z");
        self.facts.push(Fact {
            fact_id: id.parse().unwrap(),
            text: text.into(),
            subject: id.into(),
            sources: sources.to_vec(),
            trust: Trust::Verified,
            valid_from: time,
            valid_to: None,
            recorded_at: time,
            invalidated_at: None,
            invalidated_by: None,
            replaced_by: None,
        });
        self.facts.len() - 1
    }

    /// Ends a fact, in favour of another.
    pub fn supersede(&mut self, old: usize, new: Option<usize>) {
        let time = at("2024-05-04T10:00:00Z");
        let successor = new.map(|new| self.facts[new].fact_id.clone());
        let fact = &mut self.facts[old];
        fact.valid_to = Some(time);
        fact.invalidated_at = Some(time);
        fact.replaced_by = successor;
    }

    pub fn stored(&self, event: EventId) -> Option<&Arc<StoredMessage>> {
        let turns = self.turns.iter().chain(&self.open);
        let mut all = turns.flat_map(|turn| &turn.messages);
        let found = all.find(|view| view.stored.event_id == event);
        found.map(|view| &view.stored)
    }

    pub fn tokens(&self, event: EventId) -> MessageTokens {
        excerpt::count(self.stored(event).unwrap(), &self.counter).unwrap()
    }

    fn view(&mut self, messages: Vec<Message>, status: TurnStatus) -> TurnView {
        let index = TurnIndex(u32::try_from(self.turns.len()).unwrap());
        let begin = at("2024-05-03T10:00:00Z").as_millis();
        let first = self.events + 1;
        let mut views = Vec::new();
        for message in messages {
            self.events += 1;
            let minutes = i64::try_from(self.events).unwrap();
            let stored = StoredMessage {
                event_id: EventId(self.events),
                turn: index,
                recorded_at: Timestamp::from_millis_clamped(begin + minutes * 60_000),
                large_parts: crate::sessions::large_parts(&message),
                message,
            };
            views.push(MessageView {
                tokens: excerpt::count(&stored, &self.counter).unwrap(),
                stored: Arc::new(stored),
            });
        }
        TurnView {
            turn: Arc::new(Turn {
                turn_id: TurnId::new(format!("t{}", index.0)).unwrap(),
                index,
                status,
                parent: index.0.checked_sub(1).map(TurnIndex),
                events: vec![EventRange::new(EventId(first), EventId(self.events))],
                recorded_at: Timestamp::from_millis_clamped(begin),
            }),
            messages: views,
        }
    }

    fn check(&self, method: &'static str) -> Result<()> {
        if self.fails == Some(method) {
            return Err(Error::new(ErrorKind::Unavailable, "made to fail"));
        }
        Ok(())
    }
}

impl History for World {
    fn turn_count(&self) -> usize {
        self.turns.len()
    }

    fn turn(&self, position: usize) -> Result<TurnView> {
        self.check("turn")?;
        let missing = || Error::new(ErrorKind::NotFound, "no such turn");
        let mut view = self.turns.get(position).cloned().ok_or_else(missing)?;
        view.messages
            .retain(|view| !self.deleted.contains(&view.stored.event_id));
        Ok(view)
    }

    fn message(&self, event: EventId) -> Result<MessageView> {
        self.check("message")?;
        let mut all = self.turns.iter().flat_map(|turn| &turn.messages);
        all.find(|view| view.stored.event_id == event)
            .filter(|_| !self.deleted.contains(&event))
            .cloned()
            .ok_or_else(|| Error::new(ErrorKind::NotFound, "no such message"))
    }

    fn history_tokens(&self, overhead: u32) -> Result<u64> {
        self.check("history_tokens")?;
        let all = self.turns.iter().flat_map(|turn| &turn.messages);
        Ok(all
            .map(|view| u64::from(view.tokens.native + overhead))
            .sum())
    }

    fn recall(&self, request: &RecallRequest<'_>) -> Result<Recall> {
        self.check("recall")?;
        self.recalls.set(self.recalls.get() + 1);
        let analyzer = Analyzer::english();
        let mut set = Bm25Set::new(analyzer.clone());
        let mut places = Vec::new();
        for (position, turn) in self.turns.iter().enumerate().take(request.before) {
            for view in &turn.messages {
                if !self.deleted.contains(&view.stored.event_id) {
                    set.add(&view.stored.message.plain_text());
                    places.push((position, view));
                }
            }
        }
        let query = analyzer.query(request.query);
        let ranked = set.rank(&query);
        let best = ranked.first().map_or(1.0, |best| best.score);
        let candidates: Vec<RecallCandidate> = ranked
            .into_iter()
            .take(request.pool)
            .map(|found| {
                let (position, view) = places[found.index];
                RecallCandidate {
                    event_id: view.stored.event_id,
                    turn: view.stored.turn,
                    position,
                    scores: Scores {
                        lexical: Some(found.score),
                        relevance: Some(found.relevance),
                        rank: Some(found.score / best),
                        ..Scores::default()
                    },
                    tokens: view.tokens,
                }
            })
            .collect();
        let receipt = RetrievalReceipt {
            query_digest: Some(Digest::of(request.query.as_bytes())),
            query_terms: u32::try_from(query.terms.len()).unwrap(),
            only_stop_words: query.only_stop_words,
            searched: u64::try_from(places.len()).unwrap(),
            scored: u64::try_from(places.len()).unwrap(),
            candidates: candidates.iter().map(|found| found.event_id).collect(),
            max_lexical: set.full_match(&query),
            ..RetrievalReceipt::default()
        };
        Ok(Recall {
            candidates,
            receipt,
            not_indexed: 0,
        })
    }

    fn facts(&self) -> Result<Arc<Vec<Fact>>> {
        self.check("facts")?;
        Ok(Arc::new(self.facts.clone()))
    }

    fn open_turn(&self) -> Result<Option<TurnView>> {
        self.check("open_turn")?;
        Ok(self.open.clone())
    }
}

/// The counter under another name, so that its sums are not taken for granted.
pub struct Renamed(pub BuiltinCounter);

impl TokenCounter for Renamed {
    fn name(&self) -> &str {
        "host"
    }

    fn count(&self, text: &str) -> Result<u32> {
        self.0.count(text)
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for turn in self.turns.iter().chain(&self.open) {
            writeln!(f, "{} {:?}", turn.turn.turn_id, turn.turn.status)?;
            for view in &turn.messages {
                let message = &view.stored.message;
                let (event, role) = (view.stored.event_id, message.role);
                writeln!(
                    f,
                    "  {event} {role:?} {:?} {:?} {:?}",
                    message.name, message.parts, view.tokens
                )?;
            }
        }
        for fact in &self.facts {
            writeln!(
                f,
                "{} {:?} {:?} {:?}",
                fact.fact_id, fact.sources, fact.invalidated_at, fact.replaced_by
            )?;
        }
        Ok(())
    }
}
