//! The thread that embeds messages.
//!
//! It goes through each session in event order and keeps in the store how far it got, so that a restart, or a new model,
//! goes on where the last one ended. It holds no lock while a model computes.

use std::time::Duration;

use aura_core::{
    Error, ErrorKind, EventId, EventRange, Result, SessionKey, StoredVector, VectorSet, VectorWrite,
};
use aura_retrieval::{SpeakerNames, passages};

use crate::background::embed_queue::Lacking;
use crate::dense::Dense;
use crate::dense::model::Model;
use crate::parts::Parts;
use crate::session::map::SessionMap;

/// How many messages share a write.
const BATCH: u64 = 32;

/// How many sessions are finished after a restart.
const RECOVERED_SESSIONS: usize = 100_000;

/// How many passages of one message are embedded at most.
const PASSAGES: usize = 8;

/// From how many events before a message on those who spoke are known by name.
const SPEAKERS_FROM: u64 = 64;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Works until the queue is told to stop; what waits then is found again.
pub(crate) fn run(parts: &Parts, dense: &Dense, sessions: &SessionMap) {
    if let Err(error) = recover(parts, dense) {
        dense.queue.report(error.during("recover"));
    }
    let mut pause = FIRST_PAUSE;
    while let Some(lacking) = dense.queue.next() {
        match tend(&lacking, parts, dense, sessions) {
            Ok(more) => {
                pause = FIRST_PAUSE;
                if more {
                    dense.queue.again(lacking.key);
                }
            }
            Err(error) if error.kind().is_retryable() || error.kind() == ErrorKind::Callback => {
                dense.queue.put_back(lacking, error.during("embed"), pause);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            // Trying again would fail again, and what waits behind it must not wait for ever.
            Err(error) => dense.queue.report(error.during("embed")),
        }
    }
}

/// Queues what a crash or a new model left to do.
fn recover(parts: &Parts, dense: &Dense) -> Result<()> {
    let Some(model) = dense.models.first() else {
        return Ok(());
    };
    for key in parts.storage.unembedded(&model.id, RECOVERED_SESSIONS)? {
        dense.queue.push(&key, Vec::new());
    }
    Ok(())
}

/// Does a batch of what a session lacks; says whether more is left.
fn tend(lacking: &Lacking, parts: &Parts, dense: &Dense, sessions: &SessionMap) -> Result<bool> {
    let key = &lacking.key;
    let Some(session) = parts.storage.session(key)? else {
        return Ok(false);
    };
    for model in &dense.models {
        model.calibrate()?;
    }
    let sets = parts.storage.vector_sets(key)?;
    let entry = sessions.peek(key);
    let set = |model: &Model| sets.iter().find(|set| set.model == model.id);
    let Some(current) = dense.models.first() else {
        return Ok(false);
    };
    let new = next_of(set(current));
    // As long as the model that is being replaced serves, it keeps up with what is said.
    let replaced = dense
        .models
        .get(1)
        .and_then(|model| Some((1, model, set(model)?)));
    let replaced = replaced.filter(|(_, _, old)| old.next > new);
    let mut batches = Vec::new();
    if let Some((at, model, old)) = replaced
        && old.next <= session.last_event
    {
        batches.push((at, model, old.next));
    }
    if new <= session.last_event {
        batches.push((0, current, new));
    }
    let mut more = false;
    for (at, model, from) in batches {
        let last = EventId((from.0 + BATCH - 1).min(session.last_event.0));
        let range = EventRange::new(from, last);
        let vectors = embed(key, range, model, parts, dense)?;
        store(key, model, vectors.clone(), last.next(), parts)?;
        let purged = parts.storage.session(key)?.map(|now| now.purge_seq);
        // What was deleted meanwhile the store has refused, and memory shall not have it either.
        let entry = entry.as_ref();
        if let Some(entry) = entry.filter(|_| purged == Some(session.purge_seq)) {
            entry.vectors.absorb(at, from, vectors, last.next())?;
        }
        more |= last < session.last_event;
    }
    if !lacking.damaged.is_empty() {
        let serving = replaced.map_or((0, current), |(at, model, _)| (at, model));
        mend(lacking, serving, parts, dense, sessions)?;
    }
    if !more {
        drop_older(key, &sets, parts, dense)?;
    }
    Ok(more || entry.is_some_and(|entry| entry.vectors.advance()))
}

fn next_of(set: Option<&VectorSet>) -> EventId {
    set.map_or(EventId(1), |set| set.next)
}

/// Makes anew what was damaged.
fn mend(
    lacking: &Lacking,
    (at, model): (usize, &std::sync::Arc<Model>),
    parts: &Parts,
    dense: &Dense,
    sessions: &SessionMap,
) -> Result<()> {
    let mut vectors = Vec::new();
    for event in &lacking.damaged {
        let range = EventRange::new(*event, *event);
        vectors.extend(embed(&lacking.key, range, model, parts, dense)?);
    }
    store(&lacking.key, model, vectors.clone(), EventId(1), parts)?;
    if let Some(entry) = sessions.peek(&lacking.key) {
        entry.vectors.absorb(at, EventId(1), vectors, EventId(1))?;
    }
    Ok(())
}

/// The vectors of the messages of a range of events. A message that the model can make nothing of has none.
fn embed(
    key: &SessionKey,
    events: EventRange,
    model: &Model,
    parts: &Parts,
    dense: &Dense,
) -> Result<Vec<StoredVector>> {
    // Whose names are left out depends on who spoke until then, and on nothing else, so that a message has the same
    // vectors whenever it is embedded.
    let first = EventId(events.first.0.saturating_sub(SPEAKERS_FROM).max(1));
    let messages = parts
        .storage
        .messages(key, &[EventRange::new(first, events.last)])?;
    let whole: Vec<_> = (0..messages.len())
        .filter_map(|at| {
            let stored = messages
                .get(at)
                .filter(|stored| events.contains(stored.event_id))?;
            let before = messages.get(..=at).unwrap_or_default().iter().rev();
            let near =
                before.take_while(|before| before.event_id.0 + SPEAKERS_FROM >= stored.event_id.0);
            let names = SpeakerNames::of(near.map(|stored| stored.message.speaker()));
            let text = stored.message.plain_text();
            Some((stored.event_id, names.without(&text).into_owned()))
        })
        .collect();
    let mut texts = Vec::new();
    let mut owners = Vec::new();
    for (event_id, text) in &whole {
        let mut parts = passages(text, model.words());
        parts.truncate(PASSAGES);
        if !parts.is_empty() {
            owners.push((*event_id, texts.len()..texts.len() + parts.len()));
            texts.extend(parts);
        }
    }
    let made = match model.embed(&texts) {
        Ok(made) => made.into_iter().map(Some).collect(),
        Err(error) if error.kind() == ErrorKind::Invalid => one_by_one(&texts, model, dense)?,
        Err(error) => return Err(error),
    };
    let mut vectors = Vec::with_capacity(owners.len());
    for (event_id, own) in owners {
        let own: Vec<Vec<f32>> = made
            .get(own)
            .unwrap_or_default()
            .iter()
            .flatten()
            .cloned()
            .collect();
        if own.is_empty() {
            continue;
        }
        match dense.backend.encode(model.dimension, &own) {
            Ok(bytes) => vectors.push(StoredVector { event_id, bytes }),
            Err(error) => dense.queue.report(error.during("embed")),
        }
    }
    Ok(vectors)
}

/// Finds out which of several texts the model can make nothing of.
fn one_by_one(texts: &[&str], model: &Model, dense: &Dense) -> Result<Vec<Option<Vec<f32>>>> {
    let mut made = Vec::with_capacity(texts.len());
    for text in texts {
        made.push(match model.embed(&[text]) {
            Ok(mut vectors) => vectors.pop(),
            Err(error) if error.kind() == ErrorKind::Invalid => {
                dense.queue.report(error.during("embed"));
                None
            }
            Err(error) => return Err(error),
        });
    }
    Ok(made)
}

fn store(
    key: &SessionKey,
    model: &Model,
    vectors: Vec<StoredVector>,
    next: EventId,
    parts: &Parts,
) -> Result<()> {
    let dimension = u32::try_from(model.dimension)
        .map_err(|_| Error::invalid_field("embedder", "dimension", "is too large"))?;
    parts.storage.put_vectors(VectorWrite {
        key: key.clone(),
        model: model.id.clone(),
        dimension,
        vectors,
        next,
    })
}

/// Drops what models made that are no longer in use, once the new one is through. Sets begun later than its own stay:
/// somebody is changing to another model, or has not changed yet.
fn drop_older(key: &SessionKey, sets: &[VectorSet], parts: &Parts, dense: &Dense) -> Result<()> {
    let in_use = |set: &VectorSet| dense.models.iter().any(|model| model.id == set.model);
    let current = dense.models.first().map(|model| model.id.as_str());
    let older = sets
        .iter()
        .take_while(|set| Some(set.model.as_str()) != current);
    for set in older.filter(|set| !in_use(set)) {
        parts.storage.drop_vectors(key, &set.model)?;
    }
    Ok(())
}
