//! Recording turns: creation, idempotence, extension, status, conflicts.

use aura_core::{
    ErrorKind, EventId, EventRange, Message, Storage, TurnIndex, TurnStatus, TurnWrite, WriteEffect,
};

use super::{Case, Chat, at, refused, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    (
        "a first turn makes the session",
        a_first_turn_makes_the_session,
    ),
    ("a turn comes back as written", a_turn_comes_back_as_written),
    ("the same list is a no-op", the_same_list_is_a_no_op),
    ("a prefix is a no-op", a_prefix_is_a_no_op),
    (
        "time and metadata are not compared",
        time_and_metadata_are_not_compared,
    ),
    (
        "a longer list extends an open turn",
        a_longer_list_extends_an_open_turn,
    ),
    ("other messages conflict", other_messages_conflict),
    ("a closed turn does not grow", a_closed_turn_does_not_grow),
    ("an empty turn is refused", an_empty_turn_is_refused),
    (
        "a fresh id that is taken is compared",
        a_fresh_id_that_is_taken_is_compared,
    ),
    (
        "turns are read by index and id",
        turns_are_read_by_index_and_id,
    ),
    (
        "a parent given again is ignored",
        a_parent_given_again_is_ignored,
    ),
];

fn a_first_turn_makes_the_session(store: &dyn Storage) {
    let chat = Chat::new(store);
    assert_eq!(store.session(&chat.key).unwrap(), None);
    let recorded = chat.record("t0", &["hello", "there"]).unwrap();
    let session = &recorded.session;
    assert_eq!(session.session_id, chat.key.session_id);
    assert_eq!(session.tenant, chat.key.tenant);
    assert_eq!(session.agent, aura_core::AgentId::default());
    assert_eq!((session.user.as_ref(), session.created_at), (None, at(0)));
    assert_eq!((session.change_seq, session.purge_seq), (1, 0));
    assert_eq!((session.turns, session.last_event), (1, EventId(2)));
    assert_eq!(session.head, Some(TurnIndex(0)));
    assert_eq!(session.distilled, aura_core::Distilled::default());
    assert_eq!(chat.session(), *session);
}

fn a_turn_comes_back_as_written(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["before"]).unwrap();
    let message = Message::user("hi").with_name("Ana").with_time(at(-5));
    let write = TurnWrite {
        messages: vec![message.clone(), Message::assistant("hello")],
        recorded_at: at(7),
        ..chat.write("t1", &[])
    };
    let recorded = store.record(write).unwrap();
    assert_eq!(recorded.effect, WriteEffect::Created);
    let turn = &recorded.turn;
    assert_eq!((turn.turn_id.as_str(), turn.index), ("t1", TurnIndex(1)));
    assert_eq!(
        (turn.status, turn.parent),
        (TurnStatus::Complete, Some(TurnIndex(0)))
    );
    assert_eq!(turn.events, [EventRange::new(EventId(2), EventId(3))]);
    assert_eq!(turn.recorded_at, at(7));
    assert_eq!(recorded.appended.len(), 2);
    let first = &recorded.appended[0];
    assert_eq!((first.event_id, first.turn), (EventId(2), TurnIndex(1)));
    assert_eq!((&first.message, first.recorded_at), (&message, at(7)));
    assert_eq!(chat.messages(&[(2, 3)]), recorded.appended);
    assert_eq!(
        store.turn(&chat.key, &turn_id("t1")).unwrap().as_ref(),
        Some(turn)
    );
}

fn the_same_list_is_a_no_op(store: &dyn Storage) {
    let chat = Chat::new(store);
    for status in [TurnStatus::Open, TurnStatus::Complete, TurnStatus::Failed] {
        let id = status.as_str();
        let first = chat.with_status(id, &["a", "b"], status).unwrap();
        let before = chat.dump();
        let again = chat.with_status(id, &["a", "b"], status).unwrap();
        assert_eq!(again.effect, WriteEffect::Unchanged);
        assert_eq!(again.turn, first.turn);
        assert_eq!(again.session, first.session);
        assert!(again.appended.is_empty());
        assert_eq!(chat.dump(), before);
    }
}

fn a_prefix_is_a_no_op(store: &dyn Storage) {
    let chat = Chat::new(store);
    for status in [TurnStatus::Open, TurnStatus::Complete, TurnStatus::Failed] {
        let id = status.as_str();
        let first = chat.with_status(id, &["a", "b", "c"], status).unwrap();
        let before = chat.dump();
        for prefix in [&[][..], &["a"], &["a", "b"]] {
            let again = chat.with_status(id, prefix, status).unwrap();
            assert_eq!(
                (again.effect, &again.turn),
                (WriteEffect::Unchanged, &first.turn)
            );
        }
        assert_eq!(chat.dump(), before);
    }
}

fn time_and_metadata_are_not_compared(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["a"]).unwrap();
    let write = TurnWrite {
        messages: vec![Message::user("a").with_time(at(99))],
        recorded_at: at(100),
        ..chat.write("t0", &[])
    };
    let again = store.record(write).unwrap();
    assert_eq!(again.effect, WriteEffect::Unchanged);
    assert_eq!(again.turn.recorded_at, at(0));
    assert_eq!(chat.messages(&[(1, 1)])[0].message.time, None);
}

fn a_longer_list_extends_an_open_turn(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.open("t0", &["a"]).unwrap();
    chat.record("t1", &["between"]).unwrap();
    let more = chat.open("t0", &["a", "b", "c"]).unwrap();
    assert_eq!(more.effect, WriteEffect::Extended);
    let range = |first, last| EventRange::new(EventId(first), EventId(last));
    assert_eq!(more.turn.events, [range(1, 1), range(3, 4)]);
    assert_eq!(more.turn.status, TurnStatus::Open);
    assert_eq!(more.appended.len(), 2);
    assert_eq!(more.appended[0].event_id, EventId(3));
    assert_eq!(more.appended[1].turn, TurnIndex(0));
    let done = chat.record("t0", &["a", "b", "c", "d"]).unwrap();
    assert_eq!(done.effect, WriteEffect::Extended);
    assert_eq!(
        done.turn.events,
        [range(1, 1), range(3, 5)],
        "ranges that touch are one"
    );
    assert_eq!(done.turn.status, TurnStatus::Complete);
    assert_eq!(done.session.turns, 2);
    assert_eq!(done.session.last_event, EventId(5));
    let records = store.turn_records(&chat.key, TurnIndex(0), 10).unwrap();
    let events: Vec<u64> = records[0]
        .messages
        .iter()
        .map(|stored| stored.event_id.0)
        .collect();
    assert_eq!(events, [1, 3, 4, 5]);
    assert_eq!(records[0].turn, done.turn);
    let texts: Vec<String> = chat
        .messages(&[(1, 5)])
        .iter()
        .map(|stored| stored.message.plain_text())
        .collect();
    assert_eq!(texts, ["a", "between", "b", "c", "d"]);
    assert_eq!(chat.messages(&[(2, 2)])[0].turn, TurnIndex(1));
}

fn other_messages_conflict(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.open("t0", &["a", "b"]).unwrap();
    let before = chat.dump();
    for other in [&["x"][..], &["a", "x"], &["b", "a"], &["a", "x", "c"]] {
        refused(chat.open("t0", other), ErrorKind::Conflict, "messages");
    }
    let named = TurnWrite {
        messages: vec![Message::user("a").with_name("Ana")],
        ..chat.write("t0", &[])
    };
    refused(store.record(named), ErrorKind::Conflict, "messages");
    assert_eq!(chat.dump(), before);
}

fn a_closed_turn_does_not_grow(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("c", &["a"]).unwrap();
    chat.with_status("f", &["a"], TurnStatus::Failed).unwrap();
    let before = chat.dump();
    for id in ["c", "f"] {
        for status in [TurnStatus::Open, TurnStatus::Complete, TurnStatus::Failed] {
            let longer = chat.with_status(id, &["a", "b"], status);
            refused(longer, ErrorKind::Conflict, "turn_id");
        }
    }
    assert_eq!(chat.dump(), before);
}

fn an_empty_turn_is_refused(store: &dyn Storage) {
    let chat = Chat::new(store);
    refused(chat.record("t0", &[]), ErrorKind::Invalid, "messages");
    assert_eq!(
        store.session(&chat.key).unwrap(),
        None,
        "nothing is left behind"
    );
    chat.record("t0", &["a"]).unwrap();
    refused(chat.record("t1", &[]), ErrorKind::Invalid, "messages");
    assert_eq!(chat.session().turns, 1);
}

fn a_fresh_id_that_is_taken_is_compared(store: &dyn Storage) {
    let chat = Chat::new(store);
    let fresh = |texts: &[&str]| TurnWrite {
        fresh_id: true,
        ..chat.write("t0", texts)
    };
    let first = store.record(fresh(&["a"])).unwrap();
    assert_eq!(first.effect, WriteEffect::Created);
    let again = store.record(fresh(&["a"])).unwrap();
    assert_eq!(
        (again.effect, &again.turn),
        (WriteEffect::Unchanged, &first.turn)
    );
    refused(store.record(fresh(&["b"])), ErrorKind::Conflict, "messages");
    assert_eq!(chat.session().last_event, EventId(1));
    assert_eq!(
        chat.record("t1", &["next"]).unwrap().turn.index,
        TurnIndex(1)
    );
}

fn turns_are_read_by_index_and_id(store: &dyn Storage) {
    let chat = Chat::new(store);
    let other = Chat::named(store, "other");
    for n in 0..40 {
        other.record(&format!("t{n}"), &["noise"]).unwrap();
        let texts: Vec<&str> = ["x"; 5][..n % 5 + 1].to_vec();
        chat.open(&format!("t{n}"), &texts).unwrap();
        if n >= 7 {
            let back = format!("t{}", n - 7);
            let mut texts: Vec<&str> = ["x"; 5][..(n - 7) % 5 + 1].to_vec();
            texts.push("later");
            chat.record(&back, &texts).unwrap();
        }
    }
    let all = store.turns(&chat.key, TurnIndex(0), usize::MAX).unwrap();
    assert_eq!(all.len(), 40);
    for (n, turn) in all.iter().enumerate() {
        assert_eq!(turn.index, TurnIndex(n as u32));
        assert_eq!(turn.turn_id.as_str(), format!("t{n}"));
        let rest = store.turns(&chat.key, turn.index, 3).unwrap();
        assert_eq!(rest, all[n..(n + 3).min(40)]);
        let records = store.turn_records(&chat.key, turn.index, 2).unwrap();
        for record in records {
            assert_eq!(record.turn, all[record.turn.index.0 as usize]);
            let events = record.messages.iter().map(|stored| stored.event_id);
            assert!(events.eq(record.turn.event_ids()));
            assert!(
                record
                    .messages
                    .iter()
                    .all(|stored| stored.turn == record.turn.index)
            );
        }
        assert_eq!(
            store.turn(&chat.key, &turn.turn_id).unwrap().as_ref(),
            Some(turn)
        );
    }
    assert!(
        store
            .turns(&chat.key, TurnIndex(40), 10)
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .turns(&chat.key, TurnIndex(u32::MAX), 10)
            .unwrap()
            .is_empty()
    );
    assert!(store.turns(&chat.key, TurnIndex(3), 0).unwrap().is_empty());
    assert_eq!(store.turn(&chat.key, &turn_id("t40")).unwrap(), None);
}

fn a_parent_given_again_is_ignored(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["a"]).unwrap();
    chat.record("t1", &["b"]).unwrap();
    let again = chat.after("nowhere", "t1", &["b"]).unwrap();
    assert_eq!(again.effect, WriteEffect::Unchanged);
    assert_eq!(again.turn.parent, Some(TurnIndex(0)));
}
