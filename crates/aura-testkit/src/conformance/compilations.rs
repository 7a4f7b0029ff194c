//! Manifests, the turns they led to, and frozen plans.

use std::sync::Arc;

use aura_core::{
    CacheUse, CompilationRecord, Digest, Link, Manifest, ManifestQuery, Outcome, PolicyMode,
    PrefixMode, Principal, Provider, RequestId, SessionId, SessionKey, Storage, TenantId,
};

use super::{Case, Chat, at, key, turn_id};

pub(crate) mod inputs;
mod links;

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a manifest comes back", a_manifest_comes_back),
    ("the session need not exist", the_session_need_not_exist),
    (
        "manifests are listed newest first",
        manifests_are_listed_newest_first,
    ),
    ("lists are filtered", lists_are_filtered),
    ("the same request is replaced", the_same_request_is_replaced),
    ("a plan is replaced and read", a_plan_is_replaced_and_read),
    (
        "a turn links the manifests it answers",
        links::a_turn_links_the_manifests_it_answers,
    ),
    (
        "a manifest put later is linked",
        links::a_manifest_put_later_is_linked,
    ),
    (
        "requests of other sessions are ignored",
        links::requests_of_other_sessions_are_ignored,
    ),
    ("all or none are kept", all_or_none_are_kept),
    (
        "the final answer is linked",
        links::the_final_answer_is_linked,
    ),
    ("inputs come back", inputs::inputs_come_back),
    (
        "shared inputs are kept once",
        inputs::shared_inputs_are_kept_once,
    ),
    ("reports of outcomes join", links::reports_of_outcomes_join),
    (
        "forgotten compilations are gone with all that hangs on them",
        inputs::forgotten_compilations_are_gone,
    ),
    ("what to forget is chosen", inputs::what_to_forget_is_chosen),
];

/// A small manifest made at the time `now`.
pub(crate) fn manifest(request: &str, key: &SessionKey, now: i64) -> Arc<Manifest> {
    Arc::new(Manifest {
        manifest_version: aura_core::MANIFEST_VERSION,
        request_id: RequestId::new(request).unwrap(),
        correlation_id: None,
        compiler_version: "1".to_owned(),
        policy_version: "dev".to_owned(),
        tool_schema_version: None,
        principal: Principal {
            tenant: key.tenant.clone(),
            ..Principal::default()
        },
        session_id: key.session_id.clone(),
        turn_id: turn_id("t0"),
        agent_version: Some("nul\0 日本".to_owned()),
        workflow_stage: None,
        provider: Provider::default(),
        mode: PolicyMode::default(),
        now: at(now),
        change_seq: 3,
        distilled: 0,
        token_counter: "chars".to_owned(),
        digest: Digest::of(request.as_bytes()),
        outcome: Outcome::Complete,
        read_only: false,
        over_budget: None,
        stages: Vec::new(),
        totals: aura_core::Totals::default(),
        candidates: Vec::new(),
        retrieval: aura_core::RetrievalReceipt::default(),
        segments: Vec::new(),
        cache: CacheUse {
            prefix_mode: PrefixMode::default(),
            key: Digest::of(b""),
            previous: None,
            hit: false,
            kept_tokens: 0,
            continues: None,
            compaction: None,
            breakpoints: Vec::new(),
        },
        coverage: aura_core::Coverage::default(),
        plan: aura_core::PlanState::default(),
        reasoning: aura_core::ReasoningState::default(),
        notices: Vec::new(),
        failure: None,
        link: Link::default(),
    })
}

pub(crate) fn record(
    manifest: Arc<Manifest>,
    key: &SessionKey,
    plan: Option<&[u8]>,
) -> CompilationRecord {
    CompilationRecord {
        key: key.clone(),
        turn_id: turn_id("t0"),
        manifest,
        plan: plan.map(<[u8]>::to_vec),
        inputs: None,
    }
}

fn put(store: &dyn Storage, request: &str, key: &SessionKey, now: i64) -> Arc<Manifest> {
    let manifest = manifest(request, key, now);
    let record = record(Arc::clone(&manifest), key, None);
    store.put_compilations(vec![record]).unwrap();
    manifest
}

fn get(store: &dyn Storage, request: &str) -> Option<Manifest> {
    let request = RequestId::new(request).unwrap();
    store.manifest(&TenantId::default(), &request).unwrap()
}

fn requests(store: &dyn Storage, query: &ManifestQuery) -> Vec<String> {
    let found = store.manifests(&TenantId::default(), query).unwrap();
    found
        .iter()
        .map(|found| found.request_id.to_string())
        .collect()
}

fn a_manifest_comes_back(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let before = chat.dump();
    let manifest = put(store, "r\0 é", &chat.key, 5);
    assert_eq!(get(store, "r\0 é").as_ref(), Some(&*manifest));
    assert_eq!(get(store, "r"), None);
    let other = TenantId::new("other").unwrap();
    assert_eq!(store.manifest(&other, &manifest.request_id).unwrap(), None);
    assert!(
        store
            .manifests(&other, &ManifestQuery::default())
            .unwrap()
            .is_empty()
    );
    assert_eq!(chat.dump(), before, "it is no change of the session");
}

fn the_session_need_not_exist(store: &dyn Storage) {
    let chat = Chat::new(store);
    let manifest = manifest("r1", &chat.key, 5);
    let record = record(manifest, &chat.key, Some(b"plan"));
    store.put_compilations(vec![record]).unwrap();
    assert!(get(store, "r1").is_some());
    assert_eq!(store.session(&chat.key).unwrap(), None);
    let plan = || store.plan(&chat.key, &turn_id("t0")).unwrap();
    assert_eq!(plan().as_deref(), Some(&b"plan"[..]));
    chat.answering("r1", "t0", &["x"]).unwrap();
    assert_eq!(plan().as_deref(), Some(&b"plan"[..]));
    assert_eq!(get(store, "r1").unwrap().link.turn_id, Some(turn_id("t0")));
}

fn manifests_are_listed_newest_first(store: &dyn Storage) {
    let chat = Chat::new(store);
    for (request, now) in [("a", 2), ("b", 9), ("c", 1), ("d", 9), ("e", -3)] {
        put(store, request, &chat.key, now);
    }
    let query = ManifestQuery::default();
    assert_eq!(requests(store, &query), ["d", "b", "a", "c", "e"]);
    let query = ManifestQuery { limit: 2, ..query };
    assert_eq!(requests(store, &query), ["d", "b"]);
}

fn lists_are_filtered(store: &dyn Storage) {
    for n in 0..10 {
        let session = key("default", ["even", "odd"][n % 2]);
        put(store, &format!("r{n}"), &session, n as i64);
    }
    put(store, "foreign", &key("other", "even"), 4);
    let query = |session: Option<&str>, since: Option<i64>, until: Option<i64>| ManifestQuery {
        session_id: session.map(|id| SessionId::new(id).unwrap()),
        since: since.map(at),
        until: until.map(at),
        limit: 0,
    };
    let list = |query: ManifestQuery| requests(store, &query).join(" ");
    assert_eq!(list(query(Some("even"), None, None)), "r8 r6 r4 r2 r0");
    assert_eq!(list(query(None, Some(7), None)), "r9 r8 r7");
    assert_eq!(list(query(None, None, Some(2))), "r1 r0");
    assert_eq!(list(query(Some("odd"), Some(3), Some(7))), "r5 r3");
    assert_eq!(list(query(Some("none"), None, None)), "");
}

fn the_same_request_is_replaced(store: &dyn Storage) {
    let chat = Chat::new(store);
    put(store, "r1", &chat.key, 1);
    put(store, "r2", &chat.key, 1);
    let newer = put(store, "r1", &chat.key, 1);
    assert_eq!(get(store, "r1").as_ref(), Some(&*newer));
    assert_eq!(requests(store, &ManifestQuery::default()), ["r1", "r2"]);
}

fn a_plan_is_replaced_and_read(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let plan = || store.plan(&chat.key, &turn_id("t0")).unwrap();
    assert_eq!(plan(), None);
    for (request, bytes) in [("r1", &b"one\0"[..]), ("r2", b""), ("r3", &[7; 100_000])] {
        let record = record(manifest(request, &chat.key, 1), &chat.key, Some(bytes));
        store.put_compilations(vec![record]).unwrap();
        assert_eq!(plan().as_deref(), Some(bytes));
    }
    put(store, "r4", &chat.key, 1);
    assert_eq!(
        plan().as_deref(),
        Some(&[7; 100_000][..]),
        "a call without one leaves it"
    );
    assert_eq!(store.plan(&chat.key, &turn_id("t1")).unwrap(), None);
    let other = key("default", "other");
    assert_eq!(store.plan(&other, &turn_id("t0")).unwrap(), None);
}

fn all_or_none_are_kept(store: &dyn Storage) {
    let chat = Chat::new(store);
    chat.record("t0", &["x"]).unwrap();
    let foreign = key("other", "chat");
    let records = vec![
        record(manifest("r1", &chat.key, 1), &chat.key, Some(b"plan")),
        record(manifest("r2", &foreign, 1), &foreign, None),
    ];
    assert!(store.put_compilations(records).is_err());
    assert_eq!(get(store, "r1"), None);
    assert_eq!(store.plan(&chat.key, &turn_id("t0")).unwrap(), None);
    store.put_compilations(Vec::new()).unwrap();
}
