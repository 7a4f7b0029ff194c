//! Durable memory: proposing, deciding, correcting and reviewing.

pub(crate) mod counts;
pub(crate) mod recall;

use aura_core::{
    Error, ErrorKind, Memory, MemoryCounters, MemoryId, MemoryProposal, MemoryQuery, MemoryState,
    Principal, Result, Role, Signature, SourceType, Timestamp, Trust, memory_refusal,
};
use aura_memory::{Verdict, check_proposal};

use crate::engine::{Engine, key_of};
use crate::parts::Parts;
use crate::record::known_session;

impl Engine {
    /// Proposes something to be remembered across sessions. It counts at once if rules in plain code allow it: a verified
    /// setting may become anything, what a user said a profile, and nothing else anything at all.
    ///
    /// What is sound but comes from a source that creates no memory is refused too, and kept as a candidate, whose id
    /// stands in the error's context under `memory_id`. A newer memory of one subject and owner takes the older one's
    /// place.
    ///
    /// # Errors
    /// `Denied` naming the field, with the rule under `rule`; `NotFound` and `Denied` naming `session_id`; those of the
    /// store.
    pub fn propose_memory(
        &self,
        principal: &Principal,
        proposal: MemoryProposal,
    ) -> Result<Memory> {
        let (_pass, parts, _) = self.enter("propose_memory")?;
        propose(parts, principal, proposal).map_err(|error| error.during("propose_memory"))
    }

    /// Candidates that the principal may decide on, in the order proposed.
    ///
    /// # Errors
    /// Those of the store.
    pub fn list_candidates(&self, principal: &Principal) -> Result<Vec<Memory>> {
        let query = MemoryQuery {
            states: vec![MemoryState::Candidate],
            ..MemoryQuery::default()
        };
        self.memories(principal, &query)
    }

    /// Memories that the principal may see: for one with a user that user's and those of nobody in particular.
    ///
    /// # Errors
    /// Those of the store.
    pub fn memories(&self, principal: &Principal, query: &MemoryQuery) -> Result<Vec<Memory>> {
        let (_pass, parts, _) = self.enter("memories")?;
        let mut query = query.clone();
        if principal.user.is_some() {
            query.user = principal.user.clone();
            query.shared = true;
        }
        parts
            .storage
            .memories(&principal.tenant, &query)
            .map_err(|error| error.during("memories"))
    }

    /// Approves a candidate: from now on it counts, and what it says is taken for verified.
    ///
    /// # Errors
    /// `NotFound` naming `memory_id`; `Denied` naming `memory_id` when it is another user's; `Conflict` naming `state`,
    /// when it is no candidate; those of the store.
    pub fn approve_memory(&self, principal: &Principal, memory_id: &MemoryId) -> Result<Memory> {
        let (_pass, parts, _) = self.enter("approve_memory")?;
        let approve = || {
            let now = parts.clock.now();
            let mut memory = decidable(parts, principal, memory_id, MemoryState::Candidate)?;
            memory.state = MemoryState::Active;
            memory.trust = Trust::Verified;
            memory.decided = Some(Signature::of(principal, now));
            if !memory.counts(now) {
                return Err(memory_refusal("expires_at", "expiry", "is over already"));
            }
            settle(parts, memory, Some(MemoryState::Candidate), principal, now)
        };
        approve().map_err(|error: Error| error.during("approve_memory"))
    }

    /// Turns a candidate down.
    ///
    /// # Errors
    /// Those of [`Engine::approve_memory`].
    pub fn reject_memory(&self, principal: &Principal, memory_id: &MemoryId) -> Result<Memory> {
        let (_pass, parts, _) = self.enter("reject_memory")?;
        end(
            parts,
            principal,
            memory_id,
            MemoryState::Candidate,
            MemoryState::Rejected,
        )
        .map_err(|error| error.during("reject_memory"))
    }

    /// Puts a memory right: another one with these words takes its place, and the old one stays as history.
    ///
    /// # Errors
    /// Those of [`Engine::approve_memory`], but for a memory that counts; `Denied` naming `text` with its rule.
    pub fn correct_memory(
        &self,
        principal: &Principal,
        memory_id: &MemoryId,
        text: &str,
    ) -> Result<Memory> {
        let (_pass, parts, _) = self.enter("correct_memory")?;
        let correct = || {
            let now = parts.clock.now();
            let old = decidable(parts, principal, memory_id, MemoryState::Active)?;
            if text.trim().is_empty() || text.len() > aura_memory::LONGEST_STATEMENT {
                return Err(memory_refusal(
                    "text",
                    "statement",
                    "must have 1 to 4,096 bytes",
                ));
            }
            let memory = Memory {
                memory_id: MemoryId::new(parts.ids.next_id(now))?,
                proposal: MemoryProposal {
                    text: text.to_owned(),
                    ..old.proposal.clone()
                },
                trust: Trust::Verified,
                decided: Some(Signature::of(principal, now)),
                refused_by: None,
                counters: MemoryCounters::default(),
                ..old.clone()
            };
            let once = MemoryCounters {
                corrected: 1,
                ..MemoryCounters::default()
            };
            let memory = settle(parts, memory, None, principal, now)?;
            parts
                .storage
                .count_memories(&principal.tenant, &[(old.memory_id, once)])?;
            Ok(memory)
        };
        correct().map_err(|error: Error| error.during("correct_memory"))
    }

    /// Ends a memory before its time.
    ///
    /// # Errors
    /// Those of [`Engine::approve_memory`], but for a memory that counts.
    pub fn expire_memory(&self, principal: &Principal, memory_id: &MemoryId) -> Result<Memory> {
        let (_pass, parts, _) = self.enter("expire_memory")?;
        end(
            parts,
            principal,
            memory_id,
            MemoryState::Active,
            MemoryState::Expired,
        )
        .map_err(|error| error.during("expire_memory"))
    }

    /// Memories proposed before a time that never stood in a context, and may expire.
    ///
    /// # Errors
    /// Those of the store.
    pub fn review_memories(&self, principal: &Principal, before: Timestamp) -> Result<Vec<Memory>> {
        let query = MemoryQuery {
            states: vec![MemoryState::Active],
            limit: u32::MAX,
            ..MemoryQuery::default()
        };
        let mut found = self.memories(principal, &query)?;
        found.retain(|memory| memory.counters.selected == 0 && memory.proposed.at < before);
        Ok(found)
    }
}

fn propose(parts: &Parts, principal: &Principal, proposal: MemoryProposal) -> Result<Memory> {
    let now = parts.clock.now();
    let mut verdict = check_proposal(principal, &proposal, now)?;
    check_events(parts, principal, &proposal)?;
    let rivals = rivals(parts, principal, &proposal, now)?;
    if let Some(same) = rivals
        .iter()
        .find(|known| known.proposal.text == proposal.text)
    {
        return Ok(same.clone());
    }
    let stronger = |known: &Memory| rank(known) > source_rank(proposal.source_type);
    if matches!(verdict, Verdict::Accepted) && rivals.iter().any(stronger) {
        verdict = Verdict::Candidate(memory_refusal(
            "subject",
            "authority",
            "a verified setting says something else about it",
        ));
    }
    let memory_id = MemoryId::new(parts.ids.next_id(now))?;
    let mut memory = Memory {
        memory_id,
        tenant: principal.tenant.clone(),
        trust: proposal.source_type.trust(),
        proposal,
        state: MemoryState::Active,
        refused_by: None,
        proposed: Signature::of(principal, now),
        decided: None,
        replaced_by: None,
        counters: MemoryCounters::default(),
    };
    match verdict {
        Verdict::Accepted => settle(parts, memory, None, principal, now),
        Verdict::Candidate(refusal) => {
            let context = refusal.context().iter();
            let mut rules = context.filter(|(key, _)| *key == "rule");
            memory.refused_by = rules.next().map(|(_, rule)| rule.clone());
            memory.state = MemoryState::Candidate;
            let memory_id = memory.memory_id.clone();
            parts.storage.put_memories(vec![(memory, None)])?;
            Err(refusal.with("memory_id", memory_id))
        }
    }
}

/// Checks that the events a proposal rests on exist, and were said by who it says.
fn check_events(parts: &Parts, principal: &Principal, proposal: &MemoryProposal) -> Result<()> {
    let Some(session_id) = &proposal.source.session_id else {
        return Ok(());
    };
    known_session(parts, principal, session_id)?;
    let wanted = match proposal.source_type {
        SourceType::UserMessage => Some(Role::User),
        SourceType::AssistantMessage => Some(Role::Assistant),
        _ => None,
    };
    let events = proposal.source.events.iter();
    let ranges: Vec<_> = events
        .map(|event| aura_core::EventRange::new(*event, *event))
        .collect();
    let found = parts
        .storage
        .messages(&key_of(principal, session_id), &ranges)?;
    let missing = proposal
        .source
        .events
        .iter()
        .any(|event| !found.iter().any(|stored| stored.event_id == *event));
    if missing {
        return Err(memory_refusal(
            "source.events",
            "source",
            "names events that the session does not have",
        ));
    }
    let other = |role: Role| found.iter().any(|stored| stored.message.role != role);
    if wanted.is_some_and(other) {
        return Err(memory_refusal(
            "source.events",
            "source",
            "names events that somebody else said",
        ));
    }
    Ok(())
}

/// Memories that count and are about the same as a proposal, for the same owner.
fn rivals(
    parts: &Parts,
    principal: &Principal,
    proposal: &MemoryProposal,
    now: Timestamp,
) -> Result<Vec<Memory>> {
    let query = MemoryQuery {
        user: proposal.user.clone(),
        states: vec![MemoryState::Active],
        limit: u32::MAX,
        ..MemoryQuery::default()
    };
    let mut found = parts.storage.memories(&principal.tenant, &query)?;
    found.retain(|known| {
        known.proposal.user == proposal.user
            && known.proposal.subject == proposal.subject
            && known.counts(now)
    });
    Ok(found)
}

fn source_rank(source_type: SourceType) -> u8 {
    u8::from(source_type == SourceType::VerifiedSetting)
}

/// What the word of a memory weighs: an approval is worth as much as a setting.
fn rank(memory: &Memory) -> u8 {
    source_rank(memory.proposal.source_type).max(u8::from(memory.decided.is_some()))
}

/// Stores a memory that counts, and takes those off whose place it takes.
fn settle(
    parts: &Parts,
    memory: Memory,
    was: Option<MemoryState>,
    principal: &Principal,
    now: Timestamp,
) -> Result<Memory> {
    let mut put = vec![(memory.clone(), was)];
    for mut old in rivals(parts, principal, &memory.proposal, now)? {
        if old.memory_id != memory.memory_id {
            old.state = MemoryState::Corrected;
            old.replaced_by = Some(memory.memory_id.clone());
            old.decided = Some(Signature::of(principal, now));
            put.push((old, Some(MemoryState::Active)));
        }
    }
    parts.storage.put_memories(put)?;
    Ok(memory)
}

/// A memory in a state, if the principal may decide on it.
fn decidable(
    parts: &Parts,
    principal: &Principal,
    memory_id: &MemoryId,
    state: MemoryState,
) -> Result<Memory> {
    let found = parts.storage.memory(&principal.tenant, memory_id)?;
    let memory = found.ok_or_else(|| {
        Error::new(ErrorKind::NotFound, "memory_id: there is no such memory")
            .with_field("memory_id")
    })?;
    if principal.user.is_some() && memory.proposal.user != principal.user {
        return Err(memory_refusal(
            "memory_id",
            "owner",
            "belongs to somebody else",
        ));
    }
    if memory.state != state {
        return Err(Error::new(
            ErrorKind::Conflict,
            "state: the memory is in another state than this needs",
        )
        .with_field("state"));
    }
    Ok(memory)
}

fn end(
    parts: &Parts,
    principal: &Principal,
    memory_id: &MemoryId,
    from: MemoryState,
    to: MemoryState,
) -> Result<Memory> {
    let mut memory = decidable(parts, principal, memory_id, from)?;
    memory.state = to;
    memory.decided = Some(Signature::of(principal, parts.clock.now()));
    parts
        .storage
        .put_memories(vec![(memory.clone(), Some(from))])?;
    Ok(memory)
}
