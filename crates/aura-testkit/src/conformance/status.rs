//! The status of turns, and what counts as a change.

use aura_core::{ErrorKind, Storage, TurnStatus, WriteEffect};

use super::{Case, Chat, refused, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    (
        "a prefix does not move the status",
        a_prefix_does_not_move_the_status,
    ),
    (
        "the whole list closes an open turn",
        the_whole_list_closes_an_open_turn,
    ),
    (
        "a closed turn keeps its status",
        a_closed_turn_keeps_its_status,
    ),
    ("status moves once", status_moves_once),
    ("change_seq counts changes", change_seq_counts_changes),
];

fn a_prefix_does_not_move_the_status(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.open("t0", &["a", "b"]).unwrap();
    let again = chat.record("t0", &["a"]).unwrap();
    assert_eq!(again.effect, WriteEffect::Unchanged);
    assert_eq!(again.turn.status, TurnStatus::Open);
    chat.record("t1", &["a", "b"]).unwrap();
    let again = chat.with_status("t1", &["a"], TurnStatus::Failed).unwrap();
    assert_eq!(again.turn.status, TurnStatus::Complete);
}

fn the_whole_list_closes_an_open_turn(store: &dyn Storage) {
    let chat = Chat::new(store);
    for status in [TurnStatus::Complete, TurnStatus::Failed] {
        let id = status.as_str();
        chat.open(id, &["a", "b"]).unwrap();
        let closed = chat.with_status(id, &["a", "b"], status).unwrap();
        assert_eq!(closed.effect, WriteEffect::Extended);
        assert!(closed.appended.is_empty());
        assert_eq!(closed.turn.status, status);
        let stored = store.turn(&chat.key, &turn_id(id)).unwrap();
        assert_eq!(stored, Some(closed.turn));
    }
}

fn a_closed_turn_keeps_its_status(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("c", &["a"]).unwrap();
    chat.with_status("f", &["a"], TurnStatus::Failed).unwrap();
    let before = chat.dump();
    for (id, status) in [("c", TurnStatus::Complete), ("f", TurnStatus::Failed)] {
        let again = chat.open(id, &["a"]).unwrap();
        assert_eq!(
            (again.effect, again.turn.status),
            (WriteEffect::Unchanged, status)
        );
    }
    let other = chat.with_status("c", &["a"], TurnStatus::Failed);
    refused(other, ErrorKind::Conflict, "status");
    let other = chat.with_status("f", &["a"], TurnStatus::Complete);
    refused(other, ErrorKind::Conflict, "status");
    assert_eq!(chat.dump(), before);
}

fn status_moves_once(store: &dyn Storage) {
    let chat = Chat::new(store);
    let set = |id: &str, status| store.set_status(&chat.key, &turn_id(id), status);
    refused(
        set("t0", TurnStatus::Complete),
        ErrorKind::NotFound,
        "session_id",
    );
    chat.open("t0", &["a"]).unwrap();
    chat.open("t1", &["b"]).unwrap();
    refused(
        set("t9", TurnStatus::Complete),
        ErrorKind::NotFound,
        "turn_id",
    );
    let same = set("t0", TurnStatus::Open).unwrap();
    assert_eq!(same.effect, WriteEffect::Unchanged);
    let moved = set("t0", TurnStatus::Complete).unwrap();
    assert_eq!(
        (moved.effect, moved.turn.status),
        (WriteEffect::Extended, TurnStatus::Complete)
    );
    assert!(moved.appended.is_empty());
    assert_eq!(moved.session, chat.session());
    let before = chat.dump();
    let same = set("t0", TurnStatus::Complete).unwrap();
    assert_eq!(same.effect, WriteEffect::Unchanged);
    refused(set("t0", TurnStatus::Open), ErrorKind::Conflict, "status");
    refused(set("t0", TurnStatus::Failed), ErrorKind::Conflict, "status");
    assert_eq!(chat.dump(), before);
    assert_eq!(
        set("t1", TurnStatus::Failed).unwrap().turn.status,
        TurnStatus::Failed
    );
}

fn change_seq_counts_changes(store: &dyn Storage) {
    let chat = Chat::new(store);
    let seq = || chat.session().change_seq;
    assert_eq!(chat.open("t0", &["a"]).unwrap().session.change_seq, 1);
    chat.open("t0", &["a"]).unwrap();
    assert_eq!(seq(), 1);
    chat.record("t0", &["a", "b"]).unwrap();
    assert_eq!(seq(), 2, "growth and move are one write");
    chat.open("t1", &["c"]).unwrap();
    store
        .set_status(&chat.key, &turn_id("t1"), TurnStatus::Failed)
        .unwrap();
    assert_eq!(seq(), 4);
    chat.record("t2", &["d"]).unwrap();
    assert_eq!(seq(), 5);
    store.set_head(&chat.key, &turn_id("t0")).unwrap();
    assert_eq!(seq(), 6);
    store.set_head(&chat.key, &turn_id("t0")).unwrap();
    assert_eq!(seq(), 6, "it stood there already");
    chat.record("t3", &["e"]).unwrap();
    assert_eq!(seq(), 7);
}
