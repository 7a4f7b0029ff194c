//! The background thread: counts tokens, distils facts, stores manifests and plans, writes snapshots.
//!
//! Everything it does is derived from the log, so a crash loses nothing: the next start finds what is missing. It
//! holds no lock while it waits for the store.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use aura_core::{Error, ErrorKind, Result, Snapshot};

use crate::background::queue::Work;
use crate::parts::Parts;
use crate::session::entry::SessionEntry;
use crate::session::map::SessionMap;
use crate::session::snapshot;
use aura_assembly::excerpt::count;

/// A snapshot is due when this many messages are not in the last one, and they are a quarter of all.
const SNAPSHOT_MESSAGES: usize = 2_000;

/// How many sessions are finished after a restart.
const RECOVERED_SESSIONS: usize = 10_000;

const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Works until the queue is told to stop, then finishes what waits and writes the snapshots that are due.
pub(crate) fn run(parts: &Parts, sessions: &SessionMap) {
    // A vocabulary takes tens of ms to load at its first use: here nobody waits for it.
    let _ = parts.meter.counter().count("warm");
    if let Err(error) = recover(parts, sessions) {
        parts.queue.report(error.during("recover"));
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
        let records: Result<Vec<_>> = work
            .compilations
            .iter()
            .map(|waiting| waiting.record())
            .collect();
        if let Err(error) = records.and_then(|records| parts.storage.put_compilations(records)) {
            return Some((work, error.during("store_manifests")));
        }
        work.compilations.clear();
    }
    let mut failed = None;
    work.sessions
        .retain(|_, entry| match tend(entry, parts, false) {
            Ok(()) => false,
            Err(error) => {
                let keep = error.kind().is_retryable();
                failed = Some(error);
                keep
            }
        });
    failed.map(|error| (work, error))
}

/// Counts and distils a session and stores what is due.
fn tend(entry: &Arc<SessionEntry>, parts: &Parts, all: bool) -> Result<()> {
    count_tokens(entry, parts).map_err(|error| error.during("count_tokens"))?;
    distil(entry, parts).map_err(|error| error.during("distil"))?;
    commit_facts(entry, parts, all).map_err(|error| error.during("commit_facts"))?;
    let due = {
        let data = entry.data.read();
        let new = data.messages.len().saturating_sub(data.in_snapshot);
        new > SNAPSHOT_MESSAGES && new * 4 > data.messages.len()
    };
    if due {
        write_snapshot(entry, parts).map_err(|error| error.during("write_snapshot"))
    } else {
        Ok(())
    }
}

/// What is left to do for a session when the engine closes.
fn finish(entry: &Arc<SessionEntry>, parts: &Parts) -> Result<()> {
    tend(entry, parts, true)?;
    let stale = {
        let data = entry.data.read();
        data.session.is_some() && data.messages.len() != data.in_snapshot
    };
    if stale {
        write_snapshot(entry, parts)
    } else {
        Ok(())
    }
}

fn count_tokens(entry: &SessionEntry, parts: &Parts) -> Result<()> {
    let from = entry.counted.load(Ordering::Acquire);
    let end = entry.current(parts)?.messages.len();
    for at in from..end {
        let turn = {
            let data = entry.data.read();
            let meta = data.messages.get(at);
            meta.filter(|meta| meta.tokens().is_none())
                .map(|meta| meta.turn)
        };
        let body = match turn.map(|turn| entry.body(turn, parts)) {
            Some(Ok(body)) => body,
            None => continue,
            // Deleted since.
            Some(Err(error)) if error.kind() == ErrorKind::NotFound => continue,
            Some(Err(error)) => return Err(error),
        };
        let mut messages = body.messages.iter();
        if let Some(stored) = messages.find(|stored| stored.event_id.0 == at as u64 + 1) {
            let tokens = count(stored, parts.meter.counter())?;
            // No lock is held while something is counted, so what it is for may be gone by now.
            let data = entry.data.read();
            let meta = data.messages.get(at);
            if let Some(meta) = meta.filter(|meta| meta.turn == stored.turn) {
                meta.set(tokens);
            }
        }
    }
    // Where everything was forgotten meanwhile, counting starts anew.
    let _ = entry
        .counted
        .compare_exchange(from, end, Ordering::AcqRel, Ordering::Relaxed);
    Ok(())
}

fn distil(entry: &SessionEntry, parts: &Parts) -> Result<()> {
    loop {
        let data = entry.current(parts)?;
        let Some(session) = data.session.as_ref() else {
            return Ok(());
        };
        let mut facts = entry.facts.lock();
        facts.sync(session, &entry.key, &*parts.storage)?;
        if !facts.is_behind(&data) || !facts.distil_one(&data, entry, parts)? {
            return Ok(());
        }
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

fn write_snapshot(entry: &SessionEntry, parts: &Parts) -> Result<()> {
    let (bytes, change_seq, messages) = {
        let data = entry.data.read();
        (
            snapshot::write(&data, parts)?,
            data.seen,
            data.messages.len(),
        )
    };
    parts
        .storage
        .put_snapshot(&entry.key, snapshot::NAME, Snapshot { change_seq, bytes })?;
    entry.data.write().in_snapshot = messages;
    Ok(())
}
