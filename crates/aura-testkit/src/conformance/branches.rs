//! Parents, branches and the head.

use aura_core::{ErrorKind, Storage, TurnIndex, TurnStatus, WriteEffect};

use super::{Case, Chat, refused, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("turns follow the head", turns_follow_the_head),
    (
        "a named parent branches and moves the head",
        a_named_parent_branches,
    ),
    ("an unknown parent is refused", an_unknown_parent_is_refused),
    (
        "a failed turn does not move the head",
        a_failed_turn_does_not_move_the_head,
    ),
    ("an open turn is the head", an_open_turn_is_the_head),
    (
        "a turn that fails gives the head back",
        a_turn_that_fails_gives_the_head_back,
    ),
    (
        "the head falls back past failed turns",
        the_head_falls_back_past_failed_turns,
    ),
    (
        "a failing turn elsewhere leaves the head",
        a_failing_turn_elsewhere_leaves_the_head,
    ),
    ("the head can be set", the_head_can_be_set),
];

fn head(chat: &Chat<'_>) -> Option<u32> {
    chat.session().head.map(|head| head.0)
}

fn turns_follow_the_head(store: &dyn Storage) {
    let chat = Chat::new(store);
    let parent = |id: &str| chat.record(id, &["x"]).unwrap().turn.parent;
    assert_eq!(parent("t0"), None);
    assert_eq!(parent("t1"), Some(TurnIndex(0)));
    assert_eq!(parent("t2"), Some(TurnIndex(1)));
    assert_eq!(head(&chat), Some(2));
}

fn a_named_parent_branches(store: &dyn Storage) {
    let chat = Chat::new(store);
    for id in ["t0", "t1", "t2"] {
        chat.record(id, &["x"]).unwrap();
    }
    let branch = chat.after("t0", "t3", &["y"]).unwrap();
    assert_eq!(branch.turn.parent, Some(TurnIndex(0)));
    assert_eq!(branch.session.head, Some(TurnIndex(3)));
    let next = chat.record("t4", &["z"]).unwrap();
    assert_eq!(next.turn.parent, Some(TurnIndex(3)));
}

fn an_unknown_parent_is_refused(store: &dyn Storage) {
    let chat = Chat::new(store);
    refused(
        chat.after("nowhere", "t0", &["x"]),
        ErrorKind::NotFound,
        "parent",
    );
    assert_eq!(
        store.session(&chat.key).unwrap(),
        None,
        "nothing is left behind"
    );
    chat.record("t0", &["x"]).unwrap();
    let before = chat.dump();
    refused(
        chat.after("nowhere", "t1", &["x"]),
        ErrorKind::NotFound,
        "parent",
    );
    refused(
        chat.after("t1", "t1", &["x"]),
        ErrorKind::NotFound,
        "parent",
    );
    assert_eq!(chat.dump(), before);
}

fn a_failed_turn_does_not_move_the_head(store: &dyn Storage) {
    let chat = Chat::new(store);
    let failed = |id: &str| chat.with_status(id, &["x"], TurnStatus::Failed).unwrap();
    assert_eq!(failed("f0").session.head, None);
    let first = chat.record("t1", &["x"]).unwrap();
    assert_eq!((first.turn.parent, head(&chat)), (None, Some(1)));
    let second = failed("f2");
    assert_eq!(
        (second.turn.parent, second.session.head),
        (Some(TurnIndex(1)), Some(TurnIndex(1)))
    );
    let third = chat.record("t3", &["x"]).unwrap();
    assert_eq!(third.turn.parent, Some(TurnIndex(1)));
}

fn an_open_turn_is_the_head(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.open("t0", &["x"]).unwrap();
    assert_eq!(head(&chat), Some(0));
    assert_eq!(
        chat.record("t1", &["x"]).unwrap().turn.parent,
        Some(TurnIndex(0))
    );
    chat.record("t0", &["x", "y"]).unwrap();
    assert_eq!(
        head(&chat),
        Some(1),
        "a turn that grows or closes does not take the head"
    );
}

fn a_turn_that_fails_gives_the_head_back(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.open("t0", &["x"]).unwrap();
    let failed = store
        .set_status(&chat.key, &turn_id("t0"), TurnStatus::Failed)
        .unwrap();
    assert_eq!(failed.session.head, None);
    chat.record("t1", &["x"]).unwrap();
    chat.open("t2", &["x"]).unwrap();
    assert_eq!(head(&chat), Some(2));
    let failed = chat
        .with_status("t2", &["x", "y"], TurnStatus::Failed)
        .unwrap();
    assert_eq!(failed.effect, WriteEffect::Extended);
    assert_eq!(failed.session.head, Some(TurnIndex(1)));
    chat.open("t3", &["x"]).unwrap();
    chat.with_status("t3", &["x"], TurnStatus::Failed).unwrap();
    assert_eq!(head(&chat), Some(1));
    assert_eq!(
        chat.record("t4", &["x"]).unwrap().turn.parent,
        Some(TurnIndex(1))
    );
}

fn the_head_falls_back_past_failed_turns(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    chat.open("t1", &["x"]).unwrap();
    chat.open("t2", &["x"]).unwrap();
    let fail = |id| {
        let failed = store.set_status(&chat.key, &turn_id(id), TurnStatus::Failed);
        failed.unwrap().session.head
    };
    assert_eq!(fail("t1"), Some(TurnIndex(2)), "not the head: it stays");
    assert_eq!(fail("t2"), Some(TurnIndex(0)));
}

fn a_failing_turn_elsewhere_leaves_the_head(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    chat.open("t1", &["x"]).unwrap();
    chat.after("t0", "t2", &["x"]).unwrap();
    store
        .set_status(&chat.key, &turn_id("t1"), TurnStatus::Failed)
        .unwrap();
    assert_eq!(head(&chat), Some(2));
}

fn the_head_can_be_set(store: &dyn Storage) {
    let chat = Chat::new(store);
    let set = |id: &str| store.set_head(&chat.key, &turn_id(id));
    refused(set("t0"), ErrorKind::NotFound, "session_id");
    for id in ["t0", "t1", "t2"] {
        chat.record(id, &["x"]).unwrap();
    }
    chat.with_status("f3", &["x"], TurnStatus::Failed).unwrap();
    let session = set("t0").unwrap();
    assert_eq!(session.head, Some(TurnIndex(0)));
    assert_eq!(session, chat.session());
    let before = chat.dump();
    refused(set("f3"), ErrorKind::Conflict, "turn_id");
    refused(set("t9"), ErrorKind::NotFound, "turn_id");
    assert_eq!(chat.dump(), before);
    let next = chat.record("t4", &["x"]).unwrap();
    assert_eq!(
        (next.turn.parent, next.session.head),
        (Some(TurnIndex(0)), Some(TurnIndex(4)))
    );
    assert_eq!(
        set("t2").unwrap().head,
        Some(TurnIndex(2)),
        "forwards as well"
    );
}
