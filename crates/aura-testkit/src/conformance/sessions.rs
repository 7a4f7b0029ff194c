//! Listing sessions.

use aura_core::{AgentId, SessionId, SessionQuery, Storage, TenantId, TurnWrite, UserId};

use super::{Case, Chat, key};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("sessions are listed by id", sessions_are_listed_by_id),
    ("lists are filtered", lists_are_filtered),
    ("pages follow each other", pages_follow_each_other),
    (
        "a list shows the state of now",
        a_list_shows_the_state_of_now,
    ),
];

fn ids(store: &dyn Storage, query: &SessionQuery) -> Vec<String> {
    let sessions = store.sessions(&TenantId::default(), query).unwrap();
    let ids = sessions
        .iter()
        .map(|session| session.session_id.to_string());
    ids.collect()
}

fn sessions_are_listed_by_id(store: &dyn Storage) {
    assert!(ids(store, &SessionQuery::default()).is_empty());
    let mut names = ["b", "a", "ab", "é", "Z", "日本", "\0", "a\0b", "😀"];
    for name in names {
        Chat::named(store, name).record("t0", &["x"]).unwrap();
    }
    names.sort_unstable();
    assert_eq!(ids(store, &SessionQuery::default()), names);
}

fn lists_are_filtered(store: &dyn Storage) {
    let user = |id: &str| Some(UserId::new(id).unwrap());
    let agent = |id: &str| AgentId::new(id).unwrap();
    let rows = [
        ("default", "s1", user("ana"), agent("a")),
        ("default", "s2", user("ben"), agent("a")),
        ("default", "s3", user("ana"), agent("b")),
        ("default", "s4", None, agent("b")),
        ("other", "s5", user("ana"), agent("a")),
    ];
    for (tenant, session, user, agent) in rows {
        let chat = Chat::new(store);
        let write = TurnWrite {
            key: key(tenant, session),
            user,
            agent,
            ..chat.write("t0", &["x"])
        };
        store.record(write).unwrap();
    }
    let query = |of: Option<&str>, by: Option<&str>| SessionQuery {
        user: of.and_then(user),
        agent: by.map(agent),
        ..SessionQuery::default()
    };
    assert_eq!(ids(store, &query(None, None)), ["s1", "s2", "s3", "s4"]);
    assert_eq!(ids(store, &query(Some("ana"), None)), ["s1", "s3"]);
    assert_eq!(ids(store, &query(None, Some("b"))), ["s3", "s4"]);
    assert_eq!(ids(store, &query(Some("ana"), Some("b"))), ["s3"]);
    assert!(ids(store, &query(Some("eve"), None)).is_empty());
    let nobody = TenantId::new("nobody").unwrap();
    assert!(
        store
            .sessions(&nobody, &SessionQuery::default())
            .unwrap()
            .is_empty()
    );
}

fn pages_follow_each_other(store: &dyn Storage) {
    for n in 0..25 {
        Chat::named(store, &format!("s{n:02}"))
            .record("t0", &["x"])
            .unwrap();
    }
    let mut seen = Vec::new();
    let mut query = SessionQuery {
        limit: 10,
        ..SessionQuery::default()
    };
    loop {
        let page = ids(store, &query);
        let Some(last) = page.last() else { break };
        query.after = Some(SessionId::new(last).unwrap());
        seen.push(page.len());
    }
    assert_eq!(seen, [10, 10, 5]);
    query.after = Some(SessionId::new("s03x").unwrap());
    assert_eq!(ids(store, &query)[0], "s04");
}

fn a_list_shows_the_state_of_now(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    chat.record("t1", &["x"]).unwrap();
    store.set_head(&chat.key, &super::turn_id("t0")).unwrap();
    let list = store.sessions(&TenantId::default(), &SessionQuery::default());
    assert_eq!(list.unwrap(), [chat.session()]);
}
