//! A session for tests: what a user says, turn by turn, with the ledger kept beside it.

use std::sync::Arc;

use aura_core::{
    EventId, EventRange, Fact, FactEntry, FactExtractor, FactOp, Message, StoredMessage, Timestamp,
    Turn, TurnId, TurnIndex, TurnRecord, TurnStatus,
};
use aura_memory::{HeuristicExtractor, Ledger};

/// A session of one user, whose facts are drawn turn by turn.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    /// The facts so far.
    pub(crate) ledger: Ledger,
    /// The changes so far.
    pub(crate) log: Vec<FactEntry>,
    turns: u32,
    events: u64,
}

impl Talk {
    /// Records what the user says as the next turn and distils it.
    pub(crate) fn say(&mut self, text: &str) -> Vec<FactOp> {
        self.record(vec![Message::user(text)])
    }

    /// Records a turn and distils it; every change must fit the ledger.
    pub(crate) fn record(&mut self, messages: Vec<Message>) -> Vec<FactOp> {
        let turn = TurnIndex(self.turns);
        let at = Timestamp::from_millis_clamped(i64::from(self.turns) * 60_000);
        let first = self.events + 1;
        let messages: Vec<_> = messages
            .into_iter()
            .map(|message| {
                self.events += 1;
                Arc::new(StoredMessage {
                    event_id: EventId(self.events),
                    turn,
                    recorded_at: at,
                    message,
                    large_parts: Vec::new(),
                })
            })
            .collect();
        let record = TurnRecord {
            turn: Turn {
                turn_id: TurnId::new(format!("t{}", turn.0)).unwrap(),
                index: turn,
                status: TurnStatus::Complete,
                parent: turn.0.checked_sub(1).map(TurnIndex),
                events: vec![EventRange {
                    first: EventId(first),
                    last: EventId(self.events),
                }],
                recorded_at: at,
            },
            messages,
        };
        let extractor = HeuristicExtractor::new();
        let ops = extractor
            .extract("talk", &record, self.ledger.current())
            .unwrap();
        let again = extractor
            .extract("talk", &record, self.ledger.current())
            .unwrap();
        assert_eq!(ops, again, "the same turn must give the same changes");
        for change in &ops {
            if let FactOp::Invalidate { fact_id, .. } | FactOp::Revise { fact_id, .. } = change {
                let known = self
                    .ledger
                    .current()
                    .iter()
                    .any(|fact| fact.fact_id == *fact_id);
                assert!(known, "a change must name a current fact");
            }
        }
        for change in &ops {
            let entry = FactEntry {
                turn,
                change: change.clone(),
            };
            self.ledger.apply(&entry).unwrap();
            self.log.push(entry);
        }
        self.turns += 1;
        ops
    }

    /// The texts of the current facts.
    pub(crate) fn current(&self) -> Vec<String> {
        self.ledger
            .current()
            .iter()
            .map(|fact| fact.text.clone())
            .collect()
    }

    /// The texts of the facts that have ended, and of what revised facts said before.
    pub(crate) fn past(&self) -> Vec<String> {
        let ended = self.ledger.facts().filter(|fact| !fact.is_current());
        ended.map(|fact: &Fact| fact.text.clone()).collect()
    }
}
