//! Identifiers: opaque UTF-8 of 1 to 256 bytes, and the numbers of turns and events.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, Result};
use crate::time::Timestamp;

/// The longest identifier, in bytes of UTF-8.
pub const MAX_ID_BYTES: usize = 256;

/// Checks an identifier; `field` is what the error names.
pub fn check_id(field: &'static str, text: &str) -> Result<()> {
    if text.is_empty() {
        return Err(Error::invalid_field("id", field, "is empty"));
    }
    if text.len() > MAX_ID_BYTES {
        return Err(Error::invalid_field(
            "id",
            field,
            format_args!(
                "is {} bytes long, at most {MAX_ID_BYTES} are allowed",
                text.len()
            ),
        ));
    }
    Ok(())
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $field:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The field name that errors about this identifier carry.
            pub const FIELD: &'static str = $field;

            /// Takes an identifier of 1 to 256 bytes; `Invalid` otherwise.
            pub fn new(text: impl AsRef<str>) -> Result<Self> {
                let text = text.as_ref();
                check_id($field, text)?;
                Ok(Self(Arc::from(text)))
            }

            /// The identifier's text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = Error;
            fn from_str(text: &str) -> Result<Self> {
                Self::new(text)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::new(text).map_err(|error| serde::de::Error::custom(error.message()))
            }
        }
    };
}

text_id!(
    /// A tenant, the isolation boundary: every row, index and receipt belongs to exactly one.
    TenantId, "tenant"
);
text_id!(
    /// An agent that asks.
    AgentId, "agent"
);
text_id!(
    /// A user on whose behalf an agent asks.
    UserId, "user"
);
text_id!(
    /// A label that a principal holds or a block requires.
    Label, "label"
);
text_id!(
    /// A session; unique in its store.
    SessionId, "session_id"
);
text_id!(
    /// A turn; unique in its session.
    TurnId, "turn_id"
);
text_id!(
    /// A tool call; unique in its turn.
    CallId, "call_id"
);
text_id!(
    /// One compilation of a context.
    RequestId, "request_id"
);
text_id!(
    /// What a host uses to join our receipts with its own logs.
    CorrelationId, "correlation_id"
);
text_id!(
    /// A candidate for the context.
    BlockId, "block_id"
);
text_id!(
    /// A fact; derived from its session, source event and place, so the same turn gives the same id.
    FactId, "fact_id"
);
text_id!(
    /// A durable memory.
    MemoryId, "memory_id"
);
text_id!(
    /// A deletion, and its receipt.
    DeletionId, "deletion_id"
);
text_id!(
    /// A legal hold.
    HoldId, "hold_id"
);
text_id!(
    /// A checkpoint of a session.
    CheckpointId, "checkpoint_id"
);
text_id!(
    /// A packet between agents.
    PacketId, "packet_id"
);

impl TenantId {
    /// The tenant of a host that has only one.
    #[must_use]
    pub fn default_tenant() -> Self {
        Self(Arc::from("default"))
    }
}

impl Default for TenantId {
    fn default() -> Self {
        Self::default_tenant()
    }
}

impl Default for AgentId {
    fn default() -> Self {
        Self(Arc::from("default"))
    }
}

/// The number of a message in its session: gapless from 1 in commit order, never reused.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct EventId(pub u64);

impl EventId {
    /// The id after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A range of event ids, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRange {
    /// The first event.
    pub first: EventId,
    /// The last event.
    pub last: EventId,
}

impl EventRange {
    /// The range from `first` to `last`, both included.
    #[must_use]
    pub const fn new(first: EventId, last: EventId) -> Self {
        Self { first, last }
    }

    /// Whether `event` lies in the range.
    #[must_use]
    pub const fn contains(&self, event: EventId) -> bool {
        self.first.0 <= event.0 && event.0 <= self.last.0
    }

    /// Whether the two ranges have an event in common.
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.first.0 <= other.last.0 && other.first.0 <= self.last.0
    }

    /// How many events the range spans.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.last.0.saturating_add(1).saturating_sub(self.first.0)
    }

    /// Whether the range spans nothing (`last` before `first`).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.last.0 < self.first.0
    }
}

/// The number of a turn in its session: gapless from 0 in commit order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct TurnIndex(pub u32);

impl fmt::Display for TurnIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where the engine gets new identifiers from, so that a seed can replay a run.
pub trait IdSource: Send + Sync {
    /// A new UUIDv7 in its usual text form, made at `now`.
    fn next_id(&self, now: Timestamp) -> String;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn lengths_are_checked_and_the_field_named() {
        let error = SessionId::new("").unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Invalid, Some("session_id"))
        );
        assert!(TurnId::new("é".repeat(128)).is_ok());
        assert!(TurnId::new("é".repeat(129)).is_err());
        assert!(TurnId::new("nul\0 is a scalar value").is_ok());
    }

    #[test]
    fn ranges_include_both_ends() {
        let range = EventRange::new(EventId(210), EventId(388));
        assert_eq!(range.len(), 179);
        assert!(range.contains(EventId(210)) && range.contains(EventId(388)));
        assert!(EventRange::new(EventId(2), EventId(1)).is_empty());
    }
}
