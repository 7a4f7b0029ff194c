//! The bodies of turns in memory, the least used first to go.

use std::sync::Arc;

use aura_core::{Part, StoredMessage, TurnIndex, TurnRecord};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// A session of this process, so that the key of a cached turn is small.
pub(crate) type Serial = u64;

#[derive(Clone)]
struct Bytes;

/// What a message takes beside its text: its own fields, the allocation, its share of the turn.
const MESSAGE_OVERHEAD: usize = 400;

impl Weighter<(Serial, TurnIndex), Arc<TurnRecord>> for Bytes {
    fn weight(&self, _key: &(Serial, TurnIndex), turn: &Arc<TurnRecord>) -> u64 {
        turn.messages
            .iter()
            .map(|message| weigh(message) as u64)
            .sum::<u64>()
            .max(1)
    }
}

fn weigh(stored: &StoredMessage) -> usize {
    let parts: usize = stored
        .message
        .parts
        .iter()
        .map(|part| match part {
            Part::ToolCall(call) => call.arguments.as_str().len() + call.name.len(),
            Part::Opaque(opaque) => opaque.json.as_str().len(),
            Part::Media(media) => match &media.source {
                aura_core::MediaSource::Uri(uri) => uri.len(),
                aura_core::MediaSource::Artifact(_) => 0,
            },
            other => other.plain_text().map_or(0, str::len),
        })
        .sum();
    let raw = [
        stored
            .message
            .native
            .as_ref()
            .map(|native| native.json.as_str().len()),
        stored
            .message
            .metadata
            .as_ref()
            .map(|metadata| metadata.as_str().len()),
    ];
    MESSAGE_OVERHEAD + parts + raw.into_iter().flatten().sum::<usize>()
}

/// The bodies of turns, by session and turn.
pub(crate) struct Bodies(Cache<(Serial, TurnIndex), Arc<TurnRecord>, Bytes>);

impl Bodies {
    /// A cache of at most `bytes`.
    pub(crate) fn new(bytes: usize) -> Self {
        // The estimate only sizes the first table: a turn of two messages of 60 words.
        Self(Cache::with_weighter(
            (bytes / 1600).max(16),
            bytes as u64,
            Bytes,
        ))
    }

    pub(crate) fn get(&self, session: Serial, turn: TurnIndex) -> Option<Arc<TurnRecord>> {
        self.0.get(&(session, turn))
    }

    pub(crate) fn put(&self, session: Serial, turn: TurnIndex, record: Arc<TurnRecord>) {
        self.0.insert((session, turn), record);
    }

    pub(crate) fn remove(&self, session: Serial, turn: TurnIndex) {
        self.0.remove(&(session, turn));
    }
}
