//! Permissions along a chain of handoffs.

use std::collections::BTreeSet;
use std::sync::Arc;

use aura_core::{ArtifactHandle, Label, PacketBody, PacketId, PacketSource, Scope, TenantId};
use aura_storage::MemoryStorage;
use aura_teams::{Outgoing, Task, Team};
use proptest::prelude::*;

use crate::setup::{agent, team};

const AGENTS: [&str; 6] = ["a0", "a1", "a2", "a3", "a4", "a5"];
const NAMES: [&str; 5] = ["read", "write", "deploy", "pay", "mail"];
const LABELS: [&str; 4] = ["hr", "legal", "staff", "board"];

fn scope() -> impl Strategy<Value = Scope> {
    let permissions = prop::sample::subsequence(NAMES.to_vec(), 0..=NAMES.len());
    let labels = prop::sample::subsequence(LABELS.to_vec(), 0..=LABELS.len());
    (permissions, labels)
        .prop_map(|(permissions, labels)| Scope::of(&permissions, &labels).unwrap())
}

fn office(scopes: &[Scope]) -> Team {
    let members: Vec<(&str, Scope)> = AGENTS.iter().copied().zip(scopes.iter().cloned()).collect();
    team(
        Arc::new(MemoryStorage::new()),
        Arc::default(),
        Arc::default(),
        &members,
    )
}

fn source(name: &str, labels: BTreeSet<Label>) -> PacketSource {
    PacketSource {
        handle: ArtifactHandle {
            tenant: TenantId::new("acme").unwrap(),
            name: name.to_owned(),
            version: 1,
            digest: "0".repeat(32),
        },
        labels,
    }
}

proptest! {
    #[test]
    fn nothing_appears_that_the_first_did_not_grant(
        members in prop::collection::vec(scope(), 6),
        grants in prop::collection::vec(prop::option::of(scope()), 5),
        needs in prop::collection::vec(scope(), 5),
    ) {
        let team = office(&members);
        let mut under: Option<PacketId> = None;
        let mut first: Option<Scope> = None;
        let mut before: Option<(Scope, PacketId)> = None;
        for step in 0..5 {
            let (from, to) = (agent(AGENTS[step]), agent(AGENTS[step + 1]));
            let have = team.scope(&from, under.as_ref()).unwrap();
            let own = LABELS.iter().map(|name| source(name, BTreeSet::from([Label::new(*name).unwrap()])));
            let outgoing = Outgoing {
                to: Some(to.clone()),
                text: format!("Step {step}"),
                grant: grants[step].clone(),
                sources: own.collect(),
                under: under.clone(),
                ..Outgoing::default()
            };
            let wanted = needs[step].permissions.clone();
            let task = Task { needs: wanted.clone(), ..Task::default() };
            let sent = team.send_task(&from, outgoing, task).unwrap();
            let packet = sent.packet;
            let first = first.get_or_insert_with(|| packet.scope.clone());
            let now = team.scope(&to, Some(&packet.packet_id)).unwrap();
            prop_assert!(packet.scope.is_within(&have) && packet.scope.is_within(first));
            prop_assert!(now.is_within(first) && now.is_within(&members[step + 1]));
            // Private evidence only where the first sender granted its label, and the receiver holds it.
            for source in &packet.sources {
                prop_assert!(source.labels.is_subset(&now.labels) && source.labels.is_subset(&first.labels));
            }
            prop_assert_eq!(packet.sources.len() + sent.withheld, LABELS.len());
            prop_assert_eq!(team.principal(&to, Some(&packet.packet_id)).unwrap().labels, now.labels.clone());
            // What is needed is given or named, and a parent hears of it.
            let lacking: BTreeSet<String> = wanted.difference(&now.permissions).cloned().collect();
            prop_assert_eq!(&sent.missing, &lacking);
            let PacketBody::Task { missing, .. } = &packet.body else { panic!("a task") };
            prop_assert_eq!(missing, &lacking);
            if let Some((_, parent)) = &before {
                let report = PacketId::new(format!("{}/missing", packet.packet_id)).unwrap();
                let told = team.waiting(&agent(AGENTS[step - 1])).unwrap();
                let told = told.iter().find(|delivery| delivery.packet.packet_id == report);
                prop_assert_eq!(told.is_some(), !lacking.is_empty(), "{}", parent);
                for name in &lacking {
                    prop_assert!(told.unwrap().packet.slots.contains(name));
                }
            }
            before = Some((now, packet.packet_id.clone()));
            under = Some(packet.packet_id);
        }
    }
}

#[test]
fn nobody_works_on_the_account_of_a_packet_of_others() {
    let all = Scope::of(&NAMES, &LABELS).unwrap();
    let team = office(&vec![all; 6]);
    let outgoing = |to: &str, under: Option<PacketId>| Outgoing {
        to: Some(agent(to)),
        text: "Go on".to_owned(),
        under,
        ..Outgoing::default()
    };
    let sent = team.send(&agent("a0"), outgoing("a1", None)).unwrap();
    let error = team
        .send(&agent("a2"), outgoing("a3", Some(sent.packet.packet_id)))
        .unwrap_err();
    assert_eq!(error.field(), Some("under"));
}
