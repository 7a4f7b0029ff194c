//! A session's history as one compilation sees it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use aura_core::{
    BlockRef, DensePool, Digest, Error, ErrorKind, EventId, EventRange, Fact, History,
    LexicalRequest, MessageTokens, MessageView, Recall, RecallCandidate, RecallRequest, Result,
    RetrievalReceipt, Scores, SessionKey, Skipped, StoredMessage, TurnIndex, TurnRecord, TurnView,
};

use crate::dense::queries::Asked;
use crate::dense::search::{self, Limits, Outcome};
use crate::parts::Parts;
use crate::session::branch::Branch;
use crate::session::data::SessionData;
use crate::session::entry::SessionEntry;
use crate::session::fact_state::Facts;
use aura_assembly::excerpt::count;

/// The visible history of a session, of one `change_seq`.
pub(crate) struct HistoryView<'a> {
    pub(crate) data: &'a SessionData,
    pub(crate) entry: &'a SessionEntry,
    pub(crate) parts: &'a Parts,
    /// What the compilation sees.
    pub(crate) branch: Cow<'a, Branch>,
    pub(crate) facts: Facts,
    /// The open turn that it is for.
    pub(crate) open: Option<TurnIndex>,
    /// The ranges searched, kept so that their memory serves again.
    pub(crate) ranges: RefCell<Vec<EventRange>>,
    /// The vector of the question, which may be under way.
    pub(crate) asked: RefCell<Option<Asked>>,
    /// How long to wait for it.
    pub(crate) limits: Limits,
    /// The session that who asks may read.
    pub(crate) reader: &'a SessionKey,
}

/// How many messages near to the question are ranked, beside those that share words with it.
const NEAR: usize = 100;

impl HistoryView<'_> {
    /// The messages near to a question, where there is an embedder.
    fn near(&self, query: &str, visible: &[EventRange]) -> Outcome<'_> {
        match &self.parts.dense {
            Some(dense) => search::search(
                self.entry,
                (self.reader, visible, NEAR),
                (
                    &mut self.asked.borrow_mut(),
                    &self.data.as_asked(query),
                    self.limits,
                ),
                (dense, self.parts),
            ),
            None => Outcome::default(),
        }
    }

    fn view(&self, record: &TurnRecord) -> Result<TurnView> {
        let messages = record
            .messages
            .iter()
            .map(|stored| self.message_view(stored));
        Ok(TurnView {
            turn: Arc::new(record.turn.clone()),
            messages: messages.collect::<Result<_>>()?,
        })
    }

    fn message_view(&self, stored: &Arc<StoredMessage>) -> Result<MessageView> {
        Ok(MessageView {
            stored: Arc::clone(stored),
            tokens: self.tokens(stored.event_id.0, Some(stored))?,
        })
    }

    /// The tokens of a message, counted now if that was not done yet.
    pub(crate) fn tokens(
        &self,
        event: u64,
        stored: Option<&StoredMessage>,
    ) -> Result<MessageTokens> {
        let meta = usize::try_from(event.saturating_sub(1))
            .ok()
            .and_then(|at| self.data.messages.get(at));
        let Some(meta) = meta else {
            return Err(gone(EventId(event)));
        };
        if let Some(tokens) = meta.tokens() {
            return Ok(tokens);
        }
        let tokens = match stored {
            Some(stored) => count(stored, self.parts.meter.counter())?,
            None => {
                let body = self.entry.body(meta.turn, self.parts)?;
                match body
                    .messages
                    .iter()
                    .find(|stored| stored.event_id.0 == event)
                {
                    Some(stored) => count(stored, self.parts.meter.counter())?,
                    None => MessageTokens::default(),
                }
            }
        };
        meta.set(tokens);
        Ok(tokens)
    }

    /// The index of the turn of an event.
    fn turn_of(&self, event: EventId) -> Option<TurnIndex> {
        let at = usize::try_from(event.0.checked_sub(1)?).ok()?;
        self.data.messages.get(at).map(|meta| meta.turn)
    }
}

fn skipped(reason: &&str) -> Skipped {
    Skipped {
        work: "dense".to_owned(),
        reason: (*reason).to_owned(),
    }
}

fn gone(event: EventId) -> Error {
    Error::new(ErrorKind::NotFound, "a message is not visible here")
        .with("block", BlockRef::Event(event))
}

impl History for HistoryView<'_> {
    fn turn_count(&self) -> usize {
        self.branch.turns.len()
    }

    fn turn(&self, position: usize) -> Result<TurnView> {
        let turn = self.branch.turns.get(position).copied();
        let turn =
            turn.ok_or_else(|| Error::new(ErrorKind::NotFound, "a turn is not visible here"))?;
        self.view(&*self.entry.body(turn, self.parts)?)
    }

    fn message(&self, event: EventId) -> Result<MessageView> {
        let turn = self.turn_of(event).ok_or_else(|| gone(event))?;
        if self.branch.position(turn).is_none() && self.open != Some(turn) {
            return Err(gone(event));
        }
        let body = self.entry.body(turn, self.parts)?;
        let stored = body.messages.iter().find(|stored| stored.event_id == event);
        self.message_view(stored.ok_or_else(|| gone(event))?)
    }

    fn prefetch(&self, events: &[EventId]) {
        let turns = events.iter().filter_map(|event| self.turn_of(*event));
        self.entry.warm(turns);
    }

    fn history_tokens(&self, overhead: u32) -> Result<u64> {
        let count = |event| Ok(self.tokens(event, None)?.native);
        if self.branch.head == self.data.branch.head {
            return self
                .entry
                .history_tokens
                .lock()
                .of(&self.branch, self.data, overhead, count);
        }
        crate::session::history_tokens::HistoryTokens::default().of(
            &self.branch,
            self.data,
            overhead,
            count,
        )
    }

    fn recall(&self, request: &RecallRequest<'_>) -> Result<Recall> {
        let mut ranges = self.ranges.borrow_mut();
        self.data
            .visible_events(&self.branch, request.before, &mut ranges);
        let near = self.near(request.query, &ranges);
        let query = self.parts.lexical.query(request.query);
        let cosines = |events: &[EventId]| near.cosines(events);
        let mut weights = request.weights;
        let nothing_near = near.near.as_ref().is_some_and(|near| !near.is_about);
        if nothing_near && near.waiting == 0 {
            // Words alone then have to say more.
            weights.min_best = weights.min_best.max(weights.min_best_beside_dense);
        }
        let found = self.data.index.search(&LexicalRequest {
            query: &query,
            visible: &ranges,
            limit: request.pool,
            room: Some(request.room),
            corpus: None,
            neighbours: Some(request.sitting_gap),
            weights,
            dense: near
                .near
                .as_ref()
                .filter(|near| near.is_about)
                .map(|near| DensePool {
                    hits: &near.hits,
                    cosines: &cosines,
                    calibration: near.calibration,
                }),
            reader: Some(self.reader),
        });
        let mut recall = Recall {
            candidates: Vec::with_capacity(found.hits.len()),
            receipt: RetrievalReceipt {
                query_digest: Some(Digest::of(request.query.as_bytes())),
                query_terms: u32::try_from(query.terms.len()).unwrap_or(u32::MAX),
                only_stop_words: query.only_stop_words,
                searched: found.work.searched,
                scored: found.work.scored,
                foreign: found.work.foreign + near.near.as_ref().map_or(0, |near| near.foreign),
                candidates: found.hits.iter().map(|hit| hit.event_id).collect(),
                max_lexical: found.maximum,
                model: near.near.as_ref().map(|near| near.model.clone()),
                vector_digest: near.near.as_ref().map(|near| near.vector_digest),
                skipped: near.skipped.iter().map(skipped).collect(),
                ..RetrievalReceipt::default()
            },
            not_indexed: near.waiting,
        };
        for hit in found.hits {
            let Some(position) = self.branch.position(hit.turn) else {
                continue;
            };
            recall.candidates.push(RecallCandidate {
                event_id: hit.event_id,
                turn: hit.turn,
                position,
                scores: Scores {
                    lexical: Some(hit.bm25),
                    dense: hit.cosine,
                    relevance: Some(hit.relevance),
                    rank: Some(hit.rank_score),
                    signals: Some(hit.signals),
                    ..Scores::default()
                },
                tokens: self.tokens(hit.event_id.0, None)?,
            });
        }
        Ok(recall)
    }

    fn facts(&self) -> Result<Arc<Vec<Fact>>> {
        Ok(Arc::clone(&self.facts.list))
    }

    fn open_turn(&self) -> Result<Option<TurnView>> {
        match self.open {
            Some(turn) => Ok(Some(self.view(&*self.entry.body(turn, self.parts)?)?)),
            None => Ok(None),
        }
    }
}
