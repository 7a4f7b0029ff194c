//! Durable memories.

use aura_core::{
    AgentId, CorrectionPath, ErrorKind, Memory, MemoryCounters, MemoryId, MemoryKind,
    MemoryProposal, MemoryQuery, MemorySource, MemoryState, SessionId, Signature, SourceType,
    Storage, TenantId, Trust, UserId,
};

use crate::conformance::{Case, at, refused};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a memory comes back", a_memory_comes_back),
    ("states are expected", states_are_expected),
    ("all or none are put", all_or_none_are_put),
    ("lists are filtered", lists_are_filtered),
    ("counters only grow", counters_only_grow),
    (
        "tenants do not see each other",
        tenants_do_not_see_each_other,
    ),
];

/// A memory of a user, or of nobody.
pub(in crate::conformance) fn memory(tenant: &str, id: &str, user: Option<&str>) -> Memory {
    Memory {
        memory_id: MemoryId::new(id).unwrap(),
        tenant: TenantId::new(tenant).unwrap(),
        proposal: MemoryProposal {
            kind: MemoryKind::Profile,
            text: format!("The memory {id} of the red bicycle"),
            subject: "user/bicycle".to_owned(),
            source_type: SourceType::UserMessage,
            source: MemorySource {
                session_id: Some(SessionId::new("chat").unwrap()),
                events: vec![aura_core::EventId(2)],
                ..MemorySource::default()
            },
            user: user.map(|user| UserId::new(user).unwrap()),
            expires_at: Some(at(99)),
            correction: Some(CorrectionPath::Owner),
        },
        trust: Trust::Verified,
        state: MemoryState::Active,
        refused_by: None,
        proposed: Signature {
            agent: AgentId::default(),
            user: None,
            at: at(1),
        },
        decided: None,
        replaced_by: None,
        counters: MemoryCounters::default(),
    }
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn ids(store: &dyn Storage, query: &MemoryQuery) -> Vec<String> {
    let found = store.memories(&tenant(), query).unwrap();
    found
        .iter()
        .map(|memory| memory.memory_id.to_string())
        .collect()
}

fn a_memory_comes_back(store: &dyn Storage) {
    let memory = memory("default", "m1", Some("ann"));
    store.put_memories(vec![(memory.clone(), None)]).unwrap();
    assert_eq!(
        store.memory(&tenant(), &memory.memory_id).unwrap(),
        Some(memory)
    );
    let none = MemoryId::new("none").unwrap();
    assert_eq!(store.memory(&tenant(), &none).unwrap(), None);
}

fn states_are_expected(store: &dyn Storage) {
    let first = memory("default", "m1", None);
    let put = |memory: &Memory, expected| store.put_memories(vec![(memory.clone(), expected)]);
    refused(
        put(&first, Some(MemoryState::Active)),
        ErrorKind::NotFound,
        "memory_id",
    );
    put(&first, None).unwrap();
    refused(put(&first, None), ErrorKind::Conflict, "memory_id");
    let ended = Memory {
        state: MemoryState::Expired,
        ..first.clone()
    };
    refused(
        put(&ended, Some(MemoryState::Candidate)),
        ErrorKind::Conflict,
        "state",
    );
    put(&ended, Some(MemoryState::Active)).unwrap();
    assert_eq!(
        store.memory(&tenant(), &first.memory_id).unwrap(),
        Some(ended)
    );
}

fn all_or_none_are_put(store: &dyn Storage) {
    let (one, two) = (memory("default", "m1", None), memory("default", "m2", None));
    let put = vec![(one, None), (two, Some(MemoryState::Active))];
    refused(store.put_memories(put), ErrorKind::NotFound, "memory_id");
    assert_eq!(ids(store, &MemoryQuery::default()), [""; 0]);
}

fn lists_are_filtered(store: &dyn Storage) {
    let mut waiting = memory("default", "d", Some("ann"));
    waiting.state = MemoryState::Candidate;
    waiting.proposal.source.session_id = Some(SessionId::new("other").unwrap());
    let all = [
        memory("default", "a", Some("ann")),
        memory("default", "b", Some("bob")),
        memory("default", "c", None),
        waiting,
    ];
    let put = all.map(|memory| (memory, None));
    store.put_memories(put.into()).unwrap();
    let ann = || MemoryQuery {
        user: Some(UserId::new("ann").unwrap()),
        ..MemoryQuery::default()
    };
    assert_eq!(ids(store, &MemoryQuery::default()), ["a", "b", "c", "d"]);
    assert_eq!(ids(store, &ann()), ["a", "d"]);
    let shared = MemoryQuery {
        shared: true,
        states: vec![MemoryState::Active],
        ..ann()
    };
    assert_eq!(ids(store, &shared), ["a", "c"]);
    let of_session = MemoryQuery {
        session_id: Some(SessionId::new("other").unwrap()),
        ..MemoryQuery::default()
    };
    assert_eq!(ids(store, &of_session), ["d"]);
    let few = MemoryQuery {
        limit: 2,
        ..MemoryQuery::default()
    };
    assert_eq!(ids(store, &few), ["a", "b"]);
}

fn counters_only_grow(store: &dyn Storage) {
    let first = memory("default", "m1", None);
    store.put_memories(vec![(first.clone(), None)]).unwrap();
    let more = MemoryCounters {
        recalled: 2,
        selected: 1,
        ..MemoryCounters::default()
    };
    let gone = MemoryId::new("gone").unwrap();
    let counts = [(first.memory_id.clone(), more), (gone, more)];
    store.count_memories(&tenant(), &counts).unwrap();
    store.count_memories(&tenant(), &counts).unwrap();
    // A change of state does not set them back.
    let ended = Memory {
        state: MemoryState::Expired,
        ..first.clone()
    };
    store
        .put_memories(vec![(ended, Some(MemoryState::Active))])
        .unwrap();
    let stored = store.memory(&tenant(), &first.memory_id).unwrap().unwrap();
    assert_eq!((stored.counters.recalled, stored.counters.selected), (4, 2));
    assert_eq!(stored.state, MemoryState::Expired);
}

fn tenants_do_not_see_each_other(store: &dyn Storage) {
    let (mine, other) = (memory("default", "m1", None), memory("other", "m1", None));
    store
        .put_memories(vec![(mine.clone(), None), (other.clone(), None)])
        .unwrap();
    assert_eq!(ids(store, &MemoryQuery::default()), ["m1"]);
    let theirs = store.memory(&other.tenant, &other.memory_id).unwrap();
    assert_eq!(theirs, Some(other));
}
