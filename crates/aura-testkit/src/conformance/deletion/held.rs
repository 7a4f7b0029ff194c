//! What stays: what is held, what is only looked at, what is another tenant's.

use aura_core::{
    AgentId, CallId, DeletionQuery, DeletionState, DeletionSubject, ErrorKind, HoldId,
    LARGE_PART_BYTES, Layer, LegalHold, Requester, Storage, TenantId, UserId,
};

use super::owned::artifact;
use super::{carry_out, delete, events, fill, order, session, texts, user};
use crate::conformance::{Chat, at, key, refused};

pub(super) fn a_preview_changes_nothing(store: &dyn Storage) {
    let big = "a large part of a message ".repeat(LARGE_PART_BYTES / 20);
    let mut chat = Chat::new(store);
    chat.user = Some(UserId::new("ann").unwrap());
    chat.record("t0", &["one", "two", &big]).unwrap();
    fill(&chat);
    artifact(store, "hers", Some("ann"), b"notes");
    let before = chat.dump();
    for subject in [user("ann"), session("chat"), events("chat", 1, 2)] {
        let preview = store.preview_deletion(order("d", subject)).unwrap();
        assert_eq!(preview.state, DeletionState::DryRun);
        assert!(preview.count(Layer::Events) >= 2);
        assert_eq!(chat.dump(), before);
    }
    assert_eq!(store.deletions(&DeletionQuery::default()).unwrap(), []);
    let preview = store.preview_deletion(order("d", user("ann"))).unwrap();
    let done = delete(store, user("ann"));
    assert_eq!(done.layers, preview.layers);
}

fn hold(id: &str, subject: DeletionSubject) -> LegalHold {
    LegalHold {
        hold_id: HoldId::new(id).unwrap(),
        subject,
        reason: "a case".to_owned(),
        by: Requester {
            agent: AgentId::default(),
            user: None,
        },
        placed_at: at(1),
    }
}

pub(super) fn what_is_held_stays(store: &dyn Storage) {
    let mut chat = Chat::new(store);
    chat.user = Some(UserId::new("ann").unwrap());
    chat.record("t0", &["one", "two"]).unwrap();
    let tenant = TenantId::default();
    let before = chat.dump();
    for held in [user("ann"), session("chat"), events("chat", 2, 2)] {
        let hold = hold("h", held.clone());
        store.put_hold(&tenant, hold.clone()).unwrap();
        assert_eq!(store.holds(&tenant).unwrap(), [hold]);
        for subject in [user("ann"), session("chat"), events("chat", 1, 2)] {
            let refusal = store.begin_deletion(order("d", subject.clone()));
            let id = refusal.as_ref().unwrap_err().context().iter();
            let id: Vec<&str> = id
                .filter(|(key, _)| *key == "hold_id")
                .map(|(_, id)| id.as_str())
                .collect();
            assert_eq!(id, ["h"]);
            refused(refusal, ErrorKind::Conflict, "subject");
            refused(
                store.preview_deletion(order("d", subject)),
                ErrorKind::Conflict,
                "subject",
            );
        }
    }
    assert_eq!(chat.dump(), before);
    // Another tenant's hold is no hold here, and what lies beside the range may go.
    store
        .put_hold(&TenantId::new("other").unwrap(), hold("x", user("ann")))
        .unwrap();
    delete(store, events("chat", 1, 1));
    let id = HoldId::new("h").unwrap();
    assert!(store.release_hold(&tenant, &id).unwrap());
    assert!(!store.release_hold(&tenant, &id).unwrap());
    carry_out(store, order("2", session("chat"))).unwrap();
    assert_eq!(store.session(&chat.key).unwrap(), None);
}

pub(super) fn tenants_are_kept_apart(store: &dyn Storage) {
    let mut chat = Chat::new(store);
    chat.key = key("other", "chat");
    chat.user = Some(UserId::new("ann").unwrap());
    chat.record("t0", &["one"]).unwrap();
    refused(
        store.begin_deletion(order("d", session("chat"))),
        ErrorKind::Denied,
        "session_id",
    );
    let receipt = delete(store, user("ann"));
    assert_eq!(receipt.layers, []);
    assert_eq!(texts(&chat, &[(1, 1)]).len(), 1);
    let listed = |tenant: &str| {
        let query = DeletionQuery {
            tenant: Some(TenantId::new(tenant).unwrap()),
            ..DeletionQuery::default()
        };
        store.deletions(&query).unwrap().len()
    };
    assert_eq!((listed("default"), listed("other")), (1, 0));
    let id = &receipt.deletion_id;
    refused(
        store.advance_deletion(&TenantId::new("other").unwrap(), id, at(9)),
        ErrorKind::NotFound,
        "deletion_id",
    );
}

pub(super) fn an_order_is_known_again(store: &dyn Storage) {
    let chat = Chat::new(store);
    let call = CallId::new("unused").unwrap();
    chat.record("t0", &["one", call.as_str()]).unwrap();
    let open = || {
        let query = DeletionQuery {
            open_only: true,
            ..DeletionQuery::default()
        };
        store.deletions(&query).unwrap()
    };
    let begun = store.begin_deletion(order("d", session("chat"))).unwrap();
    assert_eq!(begun.state, DeletionState::Erasing);
    assert!(store.session(&chat.key).unwrap().is_some());
    assert_eq!(open(), std::slice::from_ref(&begun));
    assert_eq!(
        store.begin_deletion(order("d", session("chat"))).unwrap(),
        begun
    );
    let done = delete(store, session("chat"));
    assert_eq!(open(), []);
    assert_eq!(
        store.begin_deletion(order("d", session("chat"))).unwrap(),
        done
    );
    assert_eq!(store.deletions(&DeletionQuery::default()).unwrap(), [done]);
}
