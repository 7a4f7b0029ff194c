//! Retrievers of the host.

use std::time::Duration;

use crate::block::Block;
use crate::error::Result;
use crate::id::SessionId;
use crate::principal::Principal;
use crate::time::Timestamp;

/// How long the answer of a source is waited for, unless it says otherwise.
pub const DEFAULT_SOURCE_TIMEOUT: Duration = Duration::from_millis(500);

/// What a source is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRequest {
    /// Who asks: what a source gives beyond it is filtered out before anything is scored.
    pub principal: Principal,
    /// The session.
    pub session_id: SessionId,
    /// The question.
    pub query: String,
    /// The present.
    pub now: Timestamp,
    /// How long the answer is waited for; a later one is not used.
    pub timeout: Duration,
}

/// A retriever of the host, asked once a compilation beside the engine's own recall.
///
/// Contract: it may be called from several threads at once, each call on a thread of its own that is given up when the
/// time is over. Whatever it does (nothing, an error, a panic), the context is compiled; the manifest says what came of
/// it. Its blocks are data: one that claims to be a system prompt or a user's constraint is refused, and so is policy
/// without an approved version.
pub trait Source: Send + Sync {
    /// Its name in manifests, 1 to 64 bytes.
    fn name(&self) -> &str;

    /// How long its answer is waited for. A deadline of the call leaves it half of the time at most.
    fn timeout(&self) -> Duration {
        DEFAULT_SOURCE_TIMEOUT
    }

    /// The blocks for a question.
    ///
    /// # Errors
    /// Any; the kind stands in the manifest.
    fn retrieve(&self, request: &SourceRequest) -> Result<Vec<Block>>;
}
