//! Facts: the ledger of changes, and what still awaits distillation.

use aura_core::{
    Distilled, FactCommit, FactEntry, Result, Session, SessionKey, TurnIndex, TurnStatus,
};

use super::sessions::SessionState;
use super::store::State;
use crate::refusal::facts_moved;

impl State {
    pub(super) fn commit_facts(&mut self, commit: FactCommit) -> Result<Session> {
        let state = self.need(&commit.key)?;
        if state.session.distilled.commits != commit.expected {
            return Err(facts_moved());
        }
        state.facts.extend(commit.entries);
        state.session.distilled = Distilled {
            commits: commit.expected + 1,
            ..commit.distilled
        };
        state.session.change_seq += 1;
        Ok(state.session.clone())
    }

    pub(super) fn undistilled(&self, limit: usize) -> Vec<SessionKey> {
        let mut found: Vec<&SessionState> = self
            .sessions
            .values()
            .filter(|state| state.is_undistilled())
            .collect();
        found.sort_unstable_by_key(|state| state.number);
        found
            .into_iter()
            .take(limit)
            .map(SessionState::key)
            .collect()
    }
}

impl SessionState {
    pub(super) fn facts_from(&self, from: u64) -> Vec<FactEntry> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        self.facts.get(from..).unwrap_or_default().to_vec()
    }

    fn is_undistilled(&self) -> bool {
        let distilled = &self.session.distilled;
        let complete = |index: &TurnIndex| {
            let turn = self.turns.get(index.0 as usize);
            turn.is_some_and(|turn| turn.status == TurnStatus::Complete)
        };
        distilled.open.iter().any(complete)
            || (distilled.next..self.session.turns).any(|index| complete(&TurnIndex(index)))
    }
}
