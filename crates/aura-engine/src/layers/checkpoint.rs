//! Checkpoints: making them, standing on them, and bringing back what they cover.

pub(crate) mod stand;

use std::sync::Arc;

use aura_core::{
    Checkpoint, CheckpointContent, CheckpointId, Error, ErrorKind, EventId, EventRange, Principal,
    Result, SessionId, SessionKey, Signature, StoredMessage, Trust, range_digest,
};
use aura_memory::digest_range;
use aura_text::Bm25Set;

use crate::engine::{Engine, key_of};
use crate::parts::Parts;
use crate::record::known_session;

/// Events that a checkpoint covers at most.
const MOST_EVENTS: u64 = 20_000;
/// Messages that a question brings back at most.
const RESTORED: usize = 5;
/// Words that those who ask for a failure use, whatever the failure calls itself.
const FAILURE: &str = "failed failure fail error exception class cause reason wrong broke";

/// What of a checkpoint's range to bring back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restore {
    /// This event.
    Event(EventId),
    /// What bears most on a question.
    Query(String),
}

/// A checkpoint, and whether what it covers is still what it was.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CheckpointStatus {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Whether the digest of the range and the artifacts are as they were, so that all of it can be brought back.
    pub restorable: bool,
}

impl Engine {
    /// Makes a checkpoint of a range of events: of `content`, every claim of which must name events of the range, or of
    /// the engine's own digest of the range. The range stays.
    ///
    /// # Errors
    /// `Invalid` naming `range` or the field of the content; `NotFound` and `Denied` naming `session_id` or `handle`;
    /// those of the store.
    pub fn checkpoint(
        &self,
        principal: &Principal,
        session: &SessionId,
        range: EventRange,
        content: Option<CheckpointContent>,
    ) -> Result<Checkpoint> {
        let (_pass, parts, _) = self.enter("checkpoint")?;
        make(parts, principal, session, range, content).map_err(|error| error.during("checkpoint"))
    }

    /// The checkpoints of a session, the one made first first.
    ///
    /// # Errors
    /// `NotFound` and `Denied` naming `session_id`; those of the store.
    pub fn checkpoints(
        &self,
        principal: &Principal,
        session: &SessionId,
    ) -> Result<Vec<CheckpointStatus>> {
        let (_pass, parts, _) = self.enter("checkpoints")?;
        let list = || {
            known_session(parts, principal, session)?;
            let found = parts.storage.checkpoints(&principal.tenant, session)?;
            found
                .into_iter()
                .map(|checkpoint| status(parts, checkpoint))
                .collect::<Result<Vec<_>>>()
        };
        list().map_err(|error: Error| error.during("checkpoints"))
    }

    /// A checkpoint, with whether what it covers can be brought back whole.
    ///
    /// # Errors
    /// `NotFound` naming `checkpoint_id`; `Denied` naming `session_id`; those of the store.
    pub fn checkpoint_status(
        &self,
        principal: &Principal,
        id: &CheckpointId,
    ) -> Result<CheckpointStatus> {
        let (_pass, parts, _) = self.enter("checkpoint_status")?;
        let find = || status(parts, find(parts, principal, id)?);
        find().map_err(|error: Error| error.during("checkpoint_status"))
    }

    /// Brings messages of a checkpoint's range back verbatim: one by its event, or the few that bear most on a question,
    /// the most telling first. What a checkpoint calls a failure answers questions about a failure.
    ///
    /// # Errors
    /// `NotFound` naming `checkpoint_id` or `event`; `Denied` naming `session_id`; those of the store.
    pub fn restore(
        &self,
        principal: &Principal,
        id: &CheckpointId,
        what: &Restore,
    ) -> Result<Vec<Arc<StoredMessage>>> {
        let (_pass, parts, _) = self.enter("restore")?;
        let restore = || {
            let checkpoint = find(parts, principal, id)?;
            let messages = covered(parts, &checkpoint)?;
            match what {
                Restore::Event(event) => {
                    let found = messages.into_iter().find(|one| one.event_id == *event);
                    found.map(|one| vec![one]).ok_or_else(no_event)
                }
                Restore::Query(question) => {
                    Ok(telling(parts, &checkpoint, &messages, question, RESTORED))
                }
            }
        };
        restore().map_err(|error: Error| error.during("restore"))
    }
}

fn no_event() -> Error {
    Error::new(
        ErrorKind::NotFound,
        "event: the checkpoint covers no such event, or it was deleted",
    )
    .with_field("event")
}

fn make(
    parts: &Parts,
    principal: &Principal,
    session: &SessionId,
    range: EventRange,
    content: Option<CheckpointContent>,
) -> Result<Checkpoint> {
    let known = known_session(parts, principal, session)?;
    let refuse = |problem: &str| Error::invalid_field("checkpoint", "range", problem);
    if range.is_empty() || range.len() > MOST_EVENTS {
        return Err(refuse("must span 1 to 20,000 events"));
    }
    if range.first.0 == 0 || range.last > known.last_event {
        return Err(refuse("must lie among the events of the session"));
    }
    let messages = parts
        .storage
        .messages(&key_of(principal, session), &[range])?;
    if messages.is_empty() {
        return Err(refuse("holds no message"));
    }
    let given = content.is_some();
    let stored = || messages.iter().map(|message| &**message);
    let content = content.unwrap_or_else(|| digest_range(stored()));
    content.validate(range, |event| {
        messages
            .binary_search_by_key(&event, |stored| stored.event_id)
            .is_ok()
    })?;
    for handle in content.artifacts.iter().filter(|_| given) {
        let found = parts.storage.artifact(&principal.tenant, handle)?;
        found.ok_or_else(|| {
            Error::new(ErrorKind::NotFound, "handle: there is no such artifact")
                .with_field("handle")
        })?;
    }
    let now = parts.clock.now();
    let checkpoint = Checkpoint {
        checkpoint_id: CheckpointId::new(parts.ids.next_id(now))?,
        tenant: principal.tenant.clone(),
        session_id: session.clone(),
        range,
        content,
        digest: range_digest(stored()),
        trust: Trust::lowest(stored().map(StoredMessage::trust)),
        made: Signature::of(principal, now),
    };
    parts.storage.put_checkpoint(checkpoint.clone())?;
    Ok(checkpoint)
}

/// A checkpoint that the principal may use.
pub(super) fn find(parts: &Parts, principal: &Principal, id: &CheckpointId) -> Result<Checkpoint> {
    let found = parts.storage.checkpoint(&principal.tenant, id)?;
    let found = found.ok_or_else(|| {
        Error::new(
            ErrorKind::NotFound,
            "checkpoint_id: there is no such checkpoint",
        )
        .with_field("checkpoint_id")
    })?;
    known_session(parts, principal, &found.session_id)?;
    Ok(found)
}

/// The messages that a checkpoint covers and that are still there.
pub(super) fn covered(parts: &Parts, checkpoint: &Checkpoint) -> Result<Vec<Arc<StoredMessage>>> {
    let key = SessionKey {
        tenant: checkpoint.tenant.clone(),
        session_id: checkpoint.session_id.clone(),
    };
    parts.storage.messages(&key, &[checkpoint.range])
}

fn status(parts: &Parts, checkpoint: Checkpoint) -> Result<CheckpointStatus> {
    let messages = covered(parts, &checkpoint)?;
    let mut restorable = range_digest(messages.iter().map(|one| &**one)) == checkpoint.digest;
    for handle in &checkpoint.content.artifacts {
        let found = parts.storage.artifact(&checkpoint.tenant, handle);
        restorable &= matches!(found, Ok(Some(_)));
    }
    Ok(CheckpointStatus {
        checkpoint,
        restorable,
    })
}

/// The messages that bear most on a question, by their own words and by what the checkpoint says of them.
pub(super) fn telling(
    parts: &Parts,
    checkpoint: &Checkpoint,
    messages: &[Arc<StoredMessage>],
    question: &str,
    most: usize,
) -> Vec<Arc<StoredMessage>> {
    let mut set = Bm25Set::new(parts.analyzer.clone());
    for stored in messages {
        let text = stored.message.plain_text();
        let mut fields = vec![(text.as_str(), 1.0)];
        for (list, claim) in checkpoint.content.claims() {
            if claim.events.contains(&stored.event_id) {
                fields.push((claim.text.as_str(), 1.0));
                if list == "failed" {
                    fields.push((FAILURE, 1.0));
                }
            }
        }
        set.add_fields(fields);
    }
    let ranked = set.rank(&parts.analyzer.query(question));
    let found = ranked
        .iter()
        .filter_map(|ranked| messages.get(ranked.index));
    found.take(most).cloned().collect()
}
