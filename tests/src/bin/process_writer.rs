//! Writes turns into a session that another process writes too.
//!
//! `process_writer FILE NAME TURNS`. It opens the file, says `ready`, and then obeys its standard input: `go` writes all
//! turns with two threads and says `done`; `one N` writes a turn and says `wrote N LAST_EVENT`; `read WRITER N` says `found` if
//! the newest turn of the session is the turn `N` of that writer, whole, and `missing` if not; the end of the input ends it.
#![forbid(unsafe_code)]

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use aura_core::{Durability, Storage, TurnIndex};
use aura_storage::{SqliteOptions, SqliteStorage};
use aura_tests::script::{Part, Script};

const THREADS: u64 = 2;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, name, turns] = &arguments[..] else {
        bail!("process_writer FILE NAME TURNS");
    };
    let turns: u64 = turns.parse()?;
    let options = SqliteOptions::new().durability(Durability::Normal);
    let store = SqliteStorage::open(file, options)?;
    say("ready")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        match &words[..] {
            ["go"] => {
                write_all(&store, name, turns)?;
                say("done")?;
            }
            ["one", n] => {
                let script = Script::new("shared", &format!("{name}.one"))?;
                let recorded = script.record(&store, n.parse()?, Part::All)?;
                say(&format!("wrote {n} {}", recorded.session.last_event))?;
            }
            ["read", writer, n] => {
                let found = is_newest(&store, writer, n.parse()?)?;
                say(if found { "found" } else { "missing" })?;
            }
            _ => bail!("not understood: {line}"),
        }
    }
    store.close()?;
    Ok(())
}

fn write_all(store: &SqliteStorage, name: &str, turns: u64) -> Result<()> {
    std::thread::scope(|scope| {
        let write = |thread: u64| -> Result<()> {
            let script = Script::new("shared", &format!("{name}.{thread}"))?;
            for n in 0..turns / THREADS {
                if Script::grows(n) {
                    script.record(store, n, Part::First)?;
                }
                script.record(store, n, Part::All)?;
            }
            Ok(())
        };
        let running: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || write(thread)))
            .collect();
        for thread in running {
            thread.join().ok().context("a thread panicked")??;
        }
        Ok(())
    })
}

fn is_newest(store: &SqliteStorage, writer: &str, n: u64) -> Result<bool> {
    let script = Script::new("shared", writer)?;
    let session = store.session(&script.key)?.context("no session")?;
    let records = store.turn_records(&script.key, TurnIndex(session.turns - 1), 2)?;
    let [newest] = &records[..] else {
        return Ok(false);
    };
    let said = newest.messages.iter().map(|stored| &stored.message);
    Ok(newest.turn.turn_id == script.turn_id(n)?
        && newest.turn.last_event() == Some(session.last_event)
        && said.eq(&script.messages(n)))
}

fn say(line: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()?;
    Ok(())
}
