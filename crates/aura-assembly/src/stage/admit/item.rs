//! What is recalled as one item, and the last tool response.

use std::sync::Arc;

use aura_core::{BlockKind, BlockRef, Class, EventId, Scores, StoredMessage, Timestamp};

use crate::transcript::Shown;

/// How an item is shown.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// As excerpts, each with its tokens.
    Excerpts(Vec<Excerpt>),
    /// As messages of their own roles.
    Messages(Vec<Shown>),
}

/// A message as an excerpt.
#[derive(Debug, Clone)]
pub(crate) struct Excerpt {
    /// The message.
    pub(crate) stored: Arc<StoredMessage>,
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
    /// The stored messages it shows, in order; one that stands for several messages comes once for each.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Arc<StoredMessage>> {
        let (excerpts, messages) = match &self.form {
            Form::Excerpts(excerpts) => (Some(excerpts), None),
            Form::Messages(messages) => (None, Some(messages)),
        };
        let excerpts = excerpts
            .into_iter()
            .flatten()
            .map(|excerpt| &excerpt.stored);
        let messages = messages.into_iter().flatten();
        excerpts.chain(messages.filter_map(|shown| shown.source.as_ref()))
    }

    /// The events it shows, in order.
    pub(crate) fn events(&self) -> impl Iterator<Item = EventId> {
        let mut last = None;
        self.sources()
            .map(|stored| stored.event_id)
            .filter(move |event| last.replace(*event) != Some(*event))
    }

    /// When its first message was said, and which event that was: the order of items.
    pub(crate) fn begins(&self) -> Option<(Timestamp, EventId)> {
        let first = self.sources().next()?;
        Some((first.time(), first.event_id))
    }
}
