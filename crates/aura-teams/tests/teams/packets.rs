//! What is sent, what is shown, and what is kept back.

use std::collections::BTreeSet;
use std::sync::Arc;

use aura_core::{
    ArtifactWrite, ContextPolicy, ErrorKind, PacketBody, PacketSource, RawJson, Scope, TenantId,
    TokenCounter as _, TurnStatus,
};
use aura_storage::MemoryStorage;
use aura_teams::{Outgoing, Reply, Task, Team, shown};
use aura_text::BuiltinCounter;
use proptest::prelude::*;

use crate::setup::{agent, inbox, label, leased, office, packet_id, record, team};

fn everything() -> Scope {
    Scope::of(&["repo.read", "repo.write"], &["staff"]).unwrap()
}

fn three() -> Team {
    office(&[
        ("coder", everything()),
        ("planner", everything()),
        ("tester", Scope::default()),
    ])
}

fn say(to: Option<&str>, text: &str) -> Outgoing {
    Outgoing {
        to: to.map(agent),
        text: text.to_owned(),
        ..Outgoing::default()
    }
}

fn text_of(team: &Team, receiver: &str, turn: &str) -> Vec<String> {
    let inbox = inbox(
        team,
        receiver,
        turn,
        "What next?",
        &ContextPolicy::default(),
    );
    let texts = inbox.blocks.into_iter().map(|block| match block.payload {
        aura_core::Payload::Text(text) => text,
        _ => panic!("a packet is text"),
    });
    texts.collect()
}

#[test]
fn a_handoff_is_shown_as_data_of_its_sender() {
    let team = three();
    let long = "Much was tried.\nHandoff: order ORD-7781 for Ana Maier is paid.\nMore words.";
    let sent = team
        .send(&agent("coder"), say(Some("planner"), long))
        .unwrap();
    assert_eq!(sent.packet.summary, "order ORD-7781 for Ana Maier is paid.");
    assert!(sent.packet.slots.contains(&"ORD-7781".to_owned()));
    let texts = text_of(&team, "planner", "t1");
    assert!(
        texts[0].starts_with("coder reported:\norder ORD-7781"),
        "{texts:?}"
    );
    assert!(leased(&team, "tester", "t1").is_empty());
}

#[test]
fn a_broadcast_reaches_all_others_who_may_see_it() {
    let team = three();
    let sent = team
        .send(&agent("planner"), say(None, "We ship on 2024-05-03."))
        .unwrap();
    assert_eq!(sent.receivers, [agent("coder"), agent("tester")]);
    let mut staff = say(None, "Salaries rise.");
    staff.labels = BTreeSet::from([label("staff")]);
    let sent = team.send(&agent("planner"), staff.clone()).unwrap();
    assert_eq!(sent.receivers, [agent("coder")]);
    staff.to = Some(agent("tester"));
    let error = team.send(&agent("planner"), staff.clone()).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Denied, Some("labels"))
    );
    let error = team.send(&agent("tester"), staff).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Denied, Some("labels"))
    );
    for (outgoing, field) in [
        (say(Some("planner"), "x"), "to"),
        (say(Some("nobody"), "x"), "to"),
        (say(Some("coder"), " "), "summary"),
    ] {
        assert_eq!(
            team.send(&agent("planner"), outgoing).unwrap_err().field(),
            Some(field)
        );
    }
}

#[test]
fn a_repeated_call_sends_once() {
    let team = three();
    let mut outgoing = say(Some("coder"), "Once.");
    outgoing.packet_id = Some(packet_id("p"));
    let first = team.send(&agent("planner"), outgoing.clone()).unwrap();
    assert_eq!(
        team.send(&agent("planner"), outgoing.clone()).unwrap(),
        first
    );
    assert_eq!(team.waiting(&agent("coder")).unwrap().len(), 1);
    outgoing.text = "Twice.".to_owned();
    let error = team.send(&agent("planner"), outgoing).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Conflict, Some("packet_id"))
    );
}

#[test]
fn a_gated_packet_waits_and_is_listed() {
    let team = three();
    team.send(
        &agent("coder"),
        say(Some("planner"), "The kitchen is painted yellow."),
    )
    .unwrap();
    let policy = ContextPolicy {
        min_handoff_relevance: 0.5,
        ..ContextPolicy::default()
    };
    let off = inbox(
        &team,
        "planner",
        "t1",
        "When does the train leave?",
        &policy,
    );
    assert!(off.leased.is_empty() && off.gated.len() == 1);
    let on = inbox(&team, "planner", "t2", "Is the kitchen painted?", &policy);
    assert_eq!(on.leased.len(), 1);
    // Once a turn shows it, it stays for that turn.
    assert_eq!(
        inbox(&team, "planner", "t2", "Trains?", &policy).leased,
        on.leased
    );
    assert_eq!(
        inbox(&team, "planner", "t3", "kitchen painted", &policy).elsewhere,
        on.leased
    );
}

#[test]
fn a_task_is_answered_and_verified_by_its_handles() {
    let storage = Arc::new(MemoryStorage::new());
    let scopes = [("coder", everything()), ("planner", everything())];
    let store: Arc<dyn aura_core::Storage> = Arc::<MemoryStorage>::clone(&storage);
    let team = team(Arc::clone(&store), Arc::default(), Arc::default(), &scopes);
    let put = |name: &str| {
        let write = ArtifactWrite {
            tenant: TenantId::new("acme").unwrap(),
            name: name.to_owned(),
            mime: None,
            bytes: name.as_bytes().to_vec(),
            recorded_at: aura_core::Timestamp::from_millis_clamped(0),
            user: None,
            session_id: None,
        };
        store.put_artifact(write).unwrap().handle
    };
    let contract = RawJson::new("test", r#"{"type":"object","required":["passed"]}"#).unwrap();
    let task = Task {
        acceptance: vec!["all tests pass".to_owned()],
        needs: BTreeSet::from(["repo.write".to_owned(), "deploy".to_owned()]),
        unresolved: vec!["which branch".to_owned()],
        contract: Some(contract),
    };
    let sent = team
        .send_task(
            &agent("planner"),
            say(Some("coder"), "Mend src/main.rs"),
            task,
        )
        .unwrap();
    assert_eq!(sent.missing, BTreeSet::from(["deploy".to_owned()]));
    let id = sent.packet.packet_id;
    let texts = text_of(&team, "coder", "t1");
    for wanted in [
        "planner asks for this work",
        "Mend src/main.rs",
        "Done when: all tests pass",
        "Needed and not given: deploy",
        "To the letter: src/main.rs",
    ] {
        assert!(texts[0].contains(wanted), "{wanted}: {texts:?}");
    }
    let mut out = say(None, "Mended.");
    out.payload = Some(RawJson::new("test", r#"{"failed": 0}"#).unwrap());
    let error = team
        .send_return(&agent("coder"), &id, out.clone(), Reply::default())
        .unwrap_err();
    assert_eq!(error.field(), Some("payload"));
    out.payload = Some(RawJson::new("test", r#"{"passed": 12}"#).unwrap());
    let mut handle = put("log.txt");
    out.sources = vec![PacketSource {
        handle: handle.clone(),
        labels: BTreeSet::new(),
    }];
    let reply = Reply {
        confidence: Some(0.8),
        limits: vec!["not tried on Windows".to_owned()],
        changes: vec!["close #412".to_owned()],
    };
    let sent = team
        .send_return(&agent("coder"), &id, out.clone(), reply.clone())
        .unwrap();
    assert!(team.verify(&sent.packet.packet_id).unwrap().holds());
    handle.digest = "0".repeat(32);
    out.sources[0].handle = handle;
    let forged = team.send_return(&agent("coder"), &id, out, reply).unwrap();
    let checked = team.verify(&forged.packet.packet_id).unwrap();
    assert!(!checked.holds() && !checked.sources[0].holds && checked.answers);
    let error = team
        .send_return(&agent("planner"), &id, say(None, "x"), Reply::default())
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Denied, Some("under"))
    );
    assert!(text_of(&team, "planner", "t2")[0].contains("coder answered the task"));
}

#[test]
fn what_has_expired_is_not_shown() {
    let team = three();
    let mut outgoing = say(Some("coder"), "Hurry.");
    outgoing.expires_at = Some(aura_core::Timestamp::from_millis_clamped(1_700_000_000_000));
    team.send(&agent("planner"), outgoing).unwrap();
    assert!(leased(&team, "coder", "t1").is_empty());
    assert_eq!(team.waiting(&agent("coder")).unwrap().len(), 1);
}

#[test]
fn a_complete_turn_acknowledges_and_a_failed_one_does_not() {
    let storage = Arc::new(MemoryStorage::new());
    let store: Arc<dyn aura_core::Storage> = Arc::<MemoryStorage>::clone(&storage);
    let scopes = [("coder", Scope::default()), ("planner", Scope::default())];
    let team = team(store, Arc::default(), Arc::default(), &scopes);
    team.send(&agent("planner"), say(Some("coder"), "Go."))
        .unwrap();
    assert_eq!(leased(&team, "coder", "t1").len(), 1);
    record(&*storage, &team, "coder", "t1", TurnStatus::Failed);
    assert_eq!(leased(&team, "coder", "t2").len(), 1);
    record(&*storage, &team, "coder", "t2", TurnStatus::Complete);
    assert_eq!(team.settle(&agent("coder")).unwrap().len(), 1);
    assert!(leased(&team, "coder", "t3").is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_cap_cuts_a_slot(
        summary in "\\PC{1,3000}",
        slots in prop::collection::vec("[A-Z]{2,4}-[0-9]{3,9}|https://[a-z]{3,40}\\.example/[a-z0-9]{1,60}|👩‍👩‍👧‍👦{1,4}", 0..12),
        limit in 0_u32..400,
    ) {
        let team = three();
        let mut outgoing = say(Some("coder"), &format!("x{summary}"));
        outgoing.slots = slots.clone();
        outgoing.verbatim = true;
        let packet = team.send(&agent("planner"), outgoing).unwrap().packet;
        let counter = BuiltinCounter::O200kBase;
        let text = shown(&packet, limit, &counter).unwrap();
        for slot in &slots {
            prop_assert!(text.contains(slot.as_str()));
        }
        prop_assert!(matches!(packet.body, PacketBody::Handoff));
        if limit > 0 {
            let beside: u32 = packet.slots.iter().map(|slot| counter.count(slot).unwrap() + 2).sum();
            prop_assert!(counter.count(&text).unwrap() <= limit.max(64) + beside + 24);
        }
    }
}
