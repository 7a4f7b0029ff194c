//! Versions of policies.

pub mod packets;

use std::collections::BTreeSet;

use aura_core::{
    AgentId, ErrorKind, Label, PolicyProposal, PolicyQuery, PolicyVersion, Signature, Storage,
    TenantId, UserId,
};

use super::{Case, Chat, at, refused};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a version comes back", a_version_comes_back),
    ("a version never changes", a_version_never_changes),
    ("approval is given once", approval_is_given_once),
    (
        "what was never proposed is not approved",
        what_was_never_proposed_is_not_approved,
    ),
    (
        "tenants have policies of their own",
        tenants_have_policies_of_their_own,
    ),
    ("versions are listed in order", versions_are_listed_in_order),
    (
        "policies need no session and change none",
        policies_need_no_session_and_change_none,
    ),
];

/// Somebody's signature.
pub(crate) fn signed(agent: &str, n: i64) -> Signature {
    Signature {
        agent: AgentId::new(agent).unwrap(),
        user: Some(UserId::new("ana").unwrap()),
        at: at(n),
    }
}

/// A version that nobody has approved.
pub(crate) fn proposed(subject: &str, version: &str, text: &str) -> PolicyVersion {
    PolicyVersion {
        policy: PolicyProposal::new(subject, version, text),
        proposed: signed("author", 1),
        approved: None,
    }
}

fn tenant(id: &str) -> TenantId {
    TenantId::new(id).unwrap()
}

fn a_version_comes_back(store: &dyn Storage) {
    let mut full = proposed("data/\0 retention", "v1.2", "Keep 30 days.\n\0 \u{1F9FE}");
    full.policy.authority = 3;
    full.policy.source = Some("https://example.org/p".to_owned());
    full.policy.effective_from = Some(at(-5));
    full.policy.expires_at = Some(at(5));
    full.policy.labels = BTreeSet::from([Label::new("staff").unwrap()]);
    let own = tenant("default");
    assert_eq!(store.put_policy(&own, full.clone()).unwrap(), full);
    let read = |version: &str| store.policy(&own, &full.policy.subject, version).unwrap();
    assert_eq!(read("v1.2"), Some(full.clone()));
    assert_eq!((read("v1.20"), read("V1.2")), (None, None));
}

fn a_version_never_changes(store: &dyn Storage) {
    let own = tenant("default");
    let first = proposed("refunds", "v1", "30 days");
    store.put_policy(&own, first.clone()).unwrap();
    let again = PolicyVersion {
        proposed: signed("somebody else", 9),
        ..first.clone()
    };
    assert_eq!(store.put_policy(&own, again).unwrap(), first, "no news");
    for other in [
        proposed("refunds", "v1", "60 days"),
        PolicyVersion {
            policy: PolicyProposal {
                authority: 1,
                ..first.policy.clone()
            },
            ..first.clone()
        },
    ] {
        let put = store.put_policy(&own, other);
        refused(put, ErrorKind::Conflict, "version");
    }
    let sneaked = PolicyVersion {
        approved: Some(signed("author", 1)),
        ..proposed("refunds", "v2", "90 days")
    };
    assert!(!store.put_policy(&own, sneaked).unwrap().is_approved());
    let stored = store.policy(&own, "refunds", "v2").unwrap().unwrap();
    assert!(!stored.is_approved(), "a proposal brings no approval along");
    assert_eq!(store.policy(&own, "refunds", "v1").unwrap(), Some(first));
}

fn approval_is_given_once(store: &dyn Storage) {
    let own = tenant("default");
    let first = proposed("refunds", "v1", "30 days");
    store.put_policy(&own, first.clone()).unwrap();
    let approved = PolicyVersion {
        approved: Some(signed("boss", 2)),
        ..first.clone()
    };
    for (agent, n) in [("boss", 2), ("late", 3)] {
        let given = store.approve_policy(&own, "refunds", "v1", signed(agent, n));
        assert_eq!(given.unwrap(), approved, "the first approval stays");
    }
    assert_eq!(store.put_policy(&own, first).unwrap(), approved);
    assert_eq!(store.policy(&own, "refunds", "v1").unwrap(), Some(approved));
}

fn what_was_never_proposed_is_not_approved(store: &dyn Storage) {
    let own = tenant("default");
    let one = proposed("refunds", "v1", "30 days");
    store.put_policy(&own, one).unwrap();
    for (subject, version) in [("refunds", "v2"), ("returns", "v1")] {
        let approval = store.approve_policy(&own, subject, version, signed("boss", 2));
        refused(approval, ErrorKind::NotFound, "version");
        assert_eq!(store.policy(&own, subject, version).unwrap(), None);
    }
}

fn tenants_have_policies_of_their_own(store: &dyn Storage) {
    let (own, other) = (tenant("default"), tenant("other"));
    let ours = proposed("refunds", "v1", "30 days");
    let theirs = proposed("refunds", "v1", "60 days");
    store.put_policy(&own, ours.clone()).unwrap();
    assert_eq!(store.policy(&other, "refunds", "v1").unwrap(), None);
    assert!(
        store
            .policies(&other, &PolicyQuery::default())
            .unwrap()
            .is_empty()
    );
    let approval = store.approve_policy(&other, "refunds", "v1", signed("boss", 2));
    refused(approval, ErrorKind::NotFound, "version");
    store.put_policy(&other, theirs.clone()).unwrap();
    store
        .approve_policy(&other, "refunds", "v1", signed("boss", 2))
        .unwrap();
    assert_eq!(store.policy(&own, "refunds", "v1").unwrap(), Some(ours));
    let listed = store.policies(&other, &PolicyQuery::default()).unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].policy, theirs.policy);
}

fn versions_are_listed_in_order(store: &dyn Storage) {
    let own = tenant("default");
    for (subject, version) in [
        ("b", "v9"),
        ("b", "v17"),
        ("a", "1"),
        ("ä", "1"),
        ("b", "v2"),
    ] {
        store
            .put_policy(&own, proposed(subject, version, "x"))
            .unwrap();
    }
    for version in ["v2", "v9"] {
        store
            .approve_policy(&own, "b", version, signed("boss", 2))
            .unwrap();
    }
    let list = |query: PolicyQuery| -> Vec<String> {
        let listed = store.policies(&own, &query).unwrap();
        let name = |stored: PolicyVersion| stored.policy.subject + &stored.policy.version;
        listed.into_iter().map(name).collect()
    };
    let all = PolicyQuery::default();
    assert_eq!(list(all.clone()), ["a1", "bv9", "bv17", "bv2", "ä1"]);
    let page = PolicyQuery {
        skip: 1,
        limit: 2,
        ..all.clone()
    };
    assert_eq!(list(page), ["bv9", "bv17"]);
    let of_b = PolicyQuery {
        subject: Some("b".to_owned()),
        approved_only: true,
        ..all
    };
    assert_eq!(list(of_b), ["bv9", "bv2"]);
}

fn policies_need_no_session_and_change_none(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let before = chat.dump();
    let own = chat.key.tenant.clone();
    store
        .put_policy(&own, proposed("refunds", "v1", "x"))
        .unwrap();
    store
        .approve_policy(&own, "refunds", "v1", signed("boss", 2))
        .unwrap();
    assert_eq!(chat.dump(), before);
}
