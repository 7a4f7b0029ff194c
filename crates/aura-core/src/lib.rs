//! Types, traits, errors, ids and clock of the Aura context engine; no I/O.
//!
//! Here stand the words of the whole project, from [`Session`] to [`Manifest`], and the traits by which its layers meet.
#![forbid(unsafe_code)]

mod artifact;
mod artifact_store;
mod block;
mod candidate;
mod checkpoint;
mod compilation;
mod context;
mod deletion;
mod deletion_store;
mod digest;
mod embed;
mod error;
mod fact;
mod history;
mod id;
pub mod json;
mod lexical;
mod manifest;
mod memory;
mod message;
mod packet;
mod part;
mod policy;
mod policy_store;
mod policy_version;
mod principal;
mod probe;
mod receipt;
mod session;
mod source;
mod storage;
mod time;
mod tokens;
mod tool;
mod trust;
mod vector;
mod vector_store;

pub use artifact::{Artifact, ArtifactHandle, HANDLE_DIGITS};
pub use artifact_store::{ArtifactStorage, UPLOAD_PREFIX};
pub use block::{Block, BlockKind, Payload, ToolOutput, compare_versions};
pub use candidate::{BlockRef, CandidateRecord, Class, Fate, Reason, Scores, Signals, Stage};
pub use checkpoint::{
    Checkpoint, CheckpointContent, CheckpointStorage, Claim, LONGEST_CLAIM, SourceVersion,
    range_digest,
};
pub use compilation::{
    CompilationInputs, CompilationPurge, CompilationRecord, CompilationStorage, InputPart,
    ManifestQuery,
};
pub use context::{
    CompiledContext, ContextMessage, Provider, RenderedCall, RenderedMedia, Section,
};
pub use deletion::{
    DeletionOrder, DeletionReceipt, DeletionState, DeletionSubject, Layer, LayerReceipt, LegalHold,
    ProofSearch, Remaining, RemainingReason, Requester,
};
pub use deletion_store::{DeletionQuery, DeletionStorage, is_covered};
pub use digest::{Digest, DigestBuilder};
pub use embed::{Calibration, Embedder};
pub use error::{Error, ErrorKind, Result};
pub use fact::{Fact, FactEntry, FactExtractor, FactOp};
pub use history::{
    History, MessageTokens, MessageView, Recall, RecallCandidate, RecallRequest, TurnView,
};
pub use id::{
    AgentId, BlockId, CallId, CheckpointId, CorrelationId, DeletionId, EventId, EventRange, FactId,
    HoldId, IdSource, Label, MAX_ID_BYTES, MemoryId, PacketId, RequestId, SessionId, TenantId,
    TurnId, TurnIndex, UserId, check_id,
};
pub use json::RawJson;
pub use lexical::{
    AnalyzedMessage, Asked, AskedDate, CorpusStatistics, DensePool, LexicalBackend, LexicalHit,
    LexicalHits, LexicalIndex, LexicalMessage, LexicalQuery, LexicalRequest, LexicalTerm,
    LexicalWork, MessageTraits,
};
pub use manifest::{
    CacheLine, CacheReport, CacheSegment, CacheSums, CacheUse, Change, Compaction, Coverage,
    Effect, Explanation, FieldChange, Link, Loss, MANIFEST_VERSION, MAX_TOOL_EFFECTS, Manifest,
    ManifestDiff, Notice, Outcome, OutcomeReport, PlanState, ReasoningState, Replan, StageTime,
    Standing, ToolEffect, Totals, Usage, Verdict,
};
pub use memory::{
    CorrectionPath, Memory, MemoryCounters, MemoryKind, MemoryProposal, MemoryQuery, MemoryRecords,
    MemorySource, MemoryState, SourceType, memory_refusal,
};
pub use message::{Message, NativeForm, Role};
pub use packet::{
    Delivery, DeliveryQuery, MAX_PACKET_BYTES, Packet, PacketBody, PacketLease, PacketSource,
    PacketStorage, PacketWrite, Scope, Settlement,
};
pub use part::{Media, MediaSource, Opaque, Part, ResultContent, ToolCall, ToolResult};
pub use policy::{
    ContextPolicy, DEFAULT_MIN_RELEVANCE, OnConflict, OnFailure, PolicyMode, PrefixMode,
    RankingWeights, Reasoning, RecallForm, RecallScope, RecallUnit, Seconds, TopK,
};
pub use policy_store::{PolicyQuery, PolicyStorage};
pub use policy_version::{PolicyProposal, PolicyRef, PolicyVersion, Signature};
pub use principal::Principal;
pub use probe::Probe;
pub use receipt::{FailureReceipt, RetrievalReceipt, Skipped, SourceReceipt};
pub use session::{
    Distilled, LargePart, Session, StoredMessage, Turn, TurnRecord, TurnStatus, denied,
};
pub use source::{DEFAULT_SOURCE_TIMEOUT, Source, SourceRequest};
pub use storage::{
    ArtifactWrite, Durability, FactCommit, LARGE_PART_BYTES, Recorded, SessionKey, SessionQuery,
    Snapshot, Storage, TurnWrite, WriteEffect,
};
pub use time::{Clock, Timestamp};
pub use tokens::TokenCounter;
pub use tool::ToolDefinition;
pub use trust::Trust;
pub use vector::{VectorBackend, VectorHit, VectorHits, VectorIndex, VectorRequest};
pub use vector_store::{StoredVector, VectorSet, VectorStorage, VectorWrite};
