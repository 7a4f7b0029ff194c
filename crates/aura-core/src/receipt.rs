//! Receipts: what a retrieval looked at, and what a failure left.

use serde::{Deserialize, Serialize};

use crate::candidate::{BlockRef, Stage};
use crate::error::ErrorKind;
use crate::id::{CorrelationId, EventId};

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

/// What retrieval looked at and gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrievalReceipt {
    /// The digest of the query; the text itself is stored text and stays out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_digest: Option<crate::digest::Digest>,
    /// The terms the query was searched by, after analysis: how many, and whether only stop words were left.
    pub query_terms: u32,
    /// Whether the query consists of stop words.
    pub only_stop_words: bool,
    /// How many messages were visible to the search.
    pub searched: u64,
    /// How many of them were scored; pruning leaves out the rest.
    pub scored: u64,
    /// How many of these the principal may not see, as the scoring loop itself counts them: always 0, since a
    /// compilation that finds more fails in filter.
    #[serde(skip_serializing_if = "is_zero")]
    pub foreign: u64,
    /// The pool, best first.
    pub candidates: Vec<EventId>,
    /// What of it stands in the context, in the order shown.
    pub selected: Vec<EventId>,
    /// The highest BM25 that any message could reach for the query.
    pub max_lexical: f32,
    /// The embedding model, if dense search took part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The digest of the query's vector: 32 bits a number, least significant byte first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_digest: Option<crate::digest::Digest>,
    /// What the host's sources gave, in the order in which they are registered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceReceipt>,
    /// What was skipped, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

/// What a source of the host gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceReceipt {
    /// The source.
    pub source: String,
    /// How many of its blocks went into the compilation.
    pub blocks: u32,
    /// How many were refused: wrong in themselves, under an id that was there already, or claiming too much.
    #[serde(default, skip_serializing_if = "is_none")]
    pub refused: u32,
}

/// Optional work that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skipped {
    /// Which work, for example `dense`.
    pub work: String,
    /// Why, for example `deadline`.
    pub reason: String,
}

/// What a failure on the read path left: no payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureReceipt {
    /// The stage that failed.
    pub stage: Stage,
    /// The error's kind, by name.
    pub kind: String,
    /// The error's message, which holds no stored text.
    pub message: String,
    /// Blocks that were rejected before the failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<BlockRef>,
    /// The policy in force.
    pub policy_version: String,
    /// What joins the receipt with the host's logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<CorrelationId>,
}

impl FailureReceipt {
    /// The kind as a value, `Internal` where a newer version wrote one that is not known here.
    #[must_use]
    pub fn error_kind(&self) -> ErrorKind {
        ErrorKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == self.kind)
            .unwrap_or(ErrorKind::Internal)
    }
}
