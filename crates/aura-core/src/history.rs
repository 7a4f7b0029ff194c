//! What the compiler may ask about a session.

use std::sync::Arc;

use crate::candidate::Scores;
use crate::error::Result;
use crate::fact::Fact;
use crate::id::{EventId, TurnIndex};
use crate::policy::RankingWeights;
use crate::receipt::RetrievalReceipt;
use crate::session::{StoredMessage, Turn};
use crate::time::Timestamp;

/// The tokens of a message in the forms it is shown in, counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageTokens {
    /// As a message of its own role: its content, calls and media without the overhead per message.
    pub native: u32,
    /// As an excerpt: its dated, attributed lines.
    pub excerpt: u32,
    /// Bare, as `max_recall_tokens` counts it: `speaker: text` plus 4.
    pub recall: u32,
}

/// A turn with its messages and their tokens.
#[derive(Debug, Clone)]
pub struct TurnView {
    /// The turn.
    pub turn: Arc<Turn>,
    /// Its messages, in event order.
    pub messages: Vec<MessageView>,
}

/// A message with its tokens.
#[derive(Debug, Clone)]
pub struct MessageView {
    /// The message; artifacts of large parts are put back.
    pub stored: Arc<StoredMessage>,
    /// Its tokens.
    pub tokens: MessageTokens,
}

/// What recall is asked for.
#[derive(Debug, Clone, Copy)]
pub struct RecallRequest<'a> {
    /// The text to search by.
    pub query: &'a str,
    /// How many candidates to return at most.
    pub pool: usize,
    /// Tokens there is room for; candidates that come after a multiple of it need not be returned.
    pub room: u32,
    /// Only visible turns at positions below this one are searched: the rest is shown verbatim.
    pub before: usize,
    /// A pause longer than this, in milliseconds, ends a sitting; neighbour windows do not cross it.
    pub sitting_gap: i64,
    /// What each signal counts in the rank.
    pub weights: RankingWeights,
    /// The present, for recency.
    pub now: Timestamp,
}

/// A message that recall brought up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecallCandidate {
    /// Which message.
    pub event_id: EventId,
    /// Its turn.
    pub turn: TurnIndex,
    /// The position of its turn among the visible complete turns.
    pub position: usize,
    /// `lexical`, `dense`, `relevance`, `rank` and `signals`.
    pub scores: Scores,
    /// Its tokens.
    pub tokens: MessageTokens,
}

/// What recall gave.
#[derive(Debug, Clone, Default)]
pub struct Recall {
    /// The pool, best rank first, ties by the newer event.
    pub candidates: Vec<RecallCandidate>,
    /// What was looked at; `selected` is filled by the compiler.
    pub receipt: RetrievalReceipt,
    /// How many messages that the search could see have no vectors yet.
    pub not_indexed: u64,
}

/// The visible history of one session, as seen by one compilation: ancestors of the chosen turn only.
///
/// Contract: all answers are of one `change_seq`; turns that are open, failed or on another branch never appear;
/// what the principal may not see never appears.
pub trait History {
    /// How many complete turns are visible.
    fn turn_count(&self) -> usize;

    /// The visible complete turn at a position, 0 being the oldest.
    ///
    /// # Errors
    /// `NotFound` past the end; storage errors.
    fn turn(&self, position: usize) -> Result<TurnView>;

    /// A message by its event.
    ///
    /// # Errors
    /// `NotFound`, when it is not visible; storage errors.
    fn message(&self, event: EventId) -> Result<MessageView>;

    /// Says which messages will be asked for next, so that they can be brought near together rather than one by one.
    /// Only a hint: by default nothing happens.
    fn prefetch(&self, events: &[EventId]) {
        let _ = events;
    }

    /// The tokens of the whole visible history as messages of their own role, `overhead` added a message.
    ///
    /// # Errors
    /// Storage errors.
    fn history_tokens(&self, overhead: u32) -> Result<u64>;

    /// The best candidates for a query.
    ///
    /// # Errors
    /// Storage and index errors.
    fn recall(&self, request: &RecallRequest<'_>) -> Result<Recall>;

    /// The facts visible on this branch, current and past, in the order they were recorded.
    ///
    /// # Errors
    /// Storage errors.
    fn facts(&self) -> Result<Arc<Vec<Fact>>>;

    /// The open turn that the context is for, if it was recorded already.
    ///
    /// # Errors
    /// Storage errors.
    fn open_turn(&self) -> Result<Option<TurnView>>;
}
