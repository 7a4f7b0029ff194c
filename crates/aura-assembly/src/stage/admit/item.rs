//! What is recalled as one item, and the last tool response.

use std::sync::Arc;

use aura_core::{BlockKind, BlockRef, Class, EventId, Scores, StoredMessage, Timestamp};

use smallvec::SmallVec;

use crate::transcript::Shown;

/// How an item is shown.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// As excerpts, each with its tokens.
    Excerpts(SmallVec<[Excerpt; 1]>),
    /// As messages of their own roles.
    Messages(Vec<Shown>),
}

/// A message as an excerpt; which one, [`Item::sources`] says.
#[derive(Debug, Clone)]
pub(crate) struct Excerpt {
    /// A shorter line in place of the message's own.
    pub(crate) line: Option<String>,
    /// Its tokens.
    pub(crate) tokens: u32,
}

/// One item of the context that comes from before the newest turns.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// What it is in the manifest.
    pub(crate) block: BlockRef,
    /// Its kind.
    pub(crate) kind: BlockKind,
    /// Its class.
    pub(crate) class: Class,
    /// Its scores.
    pub(crate) scores: Scores,
    /// The stored messages it shows, in order.
    pub(crate) sources: SmallVec<[Arc<StoredMessage>; 1]>,
    /// How it is shown.
    pub(crate) form: Form,
    /// Its tokens, without what surrounds the group.
    pub(crate) tokens: u32,
    /// Its tokens as `max_recall_tokens` counts them.
    pub(crate) recall: u32,
    /// Whether a handle or a placeholder stands for it.
    pub(crate) by_handle: bool,
}

impl Item {
    /// The events it shows, in order.
    pub(crate) fn events(&self) -> impl Iterator<Item = EventId> {
        self.sources.iter().map(|stored| stored.event_id)
    }

    /// When its first message was said, and which event that was: the order of items.
    pub(crate) fn begins(&self) -> Option<(Timestamp, EventId)> {
        let first = self.sources.first()?;
        Some((first.time(), first.event_id))
    }
}
