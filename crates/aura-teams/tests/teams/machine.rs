//! Agents, failures, restarts and two processes in random order, beside a model.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use aura_core::{Scope, Storage, TurnStatus};
use aura_teams::{LEASE, Outgoing, Team};
use proptest::prelude::*;

use crate::setup::{Hands, Numbers, agent, leased, record, sqlite, team};

const AGENTS: [&str; 3] = ["a", "b", "c"];

#[derive(Debug, Clone)]
enum Step {
    /// Process, sender, receiver (3 is everybody).
    Send(usize, usize, usize),
    /// Process, agent: a turn asks for its packets, or an open one asks again.
    Ask(usize, usize),
    /// Process, agent: the call gave an answer, and the turn is recorded complete.
    Complete(usize, usize),
    /// Process, agent: the call failed, and the turn is recorded so.
    Fail(usize, usize),
    /// Process: it dies with what it holds and opens the store again.
    Crash(usize),
    /// Process, agent: the acknowledgement is asked for by name.
    Settle(usize, usize),
    /// Minutes pass.
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..2_usize, 0..3_usize, 0..4_usize).prop_map(|(p, a, b)| Step::Send(p, a, b)),
        5 => (0..2_usize, 0..3_usize).prop_map(|(p, a)| Step::Ask(p, a)),
        3 => (0..2_usize, 0..3_usize).prop_map(|(p, a)| Step::Complete(p, a)),
        1 => (0..2_usize, 0..3_usize).prop_map(|(p, a)| Step::Fail(p, a)),
        1 => (0..2_usize).prop_map(Step::Crash),
        1 => (0..2_usize, 0..3_usize).prop_map(|(p, a)| Step::Settle(p, a)),
        1 => (1..30_i64).prop_map(Step::Wait),
    ]
}

/// What must be true of one delivery.
#[derive(Debug, Clone, Default, PartialEq)]
struct Expected {
    /// The turn that shows it, and until when (ms).
    lease: Option<(String, i64)>,
    acknowledged: bool,
}

struct World {
    folder: tempfile::TempDir,
    clock: Arc<Hands>,
    ids: Arc<Numbers>,
    stores: Vec<Arc<dyn Storage>>,
    teams: Vec<Team>,
    /// The turn that each process has open for each agent.
    open: BTreeMap<(usize, usize), String>,
    /// Complete and failed turns.
    ended: BTreeMap<String, TurnStatus>,
    model: BTreeMap<(String, usize), Expected>,
    turns: u32,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Arc::default(),
            ids: Arc::default(),
            stores: Vec::new(),
            teams: Vec::new(),
            open: BTreeMap::new(),
            ended: BTreeMap::new(),
            model: BTreeMap::new(),
            turns: 0,
        };
        for _ in 0..2 {
            let (store, team) = world.process();
            world.stores.push(store);
            world.teams.push(team);
        }
        world
    }

    fn process(&self) -> (Arc<dyn Storage>, Team) {
        let store = sqlite(&self.folder.path().join("team.db"));
        let scopes = AGENTS.map(|id| (id, Scope::default()));
        let team = team(
            Arc::clone(&store),
            Arc::clone(&self.clock),
            Arc::clone(&self.ids),
            &scopes,
        );
        (store, team)
    }

    fn now(&self) -> i64 {
        self.clock.0.load(Ordering::SeqCst)
    }

    /// What asking for packets settles.
    fn settle(&mut self, receiver: usize) {
        for ((_, to), expected) in &mut self.model {
            let Some((turn, _)) = expected
                .lease
                .clone()
                .filter(|_| *to == receiver && !expected.acknowledged)
            else {
                continue;
            };
            match self.ended.get(&turn) {
                Some(TurnStatus::Complete) => {
                    expected.acknowledged = true;
                    expected.lease = None;
                }
                Some(_) => expected.lease = None,
                None => {}
            }
        }
    }

    /// What a turn must be shown.
    fn lease(&mut self, receiver: usize, turn: &str) -> Vec<String> {
        let (now, mut out) = (self.now(), Vec::new());
        let until = now + i64::try_from(LEASE.as_millis()).unwrap();
        for ((packet, to), expected) in &mut self.model {
            let elsewhere = expected
                .lease
                .as_ref()
                .is_some_and(|(held, until)| held != turn && *until > now);
            if *to == receiver && !expected.acknowledged && !elsewhere {
                expected.lease = Some((turn.to_owned(), until));
                out.push(packet.clone());
            }
        }
        out
    }

    fn run(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match *step {
            Step::Send(process, from, to) => {
                let receiver = AGENTS.get(to).filter(|_| to != from);
                let outgoing = Outgoing {
                    to: receiver.map(|id| agent(id)),
                    text: "Something was done.".to_owned(),
                    ..Outgoing::default()
                };
                let sent = self.teams[process]
                    .send(&agent(AGENTS[from]), outgoing)
                    .unwrap();
                for receiver in sent.receivers {
                    let to = AGENTS.iter().position(|id| agent(id) == receiver).unwrap();
                    self.model
                        .insert((sent.packet.packet_id.to_string(), to), Expected::default());
                }
            }
            Step::Ask(process, who) => {
                let turn = match self.open.get(&(process, who)) {
                    Some(turn) => turn.clone(),
                    None => {
                        self.turns += 1;
                        format!("turn-{}", self.turns)
                    }
                };
                self.open.insert((process, who), turn.clone());
                self.settle(who);
                let mut wanted = self.lease(who, &turn);
                let mut shown = leased(&self.teams[process], AGENTS[who], &turn);
                wanted.sort();
                shown.sort();
                prop_assert_eq!(shown, wanted);
            }
            Step::Complete(process, who) | Step::Fail(process, who) => {
                let status = match step {
                    Step::Complete(..) => TurnStatus::Complete,
                    _ => TurnStatus::Failed,
                };
                if let Some(turn) = self.open.remove(&(process, who)) {
                    record(
                        &*self.stores[process],
                        &self.teams[process],
                        AGENTS[who],
                        &turn,
                        status,
                    );
                    self.ended.insert(turn, status);
                }
            }
            Step::Crash(process) => {
                self.open.retain(|(of, _), _| *of != process);
                // The old handles are gone before the store is opened again.
                let (store, team) = self.process();
                self.stores[process] = store;
                self.teams[process] = team;
            }
            Step::Settle(process, who) => {
                self.teams[process].settle(&agent(AGENTS[who])).unwrap();
                self.settle(who);
            }
            Step::Wait(minutes) => {
                self.clock.0.fetch_add(minutes * 60_000, Ordering::SeqCst);
            }
        }
        Ok(())
    }

    /// Whatever happened, in the end every packet has been acknowledged or is shown to a fresh turn.
    fn check_nothing_is_lost(&mut self) -> Result<(), TestCaseError> {
        self.clock.0.fetch_add(24 * 60 * 60_000, Ordering::SeqCst);
        for (who, id) in AGENTS.into_iter().enumerate() {
            self.settle(who);
            let last = format!("last-{who}");
            let mut wanted = self.lease(who, &last);
            let mut shown = leased(&self.teams[0], id, &last);
            wanted.sort();
            shown.sort();
            prop_assert_eq!(&shown, &wanted);
            record(
                &*self.stores[1],
                &self.teams[1],
                id,
                &last,
                TurnStatus::Complete,
            );
            let after = leased(&self.teams[1], id, &format!("after-{who}"));
            prop_assert!(after.is_empty());
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_packet_is_lost_and_none_comes_again(steps in prop::collection::vec(step(), 1..60)) {
        let mut world = World::new();
        for step in &steps {
            world.run(step)?;
        }
        world.check_nothing_is_lost()?;
    }
}
