//! One random operation.

use aura_core::{
    AgentId, ArtifactWrite, CompilationInputs, CompilationPurge, CompilationRecord, Distilled,
    EventId, Fact, FactCommit, FactEntry, FactId, FactOp, InputPart, LARGE_PART_BYTES, Message,
    RequestId, Snapshot, Storage, Trust, TurnId, TurnIndex, TurnStatus, TurnWrite, UserId,
};
use proptest::option;
use proptest::prelude::*;

use super::{Outcome, outcome};
use crate::conformance::compilations::manifest;
use crate::conformance::{at, key};

/// How many sessions the operations use.
pub(super) const SESSIONS: u8 = 3;
/// How many turn ids they use in each.
pub(super) const TURNS: u8 = 7;

/// One call.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    /// Records the first `count` messages of a turn's script.
    Record {
        session: u8,
        turn: u8,
        count: usize,
        /// The last of them is another one than the script says.
        differs: bool,
        status: TurnStatus,
        parent: Option<u8>,
        fresh: bool,
        by: Who,
    },
    /// Moves a turn.
    SetStatus(u8, u8, TurnStatus),
    /// Moves the head.
    SetHead(u8, u8),
    /// Commits a fact, as if so many commits had been seen.
    Facts(u8, u64),
    /// Keeps a manifest and perhaps a plan.
    Compile(u8, u8, bool),
    /// Forgets compilations made before a time.
    Forget(u8, u8),
    /// Keeps a snapshot.
    Snapshot(u8, u8),
    /// Stores bytes under one of two names.
    Artifact(bool, u8),
}

/// On whose behalf a turn is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Nobody,
    Ana,
    AnotherTenant,
}

pub(super) fn session_name(session: u8) -> &'static str {
    ["a", "nul\0 日本", "z"][usize::from(session)]
}

pub(super) fn turn_name(turn: u8) -> TurnId {
    let id = match turn {
        0 => "018f2a3b-7c4d-7e5f-8a9b-0c1d2e3f4a5b".to_owned(),
        turn => format!("turn {turn}"),
    };
    TurnId::new(id).unwrap()
}

/// The message at a place of a turn's script; the third is large.
pub(super) fn script(session: u8, turn: u8, place: usize) -> String {
    let text = format!("{session} {turn} {place} é\0");
    match place {
        2 => text.repeat(LARGE_PART_BYTES / text.len() + 1),
        _ => text,
    }
}

pub(super) fn any() -> impl Strategy<Value = Operation> {
    let status = || {
        proptest::sample::select(vec![
            TurnStatus::Open,
            TurnStatus::Open,
            TurnStatus::Complete,
            TurnStatus::Failed,
        ])
    };
    let who = prop_oneof![
        12 => Just(Who::Nobody),
        2 => Just(Who::Ana),
        1 => Just(Who::AnotherTenant),
    ];
    let parent = option::weighted(0.2, 0..TURNS);
    let turn = (0..SESSIONS, 0..TURNS, 0..5_usize, prop::bool::weighted(0.1));
    let record = (turn, status(), parent, prop::bool::weighted(0.2), who).prop_map(
        |((session, turn, count, differs), status, parent, fresh, by)| Operation::Record {
            session,
            turn,
            count,
            differs,
            status,
            parent,
            fresh,
            by,
        },
    );
    prop_oneof![
        12 => record,
        2 => (0..SESSIONS, 0..TURNS, status()).prop_map(|(s, t, to)| Operation::SetStatus(s, t, to)),
        2 => (0..SESSIONS, 0..TURNS).prop_map(|(s, t)| Operation::SetHead(s, t)),
        2 => (0..SESSIONS, 0..4_u64).prop_map(|(s, n)| Operation::Facts(s, n)),
        2 => (0..SESSIONS, 0..TURNS, proptest::bool::ANY)
            .prop_map(|(s, t, plan)| Operation::Compile(s, t, plan)),
        1 => (0..SESSIONS, 0..4_u8).prop_map(|(s, before)| Operation::Forget(s, before)),
        1 => (0..SESSIONS, 0..9_u8).prop_map(|(s, n)| Operation::Snapshot(s, n)),
        1 => (proptest::bool::ANY, 0..3_u8).prop_map(|(name, n)| Operation::Artifact(name, n)),
    ]
}

impl Operation {
    /// Calls the store.
    pub(super) fn apply(&self, store: &dyn Storage) -> Outcome {
        let home = |session: &u8| key("default", session_name(*session));
        match self {
            Self::Record { .. } => outcome(store.record(self.write().unwrap()), |recorded| {
                let events: Vec<u64> = recorded.turn.event_ids().map(|event| event.0).collect();
                let (effect, count) = (recorded.effect, recorded.appended.len());
                let status = recorded.turn.status;
                let session = super::reference::tell(&recorded.session);
                format!("{effect:?} {count} {status:?} {events:?} {session}")
            }),
            Self::SetStatus(session, turn, status) => {
                let set = store.set_status(&home(session), &turn_name(*turn), *status);
                outcome(set, |recorded| {
                    let session = super::reference::tell(&recorded.session);
                    format!("{:?} {session}", recorded.effect)
                })
            }
            Self::SetHead(session, turn) => {
                let set = store.set_head(&home(session), &turn_name(*turn));
                outcome(set, |session| super::reference::tell(&session))
            }
            Self::Facts(session, expected) => {
                let commit = FactCommit {
                    key: home(session),
                    expected: *expected,
                    entries: vec![fact(*expected)],
                    distilled: Distilled {
                        next: *expected as u32,
                        open: vec![TurnIndex(*expected as u32)],
                        commits: 0,
                    },
                };
                outcome(store.commit_facts(commit), |session| {
                    super::reference::tell(&session)
                })
            }
            Self::Compile(session, turn, plan) => {
                let key = home(session);
                let record = CompilationRecord {
                    turn_id: turn_name(*turn),
                    manifest: manifest(&format!("r{turn}"), &key, i64::from(*turn % 3)),
                    plan: plan.then(|| vec![*turn]),
                    inputs: plan.then(|| CompilationInputs {
                        call: vec![*session, *turn],
                        parts: [*session, *turn, 99]
                            .into_iter()
                            .map(|byte| InputPart::of(vec![byte]))
                            .collect(),
                    }),
                    key,
                };
                outcome(store.put_compilations(vec![record]), |()| String::new())
            }
            Self::Forget(session, before) => {
                let forgotten = store.forget_compilations(&CompilationPurge {
                    session_id: Some(home(session).session_id),
                    before: Some(at(i64::from(*before))),
                    ..CompilationPurge::default()
                });
                outcome(forgotten, |_| String::new())
            }
            Self::Snapshot(session, n) => {
                let snapshot = Snapshot {
                    change_seq: u64::from(*n),
                    bytes: vec![*n; 3],
                };
                let put = store.put_snapshot(&home(session), "lexical", snapshot);
                outcome(put, |()| String::new())
            }
            Self::Artifact(name, n) => {
                let write = ArtifactWrite {
                    user: None,
                    session_id: None,
                    tenant: aura_core::TenantId::default(),
                    name: ["x", "y"][usize::from(*name)].to_owned(),
                    mime: None,
                    bytes: vec![*n; 5],
                    recorded_at: at(0),
                };
                outcome(store.put_artifact(write), |artifact| {
                    artifact.handle.version.to_string()
                })
            }
        }
    }

    fn write(&self) -> Option<TurnWrite> {
        let Self::Record {
            session,
            turn,
            count,
            differs,
            status,
            parent,
            fresh,
            by,
        } = self
        else {
            return None;
        };
        let mut messages: Vec<Message> = (0..*count)
            .map(|place| Message::assistant(script(*session, *turn, place)))
            .collect();
        if let Some(last) = messages.last_mut().filter(|_| *differs) {
            *last = Message::assistant("other");
        }
        let tenant = match by {
            Who::AnotherTenant => "other",
            _ => "default",
        };
        Some(TurnWrite {
            key: key(tenant, session_name(*session)),
            user: (*by == Who::Ana).then(|| UserId::new("ana").unwrap()),
            agent: AgentId::default(),
            turn_id: turn_name(*turn),
            fresh_id: *fresh,
            parent: parent.map(turn_name),
            status: *status,
            messages,
            recorded_at: at(i64::from(*turn)),
            requests: vec![RequestId::new(format!("r{turn}")).unwrap()],
        })
    }
}

fn fact(n: u64) -> FactEntry {
    let fact = Fact {
        fact_id: FactId::new(format!("f{n}")).unwrap(),
        text: "Lives in Oslo".to_owned(),
        subject: "user/home".to_owned(),
        sources: vec![EventId(n)],
        trust: Trust::Verified,
        valid_from: at(0),
        valid_to: None,
        recorded_at: at(0),
        invalidated_at: None,
        invalidated_by: None,
        replaced_by: None,
    };
    FactEntry {
        turn: TurnIndex(0),
        change: FactOp::Add { fact },
    }
}
