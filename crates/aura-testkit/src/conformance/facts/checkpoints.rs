//! Checkpoints.

use aura_core::{
    AgentId, Checkpoint, CheckpointContent, CheckpointId, Claim, Digest, ErrorKind, EventId,
    EventRange, SessionId, Signature, Storage, TenantId, Trust,
};

use crate::conformance::{Case, at, refused};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a checkpoint comes back", a_checkpoint_comes_back),
    ("an id is used once", an_id_is_used_once),
    (
        "tenants do not see each other",
        tenants_do_not_see_each_other,
    ),
];

/// A checkpoint over some events of a session.
pub(in crate::conformance) fn checkpoint(
    tenant: &str,
    id: &str,
    session: &str,
    first: u64,
    last: u64,
) -> Checkpoint {
    Checkpoint {
        checkpoint_id: CheckpointId::new(id).unwrap(),
        tenant: TenantId::new(tenant).unwrap(),
        session_id: SessionId::new(session).unwrap(),
        range: EventRange::new(EventId(first), EventId(last)),
        content: CheckpointContent {
            goal: Some(Claim::of(
                "Move the orders to the new cluster",
                EventId(first),
            )),
            ..CheckpointContent::default()
        },
        digest: Digest::of(b"range"),
        trust: Trust::Untrusted,
        made: Signature {
            agent: AgentId::default(),
            user: None,
            at: at(1),
        },
    }
}

fn a_checkpoint_comes_back(store: &dyn Storage) {
    let made = [("c1", "chat"), ("c2", "other"), ("c3", "chat")]
        .map(|(id, session)| checkpoint("default", id, session, 2, 5));
    for checkpoint in &made {
        store.put_checkpoint(checkpoint.clone()).unwrap();
    }
    let [first, _, third] = made;
    let tenant = TenantId::default();
    let found = store.checkpoint(&tenant, &first.checkpoint_id).unwrap();
    assert_eq!(found.as_ref(), Some(&first));
    let session = first.session_id.clone();
    let listed = store.checkpoints(&tenant, &session).unwrap();
    assert_eq!(listed, [first, third]);
    let none = CheckpointId::new("none").unwrap();
    assert_eq!(store.checkpoint(&tenant, &none).unwrap(), None);
}

fn an_id_is_used_once(store: &dyn Storage) {
    let first = checkpoint("default", "c1", "chat", 2, 5);
    store.put_checkpoint(first.clone()).unwrap();
    refused(
        store.put_checkpoint(checkpoint("default", "c1", "other", 1, 1)),
        ErrorKind::Conflict,
        "checkpoint_id",
    );
    let found = store
        .checkpoint(&first.tenant, &first.checkpoint_id)
        .unwrap();
    assert_eq!(found, Some(first));
}

fn tenants_do_not_see_each_other(store: &dyn Storage) {
    let (mine, theirs) = (
        checkpoint("default", "c1", "chat", 2, 5),
        checkpoint("other", "c1", "chat", 3, 4),
    );
    store.put_checkpoint(mine.clone()).unwrap();
    store.put_checkpoint(theirs.clone()).unwrap();
    let session = &mine.session_id;
    assert_eq!(
        store.checkpoints(&mine.tenant, session).unwrap(),
        std::slice::from_ref(&mine)
    );
    assert_eq!(
        store.checkpoints(&theirs.tenant, session).unwrap(),
        [theirs]
    );
}
