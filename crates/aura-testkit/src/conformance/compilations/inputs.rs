//! The inputs of compilations, and forgetting them.

use aura_core::{
    CompilationInputs, CompilationPurge, CompilationRecord, InputPart, Link, ManifestQuery,
    OutcomeReport, RequestId, SessionId, SessionKey, Storage, TenantId,
};

use super::{get, manifest, put, record};
use crate::conformance::{Chat, at, key, turn_id};

pub(crate) fn inputs_of(store: &dyn Storage, request: &str) -> Option<CompilationInputs> {
    let request = RequestId::new(request).unwrap();
    let mut inputs = store.inputs(&TenantId::default(), &request).unwrap()?;
    inputs.parts.sort_by_key(|part| part.digest);
    Some(inputs)
}

pub(crate) fn put_inputs(
    store: &dyn Storage,
    request: &str,
    now: i64,
    key: &SessionKey,
    parts: &[&[u8]],
) {
    let record = CompilationRecord {
        inputs: Some(CompilationInputs {
            call: request.as_bytes().to_vec(),
            parts: parts.iter().map(|bytes| InputPart::of(*bytes)).collect(),
        }),
        ..record(manifest(request, key, now), key, Some(request.as_bytes()))
    };
    store.put_compilations(vec![record]).unwrap();
}

pub(crate) fn parts_of(store: &dyn Storage, request: &str) -> Vec<Vec<u8>> {
    let inputs = inputs_of(store, request).unwrap();
    assert_eq!(inputs.call, request.as_bytes());
    let mut parts: Vec<Vec<u8>> = inputs
        .parts
        .iter()
        .map(|part| part.bytes.to_vec())
        .collect();
    parts.sort();
    parts
}

pub(super) fn inputs_come_back(store: &dyn Storage) {
    let chat = Chat::new(store);
    put(store, "r0", &chat.key, 1);
    assert_eq!(inputs_of(store, "r0"), None);
    assert_eq!(inputs_of(store, "none"), None);
    put_inputs(store, "r1", 1, &chat.key, &[b"policy\0", b"", b"tools"]);
    assert_eq!(parts_of(store, "r1"), [&b""[..], b"policy\0", b"tools"]);
    let other = TenantId::new("other").unwrap();
    let request = RequestId::new("r1").unwrap();
    assert_eq!(store.inputs(&other, &request).unwrap(), None);
    put_inputs(store, "r1", 2, &chat.key, &[b"other"]);
    assert_eq!(parts_of(store, "r1"), [b"other"]);
}

pub(super) fn shared_inputs_are_kept_once(store: &dyn Storage) {
    let chat = Chat::new(store);
    for request in ["r1", "r2", "r3"] {
        let own = request.as_bytes();
        put_inputs(store, request, 1, &chat.key, &[b"shared", own, b"shared"]);
    }
    let only = |request: &str| CompilationPurge {
        before: Some(at(2)),
        limit: 1,
        session_id: Some(get(store, request).unwrap().session_id),
        ..CompilationPurge::default()
    };
    assert_eq!(store.forget_compilations(&only("r1")).unwrap(), 1);
    assert_eq!(inputs_of(store, "r1"), None);
    assert_eq!(parts_of(store, "r2"), [&b"r2"[..], b"shared"]);
    assert_eq!(store.forget_compilations(&only("r2")).unwrap(), 1);
    assert_eq!(parts_of(store, "r3"), [&b"r3"[..], b"shared"]);
    assert_eq!(store.forget_compilations(&only("r3")).unwrap(), 1);
    put_inputs(store, "r4", 1, &chat.key, &[b"shared"]);
    assert_eq!(parts_of(store, "r4"), [b"shared"]);
}

pub(super) fn forgotten_compilations_are_gone(store: &dyn Storage) {
    let chat = Chat::new(store);
    put_inputs(store, "r1", 1, &chat.key, &[b"part"]);
    chat.answering("r1", "t0", &["x"]).unwrap();
    let request = RequestId::new("r1").unwrap();
    let report = OutcomeReport {
        success: Some(false),
        ..OutcomeReport::default()
    };
    let tenant = TenantId::default();
    store.report_outcome(&tenant, &request, report).unwrap();
    let before = chat.dump();
    let all = CompilationPurge::default();
    assert_eq!(store.forget_compilations(&all).unwrap(), 1);
    assert_eq!(store.forget_compilations(&all).unwrap(), 0);
    assert_eq!(get(store, "r1"), None);
    assert_eq!(inputs_of(store, "r1"), None);
    assert_eq!(store.plan(&chat.key, &turn_id("t0")).unwrap(), None);
    assert_eq!(chat.dump(), before, "it is no change of the session");
    put(store, "r1", &chat.key, 1);
    assert_eq!(get(store, "r1").unwrap().link, Link::default());
    // A plan goes with the compilation that made it, not with an earlier one of the same turn.
    put_inputs(store, "r2", 5, &chat.key, &[]);
    let early = CompilationPurge {
        before: Some(at(3)),
        ..CompilationPurge::default()
    };
    assert_eq!(store.forget_compilations(&early).unwrap(), 1);
    let plan = store.plan(&chat.key, &turn_id("t0")).unwrap();
    assert_eq!(plan.as_deref(), Some(&b"r2"[..]));
}

pub(super) fn what_to_forget_is_chosen(store: &dyn Storage) {
    for n in 0..6 {
        let session = key(["default", "other"][n % 2], ["a", "b", "c"][n / 2]);
        put(store, &format!("r{n}"), &session, n as i64);
    }
    let left = || -> String {
        let of = |tenant: &str| {
            let tenant = TenantId::new(tenant).unwrap();
            store.manifests(&tenant, &ManifestQuery::default()).unwrap()
        };
        let all = of("default").into_iter().chain(of("other"));
        all.map(|manifest| manifest.request_id.to_string() + " ")
            .collect()
    };
    let forget = |tenant: Option<&str>, session: Option<&str>, before: Option<i64>, limit: u32| {
        store
            .forget_compilations(&CompilationPurge {
                tenant: tenant.map(|id| TenantId::new(id).unwrap()),
                session_id: session.map(|id| SessionId::new(id).unwrap()),
                before: before.map(at),
                limit,
            })
            .unwrap()
    };
    assert_eq!(left(), "r4 r2 r0 r5 r3 r1 ");
    assert_eq!(forget(None, None, Some(0), 0), 0);
    assert_eq!(forget(Some("other"), Some("a"), None, 0), 1);
    assert_eq!(left(), "r4 r2 r0 r5 r3 ");
    assert_eq!(forget(Some("other"), Some("a"), None, 0), 0);
    assert_eq!(forget(None, None, Some(4), 1), 1);
    assert_eq!(left(), "r4 r2 r5 r3 ");
    assert_eq!(forget(None, None, Some(4), 0), 2);
    assert_eq!(left(), "r4 r5 ");
    assert_eq!(forget(None, Some("c"), None, 0), 2);
    assert_eq!(left(), "");
}
