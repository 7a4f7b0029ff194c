//! Contexts that stand on checkpoints instead of the ranges they cover.

use aura_core::{
    Block, BlockKind, CheckpointId, EventRange, Payload, Principal, Result, SessionId, TurnIndex,
};

use super::{covered, find, telling};
use crate::parts::Parts;
use crate::session::branch::Branch;
use crate::session::data::SessionData;

/// Messages of the range that the question brings back beside the checkpoint.
const BESIDE: usize = 2;
/// Authority and importance of a checkpoint that was asked for.
const WANTED: u8 = 5;

/// What a context stands on.
#[derive(Debug, Default)]
pub(crate) struct Stand {
    /// The checkpoints, and what of their ranges bears on the question.
    pub(crate) blocks: Vec<Block>,
    ranges: Vec<EventRange>,
}

impl Stand {
    /// Looks up the checkpoints that a call names.
    ///
    /// # Errors
    /// `NotFound` naming `checkpoint_id`, also for one of another session; `Denied`; those of the store.
    pub(crate) fn of(
        parts: &Parts,
        principal: &Principal,
        session: &SessionId,
        ids: &[CheckpointId],
        question: &str,
    ) -> Result<Self> {
        let mut stand = Self::default();
        for id in ids {
            let checkpoint = find(parts, principal, id)?;
            if checkpoint.session_id != *session {
                return Err(aura_core::Error::new(
                    aura_core::ErrorKind::NotFound,
                    "checkpoint_id: the checkpoint is of another session",
                )
                .with_field("checkpoint_id"));
            }
            let address = format!("checkpoint://{id}");
            let mut block = Block::evidence(&format!("checkpoint:{id}"), checkpoint.text())?;
            block.kind = BlockKind::Checkpoint;
            block.trust = checkpoint.trust;
            block.source = Some(address.clone());
            block.authority = WANTED;
            block.importance = Some(WANTED);
            block.observed_at = Some(checkpoint.made.at);
            stand.blocks.push(block);
            if !question.is_empty() {
                let messages = covered(parts, &checkpoint)?;
                for stored in telling(parts, &checkpoint, &messages, question, BESIDE) {
                    let message = &stored.message;
                    let text = format!("{}: {}", message.speaker(), message.plain_text());
                    let id = format!("{address}#{}", stored.event_id);
                    let mut block = Block::evidence(&id, "")?;
                    block.payload = Payload::Text(text);
                    block.trust = stored.trust();
                    block.source = Some(id);
                    block.observed_at = Some(stored.time());
                    stand.blocks.push(block);
                }
            }
            stand.ranges.push(checkpoint.range);
        }
        Ok(stand)
    }

    /// Whether there is nothing to stand on.
    pub(crate) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Takes the turns off a branch that lie wholly in the ranges, and gives them.
    pub(crate) fn cover(&self, branch: &mut Branch, data: &SessionData) -> Vec<TurnIndex> {
        let is_covered = |range: &EventRange| {
            let mut ranges = self.ranges.iter();
            ranges.any(|by| by.contains(range.first) && by.contains(range.last))
        };
        let turns = branch.turns.extract_if(.., |turn| {
            let meta = data.turns.get(turn.0 as usize);
            meta.is_some_and(|meta| meta.events.ranges().iter().all(is_covered))
        });
        turns.collect()
    }
}
