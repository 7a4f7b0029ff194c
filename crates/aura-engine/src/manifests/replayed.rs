//! A session's history as an earlier compilation saw it.

use std::sync::Arc;

use aura_core::{
    EventId, Fact, History, MessageView, Recall, RecallCandidate, RecallRequest, Result,
    RetrievalReceipt, TurnView,
};

use super::given::Given;
use crate::session::history_tokens::HistoryTokens;
use crate::session::history_view::HistoryView;

/// The history of an earlier compilation: what it saw of the log, and what recall gave it then.
pub(crate) struct Replayed<'a> {
    pub(crate) view: HistoryView<'a>,
    pub(crate) given: &'a Given,
    pub(crate) receipt: &'a RetrievalReceipt,
}

impl Replayed<'_> {
    fn counted(&self, found: &RecallCandidate) -> Result<RecallCandidate> {
        Ok(RecallCandidate {
            tokens: self.view.tokens(found.event_id.0, None)?,
            ..*found
        })
    }
}

impl History for Replayed<'_> {
    fn turn_count(&self) -> usize {
        self.view.turn_count()
    }

    fn turn(&self, position: usize) -> Result<TurnView> {
        self.view.turn(position)
    }

    fn message(&self, event: EventId) -> Result<MessageView> {
        self.view.message(event)
    }

    fn history_tokens(&self, overhead: u32) -> Result<u64> {
        let count = |event| Ok(self.view.tokens(event, None)?.native);
        HistoryTokens::default().of(&self.view.branch, self.view.data, overhead, count)
    }

    fn recall(&self, _request: &RecallRequest<'_>) -> Result<Recall> {
        let pool = self.given.pool.iter();
        Ok(Recall {
            candidates: pool
                .map(|found| self.counted(found))
                .collect::<Result<_>>()?,
            receipt: RetrievalReceipt {
                selected: Vec::new(),
                ..self.receipt.clone()
            },
            ..Recall::default()
        })
    }

    fn facts(&self) -> Result<Arc<Vec<Fact>>> {
        self.view.facts()
    }

    fn open_turn(&self) -> Result<Option<TurnView>> {
        let mut open = self.view.open_turn()?;
        if let (Some(open), Some((_, messages))) = (&mut open, self.given.seen.tail) {
            open.messages.truncate(messages as usize);
        }
        Ok(open)
    }
}
