//! What compilations led to.

use aura_core::{
    CallId, Effect, ErrorKind, EventId, Link, Manifest, ManifestQuery, Message, OutcomeReport,
    Part, RawJson, RequestId, Role, Storage, TenantId, ToolCall, ToolEffect, TurnStatus, TurnWrite,
};

use super::{get, put};
use crate::conformance::{Chat, refused, turn_id};

fn call(id: &str) -> Message {
    Message {
        parts: vec![Part::ToolCall(ToolCall {
            call_id: CallId::new(id).unwrap(),
            name: "f".to_owned(),
            arguments: RawJson::new("arguments", "{}").unwrap(),
        })],
        ..Message::text(Role::Assistant, "")
    }
}

pub(super) fn a_turn_links_the_manifests_it_answers(store: &dyn Storage) {
    let chat = Chat::new(store);
    for request in ["r1", "r2", "r3"] {
        put(store, request, &chat.key, 1);
    }
    let write = |calls: &[&str], request: &str, status| {
        let mut messages = vec![Message::user("do it")];
        messages.extend(calls.iter().map(|id| call(id)));
        let write = TurnWrite {
            messages,
            status,
            requests: vec![RequestId::new(request).unwrap()],
            ..chat.write("t0", &[])
        };
        store.record(write).unwrap();
    };
    let link = |calls: &[&str]| Link {
        turn_id: Some(turn_id("t0")),
        calls: calls.iter().map(|id| CallId::new(id).unwrap()).collect(),
        ..Link::default()
    };
    write(&["c1"], "r1", TurnStatus::Open);
    write(&["c1", "c2"], "r2", TurnStatus::Complete);
    let found = |request| get(store, request).unwrap().link;
    assert_eq!(found("r1"), link(&["c1"]));
    assert_eq!(found("r2"), link(&["c1", "c2"]));
    assert_eq!(found("r3"), Link::default());
    write(&["c1", "c2"], "r3", TurnStatus::Complete);
    assert_eq!(
        found("r3"),
        link(&["c1", "c2"]),
        "also when the turn is unchanged"
    );
    let listed = store.manifests(&TenantId::default(), &ManifestQuery::default());
    let linked = |manifest: &Manifest| manifest.link.turn_id.is_some();
    assert!(listed.unwrap().iter().all(linked));
}

pub(super) fn a_manifest_put_later_is_linked(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.answering("r1", "t0", &["x"]).unwrap();
    assert_eq!(get(store, "r1"), None);
    put(store, "r1", &chat.key, 1);
    assert_eq!(get(store, "r1").unwrap().link.turn_id, Some(turn_id("t0")));
}

pub(super) fn requests_of_other_sessions_are_ignored(store: &dyn Storage) {
    let (chat, other) = (Chat::new(store), Chat::named(store, "other"));
    put(store, "r1", &other.key, 1);
    chat.answering("r1", "t0", &["x"]).unwrap();
    assert_eq!(get(store, "r1").unwrap().link, Link::default());
    let refused = TurnWrite {
        requests: vec![RequestId::new("r1").unwrap()],
        messages: Vec::new(),
        ..other.write("t0", &[])
    };
    assert!(store.record(refused).is_err());
    assert_eq!(get(store, "r1").unwrap().link, Link::default());
    other.answering("r1", "t0", &["x"]).unwrap();
    chat.answering("r1", "t1", &["x"]).unwrap();
    assert_eq!(get(store, "r1").unwrap().link.turn_id, Some(turn_id("t0")));
}

pub(super) fn the_final_answer_is_linked(store: &dyn Storage) {
    let chat = Chat::new(store);
    put(store, "r1", &chat.key, 1);
    put(store, "r2", &chat.key, 1);
    let write = |messages: &[Message], request: &str, status| {
        let write = TurnWrite {
            messages: messages.to_vec(),
            status,
            requests: vec![RequestId::new(request).unwrap()],
            ..chat.write("t0", &[])
        };
        store.record(write).unwrap();
    };
    let mut messages = vec![Message::user("do it"), call("c1")];
    write(&messages, "r1", TurnStatus::Open);
    messages.push(Message::assistant("done"));
    write(&messages, "r2", TurnStatus::Complete);
    let answer = |request| get(store, request).unwrap().link.answer;
    assert_eq!(answer("r1"), None, "that one made a call");
    assert_eq!(answer("r2"), Some(EventId(3)));
}

pub(super) fn reports_of_outcomes_join(store: &dyn Storage) {
    let chat = Chat::new(store);
    let report = |request: &str, report: OutcomeReport| {
        let request = RequestId::new(request).unwrap();
        store.report_outcome(&TenantId::default(), &request, report)
    };
    let success = OutcomeReport {
        success: Some(true),
        ..OutcomeReport::default()
    };
    refused(
        report("r1", success.clone()),
        ErrorKind::NotFound,
        "request_id",
    );
    put(store, "r1", &chat.key, 1);
    put(store, "r2", &chat.key, 1);
    assert_eq!(report("r1", success.clone()).unwrap(), success);
    let effect = OutcomeReport {
        tool_effects: vec![ToolEffect {
            call_id: CallId::new("c1").unwrap(),
            effect: Effect::Undone,
        }],
        ..OutcomeReport::default()
    };
    let both = OutcomeReport {
        success: Some(true),
        ..effect.clone()
    };
    assert_eq!(report("r1", effect).unwrap(), both);
    chat.answering("r1", "t0", &["x"]).unwrap();
    let link = get(store, "r1").unwrap().link;
    assert_eq!(link.outcome, Some(both.clone()));
    assert_eq!(link.turn_id, Some(turn_id("t0")));
    assert_eq!(get(store, "r2").unwrap().link, Link::default());
    put(store, "r1", &chat.key, 2);
    assert_eq!(get(store, "r1").unwrap().link.outcome, Some(both));
    let other = TenantId::new("other").unwrap();
    let request = RequestId::new("r1").unwrap();
    let foreign = store.report_outcome(&other, &request, success);
    refused(foreign, ErrorKind::NotFound, "request_id");
}
