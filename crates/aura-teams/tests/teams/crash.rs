//! A process that dies while it shows packets.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use aura_core::{Scope, TurnStatus};
use aura_teams::{Outgoing, Team};

use crate::setup::{Hands, Numbers, agent, leased, record, sqlite, team};

/// Names the store in the child.
const STORE: &str = "AURA_TEAMS_TEST_STORE";

fn open(path: &std::path::Path, clock: &Arc<Hands>) -> (Arc<dyn aura_core::Storage>, Team) {
    let store = sqlite(path);
    let scopes = ["a", "b"].map(|id| (id, Scope::default()));
    let ids = Arc::new(Numbers::default());
    let team = team(Arc::clone(&store), Arc::clone(clock), ids, &scopes);
    (store, team)
}

/// Runs in the child only: shows packets, and dies before or after its turn is recorded.
#[test]
fn child() {
    let Ok(path) = std::env::var(STORE) else {
        return;
    };
    let (store, team) = open(std::path::Path::new(&path), &Arc::default());
    assert_eq!(leased(&team, "b", "in-child").len(), 2);
    if std::env::var("AURA_TEAMS_TEST_ENDS").is_ok() {
        record(&*store, &team, "b", "in-child", TurnStatus::Complete);
    }
    std::process::abort();
}

fn crash(path: &std::path::Path, ends: bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "crash::child", "--nocapture"])
        .env(STORE, path);
    if ends {
        command.env("AURA_TEAMS_TEST_ENDS", "1");
    }
    let output = command.output().unwrap();
    assert!(!output.status.success());
    assert!(
        !String::from_utf8_lossy(&output.stderr).contains("assertion"),
        "{output:?}"
    );
}

#[test]
fn packets_outlive_the_process_that_showed_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("team.db");
    let clock: Arc<Hands> = Arc::default();
    let (_store, team) = open(&path, &clock);
    for text in ["One.", "Two."] {
        let outgoing = Outgoing {
            to: Some(agent("b")),
            text: text.to_owned(),
            ..Outgoing::default()
        };
        team.send(&agent("a"), outgoing).unwrap();
    }
    crash(&path, false);
    // It may still be at work for all that others know.
    assert!(leased(&team, "b", "next").is_empty());
    clock.0.fetch_add(16 * 60_000, Ordering::SeqCst);
    assert_eq!(leased(&team, "b", "next").len(), 2);
    team.release(
        &agent("b"),
        &crate::setup::turn_id("next"),
        &team
            .waiting(&agent("b"))
            .unwrap()
            .into_iter()
            .map(|one| one.packet.packet_id)
            .collect::<Vec<_>>(),
    )
    .unwrap();
    // The turn was recorded, and the process died before anybody was told.
    crash(&path, true);
    assert!(leased(&team, "b", "after").is_empty());
    assert!(team.waiting(&agent("b")).unwrap().is_empty());
}
