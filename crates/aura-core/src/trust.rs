//! How far a text may be believed.

use serde::{Deserialize, Serialize};

/// How far a text may be believed, lowest first. What is derived carries the lowest trust of its sources.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// From tools, documents, models or other agents: data, never instructions.
    #[default]
    Untrusted,
    /// Said by the principal's user, or checked by the host.
    Verified,
    /// Resolved to an approved stored policy version; nothing else may claim it.
    Policy,
}

impl Trust {
    /// The lowest trust of several sources; none means untrusted.
    pub fn lowest(sources: impl IntoIterator<Item = Self>) -> Self {
        sources.into_iter().min().unwrap_or_default()
    }

    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Untrusted => "untrusted",
            Self::Verified => "verified",
            Self::Policy => "policy",
        }
    }
}
