//! Memories and other sessions of the same owner as blocks of a context.

use std::collections::HashSet;

use aura_core::{
    Block, BlockId, BlockKind, EventId, LexicalRequest, Memory, MemoryId, MemoryKind, MemoryQuery,
    MemoryState, Payload, PolicyMode, Principal, RecallScope, Result, SessionId, SessionKey,
    SessionQuery, SourceType,
};
use aura_text::Bm25Set;

use crate::engine::key_of;
use crate::parts::Parts;
use crate::request::ContextRequest;
use crate::session::map::SessionMap;

/// What the ids of the blocks of memories begin with.
const PREFIX: &str = "memory:";
/// Preferences offered whatever the question, the newest first.
const PREFERENCES: usize = 8;
/// Other memories offered at most, the most relevant first.
const RELEVANT: usize = 16;
/// Other sessions that are searched at most.
const SESSIONS: u32 = 64;
/// Messages of one other session offered at most.
const OF_SESSION: usize = 4;
/// Messages of all other sessions offered at most.
const OF_ALL: usize = 16;
/// Authority of what was set or approved, and of what was only said.
const AUTHORITY: (u8, u8) = (3, 1);
/// Importance of a preference.
const PREFERRED: u8 = 4;

/// The memory that a block stands for.
pub(crate) fn memory_of(block: &BlockId) -> Option<MemoryId> {
    MemoryId::new(block.as_str().strip_prefix(PREFIX)?).ok()
}

/// What is recalled for a call beyond its session.
///
/// # Errors
/// Those of the store and the index.
pub(crate) fn recall(
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    session: &SessionId,
    request: &ContextRequest,
) -> Result<Vec<Block>> {
    let policy = &request.policy;
    if !policy.retrieval_enabled || policy.mode != PolicyMode::PrioritySelective {
        return Ok(Vec::new());
    }
    let mut blocks = memories(parts, principal, &request.question)?;
    if policy.recall_scope == RecallScope::User && !request.question.is_empty() {
        blocks.extend(elsewhere(parts, sessions, principal, session, request)?);
    }
    let given: HashSet<&BlockId> = request.blocks.iter().map(|block| &block.block_id).collect();
    blocks.retain(|block| !given.contains(&block.block_id));
    Ok(blocks)
}

/// The memories of the owner that may bear on a question.
fn memories(parts: &Parts, principal: &Principal, question: &str) -> Result<Vec<Block>> {
    let query = MemoryQuery {
        user: principal.user.clone(),
        shared: true,
        states: vec![MemoryState::Active],
        ..MemoryQuery::default()
    };
    let mut found = parts.storage.memories(&principal.tenant, &query)?;
    if principal.user.is_none() {
        // Who asks on behalf of nobody is shown nobody's own.
        found.retain(|memory| memory.proposal.user.is_none());
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let is_preference = |memory: &&Memory| memory.proposal.kind == MemoryKind::Preference;
    let preferences = found.iter().rev().filter(is_preference).take(PREFERENCES);
    let mut chosen: Vec<&Memory> = preferences.collect();
    let mut set = Bm25Set::new(parts.analyzer.clone());
    for memory in &found {
        set.add_fields([
            (memory.proposal.text.as_str(), 1.0),
            (memory.proposal.subject.as_str(), 1.0),
        ]);
    }
    let ranked = set.rank(&parts.analyzer.query(question));
    let relevant = ranked.iter().filter_map(|ranked| found.get(ranked.index));
    let relevant = relevant.filter(|memory| !is_preference(memory));
    chosen.extend(relevant.take(RELEVANT));
    chosen.iter().map(|memory| block_of(memory)).collect()
}

/// A memory as a block.
fn block_of(memory: &Memory) -> Result<Block> {
    let proposal = &memory.proposal;
    let settled = proposal.source_type == SourceType::VerifiedSetting || memory.decided.is_some();
    let preferred = proposal.kind == MemoryKind::Preference;
    Ok(Block {
        kind: BlockKind::Memory,
        trust: memory.trust,
        source: Some(format!("memory://{}", memory.memory_id)),
        subject: Some(proposal.subject.clone()),
        authority: if settled { AUTHORITY.0 } else { AUTHORITY.1 },
        importance: preferred.then_some(PREFERRED),
        observed_at: Some(memory.proposed.at),
        expires_at: proposal.expires_at,
        payload: Payload::Text(proposal.text.clone()),
        ..Block::evidence(&format!("{PREFIX}{}", memory.memory_id), "")?
    })
}

/// The messages of other sessions of the same tenant, user and agent that bear most on a question; of each session what
/// its head sees.
fn elsewhere(
    parts: &Parts,
    sessions: &SessionMap,
    principal: &Principal,
    session: &SessionId,
    request: &ContextRequest,
) -> Result<Vec<Block>> {
    let query = SessionQuery {
        user: principal.user.clone(),
        agent: Some(principal.agent.clone()),
        ..SessionQuery::default()
    };
    let mut others = parts.storage.sessions(&principal.tenant, &query)?;
    others.retain(|other| other.user == principal.user && other.session_id != *session);
    others.sort_by_key(|other| std::cmp::Reverse(other.created_at));
    others.truncate(SESSIONS as usize);
    let mut found = Vec::new();
    for other in others {
        let key = key_of(principal, &other.session_id);
        let hits = search(parts, sessions, &key, request)?;
        found.extend(
            hits.into_iter()
                .map(|(event, hit)| (hit, key.clone(), event)),
        );
    }
    found.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| (&a.1, a.2).cmp(&(&b.1, b.2)))
    });
    found.truncate(OF_ALL);
    let mut blocks = Vec::with_capacity(found.len());
    for (_, key, event) in found {
        let range = aura_core::EventRange::new(event, event);
        for stored in parts.storage.messages(&key, &[range])? {
            let address = format!("session://{}#{event}", key.session_id);
            let text = format!(
                "{}: {}",
                stored.message.speaker(),
                stored.message.plain_text()
            );
            blocks.push(Block {
                trust: stored.trust(),
                source: Some(address.clone()),
                observed_at: Some(stored.time()),
                ..Block::evidence(&short_id(&address), &text)?
            });
        }
    }
    Ok(blocks)
}

/// An id of a block cannot be longer than that of a session, and an address can.
fn short_id(address: &str) -> String {
    match address.len() {
        0..=aura_core::MAX_ID_BYTES => address.to_owned(),
        _ => aura_core::Digest::of(address.as_bytes()).to_string(),
    }
}

/// The best messages of another session, with their relevance.
fn search(
    parts: &Parts,
    sessions: &SessionMap,
    key: &SessionKey,
    request: &ContextRequest,
) -> Result<Vec<(EventId, f32)>> {
    let entry = sessions.get(key, parts)?;
    let data = entry.current(parts)?;
    let policy = &request.policy;
    let mut ranges = Vec::new();
    data.visible_events(&data.branch, data.branch.turns.len(), &mut ranges);
    let query = parts.lexical.query(&request.question);

    let found = data.index.search(&LexicalRequest {
        query: &query,
        visible: &ranges,
        limit: OF_SESSION,
        room: None,
        corpus: None,
        neighbours: Some(policy.sitting_gap.as_millis()),
        weights: policy.ranking,
        dense: None,
        reader: Some(key),
    });
    if found.work.foreign > 0 {
        let error = aura_core::Error::new(
            aura_core::ErrorKind::Internal,
            "candidates were scored that the principal may not see",
        );
        return Err(error.with("foreign", found.work.foreign));
    }
    let relevant = found
        .hits
        .into_iter()
        .filter(|hit| hit.relevance > 0.0 && hit.relevance >= policy.min_relevance);
    Ok(relevant.map(|hit| (hit.event_id, hit.relevance)).collect())
}
