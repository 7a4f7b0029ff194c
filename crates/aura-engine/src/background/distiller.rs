//! The background thread: counts tokens, distils facts, stores manifests and plans, keeps the state of sessions.
//!
//! Everything it does is derived from the log, so a crash loses nothing: the next start finds what is missing. It
//! holds no lock while it waits for the store.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use aura_core::{Error, ErrorKind, Result};

use crate::background::keeping::keep;
use crate::background::queue::Work;
use crate::background::waiting::Waiting;
use crate::layers::memory::counts;
use crate::parts::Parts;
use crate::session::branch::Branch;
use crate::session::entry::SessionEntry;
use crate::session::map::SessionMap;
use aura_assembly::excerpt::count;

/// Messages counted with one look at the state.
const COUNT_BATCH: usize = 16;

/// Messages counted and turns distilled in one round, after which others get their turn.
const ROUND: usize = 512;

/// How many sessions are finished after a restart.
const RECOVERED_SESSIONS: usize = 10_000;

const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Works until the queue is told to stop, then finishes what waits and keeps what is not kept yet.
pub(crate) fn run(parts: &Parts, sessions: &SessionMap) {
    // A vocabulary takes tens of ms to load at its first use: here nobody waits for it.
    let _ = parts.meter.counter().count("warm");
    if let Err(error) = recover(parts, sessions) {
        parts.queue.report(error.during("recover"));
    }
    if let Err(error) = crate::layers::delete::resume(parts, sessions) {
        parts.queue.report(error.during("delete"));
    }
    if let Err(error) = parts.retention.sweep(parts) {
        parts.queue.report(error.during("forget_manifests"));
    }
    let mut pause = FIRST_PAUSE;
    while let Some(work) = parts.queue.next() {
        let Some((work, error)) = work_through(work, parts) else {
            pause = FIRST_PAUSE;
            continue;
        };
        if !error.kind().is_retryable() {
            // Trying again would fail again, and what waits behind it must not wait for ever.
            parts.queue.report(error);
        } else if parts.queue.put_back(work, error, pause) {
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
    for entry in sessions.all() {
        if let Err(error) = finish(&entry, parts) {
            parts.queue.report(error);
        }
    }
}

/// Queues what a crash interrupted.
fn recover(parts: &Parts, sessions: &SessionMap) -> Result<()> {
    for key in parts.storage.undistilled(RECOVERED_SESSIONS)? {
        let entry = sessions.get(&key, parts)?;
        parts.queue.push_session(&entry);
    }
    Ok(())
}

/// Does a round of work; what is left of it when something failed comes back with the failure.
fn work_through(mut work: Work, parts: &Parts) -> Option<(Work, Error)> {
    if !work.compilations.is_empty() {
        let record = |waiting: &Arc<Waiting>| {
            waiting.store_kept(&*parts.storage)?;
            waiting.record()
        };
        let records: Result<Vec<_>> = work.compilations.iter().map(record).collect();
        if let Err(error) = records.and_then(|records| parts.storage.put_compilations(records)) {
            return Some((work, error.during("store_manifests")));
        }
        for waiting in &work.compilations {
            // Lost counts are no reason to store the same manifests again.
            if let Err(error) = counts::count(&waiting.manifest, &*parts.storage) {
                parts.queue.report(error.during("count_memories"));
            }
        }
        work.compilations.clear();
        if let Err(error) = parts.retention.sweep(parts) {
            // What was not forgotten now is at the next look.
            parts.queue.report(error.during("forget_manifests"));
        }
    }
    let mut failed = None;
    work.sessions
        .retain(|_, entry| match tend(entry, parts, false) {
            Ok(more) => {
                if more {
                    parts.queue.push_session(entry);
                }
                false
            }
            Err(error) => {
                let keep = error.kind().is_retryable();
                failed = Some(error);
                keep
            }
        });
    failed.map(|error| (work, error))
}

/// One round for a session: counts, distils, and stores what is due; `true` when more is left to do.
fn tend(entry: &Arc<SessionEntry>, parts: &Parts, all: bool) -> Result<bool> {
    let to_count = count_tokens(entry, parts).map_err(|error| error.during("count_tokens"))?;
    let to_keep = keep(entry, parts, all).map_err(|error| error.during("keep"))?;
    let to_distil = distil(entry, parts).map_err(|error| error.during("distil"))?;
    commit_facts(entry, parts, all).map_err(|error| error.during("commit_facts"))?;
    Ok(to_count || to_distil || to_keep)
}

/// What is left to do for a session when the engine closes.
fn finish(entry: &Arc<SessionEntry>, parts: &Parts) -> Result<()> {
    while tend(entry, parts, true)? {}
    Ok(())
}

/// Counts the next messages; `true` when more are left.
fn count_tokens(entry: &SessionEntry, parts: &Parts) -> Result<bool> {
    drop(entry.current(parts)?);
    let mut from = entry.counted.load(Ordering::Acquire);
    let until = from + ROUND;
    loop {
        let (age, end, uncounted) = {
            let data = entry.data.read();
            let end = data.messages.len().min(from + COUNT_BATCH);
            if from >= end {
                return Ok(false);
            }
            if from >= until {
                return Ok(true);
            }
            let metas = data.messages.get(from..end).unwrap_or_default();
            let uncounted: Vec<_> = (from..)
                .zip(metas)
                .filter(|(_, meta)| meta.tokens().is_none())
                .map(|(at, meta)| (at, meta.turn))
                .collect();
            (entry.kept.lock().age, end, uncounted)
        };
        // Counted without a hold on the state: whoever records meanwhile writes to it.
        let mut counted = Vec::with_capacity(uncounted.len());
        for (at, turn) in uncounted {
            let body = match entry.body(turn, parts) {
                Ok(body) => body,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            let event = at as u64 + 1;
            let mut stored = body.messages.iter();
            if let Some(stored) = stored.find(|stored| stored.event_id.0 == event) {
                counted.push((at, count(stored, parts.meter.counter())?));
            }
        }
        let data = entry.data.read();
        if entry.kept.lock().age != age {
            return Ok(true);
        }
        for (at, tokens) in counted {
            if let Some(meta) = data.messages.get(at) {
                meta.set(tokens);
            }
        }
        entry.counted.store(end, Ordering::Release);
        from = end;
    }
}

/// Distils the next turns; `true` when more are left.
fn distil(entry: &SessionEntry, parts: &Parts) -> Result<bool> {
    drop(entry.current(parts)?);
    for _ in 0..ROUND {
        prepare(entry, parts)?;
        let data = entry.data.read();
        let Some(session) = data.session.as_ref() else {
            return Ok(false);
        };
        let mut facts = entry.facts.lock();
        facts.sync(session, &entry.key, &*parts.storage)?;
        if !facts.is_behind(&data) || !facts.distil_one(&data, entry, parts)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Lets an extractor that takes long get ready for the next turn, while nothing is held.
fn prepare(entry: &SessionEntry, parts: &Parts) -> Result<()> {
    if !parts.extractor.prepares() {
        return Ok(());
    }
    let (turn, current) = {
        let data = entry.data.read();
        let Some(session) = data.session.as_ref() else {
            return Ok(());
        };
        let mut facts = entry.facts.lock();
        facts.sync(session, &entry.key, &*parts.storage)?;
        let Some(turn) = facts.next_complete(&data) else {
            return Ok(());
        };
        let ledger = facts.ledger(&Branch::of(Some(turn), &data.turns))?;
        (turn, ledger.current().to_vec())
    };
    match entry.body(turn, parts) {
        Ok(record) => {
            let session = entry.key.session_id.as_str();
            parts.extractor.prepare(session, &record, &current);
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn commit_facts(entry: &SessionEntry, parts: &Parts, all: bool) -> Result<()> {
    let Some(commit) = entry.facts.lock().take_commit(&entry.key, all) else {
        return Ok(());
    };
    let result = parts.storage.commit_facts(commit.clone());
    entry.facts.lock().committed(&commit, result.is_ok());
    match result {
        Ok(session) => entry.note_facts(session),
        // Another process was first; what it committed is read at the next look.
        Err(error) if error.kind() == ErrorKind::Conflict => {}
        Err(error) => return Err(error),
    }
    Ok(())
}
