//! The tokens of the whole history, summed as it grows.

use aura_core::{Result, TurnIndex};

use crate::session::branch::Branch;
use crate::session::data::SessionData;

/// The sum over a prefix of a branch.
#[derive(Debug, Default)]
pub(crate) struct HistoryTokens {
    last: Option<TurnIndex>,
    turns: usize,
    messages: u64,
    tokens: u64,
}

impl HistoryTokens {
    /// Starts anew.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The tokens of all messages a branch sees, `overhead` added for each; only turns not summed before are visited.
    ///
    /// # Errors
    /// Those of `count`, which counts a message by its event where that was not done yet.
    pub(crate) fn of(
        &mut self,
        branch: &Branch,
        data: &SessionData,
        overhead: u32,
        mut count: impl FnMut(u64) -> Result<u32>,
    ) -> Result<u64> {
        let continues = match self.turns.checked_sub(1) {
            Some(at) => branch.turns.get(at).copied() == self.last,
            None => true,
        };
        // The turns before the last one summed are its ancestors, and those do not change.
        if !continues {
            self.forget();
        }
        for turn in branch.turns.get(self.turns..).unwrap_or_default() {
            let Some(meta) = data.turns.get(turn.0 as usize) else {
                continue;
            };
            let (mut messages, mut tokens) = (0, 0);
            for event in meta.events.ids() {
                messages += 1;
                tokens += u64::from(count(event)?);
            }
            self.messages += messages;
            self.tokens += tokens;
            self.turns += 1;
            self.last = Some(*turn);
        }
        Ok(self.tokens + self.messages * u64::from(overhead))
    }
}
