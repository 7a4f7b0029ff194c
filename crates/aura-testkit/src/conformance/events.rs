//! Event ids and reading messages by them.

use aura_core::{EventId, Storage, TurnStatus};

use super::{Case, Chat};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    (
        "ids are gapless over refusals",
        ids_are_gapless_over_refusals,
    ),
    ("sessions count apart", sessions_count_apart),
    (
        "ranges come in order and once",
        ranges_come_in_order_and_once,
    ),
    (
        "what does not exist is left out",
        what_does_not_exist_is_left_out,
    ),
];

fn ids_are_gapless_over_refusals(store: &dyn Storage) {
    let chat = Chat::new(store);
    let mut expected = 0;
    for n in 0..30_u64 {
        let id = format!("t{n}");
        let texts = ["x", "y", "z"];
        let texts = &texts[..(n % 3 + 1) as usize];
        let status = [TurnStatus::Complete, TurnStatus::Failed][(n % 2) as usize];
        let recorded = chat.with_status(&id, texts, status).unwrap();
        for stored in &recorded.appended {
            expected += 1;
            assert_eq!(stored.event_id, EventId(expected));
        }
        assert!(chat.record(&id, &["other"]).is_err());
        assert!(chat.record(&format!("e{n}"), &[]).is_err());
        assert!(chat.after("nowhere", &format!("p{n}"), &["x"]).is_err());
        assert_eq!(chat.session().last_event, EventId(expected));
    }
    let all = chat.messages(&[(1, expected)]);
    assert!(all.iter().map(|stored| stored.event_id.0).eq(1..=expected));
}

fn sessions_count_apart(store: &dyn Storage) {
    let chats = ["a", "b", "c"].map(|id| Chat::named(store, id));
    for n in 0..10 {
        for chat in &chats {
            let recorded = chat.record(&format!("t{n}"), &["one", "two"]).unwrap();
            assert_eq!(recorded.turn.index.0, n);
            assert_eq!(
                recorded.turn.first_event(),
                Some(EventId(u64::from(n) * 2 + 1))
            );
        }
    }
    for chat in &chats {
        assert_eq!(chat.messages(&[(1, u64::MAX)]).len(), 20);
    }
}

fn ranges_come_in_order_and_once(store: &dyn Storage) {
    let chat = Chat::new(store);
    for n in 0..20 {
        chat.record(&format!("t{n}"), &["a", "b", "c"]).unwrap();
    }
    let events = |ranges: &[(u64, u64)]| -> Vec<u64> {
        let messages = chat.messages(ranges);
        messages.iter().map(|stored| stored.event_id.0).collect()
    };
    assert_eq!(events(&[(5, 5)]), [5]);
    assert_eq!(
        events(&[(40, 42), (2, 3), (41, 44), (3, 4)]),
        [2, 3, 4, 40, 41, 42, 43, 44]
    );
    assert_eq!(events(&[(1, 60)]), (1..=60).collect::<Vec<_>>());
    assert!(events(&[(8, 7)]).is_empty());
    assert!(events(&[]).is_empty());
    let scattered: Vec<(u64, u64)> = (1..=60).step_by(7).map(|event| (event, event)).collect();
    assert_eq!(events(&scattered), (1..=60).step_by(7).collect::<Vec<_>>());
}

fn what_does_not_exist_is_left_out(store: &dyn Storage) {
    let chat = Chat::new(store);
    assert!(chat.messages(&[(1, 10)]).is_empty());
    Chat::named(store, "after")
        .record("t0", &["noise"])
        .unwrap();
    chat.record("t0", &["a", "b"]).unwrap();
    assert_eq!(chat.messages(&[(0, 1)]).len(), 1);
    assert_eq!(chat.messages(&[(2, 5_000_000_000)]).len(), 1);
    assert_eq!(chat.messages(&[(3, u64::MAX), (0, 0)]).len(), 0);
}
