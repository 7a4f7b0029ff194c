//! Packets and their deliveries.

use std::collections::BTreeSet;

use aura_core::{
    AgentId, DeliveryQuery, ErrorKind, Packet, PacketBody, PacketId, PacketLease, PacketWrite,
    RawJson, SessionId, Settlement, Storage, TenantId, TurnId,
};

use crate::conformance::{Case, at};

/// The lines of the contract.
pub const CASES: &[Case] = &[
    ("a packet comes back", a_packet_comes_back),
    ("a packet is stored once", a_packet_is_stored_once),
    (
        "deliveries are listed in order",
        deliveries_are_listed_in_order,
    ),
    ("a lease keeps others away", a_lease_keeps_others_away),
    (
        "what is acknowledged stays so",
        what_is_acknowledged_stays_so,
    ),
    ("what is released waits again", what_is_released_waits_again),
    (
        "what has expired is not leased",
        what_has_expired_is_not_leased,
    ),
    (
        "tenants have packets of their own",
        tenants_have_packets_of_their_own,
    ),
];

fn tenant(id: &str) -> TenantId {
    TenantId::new(id).unwrap()
}

fn agent(id: &str) -> AgentId {
    AgentId::new(id).unwrap()
}

fn packet_id(id: &str) -> PacketId {
    PacketId::new(id).unwrap()
}

fn packet(id: &str) -> Packet {
    let mut packet = Packet::handoff(packet_id(id), agent("a"), None, "Done: \0 \u{1F9FE}", at(1));
    packet.slots = vec!["ORD-7781".to_owned(), "\u{202e}x".to_owned()];
    let json = |text: &str| Some(RawJson::new("test", text).unwrap());
    packet.payload = json("{ \"b\": 1.00 }");
    packet.body = PacketBody::Task {
        acceptance: vec!["done".to_owned()],
        needs: BTreeSet::from(["pay".to_owned()]),
        missing: BTreeSet::new(),
        unresolved: Vec::new(),
        contract: json("{\"type\":  \"object\"}"),
    };
    packet
}

fn write(packet: Packet, receivers: &[&str]) -> PacketWrite {
    PacketWrite {
        team: "t".to_owned(),
        session: SessionId::new("t:a").unwrap(),
        packet,
        receivers: receivers.iter().map(|id| agent(id)).collect(),
    }
}

fn query(receiver: Option<&str>, settled: bool) -> DeliveryQuery {
    DeliveryQuery {
        team: "t".to_owned(),
        receiver: receiver.map(agent),
        settled,
        ..DeliveryQuery::default()
    }
}

fn lease(store: &dyn Storage, ids: &[&str], turn: &str, now: i64) -> Vec<String> {
    let ids: Vec<PacketId> = ids.iter().map(|id| packet_id(id)).collect();
    let lease = PacketLease {
        turn: TurnId::new(turn).unwrap(),
        now: at(now),
        until: at(now + 10),
    };
    let leased = store
        .lease_packets(&tenant("one"), &agent("b"), &ids, &lease)
        .unwrap();
    leased.iter().map(ToString::to_string).collect()
}

fn settle(store: &dyn Storage, ids: &[&str], turn: &str, settlement: Settlement) -> Vec<String> {
    let ids: Vec<PacketId> = ids.iter().map(|id| packet_id(id)).collect();
    let turn = TurnId::new(turn).unwrap();
    let settled = store
        .settle_packets(&tenant("one"), &agent("b"), &ids, &turn, settlement)
        .unwrap();
    settled.iter().map(ToString::to_string).collect()
}

fn put(store: &dyn Storage, id: &str) {
    assert!(
        store
            .put_packet(&tenant("one"), write(packet(id), &["b"]))
            .unwrap()
    );
}

fn a_packet_comes_back(store: &dyn Storage) {
    put(store, "p");
    let one = tenant("one");
    assert_eq!(
        store.packet(&one, &packet_id("p")).unwrap(),
        Some(packet("p"))
    );
    assert_eq!(store.packet(&one, &packet_id("q")).unwrap(), None);
    let found = store.deliveries(&one, &query(None, true)).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0].packet, &found[0].receiver),
        (&packet("p"), &agent("b"))
    );
    assert!(found[0].lease.is_none() && found[0].acknowledged_at.is_none());
}

fn a_packet_is_stored_once(store: &dyn Storage) {
    let one = tenant("one");
    assert!(
        store
            .put_packet(&one, write(packet("p"), &["b", "c"]))
            .unwrap()
    );
    assert!(
        !store
            .put_packet(&one, write(packet("p"), &["c", "b", "c"]))
            .unwrap()
    );
    let mut other = packet("p");
    other.summary.push('!');
    for wrong in [write(other, &["b", "c"]), write(packet("p"), &["b"])] {
        let error = store.put_packet(&one, wrong).unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Conflict, Some("packet_id"))
        );
    }
    let error = store.put_packet(&one, write(packet("q"), &[])).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (ErrorKind::Invalid, Some("receivers"))
    );
    assert_eq!(store.packet(&one, &packet_id("q")).unwrap(), None);
}

fn deliveries_are_listed_in_order(store: &dyn Storage) {
    let one = tenant("one");
    for id in ["z", "a", "m"] {
        store
            .put_packet(&one, write(packet(id), &["c", "b"]))
            .unwrap();
    }
    let named = |query: &DeliveryQuery| -> Vec<String> {
        let found = store.deliveries(&one, query).unwrap();
        found
            .iter()
            .map(|one| format!("{}{}", one.packet.packet_id, one.receiver))
            .collect()
    };
    assert_eq!(
        named(&query(None, false)),
        ["zb", "zc", "ab", "ac", "mb", "mc"]
    );
    assert_eq!(named(&query(Some("c"), false)), ["zc", "ac", "mc"]);
    let mut some = query(Some("c"), false);
    some.limit = 2;
    assert_eq!(named(&some), ["zc", "ac"]);
    some.packet = Some(packet_id("m"));
    assert_eq!(named(&some), ["mc"]);
    some.team = "other".to_owned();
    assert!(named(&some).is_empty());
}

fn a_lease_keeps_others_away(store: &dyn Storage) {
    put(store, "p");
    put(store, "q");
    assert_eq!(lease(store, &["q", "p", "x"], "t1", 0), ["p", "q"]);
    assert!(lease(store, &["p"], "t2", 9).is_empty());
    assert_eq!(lease(store, &["p"], "t1", 9), ["p"]);
    assert!(lease(store, &["p"], "t2", 12).is_empty());
    assert_eq!(lease(store, &["q"], "t2", 12), ["q"]);
    assert!(settle(store, &["q"], "t1", Settlement::Acknowledge(at(13))).is_empty());
    let held = store
        .deliveries(&tenant("one"), &query(Some("b"), false))
        .unwrap();
    let turns: Vec<_> = held
        .iter()
        .map(|one| one.lease.as_ref().unwrap().0.to_string())
        .collect();
    assert_eq!(turns, ["t1", "t2"]);
}

fn what_is_acknowledged_stays_so(store: &dyn Storage) {
    put(store, "p");
    assert_eq!(lease(store, &["p"], "t1", 0), ["p"]);
    assert_eq!(
        settle(store, &["p"], "t1", Settlement::Acknowledge(at(50))),
        ["p"]
    );
    assert!(lease(store, &["p"], "t1", 60).is_empty());
    assert!(lease(store, &["p"], "t2", 60).is_empty());
    assert!(settle(store, &["p"], "t1", Settlement::Release).is_empty());
    assert!(
        store
            .deliveries(&tenant("one"), &query(None, false))
            .unwrap()
            .is_empty()
    );
    let all = store
        .deliveries(&tenant("one"), &query(None, true))
        .unwrap();
    assert_eq!(all[0].acknowledged_at, Some(at(50)));
    // The same packet again is known, and stays acknowledged.
    assert!(
        !store
            .put_packet(&tenant("one"), write(packet("p"), &["b"]))
            .unwrap()
    );
    assert!(
        store
            .deliveries(&tenant("one"), &query(None, false))
            .unwrap()
            .is_empty()
    );
}

fn what_is_released_waits_again(store: &dyn Storage) {
    put(store, "p");
    assert_eq!(lease(store, &["p"], "t1", 0), ["p"]);
    assert!(settle(store, &["p"], "t2", Settlement::Release).is_empty());
    assert_eq!(settle(store, &["p"], "t1", Settlement::Release), ["p"]);
    assert_eq!(lease(store, &["p"], "t2", 1), ["p"]);
    // Past its end a lease still acknowledges, as long as nobody else has taken it.
    assert_eq!(
        settle(store, &["p"], "t2", Settlement::Acknowledge(at(99))),
        ["p"]
    );
}

fn what_has_expired_is_not_leased(store: &dyn Storage) {
    let mut short = packet("p");
    short.expires_at = Some(at(5));
    store
        .put_packet(&tenant("one"), write(short, &["b"]))
        .unwrap();
    assert_eq!(lease(store, &["p"], "t1", 4), ["p"]);
    assert!(lease(store, &["p"], "t1", 5).is_empty());
    assert_eq!(
        store
            .deliveries(&tenant("one"), &query(None, false))
            .unwrap()
            .len(),
        1
    );
}

fn tenants_have_packets_of_their_own(store: &dyn Storage) {
    put(store, "p");
    let two = tenant("two");
    assert_eq!(store.packet(&two, &packet_id("p")).unwrap(), None);
    assert!(
        store
            .deliveries(&two, &query(None, true))
            .unwrap()
            .is_empty()
    );
    let lease = PacketLease {
        turn: TurnId::new("t").unwrap(),
        now: at(0),
        until: at(1),
    };
    let leased = store
        .lease_packets(&two, &agent("b"), &[packet_id("p")], &lease)
        .unwrap();
    assert!(leased.is_empty());
    let mut own = packet("p");
    own.summary = "Another".to_owned();
    assert!(store.put_packet(&two, write(own, &["b"])).unwrap());
    assert_eq!(
        store.packet(&tenant("one"), &packet_id("p")).unwrap(),
        Some(packet("p"))
    );
}
