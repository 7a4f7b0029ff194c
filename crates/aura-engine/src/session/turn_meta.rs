//! Turns and messages as the session cache keeps them: numbers only, a few bytes each.

use std::sync::atomic::{AtomicU32, Ordering};

use aura_core::{EventRange, MessageTokens, Turn, TurnIndex, TurnStatus};

/// A turn without its id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TurnMeta {
    pub(crate) status: TurnStatus,
    pub(crate) parent: Option<TurnIndex>,
    pub(crate) events: Events,
}

/// The events of a turn; nearly always one range, which needs no allocation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Events {
    #[default]
    None,
    One(EventRange),
    Several(Box<[EventRange]>),
}

impl Events {
    pub(crate) fn of(ranges: &[EventRange]) -> Self {
        match ranges {
            [] => Self::None,
            [range] => Self::One(*range),
            several => Self::Several(several.into()),
        }
    }

    pub(crate) fn ranges(&self) -> &[EventRange] {
        match self {
            Self::None => &[],
            Self::One(range) => std::slice::from_ref(range),
            Self::Several(ranges) => ranges,
        }
    }

    pub(crate) const fn is_interleaved(&self) -> bool {
        matches!(self, Self::Several(_))
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges()
            .iter()
            .flat_map(|range| range.first.0..=range.last.0)
    }
}

impl TurnMeta {
    pub(crate) fn is_complete(&self) -> bool {
        self.status == TurnStatus::Complete
    }
}

impl From<&Turn> for TurnMeta {
    fn from(turn: &Turn) -> Self {
        Self {
            status: turn.status,
            parent: turn.parent,
            events: Events::of(&turn.events),
        }
    }
}

const UNCOUNTED: u32 = u32::MAX;

/// The `recall` of a deleted message, which no message that is there can have with a `native` of 0.
const GONE: u32 = u32::MAX - 1;

/// A message without its body. Its tokens are counted once, by whoever needs them first.
#[derive(Debug)]
pub(crate) struct MessageMeta {
    pub(crate) turn: TurnIndex,
    native: AtomicU32,
    excerpt: AtomicU32,
    recall: AtomicU32,
}

impl MessageMeta {
    pub(crate) const fn new(turn: TurnIndex) -> Self {
        Self {
            turn,
            native: AtomicU32::new(UNCOUNTED),
            excerpt: AtomicU32::new(UNCOUNTED),
            recall: AtomicU32::new(UNCOUNTED),
        }
    }

    /// The place of a message that was deleted: it has no tokens.
    pub(crate) fn gone(turn: TurnIndex) -> Self {
        Self::counted(
            turn,
            MessageTokens {
                recall: GONE,
                ..MessageTokens::default()
            },
        )
    }

    /// Whether the message was deleted.
    pub(crate) fn is_gone(&self) -> bool {
        self.tokens()
            .is_some_and(|tokens| tokens.native == 0 && tokens.recall == GONE)
    }

    pub(crate) fn counted(turn: TurnIndex, tokens: MessageTokens) -> Self {
        let meta = Self::new(turn);
        meta.set(tokens);
        meta
    }

    /// The tokens, if they were counted.
    pub(crate) fn tokens(&self) -> Option<MessageTokens> {
        // `native` is written last, so whoever sees it sees the others.
        let native = self.native.load(Ordering::Acquire);
        (native != UNCOUNTED).then(|| MessageTokens {
            native,
            excerpt: self.excerpt.load(Ordering::Relaxed),
            recall: self.recall.load(Ordering::Relaxed),
        })
    }

    /// Keeps the tokens; two threads that count the same message write the same numbers.
    pub(crate) fn set(&self, tokens: MessageTokens) {
        self.excerpt.store(tokens.excerpt, Ordering::Relaxed);
        self.recall.store(tokens.recall, Ordering::Relaxed);
        self.native
            .store(tokens.native.min(UNCOUNTED - 1), Ordering::Release);
    }
}
