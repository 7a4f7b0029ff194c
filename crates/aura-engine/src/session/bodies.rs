//! The bodies of turns in memory, those not used lately first to go.
//!
//! A compilation reads dozens of bodies, so a look-up is an index into the session's own list and nothing else. All
//! sessions share one budget of bytes; what goes is chosen by the clock rule (second chance, Corbató 1968).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use aura_core::{Part, StoredMessage, TurnIndex, TurnRecord};
use parking_lot::{Mutex, RwLock};

/// A session of this process.
pub(crate) type Serial = u64;

/// What a message takes beside its text: its own fields, the allocation, its share of the turn.
const MESSAGE_OVERHEAD: usize = 400;

fn weigh(stored: &StoredMessage) -> usize {
    let parts: usize = stored
        .message
        .parts
        .iter()
        .map(|part| match part {
            Part::ToolCall(call) => call.arguments.as_str().len() + call.name.len(),
            Part::Opaque(opaque) => opaque.json.as_str().len(),
            Part::Media(media) => match &media.source {
                aura_core::MediaSource::Uri(uri) => uri.len(),
                aura_core::MediaSource::Artifact(_) => 0,
            },
            other => other.plain_text().map_or(0, str::len),
        })
        .sum();
    let raw = [
        stored
            .message
            .native
            .as_ref()
            .map(|native| native.json.as_str().len()),
        stored
            .message
            .metadata
            .as_ref()
            .map(|metadata| metadata.as_str().len()),
    ];
    MESSAGE_OVERHEAD + parts + raw.into_iter().flatten().sum::<usize>()
}

/// A place for one body.
#[derive(Default)]
struct Slot {
    record: Option<Arc<TurnRecord>>,
    bytes: u64,
    /// It was read since the clock's hand last passed.
    used: AtomicBool,
    /// It waits in the queue of the clock.
    queued: bool,
}

/// The bodies of one session, by turn.
pub(crate) struct SessionBodies {
    slots: RwLock<Vec<Slot>>,
    /// The bytes of all sessions.
    total: Arc<AtomicU64>,
}

/// What all sessions share.
pub(crate) struct Bodies {
    most: u64,
    total: Arc<AtomicU64>,
    /// What may go, in the order in which the hand comes by.
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    slots: VecDeque<(Weak<SessionBodies>, TurnIndex)>,
    /// Sweeps out what is gone when the queue has grown to this.
    sweep_at: usize,
}

/// The least size at which a queue is swept.
const SWEEP: usize = 4096;

impl SessionBodies {
    pub(crate) fn get(&self, turn: TurnIndex) -> Option<Arc<TurnRecord>> {
        let slots = self.slots.read();
        let slot = slots.get(turn.0 as usize)?;
        let record = slot.record.clone()?;
        // Written only once a round, so that readers share the cache line.
        if !slot.used.load(Ordering::Relaxed) {
            slot.used.store(true, Ordering::Relaxed);
        }
        Some(record)
    }

    /// Those of the bodies of some turns that are here, without counting as their use.
    pub(crate) fn peek(&self, turns: impl Iterator<Item = TurnIndex>) -> Vec<Arc<TurnRecord>> {
        let slots = self.slots.read();
        turns
            .filter_map(|turn| slots.get(turn.0 as usize)?.record.clone())
            .collect()
    }

    /// Forgets the body of a turn.
    pub(crate) fn remove(&self, turn: TurnIndex) {
        if let Some(slot) = self.slots.write().get_mut(turn.0 as usize) {
            self.total.fetch_sub(slot.empty(), Ordering::Relaxed);
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&self) {
        let mut slots = self.slots.write();
        let freed = slots.iter_mut().map(Slot::empty).sum();
        self.total.fetch_sub(freed, Ordering::Relaxed);
    }

    /// Keeps a body; `true` when its place has to join the queue.
    fn put(&self, turn: TurnIndex, record: Arc<TurnRecord>) -> bool {
        let mut slots = self.slots.write();
        let at = turn.0 as usize;
        if slots.len() <= at {
            slots.resize_with(at + 1, Slot::default);
        }
        let Some(slot) = slots.get_mut(at) else {
            return false;
        };
        let bytes = record.messages.iter().map(|message| weigh(message) as u64);
        let bytes = bytes.sum();
        self.total.fetch_add(bytes, Ordering::Relaxed);
        self.total.fetch_sub(slot.empty(), Ordering::Relaxed);
        (slot.record, slot.bytes) = (Some(record), bytes);
        !std::mem::replace(&mut slot.queued, true)
    }

    /// The hand comes by: `true` when the slot had its second chance and stays in the queue.
    fn pass(&self, turn: TurnIndex) -> bool {
        let mut slots = self.slots.write();
        let Some(slot) = slots.get_mut(turn.0 as usize) else {
            return false;
        };
        if slot.record.is_some() && std::mem::take(slot.used.get_mut()) {
            return true;
        }
        slot.queued = false;
        self.total.fetch_sub(slot.empty(), Ordering::Relaxed);
        false
    }

    /// Whether a slot is worth its place in the queue; one that is not may join it again.
    fn keeps(&self, turn: TurnIndex) -> bool {
        let mut slots = self.slots.write();
        let Some(slot) = slots.get_mut(turn.0 as usize) else {
            return false;
        };
        slot.queued = slot.record.is_some();
        slot.queued
    }
}

impl Drop for SessionBodies {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Slot {
    /// Empties it and gives the bytes freed.
    fn empty(&mut self) -> u64 {
        self.record = None;
        *self.used.get_mut() = false;
        std::mem::take(&mut self.bytes)
    }
}

impl Bodies {
    /// At most `bytes` over all sessions.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            most: bytes as u64,
            total: Arc::default(),
            queue: Mutex::default(),
        }
    }

    /// A place for the bodies of a session.
    pub(crate) fn session(&self) -> Arc<SessionBodies> {
        Arc::new(SessionBodies {
            slots: RwLock::default(),
            total: Arc::clone(&self.total),
        })
    }

    /// Keeps a body, and lets others go where there are too many bytes.
    pub(crate) fn put(
        &self,
        session: &Arc<SessionBodies>,
        turn: TurnIndex,
        record: Arc<TurnRecord>,
    ) {
        let joins = session.put(turn, record);
        let full = self.total.load(Ordering::Relaxed) > self.most;
        if !joins && !full {
            return;
        }
        let mut queue = self.queue.lock();
        if joins {
            queue.push(Arc::downgrade(session), turn);
        }
        while self.total.load(Ordering::Relaxed) > self.most {
            let Some((owner, turn)) = queue.slots.pop_front() else {
                return;
            };
            if owner.upgrade().is_some_and(|owner| owner.pass(turn)) {
                queue.slots.push_back((owner, turn));
            }
        }
    }
}

impl Queue {
    fn push(&mut self, owner: Weak<SessionBodies>, turn: TurnIndex) {
        if self.slots.len() >= self.sweep_at.max(SWEEP) {
            // Sessions that are gone, and bodies that were removed, leave their places behind.
            self.slots
                .retain(|(owner, turn)| owner.upgrade().is_some_and(|owner| owner.keeps(*turn)));
            self.sweep_at = self.slots.len() * 2;
        }
        self.slots.push_back((owner, turn));
    }
}

#[cfg(test)]
mod tests {
    use aura_core::{EventId, EventRange, Message, Timestamp, Turn, TurnId, TurnStatus};

    use super::*;

    fn body(turn: u32, text: &str) -> Arc<TurnRecord> {
        let time = Timestamp::from_millis_clamped(0);
        let event_id = EventId(u64::from(turn) + 1);
        Arc::new(TurnRecord {
            turn: Turn {
                turn_id: TurnId::new(format!("t{turn}")).unwrap(),
                index: TurnIndex(turn),
                status: TurnStatus::Complete,
                parent: None,
                events: vec![EventRange::new(event_id, event_id)],
                recorded_at: time,
            },
            messages: vec![Arc::new(StoredMessage {
                event_id,
                turn: TurnIndex(turn),
                recorded_at: time,
                message: Message::user(text),
                large_parts: Vec::new(),
            })],
        })
    }

    fn held(session: &SessionBodies) -> Vec<u32> {
        (0..100)
            .filter(|&turn| session.keeps(TurnIndex(turn)))
            .collect()
    }

    #[test]
    fn what_is_read_stays_and_the_rest_goes() {
        let one = (MESSAGE_OVERHEAD + 4) as u64;
        let bodies = Bodies::new(one as usize * 10);
        let session = bodies.session();
        for turn in 0..10 {
            bodies.put(&session, TurnIndex(turn), body(turn, "text"));
        }
        assert_eq!(held(&session), (0..10).collect::<Vec<_>>());
        assert_eq!(session.get(TurnIndex(0)).unwrap().turn.index, TurnIndex(0));
        for turn in 10..15 {
            bodies.put(&session, TurnIndex(turn), body(turn, "text"));
        }
        assert_eq!(held(&session), [0, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
        assert_eq!(bodies.total.load(Ordering::Relaxed), one * 10);
        session.remove(TurnIndex(0));
        assert!(session.get(TurnIndex(0)).is_none());
        assert_eq!(bodies.total.load(Ordering::Relaxed), one * 9);
        drop(session);
        assert_eq!(bodies.total.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn bytes_stay_bounded_and_the_queue_does_not_outgrow_what_is_held() {
        let bodies = Bodies::new(1 << 20);
        for _ in 0..20 {
            let session = bodies.session();
            for turn in 0..1_000 {
                bodies.put(&session, TurnIndex(turn), body(turn, "text"));
                // The same turn again takes its old place.
                bodies.put(&session, TurnIndex(turn), body(turn, "other"));
            }
            assert!(bodies.total.load(Ordering::Relaxed) <= 1 << 20);
        }
        assert!(bodies.queue.lock().slots.len() <= 2 * SWEEP);
        let large = bodies.session();
        bodies.put(&large, TurnIndex(3), body(3, &"x".repeat(2 << 20)));
        assert!(large.get(TurnIndex(3)).is_none());
    }
}
