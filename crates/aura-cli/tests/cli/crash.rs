//! An import that is killed, and started again.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::workshop::{Workshop, chat, lines};

const SESSIONS: usize = 4;
const TURNS: usize = 400;

/// All sessions, mixed.
fn input() -> Vec<Value> {
    let chats: Vec<Vec<Value>> = (0..SESSIONS)
        .map(|n| chat(&format!("s{n}"), TURNS))
        .collect();
    let mixed = (0..2 * TURNS).flat_map(|at| chats.iter().map(move |chat| chat[at].clone()));
    mixed.collect()
}

/// How much of the sessions is stored.
fn stored(workshop: &Workshop) -> u64 {
    let shown = workshop.json(&["show"]);
    let sessions = shown.as_array().unwrap().iter();
    sessions
        .map(|session| session["last_event"].as_u64().unwrap())
        .sum()
}

/// Starts an import, and kills it once a part of it is stored and the rest is still on its way.
fn import_and_kill(workshop: &Workshop, text: &str, part: u64) {
    let mut child = workshop
        .command()
        .args(["import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The end stays out, so that the import cannot be over before it is killed.
    let (most, _) = text.split_at(text.len() - 100);
    let most = most.to_owned();
    let feeder = std::thread::spawn(move || {
        // The pipe breaks when the other side dies.
        let _ = stdin.write_all(most.as_bytes());
        stdin
    });
    let began = Instant::now();
    while !workshop.path("store.db").exists() || stored(workshop) < part {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "nothing is recorded"
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(feeder.join().unwrap());
}

#[test]
fn nothing_is_lost_or_doubled_by_a_kill() {
    let workshop = Workshop::new();
    let text = lines(&input());
    let mut before = 0;
    for part in [1, 700, 1500] {
        import_and_kill(&workshop, &text, part);
        let now = stored(&workshop);
        assert!(now >= before.max(part), "{now} of {part}");
        before = now;
        // Only whole turns are there, gapless and in order.
        for session in 0..SESSIONS {
            let id = format!("s{session}");
            let shown = workshop.json(&["show"]);
            if !shown
                .as_array()
                .unwrap()
                .iter()
                .any(|found| found["session_id"] == id.as_str())
            {
                continue;
            }
            for (n, turn) in workshop.turns(&id).iter().enumerate() {
                assert_eq!(*turn, [format!("q{n}"), format!("a{n}")]);
            }
        }
    }
    let (report, code) = workshop.import(&text);
    assert_eq!(code, 0);
    let all = (SESSIONS * TURNS * 2) as u64;
    assert_eq!(report["messages_known"], json!(before));
    assert_eq!(report["messages_recorded"], json!(all - before));
    assert_eq!(stored(&workshop), all);
    for session in 0..SESSIONS {
        let turns = workshop.turns(&format!("s{session}"));
        let expected: Vec<Vec<String>> = (0..TURNS)
            .map(|n| vec![format!("q{n}"), format!("a{n}")])
            .collect();
        assert_eq!(turns, expected);
    }
}
