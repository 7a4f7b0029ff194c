//! Deletions, layer by layer, and what must not be deleted.

mod given;
mod held;
mod owned;

use std::sync::Arc;

use self::given::inputs_go_with_what_was_said;
use self::held::{
    a_preview_changes_nothing, an_order_is_known_again, tenants_are_kept_apart, what_is_held_stays,
};
use self::owned::{
    a_user_takes_everything_along, bytes_go_with_their_last_holder,
    versions_of_artifacts_are_not_used_again,
};

use aura_core::{
    AgentId, ArtifactWrite, CompilationInputs, DeletionId, DeletionOrder, DeletionReceipt,
    DeletionState, DeletionSubject, Distilled, ErrorKind, EventId, EventRange, Fact, FactCommit,
    FactEntry, FactId, FactOp, Layer, RequestId, Requester, Result, SessionId, SessionQuery,
    Snapshot, Storage, TenantId, Trust, TurnIndex, UserId,
};

use super::vectors::write as vectors;
use super::{Case, Chat, at, checkpoints, compilations, refused, turn_id};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a session goes whole", a_session_goes_whole),
    (
        "a deleted session is not begun anew",
        a_deleted_session_is_not_begun_anew,
    ),
    ("events leave gaps", events_leave_gaps),
    ("facts go with their events", facts_go_with_their_events),
    (
        "what was derived before is not taken",
        what_was_derived_before_is_not_taken,
    ),
    (
        "a user takes everything along",
        a_user_takes_everything_along,
    ),
    (
        "bytes go with their last holder",
        bytes_go_with_their_last_holder,
    ),
    (
        "versions of artifacts are not used again",
        versions_of_artifacts_are_not_used_again,
    ),
    ("a preview changes nothing", a_preview_changes_nothing),
    ("what is held stays", what_is_held_stays),
    ("tenants are kept apart", tenants_are_kept_apart),
    ("an order is known again", an_order_is_known_again),
    ("inputs go with what was said", inputs_go_with_what_was_said),
];

/// An order of the default tenant.
fn order(id: &str, subject: DeletionSubject) -> DeletionOrder {
    DeletionOrder {
        deletion_id: DeletionId::new(id).unwrap(),
        tenant: TenantId::default(),
        subjects: vec![subject],
        by: Requester {
            agent: AgentId::default(),
            user: None,
        },
        reason: None,
        requested_at: at(7),
    }
}

/// Carries an order out to its end.
fn carry_out(store: &dyn Storage, order: DeletionOrder) -> Result<DeletionReceipt> {
    let mut receipt = store.begin_deletion(order)?;
    for _ in 0..100 {
        if receipt.state == DeletionState::Complete {
            return Ok(receipt);
        }
        receipt = store.advance_deletion(&receipt.tenant, &receipt.deletion_id, at(8))?;
    }
    Err(aura_core::Error::new(
        ErrorKind::Internal,
        "the deletion does not end",
    ))
}

fn delete(store: &dyn Storage, subject: DeletionSubject) -> DeletionReceipt {
    carry_out(store, order("d", subject)).unwrap()
}

fn session(id: &str) -> DeletionSubject {
    DeletionSubject::Session {
        session_id: SessionId::new(id).unwrap(),
    }
}

fn events(id: &str, first: u64, last: u64) -> DeletionSubject {
    DeletionSubject::Events {
        session_id: SessionId::new(id).unwrap(),
        range: EventRange::new(EventId(first), EventId(last)),
    }
}

fn user(id: &str) -> DeletionSubject {
    DeletionSubject::User {
        user: UserId::new(id).unwrap(),
    }
}

fn fact(chat: &Chat<'_>, id: &str, source: u64) {
    let add = FactOp::Add {
        fact: Fact {
            fact_id: FactId::new(id).unwrap(),
            text: format!("The fact {id} about the garden"),
            subject: "user/garden".to_owned(),
            sources: vec![EventId(source)],
            trust: Trust::Verified,
            valid_from: at(1),
            valid_to: None,
            recorded_at: at(2),
            invalidated_at: None,
            invalidated_by: None,
            replaced_by: None,
        },
    };
    commit(chat, vec![add]).unwrap();
}

fn commit(chat: &Chat<'_>, changes: Vec<FactOp>) -> Result<aura_core::Session> {
    let entries = changes.into_iter().map(|change| FactEntry {
        turn: TurnIndex(0),
        change,
    });
    let distilled = chat.session().distilled;
    chat.store.commit_facts(FactCommit {
        key: chat.key.clone(),
        expected: distilled.commits,
        entries: entries.collect(),
        distilled,
    })
}

fn snapshot(change_seq: u64) -> Snapshot {
    Snapshot {
        change_seq,
        bytes: b"terms of what was said".to_vec(),
    }
}

/// Leaves something of each kind behind.
fn fill(chat: &Chat<'_>) {
    let store = chat.store;
    fact(chat, "f1", 1);
    let seen = chat.session().change_seq;
    store
        .put_snapshot(&chat.key, "index", snapshot(seen))
        .unwrap();
    let write = vectors(chat, "m", &[(1, b"v1"), (2, b"v2")], 3);
    store.put_vectors(write).unwrap();
    let manifest = compilations::manifest("r1", &chat.key, 5);
    let record = compilations::record(manifest, &chat.key, Some(b"plan"));
    store.put_compilations(vec![record]).unwrap();
    chat.answering("r1", "answer", &["an answer"]).unwrap();
    let session = chat.key.session_id.as_str();
    let covering = checkpoints::checkpoint("default", session, session, 1, 3);
    store.put_checkpoint(covering).unwrap();
    let copy = ArtifactWrite {
        session_id: Some(chat.key.session_id.clone()),
        ..super::artifacts::write("default", "copy of it", b"what was said")
    };
    store.put_artifact(copy).unwrap();
}

fn texts(chat: &Chat<'_>, ranges: &[(u64, u64)]) -> Vec<(u64, String)> {
    let messages = chat.messages(ranges);
    let text =
        |stored: &Arc<aura_core::StoredMessage>| (stored.event_id.0, stored.message.plain_text());
    messages.iter().map(text).collect()
}

fn a_session_goes_whole(store: &dyn Storage) {
    let (gone, stays) = (Chat::new(store), Chat::named(store, "other"));
    for chat in [&gone, &stays] {
        chat.record("t0", &["one", "two"]).unwrap();
    }
    fill(&gone);
    let before = stays.dump();
    let receipt = delete(store, session("chat"));
    let counts = [
        (Layer::Sessions, 1),
        (Layer::Events, 3),
        (Layer::Facts, 1),
        (Layer::Vectors, 2),
        (Layer::Snapshots, 1),
        (Layer::Manifests, 1),
        (Layer::Plans, 1),
        (Layer::Links, 1),
        (Layer::Checkpoints, 1),
        (Layer::Artifacts, 1),
    ];
    for (layer, count) in counts {
        assert_eq!(receipt.count(layer), count, "{layer:?}");
    }
    let ids = |layer| {
        let found = receipt.layers.iter().find(|found| found.layer == layer);
        found.unwrap().ids.clone()
    };
    assert_eq!(ids(Layer::Events), ["chat:1-3"]);
    assert_eq!(ids(Layer::Facts), ["f1"]);
    assert_eq!(ids(Layer::Vectors), ["chat/m"]);
    assert_eq!(receipt.proof.unwrap().found, 0);
    assert_eq!(receipt.completed_at, Some(at(8)));
    let (key, tenant) = (&gone.key, TenantId::default());
    assert_eq!(store.session(key).unwrap(), None);
    assert_eq!(store.turns(key, TurnIndex(0), 9).unwrap(), []);
    assert_eq!(texts(&gone, &[(1, 9)]), []);
    assert_eq!(store.turn(key, &turn_id("t0")).unwrap(), None);
    assert_eq!(store.facts(key, 0).unwrap(), []);
    assert_eq!(store.snapshots(key, "").unwrap(), []);
    assert_eq!(store.vector_sets(key).unwrap(), []);
    let request = RequestId::new("r1").unwrap();
    assert_eq!(store.manifest(&tenant, &request).unwrap(), None);
    assert_eq!(store.plan(key, &turn_id("t0")).unwrap(), None);
    let listed = store.sessions(&tenant, &SessionQuery::default()).unwrap();
    assert_eq!(listed, [stays.session()]);
    assert_eq!(stays.dump(), before);
}

fn a_deleted_session_is_not_begun_anew(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["one"]).unwrap();
    delete(store, session("chat"));
    refused(
        chat.record("t1", &["two"]),
        ErrorKind::Conflict,
        "session_id",
    );
    let manifest = compilations::manifest("late", &chat.key, 5);
    let record = compilations::record(manifest, &chat.key, Some(b"plan"));
    store.put_compilations(vec![record]).unwrap();
    let late = RequestId::new("late").unwrap();
    assert_eq!(store.manifest(&TenantId::default(), &late).unwrap(), None);
    let again = carry_out(store, order("again", session("chat"))).unwrap();
    assert_eq!(again.layers, []);
    assert_eq!(
        Chat::named(store, "new")
            .record("t0", &["x"])
            .unwrap()
            .turn
            .index,
        TurnIndex(0)
    );
}

fn events_leave_gaps(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["one", "two", "three"]).unwrap();
    chat.record("t1", &["four", "five"]).unwrap();
    fill(&chat);
    let before = chat.session();
    let receipt = delete(store, events("chat", 2, 4));
    assert_eq!(receipt.count(Layer::Events), 3);
    assert_eq!(receipt.count(Layer::Vectors), 1);
    assert_eq!(receipt.count(Layer::Snapshots), 1);
    assert_eq!(receipt.count(Layer::Plans), 1);
    assert_eq!(receipt.count(Layer::Artifacts), 1);
    assert_eq!(receipt.count(Layer::Checkpoints), 1);
    assert_eq!(receipt.count(Layer::Facts), 0);
    let after = chat.session();
    assert_eq!(after.change_seq, before.change_seq + 1);
    assert_eq!(after.purge_seq, after.change_seq);
    assert_eq!(after.distilled.commits, before.distilled.commits + 1);
    assert_eq!(
        (after.last_event, after.turns),
        (before.last_event, before.turns)
    );
    let left = [(1, "one"), (5, "five"), (6, "an answer")];
    let left = left.map(|(event, text)| (event, text.to_owned()));
    assert_eq!(texts(&chat, &[(1, 9)]), left);
    let records = store.turn_records(&chat.key, TurnIndex(0), 9).unwrap();
    let counts: Vec<usize> = records.iter().map(|record| record.messages.len()).collect();
    assert_eq!(counts, [1, 1, 1]);
    assert_eq!(
        records[0].turn.events,
        [EventRange::new(EventId(1), EventId(3))]
    );
    let kept = store.vectors(&chat.key, "m", EventId(1), 9).unwrap();
    assert_eq!(kept.len(), 1);
    let next = chat.record("t2", &["six"]).unwrap();
    assert_eq!(next.appended[0].event_id, EventId(7));
    // Nothing is left to go, and what is written later has its own numbers.
    let again = carry_out(store, order("again", events("chat", 2, 4))).unwrap();
    assert_eq!(again.layers, []);
    let beyond = carry_out(store, order("beyond", events("chat", 7, 99))).unwrap();
    assert_eq!(beyond.count(Layer::Events), 1);
    assert_eq!(
        chat.record("t3", &["seven"]).unwrap().appended[0].event_id,
        EventId(8)
    );
}

fn facts_go_with_their_events(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["one", "two", "three"]).unwrap();
    fact(&chat, "old", 1);
    fact(&chat, "new", 2);
    let invalidate = |event| FactOp::Invalidate {
        fact_id: FactId::new("old").unwrap(),
        event: EventId(event),
        replaced_by: Some(FactId::new("new").unwrap()),
        valid_to: at(4),
        at: at(5),
    };
    let revise = FactOp::Revise {
        fact_id: FactId::new("new").unwrap(),
        event: EventId(3),
        text: "more of it".to_owned(),
        at: at(6),
    };
    commit(&chat, vec![invalidate(2), revise]).unwrap();
    let receipt = delete(store, events("chat", 2, 2));
    assert_eq!(receipt.count(Layer::Facts), 1);
    let left = store.facts(&chat.key, 0).unwrap();
    assert_eq!(left.len(), 2);
    let stays_ended = matches!(
        &left[1].change,
        FactOp::Invalidate {
            replaced_by: None,
            ..
        }
    );
    assert!(stays_ended, "what ended must stay ended: {left:?}");
    fact(&chat, "later", 3);
    assert_eq!(store.facts(&chat.key, 2).unwrap().len(), 1);
}

fn what_was_derived_before_is_not_taken(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["one", "two"]).unwrap();
    let before = chat.session();
    delete(store, events("chat", 2, 2));
    let stale = || snapshot(before.change_seq);
    refused(
        store.put_snapshot(&chat.key, "index", stale()),
        ErrorKind::Conflict,
        "change_seq",
    );
    let put = vec![("a/x".to_owned(), stale())];
    refused(
        store.replace_snapshots(&chat.key, "a/", &[], put),
        ErrorKind::Conflict,
        "change_seq",
    );
    assert_eq!(store.snapshots(&chat.key, "").unwrap(), []);
    store
        .put_vectors(vectors(&chat, "m", &[(1, b"v1"), (2, b"v2")], 3))
        .unwrap();
    let kept = store.vectors(&chat.key, "m", EventId(1), 9).unwrap();
    assert_eq!(
        kept.iter().map(|one| one.event_id.0).collect::<Vec<_>>(),
        [1]
    );
    let stale = FactCommit {
        key: chat.key.clone(),
        expected: before.distilled.commits,
        entries: Vec::new(),
        distilled: Distilled::default(),
    };
    refused(store.commit_facts(stale), ErrorKind::Conflict, "expected");
    let mut manifest = compilations::manifest("r1", &chat.key, 5);
    Arc::make_mut(&mut manifest).change_seq = before.change_seq;
    let mut record = compilations::record(manifest, &chat.key, Some(b"plan"));
    record.inputs = Some(CompilationInputs {
        call: b"call".to_vec(),
        parts: Vec::new(),
    });
    let turn = record.turn_id.clone();
    store.put_compilations(vec![record]).unwrap();
    assert_eq!(store.plan(&chat.key, &turn).unwrap(), None);
    assert_eq!(compilations::inputs::inputs_of(store, "r1"), None);
    let now = chat.session().change_seq;
    store
        .put_snapshot(&chat.key, "index", snapshot(now))
        .unwrap();
}
