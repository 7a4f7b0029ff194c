//! How recalled messages and blocks of the host share the room.

use aura_core::{RecallCandidate, Result};

use super::{Picker, intro_tokens};
use crate::evidence::{Group, group_tokens};
use crate::stage::admit::blocks::{Chosen, Offers, inputs};

impl Picker<'_> {
    /// Chooses blocks worth the most in the room that is theirs; `left` counts the items that `top_k` still allows.
    pub(super) fn choose(
        &mut self,
        pool: &[RecallCandidate],
        offers: Offers<'_>,
        left: &mut u32,
    ) -> Result<()> {
        if offers.is_empty() {
            return Ok(());
        }
        let intro = if self.has_message() {
            0
        } else {
            intro_tokens(self.meter)?
        };
        let (room, most) = self.share_of_blocks(pool, &offers, intro, *left)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let chosen: Chosen = offers.choose(self.request, room, most);
        if !chosen.shown.is_empty() {
            self.room.take(chosen.tokens.saturating_add(intro));
        }
        let count = u32::try_from(chosen.shown.len()).unwrap_or(u32::MAX);
        *left = left.saturating_sub(count);
        self.blocks = chosen.shown;
        self.kept = chosen.kept;
        self.nameless = chosen.nameless;
        self.records.extend(chosen.records);
        Ok(())
    }

    /// The tokens and items that blocks have: a walk through blocks and messages together, the more valuable first,
    /// leaves to the messages what they take in it and to the blocks all the rest.
    fn share_of_blocks(
        &self,
        pool: &[RecallCandidate],
        offers: &Offers<'_>,
        intro: u32,
        top_k: u32,
    ) -> Result<(u32, u32)> {
        let weights = self.request.policy.weights;
        let cap = self.request.policy.max_recall_tokens.unwrap_or(u32::MAX);
        let mut left = self.room.left().saturating_sub(intro);
        let (mut of_messages, mut recall, mut items) = (0_u32, 0_u32, 0_u32);
        let mut of_blocks = 0_u32;
        let open = |candidate: &&RecallCandidate| self.glance(candidate, u32::MAX).is_ok();
        let mut messages = pool.iter().filter(open).peekable();
        let mut blocks = offers.shares(weights).peekable();
        let frame = group_tokens(Group::Recalled, self.meter)?;
        while items < top_k {
            let message = messages.peek().map(|candidate| {
                inputs::message_share(candidate.scores.relevance.unwrap_or(1.0), weights)
            });
            let block_first = match (message, blocks.peek()) {
                (None, None) => break,
                (None, Some(_)) => true,
                (Some(_), None) => break,
                (Some(message), Some((_, block))) => *block >= message,
            };
            if block_first {
                let tokens = blocks.next().map_or(0, |(tokens, _)| tokens);
                if tokens <= left {
                    left -= tokens;
                    of_blocks += 1;
                    items += 1;
                }
            } else if let Some(candidate) = messages.next() {
                let framed = if of_messages == 0 { frame } else { 0 };
                let tokens = candidate.tokens.excerpt.saturating_add(framed);
                let more = recall.saturating_add(candidate.tokens.recall);
                if tokens <= left && more <= cap {
                    left -= tokens;
                    of_messages = of_messages.saturating_add(tokens);
                    recall = more;
                    items += 1;
                }
            }
        }
        let room = self.room.left().saturating_sub(intro);
        let most = if top_k == u32::MAX { top_k } else { of_blocks };
        Ok((room.saturating_sub(of_messages), most))
    }
}
