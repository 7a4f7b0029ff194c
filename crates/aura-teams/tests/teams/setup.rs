//! Teams, clocks and turns for the tests of this folder.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use aura_core::{
    AgentId, Clock, ContextPolicy, IdSource, Label, Message, PacketId, Scope, SessionKey, Storage,
    TenantId, Timestamp, TurnId, TurnStatus, TurnWrite,
};
use aura_storage::{MemoryStorage, SqliteOptions, SqliteStorage};
use aura_teams::{Inbox, InboxRequest, Team};
use aura_text::BuiltinCounter;

/// A clock that tests set.
#[derive(Default)]
pub(crate) struct Hands(pub(crate) AtomicI64);

impl Clock for Hands {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis_clamped(1_700_000_000_000 + self.0.load(Ordering::SeqCst))
    }
}

/// Ids in order.
#[derive(Default)]
pub(crate) struct Numbers(pub(crate) AtomicU64);

impl IdSource for Numbers {
    fn next_id(&self, _now: Timestamp) -> String {
        format!("id-{}", self.0.fetch_add(1, Ordering::SeqCst))
    }
}

pub(crate) fn agent(id: &str) -> AgentId {
    AgentId::new(id).unwrap()
}

pub(crate) fn label(id: &str) -> Label {
    Label::new(id).unwrap()
}

pub(crate) fn packet_id(id: &str) -> PacketId {
    PacketId::new(id).unwrap()
}

pub(crate) fn turn_id(id: &str) -> TurnId {
    TurnId::new(id).unwrap()
}

/// A team of `planner`, `coder` and `tester` on a store in memory.
pub(crate) fn office(scopes: &[(&str, Scope)]) -> Team {
    team(
        Arc::new(MemoryStorage::new()),
        Arc::default(),
        Arc::default(),
        scopes,
    )
}

pub(crate) fn team(
    storage: Arc<dyn Storage>,
    clock: Arc<Hands>,
    ids: Arc<Numbers>,
    scopes: &[(&str, Scope)],
) -> Team {
    let tenant = TenantId::new("acme").unwrap();
    let team = Team::new(storage, clock, ids, tenant, "office").unwrap();
    let add = |team: Team, (id, scope): &(&str, Scope)| team.with_member(agent(id), scope.clone());
    scopes.iter().fold(team, add)
}

pub(crate) fn sqlite(path: &std::path::Path) -> Arc<dyn Storage> {
    Arc::new(SqliteStorage::open(path, SqliteOptions::default()).unwrap())
}

pub(crate) fn inbox(
    team: &Team,
    receiver: &str,
    turn: &str,
    question: &str,
    policy: &ContextPolicy,
) -> Inbox {
    let request = InboxRequest {
        turn: &turn_id(turn),
        question,
        policy,
        counter: &BuiltinCounter::O200kBase,
    };
    team.inbox(&agent(receiver), &request).unwrap()
}

/// What an inbox leases under the default policy.
pub(crate) fn leased(team: &Team, receiver: &str, turn: &str) -> Vec<String> {
    let inbox = inbox(
        team,
        receiver,
        turn,
        "What next?",
        &ContextPolicy::default(),
    );
    inbox.leased.iter().map(ToString::to_string).collect()
}

/// Records a turn of a member.
pub(crate) fn record(
    storage: &dyn Storage,
    team: &Team,
    member: &str,
    turn: &str,
    status: TurnStatus,
) {
    let member = agent(member);
    let write = TurnWrite {
        key: SessionKey {
            tenant: TenantId::new("acme").unwrap(),
            session_id: team.session(&member).unwrap(),
        },
        user: None,
        agent: member,
        turn_id: turn_id(turn),
        fresh_id: false,
        parent: None,
        status,
        messages: vec![Message::user("What next?"), Message::assistant("Done.")],
        recorded_at: Timestamp::from_millis_clamped(1_700_000_000_000),
        requests: Vec::new(),
    };
    storage.record(write).unwrap();
}
