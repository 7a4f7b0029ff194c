//! The ledger of facts, and what awaits distillation.

pub mod checkpoints;
pub mod memories;

use aura_core::{
    Distilled, ErrorKind, EventId, Fact, FactCommit, FactEntry, FactId, FactOp, Storage, Trust,
    TurnIndex, TurnStatus,
};

use super::{Case, Chat, at, key, refused, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("entries come back in order", entries_come_back_in_order),
    (
        "a commit counts and moves the watermark",
        a_commit_counts_and_moves_the_watermark,
    ),
    ("of two commits one wins", of_two_commits_one_wins),
    ("a commit keeps the head", a_commit_keeps_the_head),
    (
        "complete turns await distillation",
        complete_turns_await_distillation,
    ),
    ("open turns are remembered", open_turns_are_remembered),
    ("the limit holds", the_limit_holds),
];

fn entry(n: u32) -> FactEntry {
    let fact_id = FactId::new(format!("f{n}")).unwrap();
    let change = match n % 3 {
        0 => FactOp::Add {
            fact: Fact {
                fact_id,
                text: format!("nul\0 日本 {n}"),
                subject: "user/home".to_owned(),
                sources: vec![EventId(u64::from(n))],
                trust: Trust::Verified,
                valid_from: at(1),
                valid_to: None,
                recorded_at: at(2),
                invalidated_at: None,
                invalidated_by: None,
                replaced_by: None,
            },
        },
        1 => FactOp::Revise {
            fact_id,
            event: EventId(2),
            text: "\"quoted\"".to_owned(),
            at: at(3),
        },
        _ => FactOp::Invalidate {
            fact_id,
            event: EventId(3),
            replaced_by: Some(FactId::new("f0").unwrap()),
            valid_to: at(4),
            at: at(5),
        },
    };
    FactEntry {
        turn: TurnIndex(n),
        change,
    }
}

fn commit(chat: &Chat<'_>, expected: u64, entries: &[FactEntry], next: u32) -> FactCommit {
    FactCommit {
        key: chat.key.clone(),
        expected,
        entries: entries.to_vec(),
        distilled: Distilled {
            next,
            open: Vec::new(),
            commits: 77,
        },
    }
}

fn entries_come_back_in_order(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let other = Chat::named(store, "other");
    other.record("t0", &["x"]).unwrap();
    let entries: Vec<FactEntry> = (0..10).map(entry).collect();
    for (n, part) in (0_u64..).zip(entries.chunks(3)) {
        store.commit_facts(commit(&chat, n, part, 1)).unwrap();
        store
            .commit_facts(commit(&other, n, &part[..1], 1))
            .unwrap();
    }
    for from in 0..=10 {
        assert_eq!(
            store.facts(&chat.key, from).unwrap(),
            entries[from as usize..]
        );
    }
    assert!(store.facts(&chat.key, 11).unwrap().is_empty());
    assert!(store.facts(&chat.key, u64::MAX).unwrap().is_empty());
    assert_eq!(store.facts(&other.key, 0).unwrap().len(), 4);
}

fn a_commit_counts_and_moves_the_watermark(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let mut change = commit(&chat, 0, &[entry(0)], 1);
    change.distilled.open = vec![TurnIndex(0)];
    let session = store.commit_facts(change).unwrap();
    let expected = Distilled {
        next: 1,
        open: vec![TurnIndex(0)],
        commits: 1,
    };
    assert_eq!((&session.distilled, session.change_seq), (&expected, 2));
    assert_eq!(session, chat.session());
    let session = store.commit_facts(commit(&chat, 1, &[], 1)).unwrap();
    assert_eq!(
        (session.distilled.commits, session.change_seq),
        (2, 3),
        "also without entries"
    );
    let session = chat.record("t1", &["y"]).unwrap().session;
    assert_eq!((session.distilled.commits, session.change_seq), (2, 4));
}

fn of_two_commits_one_wins(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    store
        .commit_facts(commit(&chat, 0, &[entry(0)], 1))
        .unwrap();
    let before = chat.dump();
    for expected in [0, 2, u64::MAX] {
        let late = store.commit_facts(commit(&chat, expected, &[entry(1)], 9));
        refused(late, ErrorKind::Conflict, "expected");
    }
    assert_eq!(chat.dump(), before);
    let won = std::thread::scope(|scope| {
        let commit = || store.commit_facts(commit(&chat, 1, &[entry(2)], 1)).is_ok();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(commit)).collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results.filter(|won| *won).count()
    });
    assert_eq!(won, 1);
    assert_eq!(store.facts(&chat.key, 0).unwrap(), [entry(0), entry(2)]);
}

fn a_commit_keeps_the_head(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    chat.record("t1", &["x"]).unwrap();
    store.set_head(&chat.key, &turn_id("t0")).unwrap();
    let session = store.commit_facts(commit(&chat, 0, &[], 2)).unwrap();
    assert_eq!((session.head, session.turns), (Some(TurnIndex(0)), 2));
    let next = chat.record("t2", &["x"]).unwrap();
    assert_eq!(next.turn.parent, Some(TurnIndex(0)));
    let session = store.commit_facts(commit(&chat, 1, &[], 3)).unwrap();
    assert_eq!(session.head, Some(TurnIndex(2)));
}

fn awaiting(store: &dyn Storage) -> Vec<String> {
    let keys = store.undistilled(100).unwrap();
    keys.iter().map(|key| key.session_id.to_string()).collect()
}

fn complete_turns_await_distillation(store: &dyn Storage) {
    assert!(awaiting(store).is_empty());
    let [late, early] = ["a", "z"].map(|name| Chat::named(store, name));
    early.record("t0", &["x"]).unwrap();
    late.record("t0", &["x"]).unwrap();
    assert_eq!(awaiting(store), ["z", "a"], "oldest session first");
    assert_eq!(store.undistilled(100).unwrap()[0], key("default", "z"));
    store.commit_facts(commit(&early, 0, &[], 1)).unwrap();
    assert_eq!(awaiting(store), ["a"]);
    early.with_status("t1", &["x"], TurnStatus::Failed).unwrap();
    assert_eq!(awaiting(store), ["a"], "a failed turn feeds nothing");
    early.open("t2", &["x"]).unwrap();
    assert_eq!(awaiting(store), ["a"], "nor does an open one");
    early.record("t3", &["x"]).unwrap();
    assert_eq!(awaiting(store), ["z", "a"]);
    store.commit_facts(commit(&early, 1, &[], 4)).unwrap();
    store.commit_facts(commit(&late, 0, &[], 1)).unwrap();
    assert!(awaiting(store).is_empty());
}

fn open_turns_are_remembered(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.open("t0", &["x"]).unwrap();
    chat.record("t1", &["x"]).unwrap();
    let mut change = commit(&chat, 0, &[], 2);
    change.distilled.open = vec![TurnIndex(0)];
    store.commit_facts(change).unwrap();
    assert!(awaiting(store).is_empty());
    chat.record("t0", &["x", "y"]).unwrap();
    assert_eq!(awaiting(store), ["chat"]);
    store.commit_facts(commit(&chat, 1, &[], 2)).unwrap();
    assert!(awaiting(store).is_empty());
}

fn the_limit_holds(store: &dyn Storage) {
    for n in 0..5 {
        Chat::named(store, &format!("s{n}"))
            .record("t0", &["x"])
            .unwrap();
    }
    assert_eq!(store.undistilled(3).unwrap().len(), 3);
    assert!(store.undistilled(0).unwrap().is_empty());
}
