//! Many threads at once.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use aura_core::{EventId, EventRange, Storage, TurnIndex, TurnStatus, TurnWrite, WriteEffect};

use super::{Case, Chat, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("sixteen writers leave no gap", sixteen_writers_leave_no_gap),
    (
        "one turn by sixteen writers is one turn",
        one_turn_by_sixteen_writers_is_one_turn,
    ),
    ("a refusal harms no neighbour", a_refusal_harms_no_neighbour),
    (
        "a write is seen once it has returned",
        a_write_is_seen_once_it_has_returned,
    ),
    ("readers see whole states", readers_see_whole_states),
];

const WRITERS: usize = 16;
const TURNS: usize = 40;

fn sixteen_writers_leave_no_gap(store: &dyn Storage) {
    let chat = Chat::new(store);
    let write = |writer: usize| {
        let chat = Chat::new(store);
        let mut events = Vec::new();
        for n in 0..TURNS {
            let own = Chat::named(store, &format!("own{writer}"));
            own.record(&format!("t{n}"), &["x"]).unwrap();
            let texts = ["a", "b", "c"];
            let fresh = TurnWrite {
                fresh_id: n % 2 == 0,
                ..chat.write(&format!("{writer}/{n}"), &texts[..n % 3 + 1])
            };
            let recorded = store.record(fresh).unwrap();
            assert_eq!(recorded.effect, WriteEffect::Created);
            events.extend(recorded.turn.event_ids());
        }
        events
    };
    let given: Vec<Vec<EventId>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..WRITERS)
            .map(|n| scope.spawn(move || write(n)))
            .collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results.collect()
    });
    let total: usize = given.iter().map(Vec::len).sum();
    let distinct: HashSet<EventId> = given.iter().flatten().copied().collect();
    assert_eq!(distinct.len(), total, "no id twice");
    let session = chat.session();
    assert_eq!(session.last_event, EventId(total as u64), "no id skipped");
    assert_eq!(session.turns as usize, WRITERS * TURNS);
    assert_eq!(session.change_seq as usize, WRITERS * TURNS);
    let records = store
        .turn_records(&chat.key, TurnIndex(0), usize::MAX)
        .unwrap();
    let mut next = 1;
    for (n, record) in (0..).zip(&records) {
        assert_eq!(record.turn.index, TurnIndex(n));
        let (writer, own) = record.turn.turn_id.as_str().split_once('/').unwrap();
        let (_, own): (usize, usize) = (writer.parse().unwrap(), own.parse().unwrap());
        assert_eq!(record.messages.len(), own % 3 + 1, "whole turns");
        for stored in &record.messages {
            assert_eq!(stored.event_id, EventId(next));
            next += 1;
        }
        assert_eq!(
            record.turn.parent,
            n.checked_sub(1).map(TurnIndex),
            "one chain"
        );
    }
}

fn one_turn_by_sixteen_writers_is_one_turn(store: &dyn Storage) {
    let created: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..WRITERS)
            .map(|_| scope.spawn(|| Chat::new(store).record("t0", &["a", "b"]).unwrap().effect))
            .collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results
            .filter(|effect| *effect == WriteEffect::Created)
            .count()
    });
    assert_eq!(created, 1);
    assert_eq!(Chat::new(store).session().last_event, EventId(2));
}

fn a_refusal_harms_no_neighbour(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.open("shared", &["a"]).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                let chat = Chat::new(store);
                for n in 0..TURNS {
                    let id = format!("{writer}/{n}");
                    match n % 4 {
                        0 => assert!(chat.record("shared", &["other"]).is_err()),
                        1 => assert!(chat.after("nowhere", &id, &["x"]).is_err()),
                        2 => {
                            let set =
                                store.set_status(&chat.key, &turn_id(&id), TurnStatus::Failed);
                            assert!(set.is_err());
                        }
                        _ => drop(chat.record(&id, &["x", "y"]).unwrap()),
                    }
                }
            });
        }
    });
    let session = chat.session();
    assert_eq!(session.turns as usize, WRITERS * TURNS / 4 + 1);
    assert_eq!(session.last_event.0 as usize, WRITERS * TURNS / 2 + 1);
    assert_eq!(session.change_seq, u64::from(session.turns));
}

fn a_write_is_seen_once_it_has_returned(store: &dyn Storage) {
    std::thread::scope(|scope| {
        for writer in 0..8 {
            scope.spawn(move || {
                let chat = Chat::new(store);
                for n in 0..TURNS {
                    let recorded = chat.record(&format!("{writer}/{n}"), &["x"]).unwrap();
                    assert!(chat.session().change_seq >= recorded.session.change_seq);
                    let events = &recorded.turn.events;
                    assert_eq!(
                        store.messages(&chat.key, events).unwrap(),
                        recorded.appended
                    );
                    let id = &recorded.turn.turn_id;
                    assert_eq!(
                        store.turn(&chat.key, id).unwrap(),
                        Some(recorded.turn.clone())
                    );
                    let last = store.turns(&chat.key, recorded.turn.index, 1).unwrap();
                    assert_eq!(last, [recorded.turn]);
                }
            });
        }
    });
}

fn readers_see_whole_states(store: &dyn Storage) {
    let done = AtomicBool::new(false);
    let chat = Chat::new(store);
    chat.record("first", &["a", "b"]).unwrap();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = 0;
                    let mut rounds = 0;
                    while !done.load(Ordering::Acquire) || rounds < 3 {
                        let session = chat.session();
                        assert!(session.change_seq >= seen, "time runs forwards");
                        seen = session.change_seq;
                        assert_eq!(session.last_event.0, u64::from(session.turns) * 2);
                        assert_eq!(session.head, Some(TurnIndex(session.turns - 1)));
                        let all = EventRange::new(EventId(1), EventId(u64::MAX));
                        let messages = store.messages(&chat.key, &[all]).unwrap();
                        assert!(messages.len().is_multiple_of(2), "no half turn");
                        assert!(messages.len() as u64 >= session.last_event.0);
                        rounds += 1;
                    }
                })
            })
            .collect();
        for n in 0..150 {
            chat.record(&format!("t{n}"), &["a", "b"]).unwrap();
        }
        done.store(true, Ordering::Release);
        readers
            .into_iter()
            .for_each(|reader| reader.join().unwrap());
    });
}
